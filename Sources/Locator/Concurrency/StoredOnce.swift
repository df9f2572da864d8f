internal import Synchronization

/// A place that gets an object at most once, and then keeps it.
///
/// The object can be loaded without a lock. Whoever uses it keeps the place.
struct StoredOnce<Object: AnyObject>: ~Copyable {
    private let pointer = Atomic<UnsafeRawPointer?>(nil)

    init() {}

    deinit {
        // Relaxed suffices: no one else has the place anymore.
        pointer.load(ordering: .relaxed).map { Unmanaged<Object>.fromOpaque($0).release() }
    }

    var object: Unmanaged<Object>? {
        // Acquiring: whoever loads the pointer sees the object as it was when it was stored.
        pointer.load(ordering: .acquiring).map(Unmanaged.fromOpaque)
    }

    /// Stores the object.
    ///
    /// The caller holds a lock and has found no object.
    func store(_ object: Object) {
        // Releasing: pairs with the load in `object`.
        pointer.store(UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque()), ordering: .releasing)
    }
}
