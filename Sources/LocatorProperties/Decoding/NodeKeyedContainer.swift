/// The keys of an object node.
struct NodeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: JSONObject
    let decoder: NodeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { object.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool {
        if object.index(ofKey: key.stringValue) != nil { return true }
        decoder.noteAbsence(of: key.stringValue, in: object)
        return false
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let index = object.index(ofKey: key.stringValue) else {
            throw decoder.missing(TypeName.expected(Any?.self), key: key, in: object)
        }
        return object.value(at: index).isNull
    }

    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decodeAny(type, forKey: key)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        let name = key.stringValue
        guard let index = object.index(ofKey: name) else {
            decoder.noteAbsence(of: name, in: object)
            return nil
        }
        let node = object.value(at: index)
        return node.isNull ? nil : try decoder.decode(type, from: node, at: .key(name))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nested(key, as: "an object").container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(key, as: "an array").unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        superDecoder(forKey: "super")
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        superDecoder(forKey: key.stringValue)
    }

    /// Returns a decoder for the superclass.
    ///
    /// If its key is missing, the superclass may still accept null.
    private func superDecoder(forKey key: String) -> any Decoder {
        // The type of the superclass is not known.
        NodeDecoder(object[key] ?? .null, target: JSONValue.self, at: .key(key), below: decoder)
    }

    private func nested(_ key: Key, as form: String) throws -> NodeDecoder {
        let name = key.stringValue
        guard let node = decoder.session.isInventing ? object[name] ?? .null : object[name] else {
            throw decoder.missing(form, key: key, in: object)
        }
        return NodeDecoder(node, target: JSONValue.self, at: .key(name), below: decoder)
    }
}

// The generic function also serves the other scalars. For these two, the protocol's own functions only throw.
extension NodeKeyedContainer {
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decodeAny(type, forKey: key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decodeAny(type, forKey: key) }

    @inline(__always)
    private func decodeAny<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let name = key.stringValue
        guard let index = object.index(ofKey: name) else {
            return try decoder.session.recover(
                decoder.missing(TypeName.expected(type), key: key, in: object), as: type)
        }
        return try decoder.decode(type, from: object.value(at: index), at: .key(name))
    }
}
