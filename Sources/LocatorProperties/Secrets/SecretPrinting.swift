extension JSONValue {
    /// What is printed in place of a scalar that must not be: the one place where secrets become text.
    ///
    /// Gives nil for what is printed as it is. The parts of a secret array or object carry the flag themselves.
    var textInPlace: String? {
        switch storage {
        case .array, .object:
            return nil
        case .string(let text) where !flags.contains(.secret):
            guard flags.contains(.holdsSecret) else { return nil }
            let masked = Redaction.maskingURLs(in: text)
            // What was found out about the text when it entered need not show in its form.
            return masked == text ? Redaction.mask : masked
        case .null, .boolean, .integer, .decimal, .string:
            return flags.isDisjoint(with: [.secret, .holdsSecret]) ? nil : Redaction.mask
        }
    }

    /// The value with masks in place of its secrets, so that nothing can bring them back.
    var redacted: JSONValue {
        switch storage {
        case .array(let array):
            return replacingContent(with: .array(JSONArrayStorage(array.elements.map(\.redacted))))
        case .object(var object):
            for index in object.indices { object.updateValue(at: index) { $0 = $0.redacted } }
            return replacingContent(with: .object(object))
        case .null, .boolean, .integer, .decimal, .string:
            guard let text = textInPlace else { return self }
            // Without the flags: a masked text would be masked again.
            var masked = replacingContent(with: .string(text))
            masked.flags.subtract([.secret, .holdsSecret])
            return masked
        }
    }
}

extension Properties: CustomStringConvertible, CustomReflectable {
    /// All values as compact JSON; secrets are masked, and what cannot be resolved stays as it is written.
    public var description: String {
        let tree = JSONValue.object(PlaceholderCheck(storage).tree)
        guard let root else { return tree.text() }
        guard case .found(let part) = TreeWalk(tree, root.steps[...]) else { return "{}" }
        return part.text()
    }

    /// What `dump` and other reflection see: the same text.
    public var customMirror: Mirror { Mirror(self, children: ["values": description]) }
}

extension JSONValue: CustomReflectable {
    /// What `dump` and other reflection see: the text, in which a secret of properties is masked.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}

extension JSONValue.Content: CustomStringConvertible, CustomReflectable {
    /// The kind alone: whoever takes a value apart has taken its secrets out.
    public var description: String { JSONValue(self).kindInWords }

    /// What `dump` and other reflection see: nothing more.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension JSONObject: CustomReflectable {
    /// What `dump` and other reflection see: the text, in which secrets of properties are masked.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}
