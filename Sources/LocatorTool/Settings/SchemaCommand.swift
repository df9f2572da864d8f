import Locator

/// `locator schema`: writes a JSON Schema of the profile files, for editors.
enum SchemaCommand: Command {
    static let syntax = Syntax(
        name: "schema", summary: "Write a JSON Schema of the profile files, for editors",
        arguments: [ProgramSettings.buildArgument],
        options: [
            Configuration.folderOption,
            .init(
                name: "prefix", placeholder: "PREFIX",
                summary: "Let variables with this prefix list secrets, like .environment(prefix:) in the program"),
            Configuration.directoryOption, Configuration.filesOption, Configuration.secretOption,
            ProgramSettings.targetsOption, Surroundings.outputOption,
        ],
        notes: [
            """
            swift package check-wiring schema > Config/settings.schema.json also builds the package. A profile file names
            the schema at its top: "$schema": "./settings.schema.json"
            """,
            """
            The types in the sources decide what a value may be. For settings that no source names, the values in all files
            decide. Nothing is required, because a profile overrides the base file, and null removes a setting. A value of
            any type may also be a string with a placeholder. Defaults come from the base file, then from the sources.
            Secrets have no default.
            """,
        ])

    static func run(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) -> Outcome {
        let program = try ProgramSettings(arguments, in: surroundings)
        let configuration = Configuration(arguments, in: surroundings, secrets: program.secrets)
        let files = try SettingFiles(configuration)
        let base = try ToolError.wrapping(configuration.propertiesWithSecrets)
        let profiles = try configuration.combinations().loaded.map(\.names[0])
        let loaded = [base] + profiles.compactMap { try? configuration.loadUnchecked([$0]) }
        let text = SettingsSchema(program, files, loaded: loaded).json.text(.pretty) + "\n"
        return try surroundings.outcome(of: text, output: arguments["output"])
    }
}
