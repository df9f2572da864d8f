public import Synchronization

/// The part of a wrapper's state that a settled read touches: two stamps and a value, behind a raw pointer.
///
/// No reference is loaded from it but the value's own, so that a read retains nothing else. The memory belongs to the
/// ``WrapperStorage`` that the wrapper holds beside it, and lives as long as the wrapper.
///
/// In memory: the stamp at which the value was right, the place of the context's stamp, the value.
@usableFromInline
struct WrapperSlot<Value>: @unchecked Sendable {
    // Sendable: the stamps are atomic, the pointers constant. The value is written once, before its stamp is stored
    // with releasing order, and read only after that stamp was loaded with acquiring order.

    @usableFromInline let memory: UnsafeMutableRawPointer

    /// A stamp that no context ever has.
    static var unsettled: UInt { .max }

    init(contextStamp: UnsafePointer<Atomic<UInt>>) {
        memory = .allocate(
            byteCount: Self.valueOffset + MemoryLayout<Value>.size, alignment: max(16, MemoryLayout<Value>.alignment))
        (memory + 8).initializeMemory(as: UnsafePointer<Atomic<UInt>>.self, repeating: contextStamp, count: 1)
        memory.assumingMemoryBound(to: Atomic<UInt>.self).initialize(to: Atomic(Self.unsettled))
    }

    /// A slot whose value is right for ever: the stamp it is compared with is its own.
    init(given: Value) {
        memory = .allocate(
            byteCount: Self.valueOffset + MemoryLayout<Value>.size, alignment: max(16, MemoryLayout<Value>.alignment))
        let stamp = memory.assumingMemoryBound(to: Atomic<UInt>.self)
        stamp.initialize(to: Atomic(0))
        (memory + 8).initializeMemory(as: UnsafePointer<Atomic<UInt>>.self, repeating: UnsafePointer(stamp), count: 1)
        value.initialize(to: given)
    }

    @usableFromInline static var valueOffset: Int {
        @inline(__always) get { max(16, MemoryLayout<Value>.alignment) }
    }

    @usableFromInline var settledStamp: UnsafePointer<Atomic<UInt>> {
        @inline(__always) get { UnsafePointer(memory.assumingMemoryBound(to: Atomic<UInt>.self)) }
    }

    @usableFromInline var contextStamp: UnsafePointer<Atomic<UInt>> {
        @inline(__always) get { memory.load(fromByteOffset: 8, as: UnsafePointer<Atomic<UInt>>.self) }
    }

    /// Where the value is, once it was published.
    @usableFromInline var value: UnsafeMutablePointer<Value> {
        @inline(__always) get { (memory + Self.valueOffset).assumingMemoryBound(to: Value.self) }
    }

    /// Whether the published value is the answer of this moment.
    @usableFromInline var isSettled: Bool {
        // Acquiring, twice: the value was written before the settled stamp, and whatever the change that made the
        // context's stamp did was done before it.
        @inline(__always)
        get {
            settledStamp.pointee.load(ordering: .acquiring) == contextStamp.pointee.load(ordering: .acquiring)
        }
    }

    /// Ends the memory, and the value where there is one.
    func deallocate(hasValue: Bool) {
        if hasValue { value.deinitialize(count: 1) }
        memory.deallocate()
    }
}
