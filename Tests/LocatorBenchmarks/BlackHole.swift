/// Takes a value where the optimiser cannot see that nothing is done with it.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: Value) {}

/// Gives a value back where the optimiser cannot see that it is the same one, so that nothing is calculated ahead.
@inline(never)
@_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }
