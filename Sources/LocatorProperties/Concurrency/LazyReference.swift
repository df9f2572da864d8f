internal import Synchronization

/// A reference that is set once.
///
/// The standard library has `AtomicLazyReference` for this. Its functions are not compiled into the program, so the thread
/// sanitizer does not see the order of their accesses, and reports a race in correct code.
package struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    private let stored = StoredObject()

    package init() {}

    package func load() -> Instance? {
        stored.load().map { Unmanaged<Instance>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Stores an object if there is none, and returns the stored object.
    package func storeIfNil(_ new: Instance) -> Instance {
        let object = stored.storeIfNil(owned: Unmanaged.passRetained(new).toOpaque())
        return Unmanaged<Instance>.fromOpaque(object).takeUnretainedValue()
    }
}

/// The object of a ``LazyReference``.
///
/// It is not generic. Otherwise, each end of a reference would look up the metadata of its type, which costs ten times as
/// much as the rest.
struct StoredObject: ~Copyable, @unchecked Sendable {
    // Sendable: it only has objects that are. Unsafe: it owns the object from `storeIfNil` until its end, so `load` returns
    // a living object. Acquiring and releasing: a thread that loads the object also sees what was written to it before it
    // was stored.
    private let stored = Atomic<UnsafeMutableRawPointer?>(nil)

    deinit {
        if let object = stored.load(ordering: .acquiring) { Unmanaged<AnyObject>.fromOpaque(object).release() }
    }

    func load() -> UnsafeMutableRawPointer? { stored.load(ordering: .acquiring) }

    func storeIfNil(owned new: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        let (_, earlier) = stored.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard let earlier else { return new }
        Unmanaged<AnyObject>.fromOpaque(new).release()
        return earlier
    }
}
