internal import LocatorProperties
public import Synchronization

/// The storage of a wrapper of any kind and type, which is one small object.
///
/// If the wrapper is settled, a read compares two stamps and copies the value from a box. The first answer that can
/// last as long as the owner lives is published once and never overwritten. A reader between the comparison of the
/// stamps and its retain relies on this. Every other answer is kept in a ``WrapperMemory``. If the context has it
/// ready, a read takes no lock.
@usableFromInline
final class WrapperState: @unchecked Sendable {
    // Sendable: the stamps and pointers are atomic or constant. The objects that `published` and `memory` point to are
    // retained until this object ends, and each pointer is stored once.

    // Not a generic class: looking up its metadata would cost more than the rest of creating a wrapper.

    /// The stamp at which the published value was valid.
    @usableFromInline let settledStamp: Atomic<UInt>
    /// The stamp of the context.
    ///
    /// It belongs to the core, which is retained.
    @usableFromInline let contextStamp: UnsafePointer<Atomic<UInt>>
    /// The box of the published value, if there is one.
    @usableFromInline let published: Atomic<UnsafeRawPointer?>
    /// The request.
    ///
    /// This object retains the site if it belongs only to this wrapper. Otherwise, the core retains it.
    let unmanagedSite: Unmanaged<WrapperSite>
    /// The memory of answers, if there is one.
    private let memory = LazyReference<WrapperMemory>()

    /// A stamp that no context ever has.
    static let unsettled = UInt.max
    /// The stamp of all wrappers with a fixed value.
    // Unsafe: the stamp is atomic, never changes, and is never freed.
    nonisolated(unsafe) private static let constantStamp: UnsafePointer<Atomic<UInt>> = {
        let memory = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: 1)
        memory.initialize(to: Atomic(0))
        return UnsafePointer(memory)
    }()

    /// Creates an unsettled wrapper with a site that is interned, or passed retained.
    @inline(__always)
    init(_ site: Unmanaged<WrapperSite>, core: Unmanaged<ContextCore>) {
        contextStamp = core.retain()._withUnsafeGuaranteedRef { $0.stamp.pointer }
        settledStamp = Atomic(Self.unsettled)
        published = Atomic(nil)
        unmanagedSite = site
    }

    /// Creates an unsettled wrapper of the current context, with its own site.
    static func withOwnSite(_ makeSite: (ContextCore) -> WrapperSite) -> WrapperState {
        AppContext.withCurrentCore { WrapperState(.passRetained(makeSite($0)), core: .passUnretained($0)) }
    }

    /// Creates a wrapper with a fixed value.
    static func given<Value>(_ value: Value, at location: SourcePlace) -> WrapperState {
        AppContext.withCurrentCore {
            let site = Unmanaged.passUnretained($0).site(Value.self, nil, location)
            return WrapperState(given: Box(value), site: site, core: $0)
        }
    }

    private init(given box: AnyBox, site: Unmanaged<WrapperSite>, core: ContextCore) {
        _ = Unmanaged.passRetained(core)
        contextStamp = Self.constantStamp
        settledStamp = Atomic(0)
        published = Atomic(UnsafeRawPointer(Unmanaged.passRetained(box).toOpaque()))
        unmanagedSite = site
    }

    deinit {
        // Relaxed suffices: nothing else references the object anymore.
        if let box = published.load(ordering: .relaxed) { Unmanaged<AnyBox>.fromOpaque(box).release() }
        let core = unmanagedCore
        if unmanagedSite._withUnsafeGuaranteedRef({ !$0.isInterned }) { unmanagedSite.release() }
        core.release()
    }

    var site: WrapperSite { unmanagedSite.takeUnretainedValue() }

    @inline(__always) var unmanagedCore: Unmanaged<ContextCore> { unmanagedSite._withUnsafeGuaranteedRef { $0.core } }

    var isGiven: Bool { contextStamp == Self.constantStamp }

    /// Records the stamp at which the published value is valid.
    func settle(at stamp: UInt) {
        // Releasing: a reader that sees this stamp sees the published value.
        settledStamp.store(stamp, ordering: .releasing)
    }

    /// Publishes the box of the first answer that can last, or returns the box that was published before.
    ///
    /// The caller keeps the box alive until this returns.
    @inline(__always)
    func publish(_ box: Unmanaged<AnyBox>) -> UnsafeRawPointer? {
        _ = box.retain()
        // Releasing: a thread that finds the pointer finds the box. Acquiring, for the same reason, if it was published
        // before.
        let (isFirst, found) = published.compareExchange(
            expected: nil, desired: UnsafeRawPointer(box.toOpaque()), ordering: .acquiringAndReleasing)
        if !isFirst { box.release() }
        return found
    }

    var publishedBox: AnyBox? {
        // Acquiring: the box is written before it is published.
        published.load(ordering: .acquiring).map { Unmanaged<AnyBox>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The memory, created if necessary.
    var madeMemory: WrapperMemory { existingMemory ?? memory.storeIfNil(WrapperMemory()) }

    var existingMemory: WrapperMemory? { memory.load() }

    /// The memory, unretained: this object retains it.
    var unmanagedMemory: Unmanaged<WrapperMemory>? { memory.unmanaged }
}

extension WrapperState {
    /// Whether the published value is valid now.
    @inlinable var isSettled: Bool {
        @inline(__always)
        get {
            // Acquiring, both: the value was published before the settled stamp, and everything that a change did
            // happened before it made the stamp of the context.
            settledStamp.load(ordering: .acquiring) == contextStamp.pointee.load(ordering: .acquiring)
        }
    }

    /// Copies the published value of a settled wrapper.
    ///
    /// The box is found through a plain pointer, and this object retains it until it ends. Therefore, the caller must
    /// extend the lifetime of this object beyond the copy. Otherwise, the optimizer may end it earlier: in
    /// `Screen().catalog`, the last use of the screen is the load of this pointer.
    @inlinable
    @inline(__always)
    func settledValue<Value>(as type: Value.Type) -> Value {
        // Relaxed suffices: it was stored before the stamp that was acquired.
        Unmanaged<Box<Value>>.fromOpaque(published.load(ordering: .relaxed).unsafelyUnwrapped)
            ._withUnsafeGuaranteedRef { $0.value }
    }
}

extension WrapperState {
    /// Creates an unsettled wrapper of a place, which belongs to the current context.
    // Not inlined: its caller is generic, and this is not.
    @inline(never)
    convenience init(_ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace) {
        let core = AppContext.currentCore
        self.init(core.site(type, qualifier, location), core: core)
    }
}
