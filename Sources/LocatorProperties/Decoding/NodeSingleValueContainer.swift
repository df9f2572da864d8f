/// A node as a single value.
struct NodeSingleValueContainer: SingleValueDecodingContainer {
    let decoder: NodeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.node.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decodeAny(type) }

    private func decodeAny<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if decoder.session.isInventing, let value = Placeholder.scalar(type) { return value }
        switch decoder.node.scalar(as: type) {
        case .value(let value): return value
        // Not answered with a placeholder: the type that consists of this one value is wrong as a whole.
        case .mismatch: throw decoder.mismatch(type, found: decoder.node)
        case .notScalar: return try NodeDecoder(within: decoder, target: type).decodeWhole(type)
        }
    }
}

// The protocol requires a method for every scalar; all of them are the generic function.
extension NodeSingleValueContainer {
    func decode(_ type: Bool.Type) throws -> Bool { try decodeAny(type) }
    func decode(_ type: String.Type) throws -> String { try decodeAny(type) }
    func decode(_ type: Double.Type) throws -> Double { try decodeAny(type) }
    func decode(_ type: Float.Type) throws -> Float { try decodeAny(type) }
    func decode(_ type: Int.Type) throws -> Int { try decodeAny(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decodeAny(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decodeAny(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decodeAny(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decodeAny(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decodeAny(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decodeAny(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decodeAny(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decodeAny(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decodeAny(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny(type) }
}
