import Synchronization

/// A container of a typed value.
final class TableBox<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// The floor of look-ups: a dictionary of boxes behind an atomic pointer.
///
/// A look-up retains neither the table nor the box, but the value alone: two threads would wait for each other there.
final class AtomicTable: @unchecked Sendable {
    // Sendable: the dictionary is constant once the pointer to it was stored, and never ends.

    private typealias Contents = [ObjectIdentifier: Unmanaged<AnyObject>]

    private let contents: Atomic<UnsafeRawPointer>

    init(_ boxes: [ObjectIdentifier: AnyObject]) {
        let pointer = UnsafeMutablePointer<Contents>.allocate(capacity: 1)
        pointer.initialize(to: boxes.mapValues { Unmanaged.passRetained($0) })
        contents = Atomic(UnsafeRawPointer(pointer))
    }

    @inline(__always)
    func find<Value>(_ type: Value.Type) -> Value? {
        let pointer = contents.load(ordering: .acquiring)
        guard let box = pointer.assumingMemoryBound(to: Contents.self).pointee[ObjectIdentifier(type)] else {
            return nil
        }
        return Unmanaged<TableBox<Value>>.fromOpaque(box.toOpaque())._withUnsafeGuaranteedRef { $0.value }
    }
}
