/// An instance in a container, whatever its type.
@usableFromInline
class AnyBox: @unchecked Sendable {
    // Sendable: the one field of the subclass is constant; whether the value in it may be given to another thread is
    // decided where it was registered (`Sendable`, or checked to be on the main actor).

    init() {}

    /// A box of the value in some memory, which is moved out of it.
    required init(taking memory: UnsafeMutableRawPointer) {}

    /// How much memory a value takes, and at which places it may lie.
    class var layout: (size: Int, alignment: Int) { (0, 1) }

    /// A function that gives a box of the same object while the object lives, or nil for a value that is no object.
    func weakly() -> (() -> AnyBox?)? { nil }
}

/// An instance in a container of its exact static type, so that reading it needs no dynamic cast.
@usableFromInline
final class Box<Value>: AnyBox, @unchecked Sendable {
    // Sendable: see `AnyBox`.

    @usableFromInline let value: Value

    init(_ value: Value) {
        self.value = value
        super.init()
    }

    required init(taking memory: UnsafeMutableRawPointer) {
        value = memory.assumingMemoryBound(to: Value.self).move()
        super.init(taking: memory)
    }

    override class var layout: (size: Int, alignment: Int) { (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment) }

    override func weakly() -> (() -> AnyBox?)? {
        guard type(of: value as Any) is AnyClass else { return nil }
        let object = value as AnyObject
        return { [weak object] in
            guard let value = object as? Value else { return nil }
            return Box(value)
        }
    }
}

extension AnyBox {
    /// The value, of the type the box is known to have.
    func value<Value>(as type: Value.Type) -> Value {
        unsafeDowncast(self, to: Box<Value>.self).value
    }
}
