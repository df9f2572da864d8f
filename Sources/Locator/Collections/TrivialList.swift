/// A list of trivial elements, such as pointers and numbers, which allocates nothing while it is empty.
///
/// It checks only its capacity. Whoever owns the list frees its memory with ``deallocate()``.
struct TrivialList<Element: BitwiseCopyable> {
    private var elements: UnsafeMutablePointer<Element>?
    private(set) var count = 0
    private var capacity = 0

    var isEmpty: Bool { count == 0 }
    var indices: Range<Int> { 0..<count }

    subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count)
            return elements.unsafelyUnwrapped[index]
        }
        set {
            assert(index >= 0 && index < count)
            elements.unsafelyUnwrapped[index] = newValue
        }
    }

    /// A copy of the elements.
    var all: [Element] { indices.map { self[$0] } }

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
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: max(8, capacity * 2))
        if let elements {
            larger.moveInitialize(from: elements, count: count)
            elements.deallocate()
        }
        elements = larger
        capacity = max(8, capacity * 2)
    }

    /// Frees the memory.
    func deallocate() { elements?.deallocate() }
}
