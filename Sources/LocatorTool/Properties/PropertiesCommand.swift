import Locator

/// `locator properties`: lists all settings of the program, each with its origin.
enum PropertiesCommand: Command {
    static let syntax = Syntax(
        name: "properties", summary: "List all settings with their values and where they come from",
        options: Configuration.optionsWithProfile + [
            .init(
                name: "format", placeholder: "FORMAT", choices: ["table", "json"],
                summary: "The format of the list; default: table")
        ],
        notes: ["Secrets are masked in every format."])

    static func run(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) -> Outcome {
        let configuration = Configuration(arguments, in: surroundings)
        let properties = try configuration.properties(configuration.profiles)
        let settings = properties.settingPaths.map { properties.explain($0) }
        if arguments["format"] == "json" {
            return Outcome(output: json(settings, profiles: properties.profiles))
        }
        return Outcome(output: table(settings).text(surroundings.paint))
    }

    private static func table(_ settings: [Explanation]) -> Table {
        var table = Table()
        for setting in settings {
            table.add(
                .init(setting.path, .bold), .init(setting.value?.text() ?? "", setting.isSecret ? .yellow : nil),
                .init(setting.origin?.description ?? "", .faint))
        }
        return table
    }

    private static func json(_ settings: [Explanation], profiles: [String]) -> String {
        let entries = settings.map { setting -> (String, JSONValue) in
            var entry: JSONObject = ["value": setting.value ?? .null]
            if let origin = setting.origin { entry["from"] = .string(origin.description) }
            if setting.isSecret { entry["secret"] = true }
            return (setting.path, .object(entry))
        }
        let list: JSONValue = ["profiles": JSONValue(profiles), "properties": .object(JSONObject(entries))]
        return list.text(.pretty) + "\n"
    }
}
