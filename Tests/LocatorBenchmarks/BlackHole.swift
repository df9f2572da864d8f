/// Takes a value over where the optimizer cannot see that nothing is done with it.
///
/// It consumes the value: reading a stored value costs the caller a retain, and the release is done here.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: consuming Value) {}

/// Gives a value back where the optimizer cannot see that it is the same one, so that nothing is calculated ahead.
@inline(never)
@_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }
