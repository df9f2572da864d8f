/// Typical slips, so that the compiler tells what to write instead.
///
/// Without these functions it would say that it has failed to produce a diagnostic, or advise a label that is not meant.
extension AppContext {
    /// Refused: nothing tells which type is meant.
    @available(*, unavailable, message: "name the type: try context.resolve((any Catalog).self)")
    public func resolve() {
        preconditionFailure("Name the type that is meant")
    }

    /// Refused: nothing tells which type is meant.
    @available(*, unavailable, message: "name the type: try context.resolve(Item.self, with: …)")
    public func resolve<each Payload>(with payload: repeat each Payload, qualifier: Qualifier? = nil) {
        preconditionFailure("Name the type that is meant")
    }

    /// Refused: a qualifier and a payload need their labels.
    @available(
        *, unavailable,
        message: "the label is missing: qualifier: \"…\" chooses a registration, with: … is the payload of a factory"
    )
    public func resolve<Value, Argument>(_ type: Value.Type, _ argument: Argument) -> Value {
        preconditionFailure("The label is missing")
    }

    /// Refused: the label of a qualifier is `qualifier:`.
    @available(*, unavailable, message: "the label is qualifier: try context.resolve(Logger.self, qualifier: \"…\")")
    public func resolve<Value>(_ type: Value.Type, name qualifier: Qualifier) -> Value {
        preconditionFailure("The label is qualifier")
    }

    /// Refused: there is nothing to run.
    @available(
        *, unavailable,
        message: "the body is missing: pushing(fakes) { … }; without a body, use push and pop"
    )
    public func pushing(_ modules: Module...) {
        preconditionFailure("What runs under the push is missing")
    }

    /// Refused: nothing tells which type the setting has.
    @available(
        *, unavailable,
        message: "name the type of the setting: try context.value(\"server.port\", as: Int.self)"
    )
    public func value(_ path: String) {
        preconditionFailure("Name the type of the setting")
    }

    /// Refused: a type and a default need their labels.
    @available(
        *, unavailable,
        message: "the label is missing: as: … is the type of the setting, default: … its value if it is missing"
    )
    public func value<Argument>(_ path: String, _ argument: Argument) -> Argument {
        preconditionFailure("The label is missing")
    }
}
