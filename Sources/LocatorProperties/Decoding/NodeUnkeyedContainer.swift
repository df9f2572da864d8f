/// The elements of an array node, in order.
struct NodeUnkeyedContainer: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let decoder: NodeDecoder
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try next(Any?.self).isNull else { return false }
        currentIndex += 1
        return true
    }

    @inline(__always)
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decodeAny(type) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nested { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try nested { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try nested { $0 }
    }

    private mutating func nested<Result>(_ body: (NodeDecoder) throws -> Result) throws -> Result {
        let node = try next(JSONValue.self)
        let result = try body(
            NodeDecoder(node, target: JSONValue.self, at: .index(currentIndex), below: decoder))
        currentIndex += 1
        return result
    }

    private func next(_ type: any Any.Type) throws -> JSONValue {
        guard currentIndex < elements.count else {
            throw decoder.failure(
                .tooFewElements(expected: TypeName.of(type), count: elements.count),
                at: decoder.node, step: .index(currentIndex))
        }
        return elements[currentIndex]
    }
}

// The generic function also serves the other scalars. For these two, the protocol's own functions only throw.
extension NodeUnkeyedContainer {
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny(type) }

    @inline(__always)
    private mutating func decodeAny<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder.decode(type, from: try next(type), at: .index(currentIndex))
        currentIndex += 1
        return value
    }
}
