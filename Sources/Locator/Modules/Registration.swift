/// A registration that `register` returns, for further configuration inside the module's closure.
public struct Registration<Value> {
    let record: RegistrationRecord

    init(_ record: RegistrationRecord) {
        self.record = record
    }

    /// Prefers this registration if a request matches several registrations of one key in one module.
    @discardableResult
    public func primary() -> Self {
        record.checkOpen()
        record.isPrimary = true
        return self
    }

    /// Adds another key that shares the instance.
    ///
    /// The compiler checks the upcast.
    ///
    /// ```swift
    /// registry.register(HarryPotter.init).alias((any Book).self) { $0 }
    /// ```
    ///
    /// The alias has the qualifier of the registration, unless you pass another one. It forwards to the key of the
    /// registration. If a module that comes first in lookup order replaces that key, for example in a test, the alias
    /// resolves to the replacement.
    @discardableResult
    public func alias<Other>(
        _ type: Other.Type, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ upcast: @escaping @Sendable (Value) -> Other
    ) -> Self {
        let (registry, location) = (record.openRegistry, SourcePlace(fileID: fileID, line: line))
        let name = registry.name(of: qualifier, type: type, location: location) ?? record.key.qualifier
        registry.add(
            AliasRecord(key: Key(type, qualifier: name), registration: record, location: location) {
                Box(upcast($0.value(as: Value.self)))
            })
        return self
    }

    /// Adds a closure that runs after the instance was made and before the outermost request returns.
    ///
    /// Use it for two instances that need each other.
    ///
    /// ```swift
    /// registry.register(UsersService.init)
    ///     .injecting { (users, messages: any Messages) in users.messages = messages }
    /// ```
    ///
    /// Injections run in the order in which their instances were made. The injections of one registration run in source
    /// order.
    ///
    /// If the closure throws an error, the request throws it. The instances that wait for the closure are dropped
    /// without calling their dispose hooks, and the next request makes them again. The injections of other instances
    /// still run.
    ///
    /// If `start()` makes the instance, an injection may need another instance that `start()` has not made yet.
    /// `start()` then makes the other instance, and runs all injections of this registration again.
    @discardableResult
    public func injecting<each Parameter, Failure: Error>(
        _ inject: @escaping @Sendable (Value, repeat each Parameter) throws(Failure) -> Void
    ) -> Self {
        let injection = MakerFunction { call in
            if call.asksForParameters { throw Parameters<repeat each Parameter>.added(to: call) }
            let value = call.box.value(as: Value.self)
            try inject(value, repeat try call.next((each Parameter).self))
        }
        record.add(injection, takesRequestSite: takesRequestSite(repeat (each Parameter).self))
        return self
    }

    /// Adds a closure that runs on the main actor after the instance was made.
    ///
    /// See ``injecting(_:)``.
    ///
    /// The instance is then also made on the main actor, so requesting it off the main actor is an error until it
    /// exists. For an instance with an asynchronous factory closure, `start()` switches to the main actor.
    @_disfavoredOverload @discardableResult  // A trailing closure drops the label.
    public func injecting<each Parameter, Failure: Error>(
        onMainActor inject: @escaping @MainActor @Sendable (Value, repeat each Parameter) throws(Failure) -> Void
    ) -> Self {
        let injection = MakerFunction { call in
            if call.asksForParameters { throw Parameters<repeat each Parameter>.added(to: call) }
            // Unsafe: the context runs this closure only on the main actor, so the value does not leave it.
            nonisolated(unsafe) let value = call.box.value(as: Value.self)
            // Unsafe: the arguments do not leave it, either.
            nonisolated(unsafe) let parameters = (repeat try call.next((each Parameter).self))
            try MainActor.assumeIsolated { try inject(value, repeat each parameters) }
        }
        record.add(injection, takesRequestSite: takesRequestSite(repeat (each Parameter).self))
        // The instance is made in the same request, and therefore on the same actor.
        if record.isolation == .none { record.isolation = .making }
        return self
    }

