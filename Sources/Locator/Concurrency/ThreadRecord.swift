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

/// What this library knows of one thread: the makings that run on it, outermost first, and what it waits for.
///
/// Makers are synchronous, so whatever a maker asks for is asked on the thread that runs it. The record belongs to its
/// thread; another thread reads it only while its owner waits, with the lock of the ``WaitGraph`` held.
final class ThreadRecord: @unchecked Sendable {
    // Sendable: `frames` is changed by the owning thread alone and read by others only while the owner is blocked in
    // `WaitGraph`, whose lock orders the two; `waitingFor` is read and written with that lock held, `number` with that
    // of `Readers`.

    /// Whether the thread is reading a published pointer; see ``Readers``.
    ///
    /// Behind a pointer, so that whoever ends a read needs no record. A cache line of its own: no other thread writes
    /// beside it.
    let reading: UnsafePointer<Atomic<UInt>>
    /// The number of the family of the lean request that the thread is in, or zero; see ``Limbo``.
    let family: UnsafePointer<Atomic<UInt>>
    private let readingMemory: UnsafeMutableRawPointer

    /// The lean request that the thread is in.
    // Unchecked: only this thread uses it.
    @exclusivity(unchecked) var lean = LeanRequest()

    /// Where the stack ends.
    let stack = StackLimit()

    /// Creates the record of the running thread.
    init() {
        readingMemory = .allocate(byteCount: 128, alignment: 128)
        let marks = readingMemory.assumingMemoryBound(to: Atomic<UInt>.self)
        marks.initialize(to: Atomic(0))
        (marks + 1).initialize(to: Atomic(0))
        reading = UnsafePointer(marks)
        family = UnsafePointer(marks + 1)
    }

    deinit {
        readingMemory.deallocate()
        frames.deallocate()
        sites.deallocate()
    }

    /// The foreign code that runs on this thread on a context's behalf, outermost first.
    // Unchecked: only this thread changes it, and never while it is being changed.
    @exclusivity(unchecked) var frames = FrameStack()

    /// The sites of wrappers that this thread has made last.
    // Unchecked: only this thread uses it.
    @exclusivity(unchecked) var sites = SiteCache()

    /// Whether an observer runs on this thread.
    @exclusivity(unchecked) var isObserving = false
    /// How long the makings took that the present one has asked for, while someone observes.
    @exclusivity(unchecked) var timeOfParts = Duration.zero

    /// The position of the record among all.
    ///
    /// Guarded by the lock of ``Readers``.
    var number = 0

    /// What this thread waits for.
    ///
    /// Guarded by ``WaitGraph``.
    var waitingFor: Wait?

    /// The record of the running thread.
    static var current: ThreadRecord { Unretained.current(key).takeUnretainedValue() }

    /// The record of the running thread; it lives as long as the thread, so that its functions need not retain it.
    typealias Unretained = Unmanaged<ThreadRecord>

    /// What the records of all threads are found by.
    typealias StorageKey = pthread_key_t

    // Not inlined: it happens once a thread, in functions that are short without it.
    @inline(never)
    fileprivate static func add(_ key: StorageKey) -> Unretained {
        let record = ThreadRecord()
        Readers.all.add(record)
        let retained = Unmanaged.passRetained(record)
        pthread_setspecific(key, retained.toOpaque())
        return retained
    }

    /// The key; whoever needs it often keeps a copy, because every use of a static constant asks whether it is there.
    static let key: StorageKey = {
        var key = pthread_key_t()
        #if canImport(Darwin)
            let result = pthread_key_create(&key) { end(of: $0) }
        #else
            let result = pthread_key_create(&key) { pointer in
                guard let pointer else { return }
                end(of: pointer)
            }
        #endif
        precondition(result == 0, "The system gives no thread-local storage")
        return key
    }()

    /// Lets go of the record of a thread that has ended.
    private static func end(of pointer: UnsafeMutableRawPointer) {
        let record = Unmanaged<ThreadRecord>.fromOpaque(pointer)
        Readers.all.remove(record.takeUnretainedValue())
        record.release()
    }

    /// Runs `body` inside `frame`.
    @inline(__always)
    func within<Result>(_ frame: Frame, _ body: () throws -> Result) rethrows -> Result {
        frames.append(frame)
        defer { frames.removeLast() }
        return try body()
    }

    /// Runs code that may change a context although a maker further out is running: hooks, observers and deinits.
    func outsideOfMakings<Result>(_ body: () throws -> Result) rethrows -> Result {
        if frames.isEmpty { return try body() }
        return try within(.barrier, body)
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
