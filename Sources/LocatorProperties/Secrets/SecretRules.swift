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
        if Self.hasSecretWord(path) { return true }
        return allListed.contains { path.starts(with: $0) }
    }

    /// A value whose secret parts are marked, nil where it has none.
    func marking(_ value: JSONValue, at path: PropertyPath) -> JSONValue? {
        let all = allListed
        var path = path
        return marking(value, at: &path, listed: all)
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

    private func marking(_ value: JSONValue, at path: inout PropertyPath, listed: [PropertyPath]) -> JSONValue? {
        switch value.storage {
        case .array(let array):
            var result: [JSONValue]?
            for (index, element) in array.elements.enumerated() {
                path.steps.append(.index(index))
                if let marked = marking(element, at: &path, listed: listed) {
                    var elements = result ?? array.elements
                    elements[index] = marked
                    result = elements
                }
                path.steps.removeLast()
            }
            return result.map { value.replacingContent(with: .array(JSONArrayStorage($0))) }
        case .object(let object):
            var result: JSONObject?
            for index in object.indices {
                path.steps.append(.key(object.key(at: index)))
                if let marked = marking(object.value(at: index), at: &path, listed: listed) {
                    var members = result ?? object
                    members.updateValue(at: index) { $0 = marked }
                    result = members
                }
                path.steps.removeLast()
            }
            return result.map { value.replacingContent(with: .object($0)) }
        case .null, .boolean, .integer, .decimal, .string:
            if value.flags.contains(.secret) { return nil }
            let isSecret = Self.hasSecretWord(path) || listed.contains { path.starts(with: $0) }
            if !isSecret { return nil }
            var marked = value
            marked.flags.insert(.secret)
            return marked
        }
    }

    private static func hasSecretWord(_ path: PropertyPath) -> Bool {
        // The list names secrets, but holds none.
        guard !path.starts(with: listPath) else { return false }
        return path.steps.contains {
            if case .key(let key) = $0 { SecretWords.isSecret(key) } else { false }
        }
    }
}
