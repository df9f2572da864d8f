internal import LocatorProperties

/// A constant value behind one reference.
final class Constant<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A constant that is computed on first use.
struct LazyConstant<Value: Sendable>: ~Copyable {
    // Several threads may compute it at the same time. The results are equal, and the first one is kept.
    private let stored = LazyReference<Constant<Value>>()

    func value(_ compute: () -> Value) -> Value {
        (stored.load() ?? stored.storeIfNil(Constant(compute()))).value
    }
}
