/// A reference to an object that is released after the objects whose release is running on the same thread.
final class ReleaseInTurn {
    // Retained, and released once.
    private let object: Unmanaged<AnyObject>

    init(_ object: AnyObject) { self.object = .passRetained(object) }

    deinit { ThreadRecord.current.releaseInTurn(object) }
}
