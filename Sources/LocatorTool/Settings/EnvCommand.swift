import Locator

/// `locator env`: lists which environment variable overrides which setting.
enum EnvCommand: Command {
    static let syntax = Syntax(
        name: "env", summary: "List the environment variables that override settings",
        arguments: [ProgramSettings.buildArgument],
        options: [
            Configuration.folderOption, Configuration.profileOption,
            .init(
                name: "prefix", placeholder: "PREFIX", isRequired: true,
                summary: "The prefix of the variables: .environment(prefix:) in the program"),
            Configuration.directoryOption, Configuration.filesOption, Configuration.secretOption,
            ProgramSettings.targetsOption,
            .init(
                name: "format", placeholder: "FORMAT", choices: ["table", "dotenv", "json"],
                summary: "The format of the list; default: table"),
        ],
        notes: [
            """
            The list contains the settings of the chosen profiles, and those that only other profiles have. With a build,
            it also contains those that only the sources name. Secrets are masked in every format.
            """,
            """
            The lines of --format dotenv are for a shell and for Docker Compose: set -a; . ./shop.env
            A line is commented out if its setting is secret, has no value, or is built from other settings, which it would
            no longer follow.
            """,
        ])

    static func run(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) -> Outcome {
        let settings = try OverridableSettings(arguments, in: surroundings)
        let output =
            switch arguments["format"] {
            case "dotenv": DotEnv.text(of: settings)
            case "json": json(settings)
            default: table(settings).text(surroundings.paint)
            }
        let prefix = arguments[Configuration.prefixOption.name] ?? ""
        let isWhole = prefix.isEmpty || prefix.hasSuffix("_")
        let question = "did you mean \"\(VariableName.prefix(meantBy: prefix))\"?"
        return Outcome(
            output: output,
            errors: isWhole ? "" : "warning: the prefix \"\(prefix)\" does not end with \"_\"; \(question)\n")
    }

    private static func table(_ settings: OverridableSettings) -> Table {
        var table = Table()
        table.add(.init("variable", .bold), .init("", .bold), .init("setting", .bold), .init("value from", .bold))
        for setting in settings.all {
            let variable = setting.variable.map { Table.Cell($0) } ?? Table.Cell("(none)", .faint)
            table.add(
                variable, .init(setting.isSet ? "set" : "", .green), .init(setting.path), .init(setting.source, .faint))
        }
        return table
    }

    private static func json(_ settings: OverridableSettings) -> String {
        let entries = settings.all.map { setting -> (String, JSONValue) in
            var entry: JSONObject = ["variable": setting.variable.map { .string($0) } ?? .null]
            entry["set"] = .boolean(setting.isSet)
            if let value = setting.value { entry["value"] = value }
            if let origin = setting.origin { entry["from"] = .string(origin) }
            if !setting.otherProfiles.isEmpty { entry["profiles"] = JSONValue(setting.otherProfiles) }
            if !setting.places.isEmpty { entry["readBy"] = JSONValue(setting.places) }
            if setting.isSecret { entry["secret"] = true }
            return (setting.path, .object(entry))
        }
        let list: JSONValue = ["profiles": JSONValue(settings.profiles), "settings": .object(JSONObject(entries))]
        return list.text(.pretty) + "\n"
    }
}
