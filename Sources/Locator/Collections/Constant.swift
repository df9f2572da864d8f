/// A constant value behind one reference.
final class Constant<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
