internal import Synchronization

/// A lock that is held for a few instructions at a time, and costs nothing to make.
///
/// It is taken while a ``Lock`` may be held, and no other lock is taken while it is held.
///
/// The optimizer knows how it is given back, and may move a retain behind that. So a reference that another thread may take
/// out is retained by a function that is never inlined and returns nothing, before the lock is given back; see ``Readers``.
struct ShortLock: ~Copyable {
    private let isHeld = Atomic(false)

    /// Runs a function while no other thread holds the lock.
    ///
    /// It must not run foreign code, nor wait for anything.
    @inline(__always)
    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        var turns = 0
        // Acquiring: whatever was done with the lock held was done before.
        while !isHeld.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {
            turns += 1
            Lock.giveWay(turns)
        }
        // Releasing: whoever takes the lock next finds what was done.
        defer { isHeld.store(false, ordering: .releasing) }
        return try body()
    }
}
