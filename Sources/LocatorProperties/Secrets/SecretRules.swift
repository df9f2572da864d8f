/// Tells which properties must not be printed: by the words of their keys, or because they are listed.
struct SecretRules: Sendable {
    /// Where properties list what is secret besides: an array of paths.
    static let listPath = PropertyPath([.key("locator"), .key("secrets")])

    /// The layers whose lists count: what any of them lists is secret, also in the others.
    let layers: [Layer]
    /// The paths that the program lists.
    let listed: [PropertyPath]

    /// Whether a value, or something it is a part of, is secret.
    func isSecret(_ path: PropertyPath) -> Bool {
        // The list names secrets, but holds none.
        if path.starts(with: Self.listPath) { return false }
        let hasSecretWord = path.steps.contains {
            if case .key(let key) = $0 { SecretWords.isSecret(key) } else { false }
        }
        return hasSecretWord || allListed.contains { path.starts(with: $0) }
    }

    /// A value whose secret parts are marked, nil where it has none.
    func marking(_ value: JSONValue, at path: PropertyPath) -> JSONValue? {
        var marking = SecretMarking(path: path, listed: allListed)
        return marking.marked(value, isSecret: isSecret(path))
    }

    private var allListed: [PropertyPath] {
        layers.reduce(into: listed) { paths, layer in
            for source in layer.sources { paths += Self.list(in: source.tree) }
            for environment in layer.environments { paths += Self.list(in: environment.tree) }
        }
    }

    private static func list(in tree: JSONObject) -> [PropertyPath] {
        guard case .found(let node) = TreeWalk(tree, listPath.steps[...]) else { return [] }
        return (node.arrayValue ?? []).compactMap { $0.stringValue.flatMap { try? PropertyPath(parsing: $0) } }
    }
}

/// Marks what is secret in one value.
private struct SecretMarking {
    private var path: PropertyPath
    private let listed: [PropertyPath]
    /// What was found out about keys; the same ones appear over and over in arrays of objects.
    private var secretKeys: [String: Bool] = [:]

    init(path: PropertyPath, listed: [PropertyPath]) {
        self.path = path
        self.listed = listed
    }

    /// Gives nil where nothing changes.
    mutating func marked(_ value: JSONValue, isSecret: Bool) -> JSONValue? {
        switch value.storage {
        case .array(let array):
            var result: [JSONValue]?
            for (index, element) in array.elements.enumerated() {
                guard let marked = marked(element, at: .index(index), within: isSecret) else { continue }
                if result == nil { result = array.elements }
                result?[index] = marked
            }
            return result.map { value.replacingContent(with: .array(JSONArrayStorage($0))) }
        case .object(let object):
            var result: JSONObject?
            for index in object.indices {
                let step = PropertyPath.Step.key(object.key(at: index))
                guard let marked = marked(object.value(at: index), at: step, within: isSecret) else { continue }
                if result == nil { result = object }
                result?.updateValue(at: index) { $0 = marked }
            }
            return result.map { value.replacingContent(with: .object($0)) }
        case .null, .boolean, .integer, .decimal, .string:
            guard isSecret, !value.flags.contains(.secret) else { return .none }
            var marked = value
            marked.flags.insert(.secret)
            return marked
        }
    }

    private mutating func marked(
        _ value: JSONValue, at step: PropertyPath.Step, within isSecret: Bool
    ) -> JSONValue? {
        path.steps.append(step)
        defer { path.steps.removeLast() }
        return marked(value, isSecret: isSecret || isSecretHere(step))
    }

    private mutating func isSecretHere(_ step: PropertyPath.Step) -> Bool {
        // The list names secrets, but holds none.
        if path == SecretRules.listPath { return false }
        if listed.contains(path) { return true }
        guard case .key(let key) = step else { return false }
        if let known = secretKeys[key] { return known }
        let isSecret = SecretWords.isSecret(key)
        secretKeys[key] = isSecret
        return isSecret
    }
}

extension SecretRules {
    /// What is wrong with the lists of secrets: a mistyped path must not leave a secret in the open.
    func listProblems() -> [PropertiesProblem] {
        layers.flatMap { layer in layer.sources.flatMap { Self.problems(in: $0) } }
    }

    private static func problems(in source: Layer.Source) -> [PropertiesProblem] {
        guard case .found(let node) = TreeWalk(source.tree, listPath.steps[...]), !node.isNull else { return [] }
        let file = source.origin.name
        guard case .array(let array) = node.storage else {
            return [problem(expected: "an array of paths", node, at: listPath, file: file)]
        }
        return array.elements.enumerated().compactMap { index, element in
            let path = listPath.appending(.index(index))
            guard case .string(let text) = element.storage else {
                return problem(expected: "a path", element, at: path, file: file)
            }
            do throws(PathProblem) {
                _ = try PropertyPath(parsing: text)
                return nil
            } catch {
                return PropertiesProblem(.path(error), path: path.text, file: file, position: element.position)
            }
        }
    }

    private static func problem(
        expected: String, _ node: JSONValue, at path: PropertyPath, file: String
    ) -> PropertiesProblem {
        PropertiesProblem(
            .value(.mismatch(expected: expected, found: ValueProblem.Found(node, isSecret: false))), path: path.text,
            file: file,
            position: node.position)
    }
}
