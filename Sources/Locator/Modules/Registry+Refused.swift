/// Registrations that are not available, so that the compiler says what to write instead.
///
/// A trailing closure drops its label. Without these functions, a closure that fits no registration would be taken as
/// the value of `instance:`, or run asynchronously. They are isolated to actors that nothing runs on, so calling one is
/// an error. The compiler would never choose an unavailable function.
@SharedInstancesMustBeSendable
@available(
    *, deprecated,
    message: "a shared instance must be Sendable: make the type Sendable, or use scope: .prototype or onMainActor:"
)
extension Registry {
    /// Not available: a shared instance must be `Sendable`.
    @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws -> Value
    ) -> Registration<Value> { unavailable() }

    /// Not available: a shared instance must be `Sendable`.
    @discardableResult
    public func register<Value, each Parameter>(
        qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws -> Value
    ) -> Registration<Value> { unavailable() }

    /// Not available: a shared instance must be `Sendable`.
    @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: UnretainedScope,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> { unavailable() }

    /// Not available: a shared instance must be `Sendable`.
    @discardableResult
    public func register<Value, each Parameter>(
        qualifier: Qualifier? = nil, scope: UnretainedScope,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> { unavailable() }
}

@AsynchronousClosuresNeedTheLabelAsync
@available(
    *, deprecated,
    message: "an asynchronous closure needs its label: write register(…, async: { … }), and call start()"
)
extension Registry {
    /// Not available: an asynchronous closure needs the label `async:`.
    @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) async throws -> Value
    ) -> Registration<Value> { unavailable() }

    /// Not available: an asynchronous closure needs the label `async:`.
    @discardableResult
    public func register<Value, each Parameter>(
        qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) async throws -> Value
    ) -> Registration<Value> { unavailable() }
}

@available(
    *, unavailable,
    message:
        "an existing object needs its label, register(…, instance: object); a closure or an initializer comes last: register(qualifier: \"…\", A.init)"
)
extension Registry {
    /// Not available: an existing object needs the label `instance:`.
    @discardableResult
    public func register<Value>(
        _ type: Value.Type, qualifier: Qualifier? = nil, _ instance: Value
    ) -> Registration<Value> { unavailable() }

    /// Not available: an existing object needs the label `instance:`.
    @discardableResult
    public func register<Value>(_ instance: Value, qualifier: Qualifier? = nil) -> Registration<Value> { unavailable() }
}

@available(
    *, unavailable,
    message:
        "an existing object has no scope: remove it, or pass a closure that creates one: register(…, scope: …) { … }"
)
extension Registry {
    /// Not available: an existing object has no scope.
    @_disfavoredOverload @discardableResult
    public func register<Value>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: RefusedScope, instance: Value
    ) -> Registration<Value> { unavailable() }

    /// Not available: an existing object has no scope.
    @_disfavoredOverload @discardableResult
    public func register<Value>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, instance: Value, scope: RefusedScope
    ) -> Registration<Value> { unavailable() }

    /// Not available: an existing object has no scope.
    @discardableResult
    public func register<Value>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: Scope, instance: Value
    ) -> Registration<Value> { unavailable() }

    /// Not available: an existing object has no scope.
    @discardableResult
    public func register<Value>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, instance: Value, scope: Scope
    ) -> Registration<Value> { unavailable() }
}

@available(
    *, unavailable, message: "the qualifier comes before the scope: register(…, qualifier: \"…\", scope: …) { … }"
)
extension Registry {
    /// Not available: the qualifier comes before the scope.
    @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type = Value.self, scope: Scope, qualifier: Qualifier,
        _ make: (repeat each Parameter) throws -> Value
    ) -> Registration<Value> { unavailable() }

    /// Not available: the qualifier comes before the scope.
    @_disfavoredOverload @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type = Value.self, scope: RefusedScope, qualifier: Qualifier,
        _ make: (repeat each Parameter) throws -> Value
    ) -> Registration<Value> { unavailable() }
}

@available(
    *, unavailable,
    message: "the closure that creates an instance is missing: register(Catalog.self) { … }"
)
extension Registry {
    /// Not available: the closure is missing.
    @discardableResult
    public func register<Value>(_ type: Value.Type, qualifier: Qualifier? = nil) -> Registration<Value> {
        unavailable()
    }
}

@available(*, unavailable, message: "pass an initializer: register((any Catalog).self, CatalogService.init)")
extension Registry {
    /// Not available: the compiler does not know how to make an instance of a type.
    @discardableResult
    public func register<Value, Implementation>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: Scope = .singleton, _ other: Implementation.Type
    ) -> Registration<Value> { unavailable() }
}

@available(*, unavailable, message: "without a payload, write register(Item.self, scope: .prototype) { … }")
extension Registry {
    /// Not available: a factory needs a payload.
    @discardableResult
    public func factory<Value>(
        _ type: Value.Type, qualifier: Qualifier? = nil, _ make: @Sendable () throws -> Value
    ) -> Registration<Value> { unavailable() }
}

@available(*, unavailable, message: "take it as a parameter of the closure: { (logger: any Logger) in … }")
extension Registry {
    /// Not available: a closure takes its dependencies as parameters.
    public func resolve<Value>(_ type: Value.Type = Value.self, qualifier: Qualifier? = nil) -> Value! { unavailable() }
}

@available(*, unavailable, message: "use the label qualifier: register(…, qualifier: \"…\") { … }")
extension Registry {
    /// Not available: the label of a qualifier is `qualifier:`.
    @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type, name qualifier: Qualifier, scope: Scope = .singleton,
        _ make: (repeat each Parameter) throws -> Value
    ) -> Registration<Value> { unavailable() }

    /// Not available: the label of a qualifier is `qualifier:`.
    @discardableResult
    public func register<Value, each Parameter>(
        name qualifier: Qualifier, scope: Scope = .singleton, _ make: (repeat each Parameter) throws -> Value
    ) -> Registration<Value> { unavailable() }
}

/// Not available: a predefined scope, for functions that take no scope.
@available(*, unavailable)
public enum RefusedScope: Sendable {
    /// Not available.
    case singleton, always, weak, graph, prototype
}

/// The actor of registrations that share a type that is not `Sendable`. Nothing runs on it.
///
/// Its name appears in the error of the compiler.
@globalActor
public actor SharedInstancesMustBeSendable {
    /// The actor.
    public static let shared = SharedInstancesMustBeSendable()
}

/// The actor of registrations whose asynchronous closure has no label. Nothing runs on it.
///
/// Its name appears in the error of the compiler.
@globalActor
public actor AsynchronousClosuresNeedTheLabelAsync {
    /// The actor.
    public static let shared = AsynchronousClosuresNeedTheLabelAsync()
}
