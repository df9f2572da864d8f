/// The body of a function that only exists for the message of its `@available`: the compiler refuses every call.
func unavailable() -> Never { preconditionFailure("A function that is not available was called") }
