import Locator

/// A Markdown table with a row for each setting and a column for each profile.
struct SettingsReference {
    private let program: [PropertyPath: ProgramSettings.Setting]
    private let sides: [Comparison.Side]
    private let files: SettingFiles
    /// The variables for the settings of each side, if there is a prefix.
    private let variables: [VariablePaths]?
    private let surroundings: Surroundings
    private var paths: [PropertyPath] = []
    private let leftOut: [String]

    init(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) {
        self.surroundings = surroundings
        let program = try ProgramSettings(arguments, in: surroundings)
        let settings = program.settings
        let configuration = Configuration(arguments, in: surroundings, secrets: program.secrets)
        files = try SettingFiles(configuration)
        let base = try configuration.properties([], takesOverrides: false)
        var sides = [Comparison.Side(name: Configuration.baseName, properties: base)]
        let combinations = try configuration.combinations()
        leftOut = combinations.leftOut
        for names in combinations.loaded.map(\.names) {
            let properties = try configuration.properties([names[0]], takesOverrides: false)
            sides.append(.init(name: names.shortList, properties: properties))
        }
        self.sides = sides
        variables = arguments[Configuration.prefixOption.name].map { prefix in
            sides.map { VariablePaths(of: $0.properties, prefix: prefix) }
        }
        self.program = Dictionary(settings.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        addPaths(of: settings)
    }

    /// Adds the settings in the order of the files.
    ///
    /// A setting that only the source code reads follows those with the same first key. Everything below a setting of
    /// the source code is a part of its value.
    private mutating func addPaths(of settings: [ProgramSettings.Setting]) {
        let inFiles = sides.flatMap(\.properties.settingPaths).compactMap { try? PropertyPath(parsing: $0) }
        let wholes = inFiles.map { path in
            path.steps.indices.dropFirst().lazy.map { path.prefix($0) }.first { program[$0] != nil } ?? path
        }
        let all = (wholes + settings.map(\.path)).withoutRepetitions
        let groups = Dictionary(grouping: all) { $0.steps.first }
        paths = all.map(\.steps.first).withoutRepetitions.flatMap { groups[$0] ?? [] }
    }

    var text: String {
        let hasSources = !program.isEmpty
        let hasComments = program.values.contains { !$0.comments.isEmpty }
        var head = ["Setting", "Type"] + (hasSources ? ["Default"] : [])
        if variables != nil { head.append("Variable") }
        if hasSources { head.append("Read by") }
        head += sides.map(\.name)
        if hasComments { head.append("Description") }

        var rows = [head.map { Markdown.text($0) }, head.map { _ in "---" }]
        for path in paths {
            let setting = program[path]
            var row = [Markdown.code(path.text), type(of: path)]
            if hasSources { row.append(setting.map(defaultText) ?? "") }
            if let variables { row.append(variable(of: path, variables)) }
            if hasSources {
                let places = (setting?.places ?? []).map { Markdown.code(surroundings.shortened($0)) }
                row.append(places.joined(separator: " "))
            }
            row += sides.map { value(of: path.text, $0.properties) }
            if hasComments { row.append(Markdown.text(setting?.comments.joined(separator: " ") ?? "")) }
            rows.append(row)
        }
        let note = "\nThe groups are too many to have a column each; left out: \(Markdown.text(leftOut.shortList))\n"
        return rows.map { "| \($0.joined(separator: " | ")) |\n" }.joined() + (leftOut.isEmpty ? "" : note)
    }

    private func type(of path: PropertyPath) -> String {
        if let setting = program[path] {
            let types = setting.types.map { Markdown.code($0) }.joined(separator: " ")
            guard case .choice(let values, _)? = setting.shapes.first?.plain else { return types }
            return "\(types): \(values.map { Markdown.code($0) }.joined(separator: ", "))"
        }
        let kinds = files.values(at: path).compactMap { value -> String? in
            // With a placeholder, the value may be anything.
            guard let value, !value.isNull, value.stringValue?.contains("${") != true else { return nil }
            return ValueKind(value).name
        }
        return Set(kinds).sorted().joined(separator: " or ")
    }

    private func defaultText(_ setting: ProgramSettings.Setting) -> String {
        var texts = setting.defaults.map { value -> String in
            guard let value else { return "in the source" }
            return Markdown.code(files.secrets.marking(value, at: setting.path).text())
        }
        if setting.isRequired { texts.append("required") }
        return texts.withoutRepetitions.joined(separator: ", ")
    }

    /// Returns the variable for a path, if there is one in any profile.
    private func variable(of path: PropertyPath, _ variables: [VariablePaths]) -> String {
        if VariableName.isTooLate(for: path) { return "" }
        return variables.lazy.compactMap { $0.name(for: path) }.first.map { Markdown.code($0) } ?? ""
    }

    private func value(of path: String, _ properties: Properties) -> String {
        let explanation = properties.explain(path, searchesNear: false)
        let leadsOutside = explanation.placeholders.contains {
            $0.target.hasPrefix("env:") || $0.target.hasPrefix("file:")
        }
        let written = leadsOutside ? explanation.layers.first?.value : nil
        guard let value = written ?? explanation.value else { return "" }
        return Markdown.code(value.text())
    }
}
