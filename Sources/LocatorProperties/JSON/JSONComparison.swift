extension JSONValue: Hashable {
    /// Whether two values mean the same.
    ///
    /// Positions and the order of keys are ignored, and numbers are compared by value.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        // Containers wait in a list, so that depth costs memory and not stack.
        var pending: [(JSONValue, JSONValue)] = []
        guard areEqual(left, right, pending: &pending) else { return false }
        while let (left, right) = pending.popLast() {
            switch (left.storage, right.storage) {
            case (.array(let left), .array(let right)):
                for index in left.elements.indices {
                    guard areEqual(left.elements[index], right.elements[index], pending: &pending) else { return false }
                }
            case (.object(let left), .object(let right)):
                for index in left.indices {
                    guard
                        let match = right.index(ofKeyAt: index, of: left),
                        areEqual(left.value(at: index), right.value(at: match), pending: &pending)
                    else { return false }
                }
            case (.null, _), (.boolean, _), (.integer, _), (.decimal, _), (.string, _), (.array, _), (.object, _):
                return false
            }
        }
        return true
    }

    /// Compares two values without descending.
    ///
    /// Containers that may be equal are added to the pending list.
    private static func areEqual(
        _ left: JSONValue, _ right: JSONValue, pending: inout [(JSONValue, JSONValue)]
    ) -> Bool {
        switch (left.storage, right.storage) {
        case (.null, .null): return true
        case (.boolean(let left), .boolean(let right)): return left == right
        case (.integer(let left), .integer(let right)): return left == right
        case (.decimal, .integer), (.integer, .decimal), (.decimal, .decimal):
            return left.numberValue == right.numberValue
        case (.string(let left), .string(let right)): return JSONText.areIdentical(left, right)
        case (.array(let leftArray), .array(let rightArray)):
            guard leftArray !== rightArray else { return true }
            guard leftArray.elements.count == rightArray.elements.count else { return false }
            pending.append((left, right))
            return true
        case (.object(let leftObject), .object(let rightObject)):
            guard leftObject.storage !== rightObject.storage else { return true }
            guard leftObject.count == rightObject.count else { return false }
            pending.append((left, right))
            return true
        case (.null, _), (.boolean, _), (.integer, _), (.decimal, _), (.string, _), (.array, _), (.object, _):
            return false
        }
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hash(into: &hasher, levels: 16)
    }

    /// Below the given number of levels, only the kind and the size of a container are hashed.
    ///
    /// Equal values still have equal hashes, and no tree is deep enough to overflow the stack.
    private func hash(into hasher: inout Hasher, levels: Int) {
        switch storage {
        case .null:
            hasher.combine(0 as UInt8)
        case .boolean(let value):
            hasher.combine(1 as UInt8)
            hasher.combine(value)
        case .integer(let value):
            hasher.combine(2 as UInt8)
            JSONNumber(storage: .integer(value)).hash(into: &hasher)
        case .decimal(let text):
            hasher.combine(2 as UInt8)
            JSONNumber(storage: .text(text)).hash(into: &hasher)
        case .string(let text):
            hasher.combine(3 as UInt8)
            JSONText.withBytes(of: text) { hasher.combine(bytes: $0) }
            hasher.combine(0xff as UInt8)
        case .array(let array):
            hasher.combine(4 as UInt8)
            hasher.combine(array.elements.count)
            guard levels > 0 else { return }
            for element in array.elements {
                element.hash(into: &hasher, levels: levels - 1)
            }
        case .object(let object):
            hasher.combine(5 as UInt8)
            hasher.combine(object.count)
            guard levels > 0 else { return }
            // A sum, because the order of keys must not matter.
            var sum = 0
            for entry in object.storage.entries {
                var entryHasher = Hasher()
                entryHasher.combine(entry.hash)
                entry.value.hash(into: &entryHasher, levels: levels - 1)
                sum &+= entryHasher.finalize()
            }
            hasher.combine(sum)
        }
    }
}

extension JSONObject: Hashable {
    /// Whether two objects have the same keys with equal values.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        JSONValue.object(left) == JSONValue.object(right)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        JSONValue.object(self).hash(into: &hasher)
    }
}
