/// A container for an instance of any type.
@_fixed_layout  // with library evolution, its initializer could not be inlinable
@usableFromInline
class AnyBox: @unchecked Sendable {
    // Sendable: the one field of the subclass is constant. Whether its value may be passed to another thread was
    // decided where it was registered: it is `Sendable`, or requests are checked to be on the main actor.

    @inlinable
    init() {}

    /// Makes an instance with a recipe for values of this type, in a box of this type.
    ///
    /// The class knows the type, so it need not be looked up, which would cost more than the box.
    class func make(by recipe: Unmanaged<Recipe>, _ call: inout MakerCall) throws -> AnyBox {
        preconditionFailure("There are only boxes of a type")
    }

    /// A function that returns a box of the same object while the object lives; nil if the value is not an object.
    func weakly() -> (() -> AnyBox?)? { nil }

    /// Whether the dynamic type of the value is the type of the box, and the value can be cast to another type.
    func isExact(and other: any Any.Type) -> Bool { false }

    /// Whether the value's dynamic type is this type, regardless of the box's type.
    func isOf(_ type: any Any.Type) -> Bool { false }
}

/// A container of an instance's exact static type, so that reading it needs no dynamic cast.
@_fixed_layout  // as above
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
    /// The value, as the type that the box is known to have.
    func value<Value>(as type: Value.Type) -> Value {
        // Unsafe: a box is made for the type of its key, and the caller passes that type.
        unsafeDowncast(self, to: Box<Value>.self).value
    }
}
