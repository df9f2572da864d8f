/// How trees lie over each other: objects merge, everything else is replaced, `null` removes.
enum Merging {
    /// What becomes of a `null` that removes a key.
    enum Nulls {
        /// The key is gone from the result.
        case remove
        /// The `null` stays, so that it also removes the key from what the result is laid over later.
        case keep
    }

    /// Lays a tree over another.
    static func merge(_ upper: JSONObject, into lower: inout JSONObject, nulls: Nulls) {
        for index in upper.indices {
            let value = upper.value(at: index)
            let existing = lower.index(ofKeyAt: index, of: upper)
            switch value.storage {
            case .null where nulls == .remove:
                if existing != nil { lower[upper.key(at: index)] = nil }
            case .object(let object):
                if let existing, case .object = lower.value(at: existing).storage {
                    lower.updateValue(at: existing) { node in
                        _ = node.updateObject { merge(object, into: &$0, nulls: nulls) }
                    }
                } else {
                    lower.setEntry(at: index, of: upper, to: nulls == .keep ? value : removingNulls(in: value))
                }
            case .null, .boolean, .integer, .decimal, .string, .array:
                lower.setEntry(at: index, of: upper, to: value)
            }
        }
    }

    /// A value without the members that are `null`; the elements of arrays stay as they are.
    static func removingNulls(in value: JSONValue) -> JSONValue {
        guard case .object(let object) = value.storage, hasNulls(object) else { return value }
        var result = JSONObject()
        result.reserveCapacity(object.count)
        for index in object.indices {
            let member = object.value(at: index)
            if !member.isNull { result.setEntry(at: index, of: object, to: removingNulls(in: member)) }
        }
        return value.replacingContent(with: .object(result))
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
