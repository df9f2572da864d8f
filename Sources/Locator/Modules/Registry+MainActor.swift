extension Registry {
    /// Registers a shared type that is made on the main actor.
    ///
    /// The type does not have to be `Sendable`. If it is, only the first request needs the main actor. If it is not,
    /// every request does. A request off the main actor throws an error.
    ///
    /// ```swift
    /// registry.register(HomeScreen.self, onMainActor: HomeScreen.init)
    /// ```
    @discardableResult
    public func register<Value, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (repeat each Parameter) throws(Failure) -> Value
    ) -> Registration<Value> {
        Registration(add(type, qualifier, .held(scope), parameterQualifiers, fileID, line, maker(onMainActor: make)))
    }

    /// Registers a shared `Sendable` type that is made on the main actor.
    @discardableResult
    public func register<Value: Sendable, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (repeat each Parameter) throws(Failure) -> Value
    ) -> Registration<Value> {
        Registration(
            add(
                type, qualifier, .held(scope), parameterQualifiers, fileID, line,
                maker(onMainActor: make, isolation: .making)))
    }

    /// Registers a type that is made on the main actor.
    ///
    /// Its instance is shared, but the context does not retain it.
    @discardableResult
    public func register<Value, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: UnretainedScope,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(type, qualifier, Lifetime(scope), parameterQualifiers, fileID, line, maker(onMainActor: make)))
    }

    /// Registers a `Sendable` type that is made on the main actor.
    ///
    /// Its instance is shared, but the context does not retain it.
    @discardableResult
    public func register<Value: Sendable, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: UnretainedScope,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                type, qualifier, Lifetime(scope), parameterQualifiers, fileID, line,
                maker(onMainActor: make, isolation: .making)))
    }

    /// Registers a type, and makes a new instance on the main actor for each request.
    @discardableResult
    public func register<Value, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: PrototypeScope,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(type, qualifier, .prototype, parameterQualifiers, fileID, line, maker(onMainActor: make)))
    }

    /// A closure that makes instances with a function on the main actor.
    func maker<Value, each Parameter, Failure: Error>(
        onMainActor make: @escaping @MainActor @Sendable (repeat each Parameter) throws(Failure) -> Value,
        isolation: Isolation = .makingAndAsking
    ) -> NewMaker {
        let maker = Maker { call in
            if call.asksForParameters { throw Parameters<repeat each Parameter>.added(to: call) }
            // The context runs this closure only on the main actor, and passes the result to other code only if it is
            // `Sendable`. Therefore, neither the arguments nor a result that is not `Sendable` leave the actor.
            nonisolated(unsafe) let parameters = (repeat try call.next((each Parameter).self))
            // Unsafe: written and read here, on the main actor.
            nonisolated(unsafe) var result: Value?
            try MainActor.assumeIsolated {
                // Unsafe: assigned to the variable above, on the same actor.
                nonisolated(unsafe) let made = try make(repeat each parameters)
                result = made
            }
            guard let result else { preconditionFailure("The factory closure on the main actor returned nothing") }
            return result
        }
        return NewMaker(
            .synchronous(maker), isolation, takesRequestSite: takesRequestSite(repeat (each Parameter).self))
    }
}
