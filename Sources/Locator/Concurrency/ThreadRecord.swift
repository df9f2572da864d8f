internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// The state of the library for one thread, with the makings that run on it, outermost first, and its current wait.
///
/// A synchronous factory closure makes its requests on the thread that runs it. The record belongs to its thread.
/// Another thread reads it only while its owner waits, with the lock of the ``WaitGraph`` held.
final class ThreadRecord: @unchecked Sendable {
    // Sendable: only the owning thread changes `frames`. Others read it only while the owner is blocked in `WaitGraph`,
    // whose lock orders the two. `waitingFor` is read and written with that lock held, and `number`, `seenMark`, and
    // `idleCount` with that of `Readers`.

    /// The mark of the thread, which is odd while it reads a published pointer; see ``Readers``.
    ///
    /// It is behind a pointer, so that ending a read does not need the record. The memory has its own cache line, to
    /// which other threads hardly ever write.
    let reading: UnsafePointer<Atomic<UInt>>
    /// Zero while changes check the thread, and not zero while it is hidden; see ``Readers``.
    var isHidden: UnsafePointer<Atomic<UInt>> { reading + 5 }
    /// The state of the thread's lean requests; see ``Limbo``.
    ///
    /// These are the mark, which is odd during a request; the family and the revision of the current request; the mark of
    /// the latest request that something waits for; and, at the end, the branch of the current request, or zero if it may
    /// use instances of any.
    private var leanMarks: UnsafePointer<Atomic<UInt>> { reading + 1 }

    /// The lean request that the thread is in.
    // Unchecked: only this thread uses it.
    @exclusivity(unchecked) var lean = LeanRequest()

    let stack = StackLimit()

