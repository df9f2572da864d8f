/// Frees deep trees without using a stack frame per level.
enum JSONTeardown {
    /// The height up to which the runtime's recursive release is used.
    ///
    /// It is faster, and its stack use is bounded.
    static let recursionLimit: UInt32 = 200

    /// Frees values.
    ///
    /// The children of deep, unshared values are freed in this loop.
    static func free(_ pending: inout [JSONValue]) {
        while var value = pending.popLast() {
            guard value.height > recursionLimit else { continue }
            if var array = value.detachArray(), isKnownUniquelyReferenced(&array) {
                pending += array.takeElements()
            } else if var object = value.detachObject(), isKnownUniquelyReferenced(&object) {
                pending += object.takeValues()
            }
        }
    }
}

extension JSONValue {
    /// Moves an array's storage out, so that this value no longer holds a reference to it.
    fileprivate mutating func detachArray() -> JSONArrayStorage? {
        guard case .array(let array) = storage else { return nil }
        storage = .null
        return array
    }

    /// Moves an object's storage out, so that this value no longer holds a reference to it.
    fileprivate mutating func detachObject() -> JSONObjectStorage? {
        guard case .object(let object) = storage else { return nil }
        storage = .null
        return object.storage
    }
}
