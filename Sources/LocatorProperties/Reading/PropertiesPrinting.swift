extension Properties: CustomStringConvertible, CustomReflectable {
    /// All values as compact JSON.
    ///
    /// Secrets are masked, and placeholders that cannot be resolved stay as written.
    public var description: String {
        let tree = JSONValue.object(PlaceholderCheck(storage).tree)
        guard let root else { return tree.text() }
        return tree.part(at: root)?.text() ?? "{}"
    }

    /// A mirror with the same text as `description`, so that `dump` and other reflection show no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["values": description]) }
}

extension Properties {
    /// Returns a value from code with its secrets marked as they would be at a path.
    ///
    /// The result is `"…"` if the value is nested more deeply than any setting. Marking and printing need stack for each
    /// level.
    package static func markingSecrets(of value: JSONValue, at path: String) -> JSONValue {
        guard value.height <= JSONValue.nestingLimit else { return "…" }
        // A text that is not a valid path still has words that may mark a secret.
        return SecretRules().marking(value, at: (try? PropertyPath(parsing: path)) ?? PropertyPath([.key(path)]))
    }
}
