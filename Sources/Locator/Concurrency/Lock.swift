#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// A mutual exclusion lock.
///
/// On Linux, `Synchronization.Mutex` waits through a system call that the thread sanitizer does not see, so correct
/// code is reported as a race. The sanitizer sees a `pthread_mutex_t`.
final class Lock: @unchecked Sendable {
    // Sendable: the pointer is set once and points to memory that this object owns until its end. It is only passed to
    // functions of the system's thread library, which may be called from any thread.
    fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        precondition(pthread_mutex_init(mutex, nil) == 0, "The system gives no mutex")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func lock() {
        pthread_mutex_lock(mutex)
    }

    func unlock() {
        pthread_mutex_unlock(mutex)
    }

    /// Runs a function while no other thread holds the lock.
    ///
    /// The function must not run foreign code.
    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Lets another thread run, in a loop that waits for that thread.
    ///
    /// The first turns yield. Later turns sleep, because a yield may not let a thread of lower priority run.
    static func giveWay(_ turn: Int) {
        if turn < 100 { sched_yield() } else { usleep(50) }
    }
}

/// A condition that the holder of a lock can wait for.
final class WakeUp: @unchecked Sendable {
    // Sendable: see `Lock`.
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        precondition(pthread_cond_init(condition, nil) == 0, "The system gives no condition")
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Releases the lock until the next wake, then takes it again.
    ///
    /// The caller holds the lock. A wake may be spurious, so the caller checks its condition in a loop.
    func wait(_ lock: Lock) {
        pthread_cond_wait(condition, lock.mutex)
    }

    func wakeAll() {
        pthread_cond_broadcast(condition)
    }
}
