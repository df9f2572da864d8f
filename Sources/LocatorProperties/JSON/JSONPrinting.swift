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
            // Which of its members are secret does not show in the text.
            if JSONText.beginsContainer(text) { return Redaction.mask }
            let masked = Redaction.maskingURLs(in: text)
            // What was found out about the text when it entered need not show in its form.
            return masked == text ? Redaction.mask : masked
        case .null, .boolean, .integer, .decimal, .string:
            return flags.isDisjoint(with: [.secret, .holdsSecret]) ? nil : Redaction.mask
        }
    }

    /// The value with masks in place of its secrets, so that nothing can bring them back.
    var redacted: JSONValue {
        guard let text = textInPlace else { return mappingParts(\.redacted) }
        // Without the flags: a masked text would be masked again.
        var masked = replacingContent(with: .string(text))
        masked.flags.subtract([.secret, .holdsSecret])
        return masked
    }
}

extension JSONValue: CustomReflectable {
    /// What `dump` and other reflection see: the text, in which secret settings are masked.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}

extension JSONValue.Content: CustomStringConvertible, CustomReflectable {
    /// The kind alone: a program that takes a value apart has read its secrets.
    public var description: String { JSONValue(self).kindInWords }

    /// What `dump` and other reflection see: nothing more.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension JSONObject: CustomReflectable {
    /// What `dump` and other reflection see: the text, in which secret settings are masked.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}

extension ValueProblem.Found {
    /// What a node is; of a secret only the kind is kept.
    package init(_ node: JSONValue, isSecret: Bool = false) {
        let isSecret = isSecret || node.flags.contains(.secret)
        switch node.storage {
        case .null: self = .null
        case .array: self = .array
        case .object: self = .object
        case .boolean(let value): self = isSecret ? .secret(kind: "Bool") : .boolean(value)
        case .integer(let value): self = isSecret ? .secret(kind: "number") : .number(String(value))
        case .decimal(let text): self = isSecret ? .secret(kind: "number") : .number(text)
        case .string(let text):
            let isText = node.flags.contains(.text)
            // Where a value has no flags, the form of its text still tells.
            let shown = node.textInPlace ?? Redaction.maskingURLs(in: text)
            if isSecret || shown == Redaction.mask {
                self = .secret(kind: isText ? "text" : "string")
            } else {
                self = isText ? .text(shown) : .string(shown)
            }
        }
    }
}
