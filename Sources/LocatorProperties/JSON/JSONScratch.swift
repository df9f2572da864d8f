/// A stack of parsed entries or elements whose container is not complete.
///
/// A container that closes moves its part off the top into storage of the exact size, without retaining or releasing
/// anything. The memory has a single owner: every element below `count` is initialized, and none above.
struct JSONScratch<Element>: ~Copyable {
    private var memory: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        memory = .allocate(capacity: capacity)
    }

    deinit {
        memory.deinitialize(count: count)
        memory.deallocate()
    }

    @inline(__always)
    mutating func append(_ element: consuming Element) {
        if count == capacity { grow() }
        (memory + count).initialize(to: element)
        count += 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: memory, count: count)
        memory.deallocate()
        memory = larger
        capacity *= 2
    }

    /// The element at an index below `count`.
    subscript(index: Int) -> Element {
        @inline(__always) _read { yield memory[index] }
        @inline(__always) _modify { yield &memory[index] }
    }

    /// Returns the elements from an index, valid until the stack changes.
    @inline(__always)
    func slice(from start: Int) -> UnsafeBufferPointer<Element> {
        UnsafeBufferPointer(start: memory + start, count: count - start)
    }

    /// Removes the elements from an index and returns them.
    @inline(__always)
    mutating func takeArray(from start: Int) -> [Element] {
        // For zero elements, the initializer below would write to the storage that all empty arrays share.
        if start == count { return [] }
        return [Element](unsafeUninitializedCapacity: count - start) { $1 = move(from: start, to: $0) }
    }

    /// Removes the elements from an index and returns them.
    @inline(__always)
    mutating func takeContiguousArray(from start: Int) -> ContiguousArray<Element> {
        // See `takeArray`.
        if start == count { return [] }
        return ContiguousArray<Element>(unsafeUninitializedCapacity: count - start) { $1 = move(from: start, to: $0) }
    }

    /// Moves the elements from an index to a buffer, and returns their number.
    @inline(__always)
    private mutating func move(from start: Int, to buffer: UnsafeMutableBufferPointer<Element>) -> Int {
        let taken = count - start
        buffer.baseAddress?.moveInitialize(from: memory + start, count: taken)
        count = start
        return taken
    }
}