    /// Adds a hook that runs once on the main actor when the context disposes of the instance.
    ///
    /// ```swift
    /// registry.register(PlayerModel.self, onMainActor: PlayerModel.init)
    ///     .onDispose(onMainActor: { player in player.stop() })
    /// ```
    ///
    /// An instance that is disposed of on the main actor, or in `shutdown()`, keeps the usual reverse order of
    /// creation. Otherwise, the hook runs later, after the hooks that do not need the main actor. Several hooks on the
    /// main actor run in reverse order of creation, each before the later hooks of the same instance. `shutdown()`
    /// waits for the hook and throws its error. If the context ends without a `shutdown()`, the error is reported only
    /// to observers. If the context was released, the hook can no longer resolve anything from it.
    @_disfavoredOverload @discardableResult  // A trailing closure drops the label.
    public func onDispose(onMainActor dispose: @escaping @MainActor @Sendable (Value) throws -> Void) -> Self {
        record.checkOpen()
        record.detailed().disposals.append(
            Disposal(isOnMainActor: true) { box in
                // Unsafe: the context runs this closure only on the main actor.
                nonisolated(unsafe) let value = box.value(as: Value.self)
                try MainActor.assumeIsolated { try dispose(value) }
            })
        return self
    }
}

extension Registration where Value: Sendable {
    /// Adds a hook that runs once when the context disposes of the instance.
    ///
    /// Instances are disposed of in the reverse order of their creation.
    @discardableResult
    public func onDispose(_ dispose: @escaping @Sendable (Value) throws -> Void) -> Self {
        record.checkOpen()
        record.detailed().disposals.append(Disposal(isOnMainActor: false) { try dispose($0.value(as: Value.self)) })
        return self
    }

    /// Adds a hook that runs in `await context.shutdown()`, or after newly loaded settings have replaced the instance.
    ///
    /// After a replacement, the hook runs in its own task, as soon as no request can get the instance anymore, and
    /// before the instance is disposed of. An error of the hook is then reported to observers.
    ///
    /// If the instance ends in another way, such as in a reset, an unload, or a pop, or with its context, the hook does not
    /// run, and observers get ``ContextEvent/neverShutDown(_:_:)``.
    @discardableResult
    public func onShutdown(_ shutDown: @escaping @Sendable (Value) async throws -> Void) -> Self {
        record.checkOpen()
        record.detailed().shutdowns.append { try await shutDown($0.value(as: Value.self)) }
        return self
    }
}

/// A registration of a scope whose instances the context does not retain.
///
/// It has no dispose hooks.
public struct UnretainedRegistration<Value> {
    private let registration: Registration<Value>

    init(_ record: RegistrationRecord) {
        registration = Registration(record)
    }

    /// Prefers this registration if a request matches several registrations of one key in one module.
    @discardableResult
    public func primary() -> Self {
        registration.primary()
        return self
    }

    /// Adds another key to the registration.
    ///
    /// See ``Registration/alias(_:qualifier:fileID:line:_:)``.
    @discardableResult
    public func alias<Other>(
        _ type: Other.Type, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ upcast: @escaping @Sendable (Value) -> Other
    ) -> Self {
        registration.alias(type, qualifier: qualifier, fileID: fileID, line: line, upcast)
        return self
    }

    /// Adds a closure that runs after an instance was made.
    ///
    /// See ``Registration/injecting(_:)``.
    @discardableResult
    public func injecting<each Parameter, Failure: Error>(
        _ inject: @escaping @Sendable (Value, repeat each Parameter) throws(Failure) -> Void
    ) -> Self {
        registration.injecting(inject)
        return self
    }

    /// Adds a closure that runs on the main actor after an instance was made.
    ///
    /// See ``Registration/injecting(onMainActor:)``.
    @_disfavoredOverload @discardableResult  // A trailing closure drops the label.
    public func injecting<each Parameter, Failure: Error>(
        onMainActor inject: @escaping @MainActor @Sendable (Value, repeat each Parameter) throws(Failure) -> Void
    ) -> Self {
        registration.injecting(onMainActor: inject)
        return self
    }
}

extension RegistrationRecord {
    /// The registry, while the closure of the module runs.
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
