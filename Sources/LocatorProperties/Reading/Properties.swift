/// The settings of a program: a tree of values from profile files, the environment, and code, which are read by path.
///
/// ```swift
/// let properties = try Properties.load(from: "Config", default: "dev")
/// let port = try properties.value("server.port", as: Int.self)
/// let retries = try properties.value("server.retries", default: 3)
/// print(properties.explain("server.url"))
/// ```
///
/// Copies are cheap, and the values never change.
public struct Properties: Sendable {
    let storage: PropertiesStorage
    /// The path of this value's root, or nil if it is the root of all settings.
    let root: PropertyPath?

    init(storage: PropertiesStorage, root: PropertyPath? = nil) {
        self.storage = storage
        self.root = root
    }

    private static let none = PropertiesStorage(layers: [], settings: .init())

    /// Creates empty settings.
    public init() {
        self.init(storage: Self.none)
    }

    /// Creates settings from a tree in code.
    ///
    /// Placeholders are resolved when they are read.
    ///
    /// - Parameters:
    ///   - tree: An object.
    ///   - name: The name of the tree in explanations and errors.
    /// - Throws: ``PropertiesError`` if the tree is not an object, is nested too deeply, or has a malformed list of
    ///   secrets.
    public init(_ tree: JSONValue, file name: String = "settings in code") throws(PropertiesError) {
        guard case .object(let object) = tree.storage else {
            throw PropertiesError(.file(.rootIsNoObject(found: tree.kindInWords)), file: name, position: tree.position)
        }
        guard tree.height <= JSONValue.nestingLimit else {
            throw PropertiesError(.file(.nestedTooDeeply), file: name)
        }
        let secrets = SecretRules(listed: SecretRules.list(in: object))
        let source = Layer.Source(origin: PropertyOrigin(.code(name)), tree: object).marking(secrets)
        let layer = Layer(sources: [source], secrets: secrets)
        var settings = PropertiesStorage.Settings()
        settings.fileWarnings = LibraryKeys.unknown(in: object, isCode: true).map { key in
            FileWarning(unknownKeyInCode: key.path, near: key.near, name: name)
        }
        self.init(storage: PropertiesStorage(layers: [layer], settings: settings))
        if let error = PropertiesError(layer.problemsOfLists + KeyForms.problems(in: storage)) { throw error }
    }

    /// Creates settings from values at paths: `["server.url": "http://localhost"]`.
    ///
    /// Modules and tests override settings in this form.
    ///
    /// - Parameters:
    ///   - overrides: Values by path. An index in a path is an error, because an array is overridden as a whole.
    ///   - name: The name of the overrides in explanations and errors, such as "module Fakes".
    package init(overrides: [String: JSONValue], name: String) throws(PropertiesError) {
        try self.init(overrides: overrides.sorted { $0.key < $1.key }, name: name)
    }

    private init(overrides: [(String, JSONValue)], name: String) throws(PropertiesError) {
        var values: [(path: PropertyPath, value: JSONValue)] = []
        var problems: [PropertiesProblem] = []
        var texts: [PropertyPath: String] = [:]
        for (text, value) in overrides {
            do {
                let path = try PropertyPath(parsing: text)
                guard path.isOutsideOfArrays else {
                    problems.append(.value(.indexInOverride), path: text, file: name)
                    continue
                }
                guard path.steps.count + Int(value.height) <= JSONValue.nestingLimit else {
                    problems.append(.file(.nestedTooDeeply), file: name)
                    continue
                }
                if let first = texts.updateValue(text, forKey: path) {
                    problems.append(.value(.setTwice(by: first, and: text)), path: path.text, file: name)
                }
                values.append((path, value))
            } catch {
                problems.append(.path(error), file: name)
            }
        }
        problems += Self.partsWithoutWhole(values, name: name)
        if let error = PropertiesError(problems) { throw error }
        // A part of a path is merged over the whole. Apart from that, the order stays.
        let order = values.indices.sorted { (values[$0].path.steps.count, $0) < (values[$1].path.steps.count, $1) }
        var tree = JSONObject()
        for index in order {
            Merging.merge(OverrideLayer.patch(values[index].path, values[index].value), into: &tree, nulls: .keep)
        }
        try self.init(.object(tree), file: name)
    }

