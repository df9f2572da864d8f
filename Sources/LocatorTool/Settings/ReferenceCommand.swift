import Locator

/// `locator reference`: writes all settings as a Markdown table, for people.
enum ReferenceCommand: Command {
    static let syntax = Syntax(
        name: "reference", summary: "Write a Markdown table of all settings, for people",
        arguments: [ProgramSettings.buildArgument],
        options: [
            Configuration.folderOption,
            .init(
                name: "prefix", placeholder: "PREFIX",
                summary: "The prefix of the variables to show, as in .environment(prefix:) in the program"),
            Configuration.directoryOption, Configuration.filesOption, Configuration.secretOption,
            ProgramSettings.targetsOption, Surroundings.outputOption,
        ],
        notes: [
            """
            swift package check-wiring reference > SETTINGS.md also builds the package; without a build, only the files are
            known. Secrets are masked. The table is the same on every machine: it has no values of variables, and
            placeholders for them are shown as written.
            """
        ])

    static func run(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) -> Outcome {
        let text = try SettingsReference(arguments, in: surroundings).text
        return try surroundings.outcome(of: text, output: arguments["output"])
    }
}
