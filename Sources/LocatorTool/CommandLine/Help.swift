/// The texts of `--help`.
enum Help {
    /// Returns the help for a command.
    ///
    /// - Parameters:
    ///   - syntax: The syntax of the command.
    ///   - call: The command line that runs it, or nil for `locator` and its name.
    static func text(of syntax: Syntax, calledAs call: String? = nil) -> String {
        let call = call ?? "locator \(syntax.name)"
        let arguments = syntax.arguments.map { $0.isRequired ? $0.form : "[\($0.form)]" }
        let options = syntax.options.map { $0.isRequired ? $0.form : "[\($0.form)]" }
        var lines = wrapped(arguments + options, after: "usage: \(call)")
        lines += ["", syntax.summary + ".", ""]
        lines += table(syntax.arguments.map { ($0.form, $0.summary) } + syntax.allOptions.map { ($0.form, $0.summary) })
        for note in syntax.notes { lines += ["", note] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the help for all commands.
    static func text(of commands: [Syntax]) -> String {
        var lines = ["usage: locator COMMAND [OPTIONS]", "", "Inspects the settings and the wiring of a program.", ""]
        lines += table(commands.map { ($0.name, $0.summary) })
        lines += ["", "Help for one command: locator COMMAND --help", "The version: locator --version"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func table(_ rows: [(String, String)]) -> [String] {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0)\(String(repeating: " ", count: width - $0.count + 2))\($1)" }
    }

    /// Words in lines, which are indented like the first word.
    private static func wrapped(_ words: [String], after start: String) -> [String] {
        var lines = [start]
        for word in words {
            if lines[lines.count - 1].count + 1 + word.count > 100 {
                lines.append(String(repeating: " ", count: start.count + 1) + word)
            } else {
                lines[lines.count - 1] += " " + word
            }
        }
        return lines
    }
}
