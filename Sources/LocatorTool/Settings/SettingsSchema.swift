import Locator

/// A JSON Schema (2020-12) that is valid for all profile files of a program.
struct SettingsSchema {
    private let files: SettingFiles
    /// The settings of the base files, and of each profile and group.
    private let loaded: [Properties]
    private let settings: [PropertyPath: ProgramSettings.Setting]
    private let objects: [PropertyPath: ProgramSettings.Object]
    /// The keys that the source code uses below a path, in order.
    private var known: [PropertyPath: [String]] = [:]

    init(_ program: ProgramSettings, _ files: SettingFiles, loaded: [Properties]) {
        self.files = files
        self.loaded = loaded
        settings = Dictionary(program.settings.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        objects = Dictionary(program.objects.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        for path in program.settings.map(\.path) + program.objects.map(\.path) {
            for (index, step) in path.steps.enumerated() {
                let parent = path.prefix(index)
                guard let key = step.key, !known[parent, default: []].contains(key) else { continue }
                known[parent, default: []].append(key)
            }
        }
    }

    var json: JSONValue {
        var properties: JSONObject = ["$schema": ["type": "string"]]
        for (key, value) in members(of: .root) where key != "$schema" { properties[key] = value }
        properties["locator"] = Self.locator
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Profile files",
            "type": "object",
            "properties": .object(properties),
        ]
    }

    /// The settings that the library itself reads.
    private static let locator: JSONValue = [
        "description": "What the settings say about themselves.",
        "type": ["object", "null"],
        "properties": [
            "profiles": [
                "type": ["object", "null"],
                "properties": [
                    "groups": [
                        "description": "Names that stand for several profiles. Only the base file may have them.",
                        "type": ["object", "null"],
                        "additionalProperties": ["type": ["array", "null"], "items": ["type": "string"]],
                    ]
                ],
            ],
            "secrets": [
                "description": "The paths of values that are never printed.",
                "type": ["array", "null"],
                "items": ["type": "string"],
            ],
        ],
    ]

    private func members(of path: PropertyPath) -> [(String, JSONValue)] {
        let keys = (files.keys(below: path) + (known[path] ?? [])).distinctKeys
        return keys.map { ($0, schema(of: path.appending(.key($0)))) }
    }

    private func schema(of path: PropertyPath) -> JSONValue {
        let setting = settings[path]
        let values = files.values(at: path)
        let hasMembers = known[path] != nil || values.contains { $0?.objectValue != nil }
        let isObject = setting == nil && hasMembers
        var schema = JSONObject()
        if let description = description(of: path) { schema["description"] = .string(description) }
        if isObject, known[path] == nil, values.contains(where: { $0?.isNeitherObjectNorPlaceholder ?? false }) {
            // Only the program knows which of the files is right.
            schema["properties"] = .object(JSONObject(members(of: path)))
        } else if isObject {
            schema.add(SchemaForm.objectOrPlaceholder(members: members(of: path), isClosed: objects[path] != nil))
        } else if let setting {
            let forms = setting.shapes.map(SchemaForm.schema).withoutRepetitions
            if let only = forms.first, forms.count == 1 {
                schema.add(only)
            } else {
                schema["allOf"] = .array(forms.map { .object($0) })
            }
            if hasMembers, setting.shapes == [.anything] {
                schema["properties"] = .object(JSONObject(members(of: path)))
            }
        } else {
            schema.add(SchemaForm.schema(ofValues: values.compactMap { $0 }))
        }
        if !hasMembers, let value = defaultValue(of: path) { schema["default"] = value }
        return .object(schema)
    }

    private func description(of path: PropertyPath) -> String? {
        if let object = objects[path] { return object.comment }
        guard let setting = settings[path] else { return nil }
        let parts = setting.comments + (setting.isRequired ? ["Required."] : [])
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// Returns the value that is used if no profile sets one.
    private func defaultValue(of path: PropertyPath) -> JSONValue? {
        let setting = settings[path]
        let written = files.baseValue(at: path)
        // A default in the source code is not part of any file, so its secrets are not marked yet.
        let inSource = setting.flatMap { $0.defaults.count == 1 ? $0.defaults[0] : nil }
        let value = written ?? inSource.map { files.secrets.marking($0, at: path) }
        guard let value, !value.isNull, !value.hasSecrets else { return nil }
        // With the values of its placeholders in any profile, a text may be a secret.
        let hasPlaceholders = written != nil && value.text().contains("${")
        if hasPlaceholders, !loaded.allSatisfy({ $0.explain(path.text).shows(value) }) { return nil }
        return value
    }
}

extension Explanation {
    /// Whether a layer has this value, and no part of it is masked.
    fileprivate func shows(_ value: JSONValue) -> Bool { layers.contains { $0.value == value } }
}

extension JSONValue {
    /// Whether it cannot be an object: a value of another kind, without a placeholder.
    fileprivate var isNeitherObjectNorPlaceholder: Bool {
        switch content {
        case .null, .object: false
        case .string(let text): !text.contains("${")
        case .boolean, .number, .array: true
        }
    }
}
