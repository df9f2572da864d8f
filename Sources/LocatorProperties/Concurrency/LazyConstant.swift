/// A constant value behind one reference.
@usableFromInline
package final class Constant<Value: Sendable>: Sendable {
    @usableFromInline package let value: Value

    @usableFromInline package init(_ value: Value) { self.value = value }
}

/// A constant that is computed on first use.
@usableFromInline @frozen
package struct LazyConstant<Value: Sendable>: ~Copyable, Sendable {
    // Several threads may compute it at the same time. The results are equal, and the first one is kept.
    @usableFromInline let stored = LazyReference<Constant<Value>>()

    @inlinable package init() {}

    @inlinable
    package func value(_ compute: () -> Value) -> Value {
        (stored.load() ?? stored.storeIfNil(Constant(compute()))).value
    }
}
