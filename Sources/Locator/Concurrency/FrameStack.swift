/// The frames of a thread, outermost first.
///
/// Frames are trivial, and the stack is used several times for each making, so it checks nothing but its capacity.
struct FrameStack: RandomAccessCollection {
    /// The number of frames that are searched one by one.
    ///
    /// ``FrameIndex`` finds frames beyond these.
    private static var shallow: Int { 32 }

    private var base: UnsafeMutablePointer<Frame>
    private(set) var count = 0
    private var capacity = Self.shallow
    private var index = FrameIndex()

    init() {
        base = .allocate(capacity: Self.shallow)
    }

    func deallocate() { base.deallocate() }

    var startIndex: Int { 0 }
    var endIndex: Int { count }
    @inline(__always) var isEmpty: Bool { count == 0 }

    subscript(index: Int) -> Frame {
        @inline(__always) get {
            assert(index >= 0 && index < count)
            return base[index]
        }
    }

    @inline(__always)
    mutating func append(_ frame: Frame) {
        if count >= Self.shallow { prepareDeep(frame) }
        (base + count).initialize(to: frame)
        count += 1
    }

    @inline(__always)
    mutating func removeLast() {
        count -= 1
        if count >= Self.shallow { index.removeLast() }
    }

    /// Changes existing frames.
    mutating func change(at positions: [Int], _ body: (inout Frame) -> Void) {
        for position in positions { body(&base[position]) }
        if count <= Self.shallow { return }
        index = FrameIndex()
        for position in Self.shallow..<count { index.append(base[position]) }
    }

    @inline(never)
    private mutating func prepareDeep(_ frame: Frame) {
        index.append(frame)
        if count < capacity { return }
        let larger = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    /// The position of the innermost frame of a slot before `end`, since the last barrier.
    @inline(__always)
    func last(of slot: Unmanaged<Slot>, before end: Int) -> Int? {
        last(before: end, where: { $0.isOf(slot) }, orDeep: { index.last(of: slot, before: $0) })
    }

    /// The position of the innermost frame before `end` that keeps a record, since the last barrier.
    @inline(__always)
    func lastRecording(before end: Int) -> Int? {
        last(before: end, where: { $0.isRecording }, orDeep: { index.lastRecording(before: $0) })
    }

    @inline(__always)
    private func last(
        before end: Int, where isMeant: (Frame) -> Bool, orDeep findDeep: (_ end: Int) -> FrameIndex.Place
    ) -> Int? {
        var position = end
        if end > Self.shallow {
            switch findDeep(end - Self.shallow) {
            case .found(let found): return Self.shallow + found
            case .barrier: return nil
            case .none: position = Self.shallow
            }
        }
        while position > 0 {
            position -= 1
            if base[position].isBarrier { return nil }
            if isMeant(base[position]) { return position }
        }
        return nil
    }
}

/// An index of the frames of a deep stack, so that not all frames are searched for each level.
///
/// It contains the frames beyond the first ones, and its positions start there.
struct FrameIndex {
    /// The result of a search from the innermost frame outward.
    enum Place {
        case found(Int)
        /// A barrier comes before any such frame.
        case barrier
        /// The index contains neither.
        case none
    }

    private struct Entry {
        let slot: ObjectIdentifier?
        /// The next frame of the same slot further out.
        let outer: Int?
        /// The innermost frame from here outward that keeps a record, and the innermost barrier; -1 if there is none.
        let recording: Int
        let barrier: Int
    }

    private var entries: [Entry] = []
    private var innermost: IdentityTable<Int> = [:]

    mutating func append(_ frame: Frame) {
        let position = entries.count
        let slot = frame.slotIdentity
        entries.append(
            Entry(
                slot: slot, outer: slot.flatMap { innermost[$0] },
                recording: frame.isRecording ? position : entries.last?.recording ?? -1,
                barrier: frame.isBarrier ? position : entries.last?.barrier ?? -1))
        if let slot { innermost[slot] = position }
    }

    @inline(never)
    mutating func removeLast() {
        let entry = entries.removeLast()
        if let slot = entry.slot { innermost[slot] = entry.outer }
    }

    // Not inlined, nor is the next function: few stacks are deep, and factory closures nest.
    @inline(never)
    func last(of slot: Unmanaged<Slot>, before end: Int) -> Place {
        var found = innermost[slot._withUnsafeGuaranteedRef { ObjectIdentifier($0) }]
        while let position = found, position >= end { found = entries[position].outer }
        return place(found ?? -1, before: end)
    }

    @inline(never)
    func lastRecording(before end: Int) -> Place {
        place(entries[end - 1].recording, before: end)
    }

    private func place(_ found: Int, before end: Int) -> Place {
        let barrier = entries[end - 1].barrier
        if barrier > found { return .barrier }
        return found < 0 ? .none : .found(found)
    }
}
