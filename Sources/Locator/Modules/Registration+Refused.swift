/// Functions for typical mistakes after a registration, so that the compiler says what to write instead.
///
/// Without these functions, it would say that there is no such member, or fail to produce a diagnostic.
extension Registration {
    /// Not available: the closure is missing.
    @available(*, unavailable, message: "the closure is missing: .alias((any Catalog).self) { $0 }")
    @discardableResult
    public func alias<Other>(_ type: Other.Type, qualifier: Qualifier? = nil) -> Self { unavailable() }

    /// Not available: the scope is an argument of `register`.
    @available(*, unavailable, message: "pass the scope to register: register(…, scope: .singleton) { … }")
    @discardableResult
    public func scope(_ scope: Scope) -> Self { unavailable() }

    /// Not available: the scope is an argument of `register`.
    @available(*, unavailable, message: "pass the scope to register: register(…, scope: .singleton) { … }")
    @discardableResult
    public func inObjectScope(_ scope: Scope) -> Self { unavailable() }

    /// Not available: the scope is an argument of `register`.
    @available(*, unavailable, message: "pass the scope to register: register(…, scope: .weak) { … }")
    @discardableResult
    public func scope(_ scope: UnretainedScope) -> Self { unavailable() }

    /// Not available: the scope is an argument of `register`.
    @available(*, unavailable, message: "pass the scope to register: register(…, scope: .weak) { … }")
    @discardableResult
    public func inObjectScope(_ scope: UnretainedScope) -> Self { unavailable() }

    /// Not available: the scope is an argument of `register`.
    @available(*, unavailable, message: "pass the scope to register: register(…, scope: .prototype) { … }")
    @discardableResult
    public func scope(_ scope: PrototypeScope) -> Self { unavailable() }

    /// Not available: the scope is an argument of `register`.
    @available(*, unavailable, message: "pass the scope to register: register(…, scope: .prototype) { … }")
    @discardableResult
    public func inObjectScope(_ scope: PrototypeScope) -> Self { unavailable() }

    /// Not available: another type of the instance is an alias.
    @available(
        *, unavailable, message: "to register another type for the same instance, use .alias((any Catalog).self) { $0 }"
    )
    @discardableResult
    public func implements<Other>(_ type: Other.Type) -> Self { unavailable() }

    /// Not available: `{ $0 }` is not an upcast.
    @available(*, unavailable, message: "the registered type does not conform to the type of the alias")
    @discardableResult
    public func alias<Other>(
        _ type: Other.Type, qualifier: Qualifier? = nil, _ upcast: (Value) -> Value
    ) -> Self { unavailable() }
}

extension UnretainedRegistration {
    /// Not available: another type of the instance is an alias.
    @available(
        *, unavailable, message: "to register another type for the same instance, use .alias((any Catalog).self) { $0 }"
    )
    @discardableResult
    public func implements<Other>(_ type: Other.Type) -> Self { unavailable() }

    /// Not available: the closure is missing.
    @available(*, unavailable, message: "the closure is missing: .alias((any Catalog).self) { $0 }")
    @discardableResult
    public func alias<Other>(_ type: Other.Type, qualifier: Qualifier? = nil) -> Self { unavailable() }

    /// Not available: `{ $0 }` is not an upcast.
    @available(*, unavailable, message: "the registered type does not conform to the type of the alias")
    @discardableResult
    public func alias<Other>(
        _ type: Other.Type, qualifier: Qualifier? = nil, _ upcast: (Value) -> Value
    ) -> Self { unavailable() }

    /// Not available: the context does not retain the instances.
    @available(
        *, unavailable,
        message:
            "the context does not retain these instances, so it cannot dispose of them; write a deinit, or use .singleton"
    )
    @discardableResult
    public func onDispose(_ dispose: (Value) throws -> Void) -> Self { unavailable() }

    /// Not available: the context does not retain the instances.
    @available(
        *, unavailable,
        message: "the context does not retain these instances, so it cannot shut them down; use .singleton"
    )
    @discardableResult
    public func onShutdown(_ shutDown: (Value) async throws -> Void) -> Self { unavailable() }
}
