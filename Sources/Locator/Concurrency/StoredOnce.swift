internal import Synchronization

/// A place in which an object is stored at most once and then retained.
///
/// The object can be loaded without a lock. Code that uses the object must keep the place alive.
struct StoredOnce<Object: AnyObject>: ~Copyable {
    private let pointer = Atomic<UnsafeRawPointer?>(nil)

    deinit {
        // Relaxed suffices: nothing else references the place anymore.
        pointer.load(ordering: .relaxed).map { Unmanaged<Object>.fromOpaque($0).release() }
    }

    var object: Unmanaged<Object>? {
        // Acquiring: a thread that loads the pointer sees the object as it was when it was stored. Sequentially
        // consistent: see `WrapperMemory.keep`.
        pointer.load(ordering: .sequentiallyConsistent).map(Unmanaged.fromOpaque)
    }

    /// Stores an object, unless there is one already, and returns the stored one.
    func store(_ object: Object) -> Object {
        let retained = Unmanaged.passRetained(object)
        // Sequentially consistent: pairs with the load in `object`.
        let outcome = pointer.compareExchange(
            expected: nil, desired: UnsafeRawPointer(retained.toOpaque()), ordering: .sequentiallyConsistent)
        guard let other = outcome.original else { return object }
        retained.release()
        return Unmanaged<Object>.fromOpaque(other).takeUnretainedValue()
    }
}
