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
    // `WaitGraph`, whose lock orders the two; `waitingFor` is read and written with that lock held.

    /// Whether the thread is reading a published pointer; see ``Readers``.
    let reading = Atomic<UInt>(0)

    /// The foreign code that runs on this thread on a context's behalf, outermost first.
    // Unchecked: only this thread changes it, and never while it is being changed.
    @exclusivity(unchecked) var frames: [Frame] = []

    /// What this thread waits for.
    ///
    /// Guarded by ``WaitGraph``.
    var waitingFor: Wait?

    /// The record of the running thread.
    static var current: ThreadRecord {
        if let pointer = pthread_getspecific(key) {
            return Unmanaged<ThreadRecord>.fromOpaque(pointer).takeUnretainedValue()
        }
        let record = ThreadRecord()
        Readers.all.add(record)
        pthread_setspecific(key, Unmanaged.passRetained(record).toOpaque())
        return record
    }

    private static let key: pthread_key_t = {
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
