extension Properties: CustomStringConvertible, CustomReflectable {
    /// All values as compact JSON; secrets are masked, and what cannot be resolved stays as written.
    public var description: String {
        let tree = JSONValue.object(PlaceholderCheck(storage).tree)
        guard let root else { return tree.text() }
        guard case .found(let part) = TreeWalk(tree, root.steps[...]) else { return "{}" }
        return part.text()
    }

    /// What `dump` and other reflection see: the same text.
    public var customMirror: Mirror { Mirror(self, children: ["values": description]) }
}

extension Properties {
    /// A value of code, marked as it would be at a path.
    package static func markingSecrets(of value: JSONValue, at path: String) -> JSONValue {
        // What is no path still has words.
        SecretRules().marking(value, at: (try? PropertyPath(parsing: path)) ?? PropertyPath([.key(path)]))
    }
}
