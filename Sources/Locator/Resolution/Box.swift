/// An instance in a container, whatever its type.
@usableFromInline
class AnyBox: @unchecked Sendable {
    // Sendable: the one field of the subclass is constant; whether the value in it may be given to another thread is
    // decided where it was registered (`Sendable`, or checked to be on the main actor).

    @inlinable
    init() {}

    /// Makes an instance by a recipe for values of this type, in a box of this type.
    ///
    /// Whoever has the type at hand need not look it up, which costs more than the box.
    class func make(by recipe: Unmanaged<Recipe>, _ call: inout MakerCall) throws -> AnyBox {
        preconditionFailure("There are only boxes of a type")
    }

    /// A function that gives a box of the same object while the object lives, or nil for a value that is no object.
    func weakly() -> (() -> AnyBox?)? { nil }

    /// Whether the value is of the box's type itself, and of another type as well.
    func isExact(and other: any Any.Type) -> Bool { false }

    /// Whether the value is of exactly this type, whatever type the box has.
    func isOf(_ type: any Any.Type) -> Bool { false }
}

/// An instance in a container of its exact static type, so that reading it needs no dynamic cast.
@usableFromInline
final class Box<Value>: AnyBox, @unchecked Sendable {
    // Sendable: see `AnyBox`.

    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
        super.init()
    }

    override class func make(by recipe: Unmanaged<Recipe>, _ call: inout MakerCall) throws -> AnyBox {
        Self(try recipe._withUnsafeGuaranteedRef { try $0.make(&call) })
    }

    override func isExact(and other: any Any.Type) -> Bool {
        func isValue<Other>(of other: Other.Type) -> Bool { value is Other }
        return type(of: value as Any) == Value.self && isValue(of: other)
    }

    override func isOf(_ other: any Any.Type) -> Bool { type(of: value as Any) == other }

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
