import Synchronization

/// A container of a typed value.
final class TableBox<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// The floor of look-ups: a dictionary of boxes behind an atomic pointer.
///
/// A look-up retains neither the dictionary nor the box, but the value alone: two threads would wait for each other
/// there.
final class AtomicTable: @unchecked Sendable {
    // Sendable: the contents are constant once the pointer to them was stored, and never end.

    private final class Contents {
        let boxes: [ObjectIdentifier: Unmanaged<AnyObject>]
        init(_ boxes: [ObjectIdentifier: Unmanaged<AnyObject>]) { self.boxes = boxes }
    }

    private let contents: Atomic<UnsafeRawPointer>

    init(_ boxes: [ObjectIdentifier: AnyObject]) {
        let retained = Contents(boxes.mapValues { Unmanaged.passRetained($0) })
        contents = Atomic(UnsafeRawPointer(Unmanaged.passRetained(retained).toOpaque()))
    }

    @inline(__always)
    func find<Value>(_ type: Value.Type) -> Value? {
        let contents = Unmanaged<Contents>.fromOpaque(contents.load(ordering: .acquiring))
        guard let box = contents._withUnsafeGuaranteedRef({ $0.boxes[ObjectIdentifier(type)] }) else { return nil }
        return Unmanaged<TableBox<Value>>.fromOpaque(box.toOpaque())._withUnsafeGuaranteedRef { $0.value }
    }
}
