import Locator

/// A Markdown table with a row for each setting and a column for each profile.
struct SettingsReference {
    private let program: [String: ProgramSettings.Setting]
    private let sides: [Comparison.Side]
    private let files: SettingFiles
    /// The variables for the settings of each side, if there is a prefix.
    private let variables: [VariablePaths]?
    private let surroundings: Surroundings
    private var paths: [String] = []
    private let leftOut: [String]

    init(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) {
        self.surroundings = surroundings
        let program = try ProgramSettings(arguments, in: surroundings)
        let settings = program.settings
        let configuration = Configuration(arguments, in: surroundings, secrets: program.secrets)
        files = try SettingFiles(configuration)
        var sides: [Comparison.Side] = []
        let base = try configuration.properties([], takesOverrides: false)
        sides.append(.init(name: Configuration.baseName, properties: base))
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
        self.program = Dictionary(settings.map { ($0.path.text, $0) }, uniquingKeysWith: { first, _ in first })
        addPaths(of: settings)
    }

    /// Adds the settings in the order of the files.
    ///
    /// A setting that only the source code reads follows those with the same first key. Everything below a setting of
    /// the source code is a part of its value.
    private mutating func addPaths(of settings: [ProgramSettings.Setting]) {
        var seen: Set<PropertyPath> = []
        for text in sides.flatMap(\.properties.settingPaths) {
            guard var path = try? PropertyPath(parsing: text) else { continue }
            for count in 1..<path.steps.count {
                let part = PropertyPath(Array(path.steps[..<count]))
                if program[part.text] != nil {
                    path = part
                    break
                }
            }
            if seen.insert(path).inserted { paths.append(path.text) }
        }
        paths += settings.filter { seen.insert($0.path).inserted }.map(\.path.text)
        var groups: [(key: PropertyPath.Step?, paths: [String])] = []
        var numbers: [PropertyPath.Step?: Int] = [:]
        for path in paths {
            let key = (try? PropertyPath(parsing: path))?.steps.first
            if let number = numbers[key] {
                groups[number].paths.append(path)
            } else {
                numbers[key] = groups.count
                groups.append((key, [path]))
            }
        }
        paths = groups.flatMap(\.paths)
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
            var row = [Markdown.code(path), type(of: path)]
            if hasSources { row.append(setting.map(defaultText) ?? "") }
            if let variables { row.append(variable(of: path, variables)) }
            if hasSources {
                let places = (setting?.places ?? []).map { Markdown.code(surroundings.shortened($0)) }
                row.append(places.joined(separator: " "))
            }
            row += sides.map { value(of: path, $0.properties) }
            if hasComments { row.append(Markdown.text(setting?.comments.joined(separator: " ") ?? "")) }
            rows.append(row)
        }
        let note = "\nThe groups are too many to have a column each; left out: \(Markdown.text(leftOut.shortList))\n"
        return rows.map { "| \($0.joined(separator: " | ")) |\n" }.joined() + (leftOut.isEmpty ? "" : note)
    }

    private func type(of path: String) -> String {
        if let setting = program[path] {
            let types = setting.types.map { Markdown.code($0) }.joined(separator: " ")
            guard case .choice(let values, _)? = setting.shapes.first?.plain else { return types }
            return "\(types): \(values.map { Markdown.code($0) }.joined(separator: ", "))"
        }
        guard let parsed = try? PropertyPath(parsing: path) else { return "" }
        let kinds = files.values(at: parsed).compactMap { value -> String? in
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
    private func variable(of path: String, _ variables: [VariablePaths]) -> String {
        guard let parsed = try? PropertyPath(parsing: path), !VariableName.isTooLate(for: parsed) else { return "" }
        return variables.lazy.compactMap { $0.name(for: parsed) }.first.map { Markdown.code($0) } ?? ""
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
