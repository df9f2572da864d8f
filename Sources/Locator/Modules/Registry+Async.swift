extension Registry {
    /// Registers a type with an asynchronous factory closure.
    ///
    /// `context.start()` makes the instance, after its dependencies.
    ///
    /// Requesting the instance before `start()` is an error.
    ///
    /// ```swift
    /// registry.register(Database.self, async: { (settings: DatabaseSettings) in
    ///     try await Database.open(settings.url)
    /// })
    /// ```
    ///
    /// There is no asynchronous `.prototype`. Use
    /// ``factory(_:given:qualifier:parameterQualifiers:fileID:line:async:)``.
    @_disfavoredOverload @discardableResult
    public func register<Value: Sendable, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        async make: @escaping @Sendable (repeat each Parameter) async throws(Failure) -> Value
    ) -> Registration<Value> {
        Registration(add(type, qualifier, .held(scope), parameterQualifiers, fileID, line, maker(async: make)))
    }

    /// Not available: `start()` makes asynchronous instances in advance, so they are shared.
    @available(
        *, unavailable,
        message: "start() makes it in advance, so it is shared; to make one each time, use factory(async:)"
    )
    @discardableResult
    public func register<Value, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: PrototypeScope,
        parameterQualifiers: [Qualifier?] = [],
        async make: @escaping @Sendable (repeat each Parameter) async throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> { unavailable() }

    /// Not available: `start()` makes asynchronous instances in advance, so the context holds them.
    @available(
        *, unavailable,
        message: "start() makes it in advance, so the context retains it; use .singleton or a custom scope"
    )
    @discardableResult
    public func register<Value, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: UnretainedScope,
        parameterQualifiers: [Qualifier?] = [],
        async make: @escaping @Sendable (repeat each Parameter) async throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> { unavailable() }

    /// A closure that resolves the parameters of an asynchronous function and returns the closure that makes the
    /// instance.
    func maker<Value, each Parameter, Failure: Error>(
        async make: @escaping @Sendable (repeat each Parameter) async throws(Failure) -> Value
    ) -> NewMaker {
        let function = MakerFunction<() async throws -> AnyBox> { call in
            if call.asksForParameters { throw Parameters<repeat each Parameter>.added(to: call) }
            let parameters = (repeat try call.next((each Parameter).self))
            return { Box(try await make(repeat each parameters)) }
        }
        return NewMaker(.asynchronous(function), takesRequestSite: takesRequestSite(repeat (each Parameter).self))
    }
}
