internal import Synchronization

/// A lock that is held for a few instructions at a time and costs nothing to create.
///
/// It is taken while a ``Lock`` may be held. While it is held, only the one of a ``WrapperMemory`` is taken.
///
/// The optimizer sees how the lock is released, and may move a retain after that. Therefore, any reference that another
/// thread may remove must be retained before the lock is released, by a function that is never inlined and returns
/// nothing; see ``Readers``.
struct ShortLock: ~Copyable {
    private let isHeld = Atomic(false)

    /// Runs a function while no other thread holds the lock.
    ///
    /// The function must not run foreign code or wait for anything.
    @inline(__always)
    func withLock<Result: ~Copyable, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        var turns = 0
        // Acquiring: everything that was done while the lock was held happens before.
        while !isHeld.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {
            turns += 1
            Lock.giveWay(turns)
        }
        // Releasing: the next thread that takes the lock sees what was done.
        defer { isHeld.store(false, ordering: .releasing) }
        return try body()
    }
}
