public import Synchronization

/// A reference that is set once, and then retained.
///
/// The standard library has `AtomicLazyReference` for this. Its functions are not compiled into the program, so the thread
/// sanitizer does not see the order of their accesses, and reports a race in correct code.
// Inlined into the other modules: otherwise, each use would look up the metadata of the type, which costs ten times as
// much as the rest. Frozen, because a binary framework could not inline the initializer otherwise.
@usableFromInline @frozen
package struct LazyReference<Instance: AnyObject>: ~Copyable {
    @usableFromInline let pointer = Atomic<UnsafeRawPointer?>(nil)

    @inlinable package init() {}

    @inlinable
    deinit {
        // Relaxed suffices: nothing else references the place anymore.
        pointer.load(ordering: .relaxed).map { Unmanaged<Instance>.fromOpaque($0).release() }
    }

    /// The object, if there is one.
    ///
    /// Code that uses it must keep the reference alive.
    @inlinable package var unmanaged: Unmanaged<Instance>? {
        // Acquiring: a thread that loads the object sees it as it was when it was stored. Sequentially consistent: see
        // `WrapperMemory.keep`.
        pointer.load(ordering: .sequentiallyConsistent).map(Unmanaged.fromOpaque)
    }

    @inlinable package func load() -> Instance? { unmanaged?.takeUnretainedValue() }

    /// Stores an object if there is none, and returns the stored object.
    @inlinable
    package func storeIfNil(_ new: Instance) -> Instance {
        let retained = Unmanaged.passRetained(new)
        // Sequentially consistent: pairs with the load in `unmanaged`.
        let (_, earlier) = pointer.compareExchange(
            expected: nil, desired: UnsafeRawPointer(retained.toOpaque()), ordering: .sequentiallyConsistent)
        guard let earlier else { return new }
        retained.release()
        return Unmanaged<Instance>.fromOpaque(earlier).takeUnretainedValue()
    }
}

// Sendable: it owns a single object, which does not change and can be sent.
extension LazyReference: @unchecked Sendable where Instance: Sendable {}
