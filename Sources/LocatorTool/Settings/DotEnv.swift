import Locator

/// Writes settings as a file of environment variables that a POSIX shell, Docker Compose, and python-dotenv all read in
/// the same way.
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
        guard Self.hasOnlyVisible(text) else {
            return comment(variable, text, "has characters that no such file can have")
        }
        guard let quoted = quoted(text) else {
            return comment(variable, text, "a shell and other readers of such files take it for different values")
        }
        guard setting.placeholders.isEmpty else {
            let targets = setting.placeholders.map { "${\($0)}" }.joined(separator: ", ")
            return comment(variable, quoted, "built from \(targets)")
        }
        // As text, it would be the string "null".
        return value.isNull ? comment(variable, "", "null") : "\(variable)=\(quoted)"
    }

    /// Returns a line that sets nothing, with any value.
    private static func comment(_ variable: String, _ value: String, _ reason: String) -> String {
        "# \(variable)=\(value)  # \(reason)".escapingHidden()
    }

    /// Whether a text has no characters that a terminal would interpret.
    private static func hasOnlyVisible(_ text: String) -> Bool {
        text == text.escapingHidden(exceptLineBreaks: true) && !text.contains("\r\n")
    }

    /// Returns a text as the value of a variable, or nil if no form of it is the same for all readers.
    private static func quoted(_ text: String) -> String? {
        // Only ASCII, because readers may remove other spaces around a value without quotes.
        func isPlain(_ byte: UInt8) -> Bool {
            byte < 0x80 && PropertyPath.isPlain(byte) || "./:".utf8.contains(byte)
        }
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        // python-dotenv replaces this in any quotes.
        if text.utf8.contains("${".utf8) { return nil }
        // Only a shell treats every backslash in single quotes literally.
        if !text.utf8.contains(where: { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\\") }) { return "'\(text)'" }
        // In double quotes, python-dotenv keeps the backslash of \$ and \`, and treats \\" at the end as an escaped
        // quote.
        let isUnquotable = text.utf8.contains { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "`") }
        if isUnquotable || text.utf8.last == UInt8(ascii: "\\") { return nil }
        var quoted = "\""
        // By scalars, because a combining mark after a backslash would form one character with it.
        for scalar in text.unicodeScalars {
            if scalar == "\\" || scalar == "\"" { quoted.append("\\") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
