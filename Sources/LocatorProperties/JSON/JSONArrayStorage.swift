/// The elements of an array node.
///
/// It is a class, so that a deep tree can be freed level by level.
///
/// Unchecked `Sendable` is safe, because nothing changes after the initializer. Only `takeElements` and `deinit` take
/// the elements out, when there is no other reference.
final class JSONArrayStorage: @unchecked Sendable {
    // Without exclusivity checks, for the same reason.
    @exclusivity(unchecked) private(set) var elements: [JSONValue]
    /// An upper bound of the number of levels, including this one.
    let height: UInt32

    init(_ elements: [JSONValue]) {
        self.elements = elements
        var height: UInt32 = 0
        for element in elements {
            height = max(height, element.height)
        }
        self.height = height + 1
    }

    /// Creates storage for the reader, which knows the height.
    init(_ elements: [JSONValue], height: UInt32) {
        self.elements = elements
        self.height = height
    }

    deinit {
        if height > JSONTeardown.recursionLimit {
            var pending: [JSONValue] = []
            swap(&pending, &elements)
            JSONTeardown.free(&pending)
        }
    }

    /// Moves the elements out, for a caller that holds the only reference and is about to drop it.
    func takeElements() -> [JSONValue] {
        var taken: [JSONValue] = []
        swap(&taken, &elements)
        return taken
    }
}

extension JSONValue {
    /// Changes an element of this array in place, or appends one.
    ///
    /// The other elements are copied only if they are shared.
    ///
    /// Does nothing if the value is not an array.
    mutating func updateElement(at index: Int, _ body: (inout JSONValue) -> Void) {
        guard case .array(var array) = storage else { return }
        storage = .null
        var height = array.height
        var elements = isKnownUniquelyReferenced(&array) ? array.takeElements() : array.elements
        if index >= elements.count { elements.append(.null) }
        body(&elements[min(index, elements.count - 1)])
        height = max(height, elements[min(index, elements.count - 1)].height + 1)
        storage = .array(JSONArrayStorage(elements, height: height))
    }
}
