internal import Synchronization

/// A reference that is set once.
///
/// The standard library has `AtomicLazyReference` for this. Its functions are not compiled into the program, so the thread
/// sanitizer does not see the order of their accesses, and reports a race in correct code.
package struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    // Unsafe: this reference owns the object from `storeIfNil` until its end, so `load` returns a living object. Acquiring
    // and releasing: a thread that loads the object also sees what was written to it before it was stored.
    private let stored = Atomic<Unmanaged<Instance>?>(nil)

    package init() {}

    deinit { stored.load(ordering: .acquiring)?.release() }

    package func load() -> Instance? {
        stored.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Stores an object if there is none, and returns the stored object.
    package func storeIfNil(_ new: Instance) -> Instance {
        let owned = Unmanaged.passRetained(new)
        let (_, earlier) = stored.compareExchange(expected: nil, desired: owned, ordering: .acquiringAndReleasing)
        guard let earlier else { return new }
        owned.release()
        return earlier.takeUnretainedValue()
    }
}