    /// Creates the record of the running thread.
    init() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
        let marks = memory.assumingMemoryBound(to: Atomic<UInt>.self)
        for index in 0..<7 { (marks + index).initialize(to: Atomic(0)) }
        reading = UnsafePointer(marks)
    }

    deinit {
        UnsafeMutableRawPointer(mutating: reading).deallocate()
        frames.deallocate()
        sites.deallocate()
    }

    /// The foreign code that runs on this thread on behalf of contexts, outermost first.
    // Unchecked: only this thread changes it, and no change begins during another.
    @exclusivity(unchecked) var frames = FrameStack()

    /// The sites of wrappers that this thread has used last.
    // Unchecked: only this thread uses it.
    @exclusivity(unchecked) var sites = SiteCache()

    /// The numbers of the contexts that this thread creates.
    // Unchecked: only this thread uses it.
    @exclusivity(unchecked) private var numbers = UniqueNumbers()

    /// The retained objects to release on this thread after the one that is being released; nil if there is none.
    // Unchecked: only this thread uses it.
    @exclusivity(unchecked) private var releasing: [Unmanaged<AnyObject>]?

    /// Releases an object, or leaves it to a release that is already running on this thread.
    ///
    /// The end of a context may release its parent. With many levels, these ends would not fit on the stack if each ran
    /// inside the previous one.
    func releaseInTurn(_ object: Unmanaged<AnyObject>) {
        if releasing != nil {
            releasing?.append(object)
            return
        }
        releasing = [object]
        while let next = releasing?.popLast() { next.release() }
        releasing = nil
    }

    /// Returns a number that is unique in the process.
    static func nextNumber() -> UInt {
        Unretained.current(key)._withUnsafeGuaranteedRef { $0.numbers.next() }
    }

    /// Identifies the wrapper or injected function that is making a request.
    // Unchecked: only this thread uses it.
    @exclusivity(unchecked) var requester: Requester?

    /// The number of reads of wrappers that were slow because an instance was being made.
    // Unchecked: only this thread uses it.
    @exclusivity(unchecked) var slowReads: UInt = 0

    /// Whether an observer runs on this thread.
    @exclusivity(unchecked) var isObserving = false
    /// The duration of the makings that the current one has requested, while there is an observer.
    @exclusivity(unchecked) var timeOfParts = Duration.zero

    /// Whether the thread is in a lean request.
    ///
    /// At the end of such a request, after its last frame has been removed, deinitializers may run. The mark counts only
    /// one request, so what they request gets a session.
    @inline(__always)
    var isInLeanRequest: Bool { leanMarks[0].load(ordering: .relaxed) & 1 == 1 }

    /// Marks the thread as being in a lean request.
    ///
    /// It is already marked as a reader, and is not in another lean request.
    @inline(__always)
    func beginLeanRequest(of family: UInt, _ branch: UInt, at revision: UInt) {
        assert(reading.pointee.load(ordering: .relaxed) & 1 == 1, "A hidden thread would begin a lean request")
        assert(!isInLeanRequest, "A lean request would begin inside another")
        // Relaxed suffices: the store of the mark below publishes all three.
        leanMarks[1].store(family, ordering: .relaxed)
        leanMarks[2].store(revision, ordering: .relaxed)
        leanMarks[5].store(branch, ordering: .relaxed)
        // Relaxed suffices for the load: only this thread writes the mark. Releasing: a thread that sees the mark sees
        // the other values. This thread is marked as a reader, so a change checks it afterward.
        leanMarks[0].store(leanMarks[0].load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// Lets the lean request, if there is one, use instances of all branches: something in it makes a request to a context
    /// of another branch, or to one whose instances may be made from those of other branches.
    ///
    /// Relaxed suffices: that request takes the lock before it is given anything, and a change that removes it afterward has
    /// had the lock later.
    func widenLeanRequest(unlessOf branch: UInt?) {
        if leanMarks[5].load(ordering: .relaxed) != branch { leanMarks[5].store(0, ordering: .relaxed) }
    }

    /// Ends the mark of a lean request, and returns whether something waits for the end of the request.
    @inline(__always)
    func endLeanRequest() -> Bool {
        // Relaxed suffices: only this thread writes the mark.
        let mark = leanMarks[0].load(ordering: .relaxed)
        // Both are sequentially consistent, as are the store in `noteWaiting` and the load of the mark that follows it.
        // In their total order, either this thread sees that something waits, or the change sees that the request has
        // ended. The request has finished all uses of its objects before this store.
        leanMarks[0].store(mark &+ 1, ordering: .sequentiallyConsistent)
        return leanMarks[3].load(ordering: .sequentiallyConsistent) == mark
    }

    /// Records that something waits for the end of the lean request with this mark.
    func noteWaiting(forEndOf mark: UInt) {
        // The greatest mark counts, because the request may have ended, and another family may have recorded one that
        // began later. Sequentially consistent, before the mark is loaded again: see `endLeanRequest`.
        leanMarks[3].max(mark, ordering: .sequentiallyConsistent)
    }

    /// The mark of the thread's lean requests.
    var leanMark: UInt { leanMarks[0].load(ordering: .sequentiallyConsistent) }

    /// The lean request of a family that the thread is in.
    func leanRequest(of family: UInt) -> Limbo.Pin? {
        let mark = leanMark
        guard mark & 1 == 1 else { return nil }
        // Relaxed suffices: all were written before the mark, and belong to this request if the mark is the same
        // afterward. If it is not, the request has ended, and the next one does not find anything that was removed.
        let (found, revision) = (leanMarks[1].load(ordering: .relaxed), leanMarks[2].load(ordering: .relaxed))
        guard found == family else { return nil }
        return .init(thread: self, mark: mark, revision: revision, branch: leanMarks[5].load(ordering: .relaxed))
    }

    /// The position of the record among those that changes check; nil while it is hidden.
    ///
    /// Guarded by the lock of ``Readers``, as are the next two fields.
    var number: Int?
    /// The mark of the thread at the latest change, and the number of changes that have found the same mark.
    var seenMark: UInt = 0
    var idleCount = 0

    /// What this thread waits for.
    ///
    /// Guarded by ``WaitGraph``.
    var waitingFor: Wait?

    /// The record of the running thread.
    static var current: ThreadRecord { Unretained.current(key).takeUnretainedValue() }

    /// An unretained record.
    ///
    /// The record lives as long as its thread, so its functions need not retain it.
    typealias Unretained = Unmanaged<ThreadRecord>

    /// The key for the records of all threads.
    typealias StorageKey = pthread_key_t

    // Not inlined: this happens once for each thread, and its caller is short without it.
    @inline(never)
    fileprivate static func add(_ key: StorageKey) -> Unretained {
        let record = ThreadRecord()
        Readers.all.show(record)
        let retained = Unmanaged.passRetained(record)
        pthread_setspecific(key, retained.toOpaque())
        return retained
    }

    /// The key for the records.
    ///
    /// Frequent users keep a copy, because every use of a static constant checks whether it is initialized.
    static let key: StorageKey = {
        var key = pthread_key_t()
        // The pointer is optional on some systems.
        let result = pthread_key_create(&key) { if let pointer = $0 as UnsafeMutableRawPointer? { end(of: pointer) } }
        precondition(result == 0, "The system gives no thread-local storage")
        return key
    }()

    /// Releases the record of a thread that has ended.
    private static func end(of pointer: UnsafeMutableRawPointer) {
        let record = Unmanaged<ThreadRecord>.fromOpaque(pointer)
        Readers.all.remove(record.takeUnretainedValue())
        record.release()
    }

    /// Runs code that may change a context although an outer making is running, such as hooks, observers, and
    /// deinitializers.
    func outsideOfMakings<Result>(_ body: () throws -> Result) rethrows -> Result {
        try AsyncStep.outsideOfTask {
            if frames.isEmpty { return try body() }
            frames.append(.barrier)
            defer { frames.removeLast() }
            return try body()
        }
    }
}

extension Unmanaged<ThreadRecord> {
    /// The record of the running thread.
    @inline(__always)
    static func current(_ key: ThreadRecord.StorageKey) -> Self {
        if let pointer = pthread_getspecific(key) { return .fromOpaque(pointer) }
        return ThreadRecord.add(key)
    }
}
