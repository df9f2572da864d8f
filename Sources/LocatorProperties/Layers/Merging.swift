/// The rules for merging trees: objects are merged, everything else is replaced, and `null` removes.
enum Merging {
    /// The treatment of a `null` that removes a key.
    enum Nulls {
        /// The key is removed from the result.
        case remove
        /// The `null` stays, so that it also removes the key when the result is later merged into another tree.
        case keep
    }

    /// Merges a tree into another.
    ///
    /// With `isWhole`, the lower tree hides the contents of the layers below it, and so do the objects that it gets.
    static func merge(_ upper: JSONObject, into lower: inout JSONObject, nulls: Nulls, isWhole: Bool = false) {
        var removed: [Int] = []
        for index in upper.indices {
            let value = upper.value(at: index)
            let existing = lower.index(ofKeyAt: index, of: upper)
            switch value.storage {
            case .null where nulls == .remove:
                if let existing { removed.append(existing) }
            case .object(let object):
                if let existing, case .object = lower.value(at: existing).storage, !value.flags.contains(.whole) {
                    lower.updateValue(at: existing) { node in
                        let isWhole = node.flags.contains(.whole)
                        node.updateObject { merge(object, into: &$0, nulls: nulls, isWhole: isWhole) }
                    }
                } else if nulls == .remove {
                    lower.setEntry(at: index, of: upper, to: value.withoutNulls)
                } else {
                    lower.setEntry(at: index, of: upper, to: isWhole || existing != nil ? value.whole : value)
                }
            case .null, .boolean, .integer, .decimal, .string, .array:
                lower.setEntry(at: index, of: upper, to: value)
            }
        }
        // They are removed together, because each removal moves all entries after it.
        if !removed.isEmpty { lower.remove(at: removed) }
    }

    /// Merges a value into the value at a path, in place.
    ///
    /// Missing objects and arrays are created, and a `null` stays.
    ///
    /// An index must be that of an existing element or of the next one.
    ///
    /// With `isWhole`, an object that the node becomes hides what lower layers have.
    static func merge(
        _ value: JSONValue, at steps: ArraySlice<PropertyPath.Step>, into node: inout JSONValue, isWhole: Bool = true
    ) {
        switch steps.first {
        case nil:
            if case .object(let upper) = value.storage, case .object = node.storage {
                let isWhole = node.flags.contains(.whole)
                node.updateObject { merge(upper, into: &$0, nulls: .keep, isWhole: isWhole) }
            } else {
                node = isWhole ? value.whole : value
            }
        case .key(let key):
            if node.objectValue == nil {
                node = .object(JSONObject())
                if isWhole { node.flags.insert(.whole) }
            }
            let isWhole = node.flags.contains(.whole)
            node.updateObject { object in
                let isMissing = object.index(ofKey: key) == nil
                if isMissing { object[key] = .some(.null) }
                guard let index = object.index(ofKey: key) else { return }
                object.updateValue(at: index) {
                    merge(value, at: steps.dropFirst(), into: &$0, isWhole: isWhole || !isMissing)
                }
            }
        case .index(let index):
            if node.arrayValue == nil { node = .array([]) }
            node.updateElement(at: index) { merge(value, at: steps.dropFirst(), into: &$0, isWhole: false) }
        }
    }
}

extension JSONValue {
    /// The value, whose objects outside of arrays hide what lower layers have.
    fileprivate var whole: JSONValue {
        guard case .object(let object) = storage else { return self }
        var result = JSONObject()
        result.reserveCapacity(object.count)
        for index in object.indices { result.setEntry(at: index, of: object, to: object.value(at: index).whole) }
        var value = replacingContent(with: .object(result))
        value.flags.insert(.whole)
        return value
    }
}
