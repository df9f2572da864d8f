/// A list of trivial elements, such as pointers and numbers, which allocates nothing while it is empty.
///
/// It checks only its capacity. Whoever owns the list frees its memory with ``deallocate()``.
struct TrivialList<Element: BitwiseCopyable>: RandomAccessCollection {
    private var elements: UnsafeMutablePointer<Element>?
    private(set) var count = 0
    private var capacity = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(index: Int) -> Element {
        get {
            assert(indices.contains(index))
            return elements.unsafelyUnwrapped[index]
        }
        set {
            assert(indices.contains(index))
            elements.unsafelyUnwrapped[index] = newValue
        }
    }

    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        (elements.unsafelyUnwrapped + count).initialize(to: element)
        count += 1
    }

    mutating func remove(at index: Int) {
        for next in index + 1..<count { self[next - 1] = self[next] }
        count -= 1
    }

    private mutating func grow() {
        capacity = elements == nil ? 8 : capacity * 2
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        if let elements {
            larger.moveInitialize(from: elements, count: count)
            elements.deallocate()
        }
        elements = larger
    }

    /// Frees the memory.
    func deallocate() { elements?.deallocate() }
}
