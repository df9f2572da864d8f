import Locator

/// Settings as a file of environment variables, as a POSIX shell and Docker Compose read them.
enum DotEnv {
    static func text(of settings: OverridableSettings) -> String {
        let profiles = settings.profiles.isEmpty ? "no profile" : settings.profiles.joined(separator: ", ")
        var lines = ["# Variables that override settings, with the values of \(profiles).".escapingHidden()]
        lines += settings.all.map(line)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ setting: OverridableSettings.Setting) -> String {
        guard let variable = setting.variable else {
            return "# no variable can override \(setting.path)".escapingHidden()
        }
        if setting.isSecret {
            return comment(variable, "", setting.origin == nil ? "secret, \(setting.source)" : "secret")
        }
        guard let value = setting.value else { return comment(variable, "", setting.source) }
        let text = value.stringValue ?? value.text()
        guard let quoted = quoted(text) else {
            return comment(variable, text, "has characters that no such file can have")
        }
        guard setting.placeholders.isEmpty else {
            let targets = setting.placeholders.map { "${\($0)}" }.joined(separator: ", ")
            return comment(variable, quoted, "built from \(targets)")
        }
        // The text would be one, and no null.
        return value.isNull ? comment(variable, "", "null") : "\(variable)=\(quoted)"
    }

    /// A line that sets nothing, whatever is in it.
    private static func comment(_ variable: String, _ value: String, _ reason: String) -> String {
        "# \(variable)=\(value)  # \(reason)".escapingHidden()
    }

    /// A text as the value of a variable; nil where it has what a terminal would act upon.
    private static func quoted(_ text: String) -> String? {
        guard text == text.escapingHidden(exceptLineBreaks: true), !text.contains("\r\n") else { return nil }
        func isPlain(_ byte: UInt8) -> Bool {
            PropertyPath.isPlain(byte) || [UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":")].contains(byte)
        }
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        if !text.utf8.contains(UInt8(ascii: "'")) { return "'\(text)'" }
        let special = Set("\"\\$`!".utf8)
        if !text.utf8.contains(where: special.contains) { return "\"\(text)\"" }
        return "'\(text.replacing("'", with: #"'\''"#))'"
    }
}
