#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The result of converting a node to a type that may be a scalar.
enum ScalarResult<Value> {
    case value(Value)
    /// The type is a scalar, but it cannot represent the node.
    case mismatch
    /// The type is not a scalar. Its own initializer decodes it.
    case notScalar
}

extension JSONValue {
    /// Converts the node to a type that needs no decoder.
    ///
    /// The types are compared by identity, the most common in configurations first.
    @inline(__always)
    func scalar<Value>(as type: Value.Type) -> ScalarResult<Value> {
        if type == String.self { return Self.result(stringValue, as: type) }
        if type == Int.self { return Self.result(integer(Int.self), as: type) }
        if type == Bool.self { return Self.result(boolean, as: type) }
        if type == Double.self { return Self.result(double, as: type) }
        return rareScalar(as: type)
    }

    @inline(never)
    private func rareScalar<Value>(as type: Value.Type) -> ScalarResult<Value> {
        guard let scalar = ScalarTypes.of(type) else { return .notScalar }
        return result(of: scalar, as: type)
    }

    private func result<Scalar: ScalarType, Value>(of scalar: Scalar.Type, as type: Value.Type) -> ScalarResult<Value> {
        Self.result(scalar.scalar(from: self), as: type)
    }

    /// Wraps a converted value as the requested type.
    ///
    /// The caller has checked that both types are the same.
    @inline(__always)
    private static func result<Scalar, Value>(_ scalar: Scalar?, as type: Value.Type) -> ScalarResult<Value> {
        guard let scalar else { return .mismatch }
        // Safe because every caller has compared `Scalar` and `Value` and found them identical.
        return .value(unsafeBitCast(scalar, to: type))
    }

    /// Returns the node as an integer, if it is a number, or a text from outside a file, that the type can represent.
    @inline(__always)
    func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        if case .integer(let value) = storage { return Value(exactly: value) }
        return number?.integer(as: type)
    }

    /// The node as a number.
    ///
    /// A text from outside a file may be a number as well.
    var number: JSONNumber? {
        if case .string(let text) = storage, flags.contains(.text) { JSONNumber(text) } else { numberValue }
    }

    @inline(__always)
    var double: Double? {
        if case .integer(let value) = storage { return Double(exactly: value) }
        return number?.value(as: Double.self)
    }

    /// The node as a Bool.
    ///
    /// A text from outside a file may be `true` or `false`, in any case.
    @inline(__always)
    var boolean: Bool? {
        if case .boolean(let value) = storage { return value }
        return textBoolean
    }

    private var textBoolean: Bool? {
        guard case .string(let text) = storage, flags.contains(.text) else { return nil }
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        default: return nil
        }
    }

    /// Returns the number or Bool that a text from outside a file can be read as.
    package static func scalar(ofOutsideText text: String) -> JSONValue? {
        let node = fromEnvironment(text)
        return node.boolean.map { .boolean($0) } ?? node.number.map { .number($0) }
    }

    /// Whether decoding the node as the type of a value returns this value.
    func reads(as value: JSONValue) -> Bool {
        // A list instead of recursion, so that depth costs memory and not stack.
        var pending = [(self, value)]
        while let (node, value) = pending.popLast() {
            switch (node.storage, value.storage) {
            case (.string(let text), _) where node.flags.contains(.text):
                guard node.textReads(text, as: value) else { return false }
            case (.array(let nodes), .array(let values)):
                guard nodes.elements.count == values.elements.count else { return false }
                pending += zip(nodes.elements, values.elements)
            case (.object(let nodes), .object(let values)):
                guard nodes.count == values.count else { return false }
                for index in values.indices {
                    guard let match = nodes.index(ofKeyAt: index, of: values) else { return false }
                    pending.append((nodes.value(at: match), values.value(at: index)))
                }
            default:
                guard node == value else { return false }
            }
        }
        return true
    }

    /// The same for a text from outside a file.
    private func textReads(_ text: String, as value: JSONValue) -> Bool {
        switch value.storage {
        case .null: false
        case .boolean(let value): boolean == value
        case .integer, .decimal: number != nil && number == value.number
        case .string(let value): JSONText.areIdentical(text, value)
        case .array, .object: isReadAsJSON && (try? JSONValue(parsing: text)) == value
        }
    }

    static func url(_ text: String) -> URL? {
        // `URL(string: "")` is already nil. A space would be encoded silently.
        if text.utf8.contains(where: { $0 <= 0x20 }) { return nil }
        if let url = URL(string: text, encodingInvalidCharacters: false) { return url }
        // Foundation also encodes the percent signs of a part with an invalid character, so a mark hides valid escapes.
        var mark = "-~"
        while text.utf8.contains(mark.utf8) { mark += "~" }
        let escape = /%(?=[0-9A-Fa-f]{2})/.matchingSemantics(.unicodeScalar)
        guard let encoded = URL(string: text.replacing(escape, with: mark)) else { return URL(string: text) }
        return URL(string: encoded.absoluteString.replacing(mark, with: "%"))
    }
}