    /// Returns the problems of paths that lead through a value without parts.
    ///
    /// Their values would be lost.
    private static func partsWithoutWhole(
        _ values: [(path: PropertyPath, value: JSONValue)], name: String
    ) -> [PropertiesProblem] {
        let wholes = Dictionary(values.map { ($0.path, $0.value) }, uniquingKeysWith: { first, _ in first })
        return values.compactMap { (path, _) in
            for count in path.steps.indices.dropFirst() {
                guard let whole = wholes[path.prefix(count)],
                    case .blocked(let node, let inner) = TreeWalk(whole, path.steps[count...]), !node.isNull
                else { continue }
                let container = path.prefix(count + inner)
                // Only its kind is shown, because a file that is not known here may list it as a secret.
                return PropertiesProblem(
                    .value(.partOfOverride(container: container.text, found: node.kindInWords)), path: path.text,
                    file: name)
            }
            return nil
        }
    }
}

extension Properties: ExpressibleByDictionaryLiteral {
    /// Creates settings from values by path: `["server.url": "http://localhost", "mail": ["retries": 3]]`.
    ///
    /// The keys are paths, as in a module's properties. The keys of nested objects are names, as in files. A malformed
    /// path, or a value that is nested more deeply than files may be, stops the program.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        do {
            try self.init(overrides: elements, name: "settings in code")
        } catch {
            fatalError(error.description)
        }
    }
}

extension Properties {
    /// Returns the value at a path, decoded.
    ///
    /// For an optional type, the result is nil only if the path is missing. A value of another type is an error.
    ///
    /// - Throws: ``PropertiesError`` if the setting is missing, cannot be decoded as `Value`, or has a placeholder
    ///   without a value, or if the path is malformed.
    public func value<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self
    ) throws(PropertiesError) -> Value {
        if root == nil, let index = storage.index, let number = index.find(path) {
            return try decoded(type, from: index.node(at: number), at: path)
        }
        if let node = try read(path) { return try decode(type, from: node, at: path) }
        return try decoded(type, from: nil, at: full(path).text)
    }

    /// Returns the value at a path, decoded, or a default value if the path is missing.
    ///
    /// - Throws: ``PropertiesError`` if the setting exists and cannot be decoded as `Value`, if it has a placeholder
    ///   without a value, or if the path is malformed.
    public func value<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self, default defaultValue: @autoclosure () -> Value
    ) throws(PropertiesError) -> Value {
        guard let node = try read(path) else { return defaultValue() }
        return try decode(type, from: node, at: path)
    }

    /// Decodes a type from the settings at its path.
    ///
    /// The error names all missing keys.
    ///
    /// - Throws: ``PropertiesError`` with all settings that are missing or cannot be decoded, or if the path of the
    ///   type is malformed.
    public func decode<Value: ConfigProperty>(_ type: Value.Type = Value.self) throws(PropertiesError) -> Value {
        try value(Value.path)
    }

    /// The value at a path with placeholders resolved, or nil if it is missing or cannot be resolved.
    ///
    /// Secrets are masked when the value is printed.
    public subscript(path: String) -> JSONValue? {
        // The type is spelled out, because `nil` is also a literal for the value `null`.
        (try? read(path)) as JSONValue?
    }

    /// Returns the settings below a path.
    ///
    /// Explanations and errors still use the full paths.
    ///
    /// If the path is missing, or has a value without parts, the result is empty.
    ///
    /// - Throws: ``PropertiesError`` if the path is malformed.
    public func properties(at path: String) throws(PropertiesError) -> Properties {
        Properties(storage: storage, root: try full(path))
    }

    /// The paths of all values, in the order of the file.
    ///
    /// For the settings below a path, they are relative to it.
    public var paths: [String] {
        let tree: JSONValue? = if let root { storage.lookup(root).value } else { storage.mergedTree }
        return tree?.leafPaths().map(\.text) ?? []
    }

    /// Whether there are no settings, not even some that remove others.
    package var isEmpty: Bool { storage.layers.isEmpty }

    /// The active profiles in order.
    ///
    /// Groups are replaced by their members.
    public var profiles: [String] { storage.settings.profiles }

    /// The folders, files, and directories that were read, in order.
    package var places: [String] { storage.settings.places }

    /// The paths that the program, the settings, and their layers list as secret.
    package var listedSecrets: [PropertyPath] { storage.secrets.listed }

    /// Warnings about profiles that may not be the intended ones, such as a variable with a similar name or a profile
    /// in another case.
    package var profileWarnings: [String] { storage.settings.profileWarnings }

    /// Warnings about keys and files that have no effect.
    package var fileWarnings: [FileWarning] { storage.settings.fileWarnings }
}

