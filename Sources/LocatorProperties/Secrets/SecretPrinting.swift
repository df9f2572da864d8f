extension Properties: CustomStringConvertible, CustomReflectable {
    /// All values as compact JSON; secrets are masked, and what cannot be resolved stays as it is written.
    public var description: String { masked.text() }

    /// What `dump` and other reflection see: the same text.
    public var customMirror: Mirror { Mirror(self, children: ["values": description]) }

    private var masked: JSONValue {
        let tree = JSONValue.object(PlaceholderCheck(storage).tree)
        guard let root else { return (storage.secrets.marking(tree, at: .root) ?? tree).redacted }
        guard case .found(let part) = TreeWalk(tree, root.steps[...]) else { return .object(JSONObject()) }
        return (storage.secrets.marking(part, at: root) ?? part).redacted
    }
}

extension JSONValue: CustomReflectable {
    /// What `dump` and other reflection see: the text, in which a secret of properties is masked.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}

extension JSONObject: CustomReflectable {
    /// What `dump` and other reflection see: the text, in which secrets of properties are masked.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}
