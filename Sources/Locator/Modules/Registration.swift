/// What `register` gives back: the registration, to be refined while its module's closure runs.
public struct Registration<Value> {
    let record: RegistrationRecord

    init(_ record: RegistrationRecord) {
        self.record = record
    }

    /// Prefers this registration where several of one key in one module could answer a single request.
    @discardableResult
    public func primary() -> Self {
        markPrimary(record)
        return self
    }

    /// Gives the registration a further key, which shares the instance; the compiler checks the upcast.
    ///
    /// ```swift
    /// registry.register(HarryPotter.init).alias((any Book).self) { $0 }
    /// ```
    ///
    /// The alias has the registration's qualifier unless another is given. It forwards to the registration's key:
    /// whoever answers the key, a replacement in a test too, answers the alias.
    @discardableResult
    public func alias<Other>(
        _ type: Other.Type, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ upcast: @escaping @Sendable (Value) -> Other
    ) -> Self {
        addAlias(to: record, type, qualifier, SourcePlace(fileID: fileID, line: line), upcast)
        return self
    }

    /// Runs after the instance was made and before the outermost request returns, so that a circle can be closed on
    /// purpose.
    ///
    /// ```swift
    /// registry.register(UsersService.init)
    ///     .injecting { (users, messages: any Messages) in users.messages = messages }
    /// ```
    ///
    /// Injections run in the order in which their instances were made; those of one registration in the order written.
    @discardableResult
    public func injecting<each Parameter>(
        _ inject: @escaping @Sendable (Value, repeat each Parameter) throws -> Void
    ) -> Self {
        addInjection(to: record, inject)
        return self
    }

    /// Runs on the main actor after the instance was made; see ``injecting(_:)``.
    ///
    /// The instance is then made on the main actor, too: where it is asked for elsewhere before, that is an error.
    /// `start()` changes to the main actor for an instance with an asynchronous maker.
    @discardableResult
    public func injecting<each Parameter>(
        onMainActor inject: @escaping @MainActor @Sendable (Value, repeat each Parameter) throws -> Void
    ) -> Self {
        addInjection(to: record, onMainActor: inject)
        return self
    }

    /// Runs once when the instance leaves the context for good; instances end in reverse order of their making.
    @discardableResult
    public func onDispose(_ dispose: @escaping @Sendable (Value) throws -> Void) -> Self {
        record.checkOpen()
        record.detailed().disposals.append(
            Disposal(isOnMainActor: false) { try dispose($0.value(as: Value.self)) })
        return self
    }

    /// Runs on the main actor once when the instance leaves the context for good.
    ///
    /// ```swift
    /// registry.register(PlayerModel.self, onMainActor: PlayerModel.init)
    ///     .onDispose(onMainActor: { player in player.stop() })
    /// ```
    ///
    /// An instance that ends on the main actor, or in `shutdown()`, is disposed of in reverse order of making like any other.
    /// Where it ends elsewhere, the hook runs later, after the hooks that need no main actor: in reverse order of making
    /// among those that do, with the further hooks of the same instance behind it. `shutdown()` waits for it and throws its
    /// error; until then only observers are told the error. A context that was dropped no longer answers such a hook.
    @discardableResult
    public func onDispose(onMainActor dispose: @escaping @MainActor @Sendable (Value) throws -> Void) -> Self {
        record.checkOpen()
        record.detailed().disposals.append(
            Disposal(isOnMainActor: true) { box in
                // Unsafe: the context runs this closure on the main actor only.
                nonisolated(unsafe) let value = box.value(as: Value.self)
                try MainActor.assumeIsolated { try dispose(value) }
            })
        return self
    }

    /// Runs in `await context.shutdown()`, and where a load of properties has replaced the instance.
    ///
    /// Then it runs once no request is given the instance any more, in a task of its own and before the instance is
    /// disposed of. Observers are told of what it throws there.
    @discardableResult
    public func onShutdown(_ shutDown: @escaping @Sendable (Value) async throws -> Void) -> Self {
        record.checkOpen()
        record.detailed().shutdowns.append { try await shutDown($0.value(as: Value.self)) }
        return self
    }
}

