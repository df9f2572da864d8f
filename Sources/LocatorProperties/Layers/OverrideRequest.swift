/// The texts that a load has read from one source of overrides, before they are matched to keys.
struct OverrideRequest: Sendable {
    /// A text and its name.
    struct Text: Sendable, Equatable {
        /// The origin of the text: a variable or a file.
        let origin: PropertyOrigin.Source
        /// The setting that the text is for, or nil if the name is not that of a setting.
        let name: OverrideName?
        /// The text as a value.
        let value: JSONValue

        /// The name of the variable, or the path of the file.
        var label: String { origin.label }
    }

    let source: PropertyOverrides.Source
    /// The texts in the order in which they are matched.
    let texts: [Text]
}

extension OverrideRequest {
    /// Selects the variables with a prefix, or reads a directory.
    init(
        _ source: PropertyOverrides.Source, variables: [String: String], in fileSystem: FileSystem,
        budget: inout Budget, problems: inout [PropertiesProblem]
    ) {
        let texts: [Text]
        switch source {
        case .environment(let prefix):
            texts = variables.filter { $0.key.hasPrefix(prefix) }.map { name, text in
                Text(
                    origin: .environment(name), name: OverrideName(variable: name.dropFirst(prefix.count)),
                    value: .fromEnvironment(text))
            }
        case .directory(let path, let isSecret, let isOptional, _):
            let reading = DirectoryReading(path, isOptional: isOptional, in: fileSystem, budget: &budget)
            problems += reading.problems
            texts = reading.files.map { file in
                Text(
                    origin: .file(file.path), name: OverrideName(file: file.names),
                    value: .fromFile(file.text, isSecret: isSecret))
            }
        }
        // Sorted so that a whole comes before its parts, and so that the order is stable.
        self.init(
            source: source,
            texts: texts.sorted { ($0.name?.order ?? "", $0.label) < ($1.name?.order ?? "", $1.label) })
    }

    /// The paths that the texts list as secret, which are known before the texts are matched to keys.
    var listedSecrets: [PropertyPath] {
        let list = SecretRules.listPath
        return lists.flatMap { steps, text -> [PropertyPath] in
            guard steps.count > list.steps.count else {
                let part = list.prefix(steps.count)
                return SecretRules.list(in: OverrideLayer.patch(part, text))
            }
            guard steps[list.steps.count].number != nil else { return [] }
            return text.listedPath.map { [$0] } ?? []
        }
    }

    /// Whether no text that may contain the list, or a part of it, is invalid JSON.
    var hasReadableList: Bool {
        lists.allSatisfy { _, text in
            guard text.isReadAsJSON, let json = text.stringValue, JSONText.beginsContainer(json) else { return true }
            return (try? JSONValue(parsing: json)) != nil
        }
    }

    /// The texts that contain the list of secrets, or a part of it.
    private var lists: [(steps: [OverrideName.Step], text: JSONValue)] {
        let list = SecretRules.listPath
        return texts.compactMap { text in
            guard let steps = text.name?.steps, !steps.isEmpty, steps.count <= list.steps.count + 1,
                zip(steps, list.steps).allSatisfy({ $0.isOf($1) })
            else { return nil }
            return (steps, text.value)
        }
    }
}

extension OverrideName.Step {
    /// Whether the step may match a step of a path.
    fileprivate func isOf(_ step: PropertyPath.Step) -> Bool {
        switch (self, step) {
        case (.segment(let segment), .key(let key)): VariableName.isSegment(segment, of: key)
        case (.segment, .index): false
        case (.exact(let own), _): own == step
        }
    }
}

extension PropertyOverrides {
    /// Returns the paths that variables and files list as secret.
    package func listedSecrets(in variables: [String: String], _ fileSystem: FileSystem) -> [PropertyPath] {
        var budget = Budget()
        var problems: [PropertiesProblem] = []
        return sources.filter(\.hasSettings).flatMap {
            OverrideRequest($0, variables: variables, in: fileSystem, budget: &budget, problems: &problems)
                .listedSecrets
        }
    }
}

extension PropertyOverrides.Source {
    /// Whether the texts of this source are settings.
    var hasSettings: Bool {
        switch self {
        case .environment: true
        case .directory(_, _, _, let hasSettings): hasSettings
        }
    }
}

extension JSONValue {
    /// Creates a value from the unchanged text of an environment variable.
    static func fromEnvironment(_ text: String) -> JSONValue {
        var value = JSONValue.string(text)
        value.flags = [.text, .environment]
        return value
    }

    /// Creates a value from the unchanged text of a file in a directory.
    ///
    /// It is never parsed as JSON.
    static func fromFile(_ text: String, isSecret: Bool) -> JSONValue {
        var value = JSONValue.string(text)
        value.flags = isSecret ? [.text, .verbatim, .secret] : [.text, .verbatim]
        return value
    }
}
