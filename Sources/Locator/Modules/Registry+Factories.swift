extension Registry {
    /// Registers a function from a payload, which the caller gives, and dependencies, which the context gives.
    ///
    /// ```swift
    /// registry.factory(FriendInfo.self) { (payload: FriendPayload, accounts: any Accounts) in
    ///     FriendInfo(payload: payload, account: accounts.account(of: payload.name))
    /// }
    ///
    /// try context.resolve(FriendInfo.self, with: FriendPayload(name: "Ada"))
    /// ```
    ///
    /// Or injected as a ``Factory`` and called. Payloads match by their exact type; one type may have several
    /// factories. A factory is a registration: it can be refined with `.primary()`, `.alias` and `.injecting`, decorated,
    /// and replaced by a module in front.
    ///
    /// - Parameters:
    ///   - type: What is asked for.
    ///   - payload: The type of the payload, where the closure does not say it.
    ///   - qualifier: The name that tells it from others of its type.
    ///   - parameterQualifiers: The qualifiers of the parameters behind the payload, by position; nil where a parameter
    ///     needs none.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    ///   - make: Makes the product from the payload and the dependencies.
    /// - Returns: The registration, to be refined.
    @discardableResult
    public func factory<Value, Payload, each Parameter>(
        _ type: Value.Type, given payload: Payload.Type = Payload.self,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line, _ make: @escaping @Sendable (Payload, repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                type, qualifier, .prototype, parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(make), payload: (Payload.self, 1)))
    }

    /// Registers a function from a payload and dependencies to the type it returns.
    @discardableResult
    public func factory<Value, Payload, each Parameter>(
        given payload: Payload.Type = Payload.self,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line, _ make: @escaping @Sendable (Payload, repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                Value.self, qualifier, .prototype, parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(make), payload: (Payload.self, 1)))
    }

    /// Registers a function from two payloads and dependencies.
    ///
    /// ```swift
    /// registry.factory(Item.self, given: Int.self, String.self) { id, name, repository in
    ///     Item(id: id, name: name, repository: repository)
    /// }
    ///
    /// try context.resolve(Item.self, with: 1, "Lamp")
    /// ```
    ///
    /// Injected, it is a `Factory<(Int, String), Item>`. To give more than three payloads, make a structure of them.
    @discardableResult
    public func factory<Value, First, Second, each Parameter>(
        _ type: Value.Type = Value.self, given first: First.Type, _ second: Second.Type,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line, _ make: @escaping @Sendable (First, Second, repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                type, qualifier, .prototype, parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(make), payload: ((First, Second).self, 2)))
    }

    /// Registers a function from three payloads and dependencies.
    @discardableResult
    public func factory<Value, First, Second, Third, each Parameter>(
        _ type: Value.Type = Value.self, given first: First.Type, _ second: Second.Type, _ third: Third.Type,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line, _ make: @escaping @Sendable (First, Second, Third, repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                type, qualifier, .prototype, parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(make), payload: ((First, Second, Third).self, 3)))
    }

    /// Registers a function from a payload and dependencies that runs on the main actor.
    ///
    /// ```swift
    /// registry.factory(onMainActor: EditorModel.init(document:storage:))
    /// ```
    ///
    /// The type need not be `Sendable`. Asked for elsewhere, it is an error.
    @discardableResult
    public func factory<Value, Payload, each Parameter>(
        _ type: Value.Type = Value.self, given payload: Payload.Type = Payload.self,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (Payload, repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                type, qualifier, .prototype, parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(onMainActor: make), isolation: .makingAndAsking, payload: (Payload.self, 1)))
    }

    /// Registers a function from two payloads and dependencies that runs on the main actor.
    @discardableResult
    public func factory<Value, First, Second, each Parameter>(
        _ type: Value.Type = Value.self, given first: First.Type, _ second: Second.Type,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (First, Second, repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                type, qualifier, .prototype, parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(onMainActor: make), isolation: .makingAndAsking, payload: ((First, Second).self, 2)))
    }

    /// Registers a function from three payloads and dependencies that runs on the main actor.
    @discardableResult
    public func factory<Value, First, Second, Third, each Parameter>(
        _ type: Value.Type = Value.self, given first: First.Type, _ second: Second.Type, _ third: Third.Type,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line,
        onMainActor make: @escaping @MainActor @Sendable (First, Second, Third, repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                type, qualifier, .prototype, parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(onMainActor: make), isolation: .makingAndAsking, payload: ((First, Second, Third).self, 3)))
    }

    /// Registers an asynchronous function from a payload and dependencies.
    ///
    /// ```swift
    /// registry.factory(Connection.self, async: { (host: String, pool: Pool) in try await pool.connect(to: host) })
    ///
    /// let connection = try await context.resolve(Connection.self, with: "db.example.com")
    /// ```
    ///
    /// It runs each time it is asked for, which has to be in asynchronous code. Injected, it is an ``AsyncFactory``.
    /// Dependencies with asynchronous makers are there after `start()`.
    @discardableResult
    public func factory<Value: Sendable, Payload: Sendable, each Parameter>(
        _ type: Value.Type = Value.self, given payload: Payload.Type = Payload.self,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line, async make: @escaping @Sendable (Payload, repeat each Parameter) async throws -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                type, qualifier, .prototype, parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(async: make), payload: (Payload.self, 1)))
    }

    /// Registers an asynchronous function from two payloads and dependencies.
    @discardableResult
    public func factory<Value: Sendable, First: Sendable, Second: Sendable, each Parameter>(
        _ type: Value.Type = Value.self, given first: First.Type, _ second: Second.Type,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line, async make: @escaping @Sendable (First, Second, repeat each Parameter) async throws -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                type, qualifier, .prototype, parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(async: make), payload: ((First, Second).self, 2)))
    }

    /// Registers an asynchronous function from three payloads and dependencies.
    @discardableResult
    public func factory<Value: Sendable, First: Sendable, Second: Sendable, Third: Sendable, each Parameter>(
        _ type: Value.Type = Value.self, given first: First.Type, _ second: Second.Type, _ third: Third.Type,
        qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID,
        line: UInt = #line,
        async make: @escaping @Sendable (First, Second, Third, repeat each Parameter) async throws -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(
                type, qualifier, .prototype, parameterQualifiers, SourcePlace(fileID: fileID, line: line),
                maker(async: make), payload: ((First, Second, Third).self, 3)))
    }
}
