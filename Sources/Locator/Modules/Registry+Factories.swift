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
    /// factories.
    public func factory<Value, Payload, each Parameter>(
        _ type: Value.Type, qualifier: Qualifier? = nil, taking: [Qualifier?] = [],
        fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (Payload, repeat each Parameter) throws -> Value
    ) {
        let maker = Maker { call throws -> Value in
            if call.asksForParameters { throw Parameters<repeat each Parameter>.types }
            guard let payload = call.subject else { preconditionFailure("A factory is asked without a payload") }
            // Found by the payload's type.
            let typed = payload.assumingMemoryBound(to: Payload.self)
            return try make(typed.pointee, repeat try call.next((each Parameter).self))
        }
        _ = add(
            type, qualifier, .prototype, taking, SourceLocation(fileID: fileID, line: line), .synchronous(maker),
            payload: Payload.self)
    }

    /// Registers a function from a payload and dependencies to the type it returns.
    public func factory<Value, Payload, each Parameter>(
        qualifier: Qualifier? = nil, taking: [Qualifier?] = [],
        fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (Payload, repeat each Parameter) throws -> Value
    ) {
        factory(Value.self, qualifier: qualifier, taking: taking, fileID: fileID, line: line, make)
    }
}
