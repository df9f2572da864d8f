extension Registry {
    /// Registers a factory: a closure that takes a payload from the caller and dependencies from the context.
    ///
    /// ```swift
    /// registry.factory(FriendInfo.self) { (payload: FriendPayload, accounts: any Accounts) in
    ///     FriendInfo(payload: payload, account: accounts.account(of: payload.name))
    /// }
    ///
    /// try context.resolve(FriendInfo.self, with: FriendPayload(name: "Ada"))
    /// ```
    ///
    /// You can also inject the factory as a ``Factory`` and call it. Payloads match by their exact type, and one type
    /// may have several factories. A factory is a registration: it supports `.primary()`, `.alias`, and `.injecting`,
    /// it can be decorated, and another module can replace it.
    ///
    /// - Parameters:
    ///   - type: The type to register.
    ///   - payload: The type of the payload, if the closure does not specify it.
    ///   - qualifier: The name that distinguishes the registration from others of its type.
    ///   - parameterQualifiers: The qualifiers of the parameters after the payload, by position; nil for a parameter
    ///     without one.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    ///   - make: The closure that makes the product from the payload and the dependencies.
    /// - Returns: The registration, for further configuration.
    @discardableResult
    public func factory<Value, Payload, each Parameter, Failure: Error>(
        _ type: Value.Type, given payload: Payload.Type = Payload.self,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line, _ make: @escaping @Sendable (Payload, repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        addFactory(type, qualifier, parameterQualifiers, fileID, line, maker(make), payload: (Payload.self, 1))
    }

    /// Registers a factory of the type that the closure returns.
    @discardableResult
    public func factory<Value, Payload, each Parameter, Failure: Error>(
        given payload: Payload.Type = Payload.self,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line, _ make: @escaping @Sendable (Payload, repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        addFactory(Value.self, qualifier, parameterQualifiers, fileID, line, maker(make), payload: (Payload.self, 1))
    }

    /// Registers a factory with two payloads.
    ///
    /// ```swift
    /// registry.factory(Item.self, given: Int.self, String.self) { id, name, repository in
    ///     Item(id: id, name: name, repository: repository)
    /// }
    ///
    /// try context.resolve(Item.self, with: 1, "Lamp")
    /// ```
    ///
    /// Inject it as a `Factory<(Int, String), Item>`. For more than three payloads, use a tuple or a structure.
    @discardableResult
    public func factory<Value, First, Second, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, given first: First.Type, _ second: Second.Type,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line, _ make: @escaping @Sendable (First, Second, repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        addFactory(type, qualifier, parameterQualifiers, fileID, line, maker(make), payload: ((First, Second).self, 2))
    }

    /// Registers a factory with three payloads.
    @discardableResult
    public func factory<Value, First, Second, Third, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, given first: First.Type, _ second: Second.Type, _ third: Third.Type,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line,
        _ make: @escaping @Sendable (First, Second, Third, repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        addFactory(
            type, qualifier, parameterQualifiers, fileID, line, maker(make), payload: ((First, Second, Third).self, 3))
    }

    /// Registers a factory that runs on the main actor.
    ///
    /// ```swift
    /// registry.factory(onMainActor: EditorModel.init(document:storage:))
    /// ```
    ///
    /// The type does not have to be `Sendable`. Requesting it off the main actor is an error.
    @discardableResult
    public func factory<Value, Payload, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, given payload: Payload.Type = Payload.self,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (Payload, repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        addFactory(
            type, qualifier, parameterQualifiers, fileID, line, maker(onMainActor: make), payload: (Payload.self, 1))
    }

    /// Registers a factory with two payloads that runs on the main actor.
    @discardableResult
    public func factory<Value, First, Second, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, given first: First.Type, _ second: Second.Type,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (First, Second, repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        addFactory(
            type, qualifier, parameterQualifiers, fileID, line, maker(onMainActor: make),
            payload: ((First, Second).self, 2))
    }

    /// Registers a factory with three payloads that runs on the main actor.
    @discardableResult
    public func factory<Value, First, Second, Third, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, given first: First.Type, _ second: Second.Type, _ third: Third.Type,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line,
        onMainActor make:
            @escaping @MainActor @Sendable (First, Second, Third, repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        addFactory(
            type, qualifier, parameterQualifiers, fileID, line, maker(onMainActor: make),
            payload: ((First, Second, Third).self, 3))
    }

    /// Registers an asynchronous factory.
    ///
    /// ```swift
    /// registry.factory(Connection.self, async: { (host: String, pool: Pool) in try await pool.connect(to: host) })
    ///
    /// let connection = try await context.resolve(Connection.self, with: "db.example.com")
    /// ```
    ///
    /// The closure runs for each request. Requests must be made in asynchronous code. Inject it as an ``AsyncFactory``.
    /// Dependencies with asynchronous factory closures are available after `start()`.
    @discardableResult
    public func factory<Value: Sendable, Payload: Sendable, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, given payload: Payload.Type = Payload.self,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line,
        async make: @escaping @Sendable (Payload, repeat each Parameter) async throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        addFactory(type, qualifier, parameterQualifiers, fileID, line, maker(async: make), payload: (Payload.self, 1))
    }

    /// Registers an asynchronous factory with two payloads.
    @discardableResult
    public func factory<Value: Sendable, First: Sendable, Second: Sendable, each Parameter, Failure: Error>(
        _ type: Value.Type = Value.self, given first: First.Type, _ second: Second.Type,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line,
        async make: @escaping @Sendable (First, Second, repeat each Parameter) async throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        addFactory(
            type, qualifier, parameterQualifiers, fileID, line, maker(async: make), payload: ((First, Second).self, 2))
    }

    /// Registers an asynchronous factory with three payloads.
    @discardableResult
    public func factory<
        Value: Sendable, First: Sendable, Second: Sendable, Third: Sendable, each Parameter, Failure: Error
    >(
        _ type: Value.Type = Value.self, given first: First.Type, _ second: Second.Type, _ third: Third.Type,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line,
        async make: @escaping @Sendable (First, Second, Third, repeat each Parameter) async throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        addFactory(
            type, qualifier, parameterQualifiers, fileID, line, maker(async: make),
            payload: ((First, Second, Third).self, 3))
    }

    private func addFactory<Value>(
        _ type: Value.Type, _ qualifier: Qualifier?, _ parameterQualifiers: [Qualifier?], _ fileID: StaticString,
        _ line: UInt, _ maker: NewMaker, payload: (type: any Any.Type, count: Int)
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(type, qualifier, .prototype, parameterQualifiers, fileID, line, maker, payload: payload))
    }
}
