extension Registry {
    /// Registers a type whose maker is asynchronous; `context.start()` runs it, and what it needs first.
    ///
    /// Until then a request for it is an error that says so.
    ///
    /// ```swift
    /// registry.register(Database.self, async: { (settings: DatabaseSettings) in
    ///     try await Database.open(settings.url)
    /// })
    /// ```
    @_disfavoredOverload @discardableResult
    public func register<Value: Sendable, each Parameter>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: Scope = .singleton, taking: [Qualifier?] = [],
        fileID: StaticString = #fileID, line: UInt = #line,
        async make: @escaping @Sendable (repeat each Parameter) async throws -> Value
    ) -> Registration<Value> {
        let function = MakerFunction<() async throws -> AnyBox> { call in
            if call.asksForParameters { throw Parameters<repeat each Parameter>.types }
            let parameters = (repeat try call.next((each Parameter).self))
            return { Box(try await make(repeat each parameters)) }
        }
        return Registration(
            add(
                type, qualifier, .held(scope), taking, SourceLocation(fileID: fileID, line: line),
                .asynchronous(function)))
    }

    /// Registers the type that an asynchronous maker returns.
    @_disfavoredOverload @discardableResult
    public func register<Value: Sendable, each Parameter>(
        qualifier: Qualifier? = nil, scope: Scope = .singleton, taking: [Qualifier?] = [],
        fileID: StaticString = #fileID, line: UInt = #line,
        async make: @escaping @Sendable (repeat each Parameter) async throws -> Value
    ) -> Registration<Value> {
        register(
            Value.self, qualifier: qualifier, scope: scope, taking: taking, fileID: fileID, line: line, async: make)
    }
}
