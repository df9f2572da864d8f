/// A node as a single value.
struct NodeSingleValueContainer: SingleValueDecodingContainer {
    let decoder: NodeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.node.isNull }

    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decodeAny(type) }

    private func decodeAny<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if decoder.session.isInventing, let value = Placeholder.scalar(type) { return value }
        switch decoder.node.scalar(as: type) {
        case .value(let value): return value
        // Not replaced by a placeholder, because the type that consists of this single value is wrong as a whole.
        case .mismatch: throw decoder.mismatch(type, found: decoder.node)
        case .notScalar: return try NodeDecoder(decoder.node, target: type, at: nil, below: decoder).decodeWhole(type)
        }
    }
}

// The generic function also serves the other scalars. For these two, the protocol's own functions only throw.
extension NodeSingleValueContainer {
    func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny(type) }
}
