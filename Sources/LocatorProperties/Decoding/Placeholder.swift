/// Values that replace missing or wrong ones, so that decoding can continue and find further problems.
///
/// They are used only after decoding has failed, and the result is discarded. Each is a value that a file could
/// contain: if an initializer crashes on a zero, it would crash on such a file as well. It can throw an error instead,
/// which is not reported if it is about a placeholder.
enum Placeholder {
    private static let nodes: [JSONValue] = [
        0, "", false, [:], "0", "https://localhost", "1970-01-01T00:00:00Z", "00000000-0000-0000-0000-000000000000",
    ]

    /// Returns a placeholder for a type, or nil if none can be created.
    static func value<Value: Decodable>(_ type: Value.Type, in session: DecodingSession) -> Value? {
        if let scalar = scalar(type) { return scalar }
        if let cases = type as? any CaseIterable.Type { return first(of: cases) as? Value }
        return session.invent {
            try NodeDecoder(.null, target: type, session: session).decodeWhole(type)
        }
    }

    /// Returns a placeholder for a type that needs no decoder.
    static func scalar<Value>(_ type: Value.Type) -> Value? {
        for node in nodes {
            switch node.scalar(as: type) {
            case .value(let value): return value
            case .mismatch: continue
            case .notScalar: return nil
            }
        }
        return nil
    }

    private static func first<Value: CaseIterable>(of type: Value.Type) -> Any? {
        type.allCases.first
    }
}
