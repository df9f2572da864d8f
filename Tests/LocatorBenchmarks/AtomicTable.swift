import Synchronization

/// A container of a typed value.
final class TableBox<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// The floor of look-ups: a dictionary of boxes behind an atomic pointer.
final class AtomicTable: @unchecked Sendable {
    // Sendable: the dictionary is constant once the pointer to it was stored.

    private final class Contents {
        let boxes: [ObjectIdentifier: AnyObject]
        init(_ boxes: [ObjectIdentifier: AnyObject]) { self.boxes = boxes }
    }

    private let contents: Atomic<UnsafeRawPointer>

    init(_ boxes: [ObjectIdentifier: AnyObject]) {
        contents = Atomic(UnsafeRawPointer(Unmanaged.passRetained(Contents(boxes)).toOpaque()))
    }

    func find<Value>(_ type: Value.Type) -> Value? {
        let pointer = contents.load(ordering: .acquiring)
        return Unmanaged<Contents>.fromOpaque(pointer)._withUnsafeGuaranteedRef { contents in
            guard let box = contents.boxes[ObjectIdentifier(type)] else { return nil }
            return unsafeDowncast(box, to: TableBox<Value>.self).value
        }
    }
}
