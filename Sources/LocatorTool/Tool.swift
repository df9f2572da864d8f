import Locator

/// The command as a function, which tests can call.
package enum Tool {
    /// The version of the command and of the libraries it is built from: that of the last release, or of the next one
    /// with `-dev`.
    package static let version = "0.2.0-dev"

    /// All commands, in the order of the help.
    static let commands: [any Command.Type] = [
        PropertiesCommand.self, ExplainCommand.self, DiffCommand.self, CheckCommand.self, EnvCommand.self,
        WiringCommand.self, GraphCommand.self, SchemaCommand.self, ReferenceCommand.self,
        CompletionsCommand.self,
    ]

    /// Runs a command line, without the name of the program.
    package static func run(_ words: [String], in surroundings: Surroundings) -> Outcome {
        do {
            return try runCommand(words, in: surroundings)
        } catch {
            return Outcome(errors: text(of: error, in: surroundings), status: error.status)
        }
    }

    private static func runCommand(_ words: [String], in surroundings: Surroundings) throws(ToolError) -> Outcome {
        guard let name = words.first else {
            return Outcome(errors: Help.text(of: commands.map { $0.syntax }), status: 2)
        }
        if ["help", "--help", "-h"].contains(name) { return try help(words.dropFirst()) }
        if name == "--version" {
            if words.count > 1 { throw .usage(.surplusArgument(words[1]), command: nil) }
            return Outcome(output: "locator \(version)\n")
        }
        if name == Completion.command {
            let completion = Completion(commands: commands.map { $0.syntax }, surroundings: surroundings)
            return completion.outcome(Array(words.dropFirst()))
        }
        let command = try command(named: name)
        let arguments = try Arguments(words.dropFirst(), syntax: command.syntax)
        if arguments.has("help") { return Outcome(output: Help.text(of: command.syntax)) }
        return try command.run(arguments, in: surroundings)
    }

    /// `locator help`, and `locator help check`.
    private static func help(_ words: ArraySlice<String>) throws(ToolError) -> Outcome {
        guard let name = words.first else { return Outcome(output: Help.text(of: commands.map { $0.syntax })) }
        if name == PluginHelp.name { return Outcome(output: PluginHelp.text(of: words.dropFirst().first)) }
        return Outcome(output: Help.text(of: try command(named: name).syntax))
    }

    private static func command(named name: String) throws(ToolError) -> any Command.Type {
        if let command = commands.first(where: { $0.syntax.name == name }) { return command }
        let near = NearNames.nearest(to: name, among: commands.map { $0.syntax.name })
        let problem: UsageProblem =
            name.hasPrefix("-") ? .unknownOption(name, near: []) : .unknownCommand(name, near: near)
        throw .usage(problem, command: nil)
    }

    private static func text(of error: ToolError, in surroundings: Surroundings) -> String {
        let paint = Paint(surroundings.variables, isTerminal: surroundings.isErrorTerminal)
        return "\(paint("error:", .red)) \(error.message.escapingHidden(exceptLineBreaks: true))\n"
    }
}
