/// The help of `swift package check-wiring`, which builds the package and runs a command on the build.
enum PluginHelp {
    static let name = "check-wiring"

    /// The commands that it can run instead of `locator wiring`.
    private static let others: [any Command.Type] = [SchemaCommand.self, ReferenceCommand.self, EnvCommand.self]

    /// Returns the help for `locator wiring`, or for another command.
    static func text(of other: String?) -> String {
        let named = others.first { $0.syntax.name == other }
        var syntax = named?.syntax ?? WiringCommand.syntax
        // The plugin builds the package itself.
        syntax.arguments.removeAll { $0.name == buildArgument }
        syntax.notes = [building] + syntax.notes.filter { $0 != WiringCommand.ofPlugin }
        if named == nil {
            syntax.arguments.append(
                .init(
                    name: "COMMAND", summary: "Run another command on the build: check-wiring schema --help",
                    isRequired: false, choices: others.map { $0.syntax.name }))
        }
        return Help.text(of: syntax, calledAs: "swift package \(name)" + (named.map { " \($0.syntax.name)" } ?? ""))
    }

    private static let buildArgument = ProgramSettings.buildArgument.name

    private static let building = """
        The package is built first, in its own folder below .build/plugins. By default, the targets are all of the
        package except its tests; with --targets, only the named ones are built. On macOS the sandbox of plugins
        does not allow the build: use swift package --disable-sandbox check-wiring.
        """
}
