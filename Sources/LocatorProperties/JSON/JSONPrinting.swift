extension JSONValue {
    /// The text to print instead of a scalar that must not be printed.
    ///
    /// This is the only place where secrets are masked.
    ///
    /// Nil if the value is printed as it is. The parts of a secret array or object carry the flag themselves.
    var textInPlace: String? {
        switch storage {
        case .array, .object:
            return nil
        case .string(let text) where !flags.contains(.secret):
            guard flags.contains(.holdsSecret) else { return nil }
            // The text does not show which members are secret.
            if JSONText.beginsContainer(text) { return Redaction.mask }
            let masked = Redaction.maskingURLs(in: text)
            // The text was found to hold a secret when it was loaded, even if its form does not show it.
            return masked == text ? Redaction.mask : masked
        case .null, .boolean, .integer, .decimal, .string:
            return isMasked ? Redaction.mask : nil
        }
    }

    /// The value with all secrets replaced by masks, so that they cannot be recovered.
    var redacted: JSONValue {
        guard let text = textInPlace else { return mappingParts(\.redacted) }
        // Without the flags, because a masked text would otherwise be masked again.
        var masked = replacingContent(with: .string(text))
        masked.flags.subtract([.secret, .holdsSecret])
        return masked
    }
}

extension JSONValue: CustomReflectable {
    /// A mirror with the masked text, so that `dump` and other reflection show no secret settings.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}

extension JSONValue.Content: CustomStringConvertible, CustomReflectable {
    /// Only the kind, because the content includes secrets.
    public var description: String { JSONValue(self).kindInWords }

    /// An empty mirror, so that `dump` and other reflection see no secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension JSONObject: CustomReflectable {
    /// A mirror with the masked text, so that `dump` and other reflection show no secret settings.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}

extension ValueProblem.Found {
    /// Describes a node, or only the kind of a secret.
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
            // Even if a value has no flags, the form of its text may show a secret.
            let shown = node.textInPlace ?? Redaction.maskingURLs(in: text)
            if isSecret || shown == Redaction.mask {
                self = .secret(kind: isText ? "text" : "string")
            } else {
                self = isText ? .text(shown) : .string(shown)
            }
        }
    }
}
