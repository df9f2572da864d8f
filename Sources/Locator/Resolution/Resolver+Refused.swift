/// Functions for typical mistakes, so that the compiler says what to write instead.
///
/// Without these functions, the compiler would fail to produce a diagnostic, or suggest a wrong label.
extension Resolver {
    /// Not available: the type is unknown.
    @available(*, unavailable, message: "name the type: try resolver.resolve((any Catalog).self)")
    public func resolve() { unavailable() }

    /// Not available: the type is unknown.
    @available(*, unavailable, message: "name the type: try resolver.resolve(Item.self, with: …)")
    public func resolve<each Payload>(with payload: repeat each Payload, qualifier: Qualifier? = nil) { unavailable() }

    /// Not available: a qualifier and a payload need their labels.
    @available(
        *, unavailable,
        message: "add a label: qualifier: \"…\" chooses a registration, with: … is the payload of a factory"
    )
    public func resolve<Value, Argument>(_ type: Value.Type, _ argument: Argument) -> Value { unavailable() }

    /// Not available: the label of a qualifier is `qualifier:`.
    @available(*, unavailable, message: "use the label qualifier: try resolver.resolve(Logger.self, qualifier: \"…\")")
    public func resolve<Value>(_ type: Value.Type, name qualifier: Qualifier) -> Value { unavailable() }

    /// Not available: the type of the setting is unknown.
    @available(
        *, unavailable,
        message: "name the type of the setting: try resolver.value(\"server.port\", as: Int.self)"
    )
    public func value(_ path: String) { unavailable() }

    /// Not available: a type and a default need their labels.
    @available(
        *, unavailable,
        message: "add a label: as: … is the type of the setting, default: … its value if it is missing"
    )
    public func value<Argument>(_ path: String, _ argument: Argument) -> Argument { unavailable() }
}
