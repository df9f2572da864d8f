extension Registry {
    /// Registers a type that is made on the main actor and shared.
    ///
    /// The type need not be `Sendable`. Where it is, only the making needs the main actor; where it is not, every
    /// request does. Asked elsewhere, the context gives an error.
    ///
    /// ```swift
    /// registry.register(HomeScreen.self, onMainActor: HomeScreen.init)
    /// ```
    @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (repeat each Parameter) throws -> Value
    ) -> Registration<Value> {
        Registration(
            add(
                type, qualifier, .held(scope), parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(onMainActor: make), isolation: .makingAndAsking))
    }

    /// Registers a `Sendable` type that is made on the main actor and shared.
    @discardableResult
    public func register<Value: Sendable, each Parameter>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (repeat each Parameter) throws -> Value
    ) -> Registration<Value> {
        Registration(
            add(
                type, qualifier, .held(scope), parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(onMainActor: make), isolation: .making))
    }

    /// Registers a type that is made on the main actor, and whose instance is shared but not held by the context.
    @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: UnretainedScope,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                type, qualifier, Lifetime(scope), parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(onMainActor: make), isolation: .makingAndAsking))
    }

    /// Registers a type of which each request on the main actor makes a new instance.
    @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: PrototypeScope,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                type, qualifier, .prototype, parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(onMainActor: make), isolation: .makingAndAsking))
    }

    /// What makes instances with a function on the main actor.
    func maker<Value, each Parameter>(
        onMainActor make: @escaping @MainActor @Sendable (repeat each Parameter) throws -> Value
    ) -> NewMaker {
        let maker = Maker { call in
            if call.asksForParameters { throw Parameters<repeat each Parameter>.types }
            // The context runs this closure on the main actor only, and hands the result to nobody elsewhere unless
            // it is `Sendable`; so neither the arguments nor the result leave the actor.
            nonisolated(unsafe) let parameters = (repeat try call.next((each Parameter).self))
            // Unsafe: written and read here, on the main actor.
            nonisolated(unsafe) var result: Value?
            try MainActor.assumeIsolated {
                // Unsafe: handed to the variable above, on the same actor.
                nonisolated(unsafe) let made = try make(repeat each parameters)
                result = made
            }
            guard let result else { preconditionFailure("A maker on the main actor has returned nothing") }
            return result
        }
        return NewMaker(.synchronous(maker), takesRequestSite: takesRequestSite(repeat (each Parameter).self))
    }
}
