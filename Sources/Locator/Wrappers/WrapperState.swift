public import Synchronization

/// What a wrapper keeps, whatever its kind and type: one small object.
///
/// Settled, a read compares two stamps and takes the value out of a box. The first answer that can stand for as long as
/// the holder lives is published, once, and never overwritten: a reader between the comparison of the stamps and its
/// retain can rely on it. Every other answer is kept in a ``WrapperMemory``; where the context has it ready, the context
/// gives it without a lock.
@usableFromInline
final class WrapperState: @unchecked Sendable {
    // Sendable: the stamps and pointers are atomic or constant. What `published` and `memory` point to is retained until
    // this object ends, and each of them is stored once.

    // No generic class: looking up its metadata would cost more than all the rest of making a wrapper.

    /// The stamp at which the published value was right.
    @usableFromInline let settledStamp: Atomic<UInt>
    /// Where the context's stamp is; the context's core, which is retained, keeps it.
    @usableFromInline let contextStamp: UnsafePointer<Atomic<UInt>>
    /// The box of the published value, once there is one.
    @usableFromInline let published: Atomic<UnsafeRawPointer?>
    /// What is asked for; retained where it is this wrapper's alone, else by the core.
    let unmanagedSite: Unmanaged<WrapperSite>
    /// The memory of answers, once there is one.
    let memory = Atomic<UnsafeRawPointer?>(nil)

    /// A stamp that no context ever has.
    static let unsettled = UInt.max
    /// The stamp of every wrapper whose value was handed in: it never changes.
    // Unsafe: what it points to is atomic, never changes, and never ends.
    nonisolated(unsafe) private static let constantStamp: UnsafePointer<Atomic<UInt>> = {
        let memory = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: 1)
        memory.initialize(to: Atomic(0))
        return UnsafePointer(memory)
    }()

    /// An unsettled wrapper.
    ///
    /// The site is interned, or handed over retained.
    @inline(__always)
    init(_ site: Unmanaged<WrapperSite>, core: Unmanaged<ContextCore>) {
        contextStamp = core.retain()._withUnsafeGuaranteedRef { $0.stamp.pointer }
        settledStamp = Atomic(Self.unsettled)
        published = Atomic(nil)
        unmanagedSite = site
    }

    /// An unsettled wrapper with a site of its own.
    convenience init(own site: WrapperSite, core: ContextCore) {
        self.init(.passRetained(site), core: .passUnretained(core))
    }

    /// A wrapper whose value was handed in, and which asks no context.
    init(given box: AnyBox, site: Unmanaged<WrapperSite>, core: ContextCore) {
        _ = Unmanaged.passRetained(core)
        contextStamp = Self.constantStamp
        settledStamp = Atomic(0)
        published = Atomic(UnsafeRawPointer(Unmanaged.passRetained(box).toOpaque()))
        unmanagedSite = site
    }

    deinit {
        // Relaxed suffices: nobody else has the object any more.
        if let box = published.load(ordering: .relaxed) { Unmanaged<AnyBox>.fromOpaque(box).release() }
        if let memory = memory.load(ordering: .relaxed) { Unmanaged<WrapperMemory>.fromOpaque(memory).release() }
        let core = unmanagedSite._withUnsafeGuaranteedRef { $0.core }
        if unmanagedSite._withUnsafeGuaranteedRef({ !$0.isInterned }) { unmanagedSite.release() }
        core.release()
    }

    var site: WrapperSite { unmanagedSite.takeUnretainedValue() }

    /// Whether the value was handed in.
    var isGiven: Bool { contextStamp == Self.constantStamp }

    /// Notes at which stamp the published value is right.
    func settle(at stamp: UInt) {
        // Releasing: a reader that sees this stamp sees the published value.
        settledStamp.store(stamp, ordering: .releasing)
    }

    /// Publishes the box of the first answer that can last; gives what was published before instead.
    ///
    /// The caller keeps the box alive until this returns.
    @inline(__always)
    func publish(_ box: Unmanaged<AnyBox>) -> UnsafeRawPointer? {
        _ = box.retain()
        // Releasing: who finds the pointer finds the box. Acquiring, for the same reason, where it was there before.
        let (isFirst, found) = published.compareExchange(
            expected: nil, desired: UnsafeRawPointer(box.toOpaque()), ordering: .acquiringAndReleasing)
        if !isFirst { box.release() }
        return found
    }

    /// The published value.
    func publishedValue<Value>(as type: Value.Type) -> Value? {
        // Acquiring: the box is written before it is published.
        guard let box = published.load(ordering: .acquiring) else { return nil }
        return Unmanaged<Box<Value>>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.value }
    }

    /// The box of the published value.
    var publishedBox: AnyBox? {
        // Acquiring: the box is written before it is published.
        published.load(ordering: .acquiring).map { Unmanaged<AnyBox>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The memory, made where there was none.
    var madeMemory: WrapperMemory {
        if let memory = existingMemory { return memory }
        let new = Unmanaged.passRetained(WrapperMemory())
        let (isFirst, found) = memory.compareExchange(
            expected: nil, desired: UnsafeRawPointer(new.toOpaque()), ordering: .sequentiallyConsistent)
        guard !isFirst, let found else { return new.takeUnretainedValue() }
        new.release()
        return Unmanaged<WrapperMemory>.fromOpaque(found).takeUnretainedValue()
    }

    var existingMemory: WrapperMemory? { unmanagedMemory?.takeUnretainedValue() }

    /// The memory, for those who need not retain it: this object does.
    var unmanagedMemory: Unmanaged<WrapperMemory>? {
        // Acquiring: the memory is written before it is stored. Sequentially consistent: see `WrapperMemory.keep`.
        memory.load(ordering: .sequentiallyConsistent).map(Unmanaged<WrapperMemory>.fromOpaque)
    }
}

extension WrapperState {
    /// Whether the published value is the answer of this moment.
    @inlinable var isSettled: Bool {
        @inline(__always)
        get {
            // Acquiring, twice: the value was published before the settled stamp, and whatever the change that made the
            // context's stamp did was done before it.
            settledStamp.load(ordering: .acquiring) == contextStamp.pointee.load(ordering: .acquiring)
        }
    }

    /// Copies the published value, which there is where the wrapper is settled.
    ///
    /// The box is found through a plain pointer, and this object retains it until its end. So whoever calls this extends
    /// the lifetime of this object beyond the copy. Otherwise the optimizer may end it before: in `Screen().catalog`, the
    /// last use of the screen is the load of this pointer.
    @inlinable
    @inline(__always)
    func settledValue<Value>(as type: Value.Type) -> Value {
        // Relaxed suffices: it was stored before the stamp that was acquired.
        Unmanaged<Box<Value>>.fromOpaque(published.load(ordering: .relaxed).unsafelyUnwrapped)
            ._withUnsafeGuaranteedRef { $0.value }
    }
}

extension WrapperState {
    /// An unsettled wrapper of a place, which belongs to the current context.
    // Not inlined: its caller is generic, and this is not.
    @inline(never)
    convenience init(_ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace) {
        let core = AppContext.currentCore
        self.init(core.site(type, qualifier, location), core: core)
    }
}
