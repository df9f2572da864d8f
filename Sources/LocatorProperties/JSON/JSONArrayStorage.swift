/// The elements of an array node; a class so that a deep tree can be freed level by level.
///
/// Sendable without a check, because nothing changes it after its initializer: only `deinit` takes the elements out,
/// and by then no other reference exists.
final class JSONArrayStorage: @unchecked Sendable {
    // Without exclusivity checks, for the same reason.
    @exclusivity(unchecked) private(set) var elements: [JSONValue]
    /// The levels below and including this one, at most.
    let height: UInt32

    init(_ elements: [JSONValue]) {
        self.elements = elements
        var height: UInt32 = 0
        for element in elements {
            height = max(height, element.height)
        }
        self.height = height + 1
    }

    /// For the reader, which knows the height.
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

    /// Moves the elements out; for a caller that holds the only reference and is about to drop it.
    func takeElements() -> [JSONValue] {
        var taken: [JSONValue] = []
        swap(&taken, &elements)
        return taken
    }
}

extension JSONValue {
    /// Changes an element of this value in place, or adds one behind the last, without copying the others where no other
    /// value shares them.
    ///
    /// Does nothing where the value is no array.
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
