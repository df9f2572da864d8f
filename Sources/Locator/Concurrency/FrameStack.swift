/// The frames of a thread, outermost first.
///
/// Frames are trivial, and this is used several times for each making: no checks but for room.
struct FrameStack: RandomAccessCollection {
    private var base: UnsafeMutablePointer<Frame>
    private(set) var count = 0
    private var capacity = 32

    init() {
        base = .allocate(capacity: 32)
    }

    /// Ends the memory.
    func deallocate() { base.deallocate() }

    var startIndex: Int { 0 }
    var endIndex: Int { count }
    @inline(__always) var isEmpty: Bool { count == 0 }

    subscript(index: Int) -> Frame {
        @inline(__always) get {
            assert(index >= 0 && index < count)
            return base[index]
        }
        @inline(__always) set {
            assert(index >= 0 && index < count)
            base[index] = newValue
        }
    }

    @inline(__always)
    mutating func append(_ frame: Frame) {
        if count == capacity { grow() }
        (base + count).initialize(to: frame)
        count += 1
    }

    @inline(__always)
    mutating func removeLast() {
        count -= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }
}