extension Properties {
    /// Returns the resolved value at a path, or nil if it is missing.
    func read(_ path: String) throws(PropertiesError) -> JSONValue? {
        if root == nil {
            if let index = storage.index {
                if let number = index.find(path) { return index.node(at: number) }
            } else if let node = storage.quickFind(path) {
                return node
            }
        }
        return try storage.lookup(try full(path)).result.get()
    }

    /// Returns a path of these settings as a path of all settings.
    func full(_ path: String) throws(PropertiesError) -> PropertyPath {
        do {
            let path = try PropertyPath(parsing: path)
            return root?.appending(path) ?? path
        } catch {
            throw PropertiesError(.path(error))
        }
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, from node: JSONValue, at path: String
    ) throws(PropertiesError) -> Value {
        try decoded(type, from: node, at: root == nil ? path : full(path).text)
    }

    /// Decodes a node, or a missing one if it is nil.
    ///
    /// Errors include the place of the setting.
    func decoded<Value: Decodable>(
        _ type: Value.Type, from node: JSONValue?, at path: String
    ) throws(PropertiesError) -> Value {
        do throws(PropertiesError) {
            if let node { return try node.decode(type, at: path, in: storage.context) }
            if type is any OptionalValue.Type, let value = try? JSONValue.null.decode(type) { return value }
            let problem = absence(of: TypeName.expected(type), at: path)
            throw PropertiesError(.value(problem), path: path)
        } catch {
            throw storage.locating(error)
        }
    }

    /// Returns the optional parts of a decoded type that are missing although similar settings exist.
    package func absences(in type: any Decodable.Type, at path: String) -> [PropertiesProblem] {
        guard let node = self[path] else { return [] }
        return node.absences(in: type, at: path, in: storage.context)
    }

    /// Whether a type that is decoded at a path reads a setting, or may read it.
    package func reads(_ setting: String, in type: any Decodable.Type, at path: String) -> Bool {
        guard let whole = try? PropertyPath(parsing: path), let part = try? PropertyPath(parsing: setting),
            part.starts(with: whole), let node = self[path]
        else { return false }
        return node.reads(part.steps.dropFirst(whole.steps.count), in: type, at: path, in: storage.context)
    }

    /// Returns the reason why a path has no value.
    private func absence(of expected: String, at text: String) -> ValueProblem {
        guard let path = try? PropertyPath(parsing: text) else { return .missing(expected: expected, near: []) }
        switch storage.find(path) {
        case .removed:
            return .removed(expected: expected)
        case .blocked(let node, let count):
            let near = storage.near(path)
            if !near.isEmpty { return .missing(expected: expected, near: near) }
            let container = path.prefix(count)
            let isText = node.stringValue != nil
            let shown = isText ? PlaceholderResolver.written(node, at: container, in: storage) : node
            var found = ValueProblem.Found(shown)
            if found == .array, path.steps[count].key == nil, let elements = shown.arrayValue {
                found = .shortArray(elements.count)
            }
            return .noSuchPart(expected: expected, container: container.text, found: found)
        case .found, .missing, .hidden:
            return .missing(expected: expected, near: storage.near(path))
        }
    }
}

extension PropertiesStorage {
    /// Returns an error with the place of each of its settings, and with the paths similar to a missing part.
    fileprivate func locating(_ error: PropertiesError) -> PropertiesError {
        let search = nearSearch ?? NearSearch()
        let problems = error.problems.map { problem in
            guard problem.file == nil, let text = problem.path, let path = try? PropertyPath(parsing: text) else {
                return problem
            }
            var problem = problem
            let origin = origin(of: path)
            problem.file = origin?.name
            problem.position = origin?.position
            if case .value(.missing(let expected, let near)) = problem.kind {
                if case .removed = find(path) {
                    problem.kind = .value(.removed(expected: expected))
                } else if near.isEmpty, error.problems.count <= 10 {
                    problem.kind = .value(.missing(expected: expected, near: search.mistakes(for: path, in: self)))
                }
            }
            return problem
        }
        return PropertiesError(problems) ?? error
    }
}

/// Distinguishes optional types from others.
private protocol OptionalValue {}

extension Optional: OptionalValue {}
