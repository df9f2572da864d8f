extension JSONValue {
    /// Decodes a type from the value, without a detour through text.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(PropertiesError) -> Value {
        try decode(type, at: "", in: .plain)
    }

    /// Decodes a type from the value at a path; the path is the beginning of every path that an error names.
    package func decode<Value: Decodable>(
        _ type: Value.Type, at path: String, in context: DecodingContext
    ) throws(PropertiesError) -> Value {
        throw PropertiesError(PropertiesProblem(.value(.missing(expected: "\(type)")), path: path))
    }
}
