import Locator

/// `locator explain`: shows where a setting gets its value.
enum ExplainCommand: Command {
    static let syntax = Syntax(
        name: "explain", summary: "Show where a setting comes from, and what it hides",
        arguments: [
            .init(name: "KEY", summary: "The path of the setting, or of an object: server.url", completes: .settings)
        ],
        options: Configuration.optionsWithProfile)

    static func run(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) -> Outcome {
        let configuration = Configuration(arguments, in: surroundings)
        let properties = try configuration.properties(configuration.profiles)
        let explanation = properties.explain(arguments.positional[0])
        let lines = explanation.description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // Nothing mentions the setting, or a value without parts is in its place.
        if [nil, .replaces].contains(explanation.layers.first?.effect) { throw .noSetting(explanation) }
        let text = [surroundings.paint(lines[0], .bold)] + lines.dropFirst()
        return Outcome(output: text.joined(separator: "\n") + "\n")
    }
}