/// What `register` gives back for scopes whose instances the context does not retain: nothing of theirs is disposed of.
public struct UnretainedRegistration<Value> {
    let record: RegistrationRecord

    init(_ record: RegistrationRecord) {
        self.record = record
    }

    /// Prefers this registration where several of one key in one module could answer a single request.
    @discardableResult
    public func primary() -> Self {
        markPrimary(record)
        return self
    }

    /// Gives the registration a further key; see ``Registration/alias(_:qualifier:fileID:line:_:)``.
    @discardableResult
    public func alias<Other>(
        _ type: Other.Type, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ upcast: @escaping @Sendable (Value) -> Other
    ) -> Self {
        addAlias(to: record, type, qualifier, SourcePlace(fileID: fileID, line: line), upcast)
        return self
    }

    /// Runs after an instance was made; see ``Registration/injecting(_:)``.
    @discardableResult
    public func injecting<each Parameter>(
        _ inject: @escaping @Sendable (Value, repeat each Parameter) throws -> Void
    ) -> Self {
        addInjection(to: record, inject)
        return self
    }

    /// Runs on the main actor after an instance was made; see ``Registration/injecting(onMainActor:)``.
    @discardableResult
    public func injecting<each Parameter>(
        onMainActor inject: @escaping @MainActor @Sendable (Value, repeat each Parameter) throws -> Void
    ) -> Self {
        addInjection(to: record, onMainActor: inject)
        return self
    }
}

private func markPrimary(_ record: RegistrationRecord) {
    record.checkOpen()
    record.isPrimary = true
}

private func addAlias<Value, Other>(
    to record: RegistrationRecord, _ type: Other.Type, _ qualifier: Qualifier?, _ location: SourcePlace,
    _ upcast: @escaping @Sendable (Value) -> Other
) {
    let registry = record.openRegistry
    let name = registry.name(of: qualifier, type: type, location: location) ?? record.key.qualifier
    registry.add(
        AliasRecord(key: Key(type, qualifier: name), registration: record, location: location) {
            Box(upcast($0.value(as: Value.self)))
        })
}

private func addInjection<Value, each Parameter>(
    to record: RegistrationRecord, _ inject: @escaping @Sendable (Value, repeat each Parameter) throws -> Void
) {
    let injection = MakerFunction { call in
        if call.asksForParameters { throw Parameters<repeat each Parameter>.types }
        let value = call.box.value(as: Value.self)
        try inject(value, repeat try call.next((each Parameter).self))
    }
    record.add(injection, takesRequestSite: takesRequestSite(repeat (each Parameter).self))
}

private func addInjection<Value, each Parameter>(
    to record: RegistrationRecord,
    onMainActor inject: @escaping @MainActor @Sendable (Value, repeat each Parameter) throws -> Void
) {
    let injection = MakerFunction { call in
        if call.asksForParameters { throw Parameters<repeat each Parameter>.types }
        // Unsafe: the context runs this closure on the main actor only, so the value does not leave it.
        nonisolated(unsafe) let value = call.box.value(as: Value.self)
        // Unsafe: neither do the arguments.
        nonisolated(unsafe) let parameters = (repeat try call.next((each Parameter).self))
        try MainActor.assumeIsolated { try inject(value, repeat each parameters) }
    }
    record.add(injection, takesRequestSite: takesRequestSite(repeat (each Parameter).self))
    // What it is injected into is made in the same request, and so on the same actor.
    if record.isolation == .none { record.isolation = .making }
}

extension RegistrationRecord {
    /// What it was registered with, while the closure of its module runs.
    fileprivate var openRegistry: Registry {
        guard let run else { preconditionFailure("\(key) is not registered") }
        run.checkOpen()
        return run
    }

    fileprivate func checkOpen() { _ = openRegistry }

    fileprivate func add(_ injection: MakerFunction<Void>, takesRequestSite: Bool) {
        let registry = openRegistry
        detailed().injections.append(injection)
        if takesRequestSite { registry.problems.append(.init(record: self, kind: .requestSite(.injection))) }
    }
}
