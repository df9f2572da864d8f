extension JSONValue {
    /// The value without members that are `null`.
    ///
    /// The elements of arrays stay unchanged.
    var withoutNulls: JSONValue {
        guard case .object(let object) = storage, Self.hasNulls(object) else { return self }
        var result = JSONObject()
        result.reserveCapacity(object.count)
        for index in object.indices {
            let member = object.value(at: index)
            if !member.isNull { result.setEntry(at: index, of: object, to: member.withoutNulls) }
        }
        return replacingContent(with: .object(result))
    }

    private static func hasNulls(_ object: JSONObject) -> Bool {
        object.indices.contains { index in
            switch object.value(at: index).storage {
            case .null: true
            case .object(let member): hasNulls(member)
            case .boolean, .integer, .decimal, .string, .array: false
            }
        }
    }
}
