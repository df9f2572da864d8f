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
        guard case .object(let object) = value.storage else { return value }
        return changingMembers(of: value, object) { $0.isNull ? .some(nil) : removingNullsIfAny(in: $0) } ?? value
    }

    private static func removingNullsIfAny(in value: JSONValue) -> JSONValue?? {
        guard case .object(let object) = value.storage else { return nil }
        return changingMembers(of: value, object) { $0.isNull ? .some(nil) : removingNullsIfAny(in: $0) }
    }

    /// An object with other members, nil where none changes.
    ///
    /// - Parameter change: Gives nil for a member that stays, `.some(nil)` for one that goes.
    private static func changingMembers(
        of value: JSONValue, _ object: JSONObject, _ change: (JSONValue) -> JSONValue??
    ) -> JSONValue? {
        var result: JSONObject?
        for index in object.indices {
            guard let changed = change(object.value(at: index)) else { continue }
            var copy = result ?? object
            copy[object.key(at: index)] = changed
            result = copy
        }
        return result.map { value.replacingContent(with: .object($0)) }
    }
}

extension JSONValue {
    /// The same node with other content: place and flags stay.
    func replacingContent(with content: Storage) -> JSONValue {
        var node = JSONValue(storage: content)
        node.takeProvenance(of: self)
        return node
    }

    /// What kind of value this is, for a text: "an object", "a string".
    var kindInWords: String {
        switch storage {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer, .decimal: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
