extension Registry {
    /// Registers a type whose instance is shared and retained by the context.
    ///
    /// ```swift
    /// registry.register((any Catalog).self, CatalogService.init)       // its parameters are its dependencies
    /// registry.register((any Logger).self, qualifier: "file") { FileLogger() }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type to register.
    ///   - qualifier: The name that distinguishes the registration from others of its type.
    ///   - scope: The lifetime of the instance.
    ///   - parameterQualifiers: The qualifiers of the parameters, by position; nil for a parameter without one.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    ///   - make: The initializer or factory closure that makes the instance.
    /// - Returns: The registration, for further configuration.
    @discardableResult
    public func register<Value: Sendable, each Parameter, Failure: Error>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [],
        fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws(Failure) -> Value
    ) -> Registration<Value> {
        Registration(add(type, qualifier, .held(scope), parameterQualifiers, fileID, line, maker(make)))
    }

    /// Registers the type that the factory closure returns.
    ///
    /// Its instance is shared and retained by the context.
    @discardableResult
    public func register<Value: Sendable, each Parameter, Failure: Error>(
        qualifier: Qualifier? = nil, scope: Scope = .singleton, parameterQualifiers: [Qualifier?] = [],
        fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws(Failure) -> Value
    ) -> Registration<Value> {
        Registration(add(Value.self, qualifier, .held(scope), parameterQualifiers, fileID, line, maker(make)))
    }

    /// Registers a type whose instance is shared, but not retained by the context.
    @discardableResult
    public func register<Value: Sendable, each Parameter, Failure: Error>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: UnretainedScope, parameterQualifiers: [Qualifier?] = [],
        fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(add(type, qualifier, Lifetime(scope), parameterQualifiers, fileID, line, maker(make)))
    }

    /// Registers the type that the factory closure returns.
    ///
    /// Its instance is shared, but not retained by the context.
    @discardableResult
    public func register<Value: Sendable, each Parameter, Failure: Error>(
        qualifier: Qualifier? = nil, scope: UnretainedScope, parameterQualifiers: [Qualifier?] = [],
        fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(
            add(Value.self, qualifier, Lifetime(scope), parameterQualifiers, fileID, line, maker(make)))
    }

    /// Registers a type, and makes a new instance for each request.
    ///
    /// The type does not have to be `Sendable`.
    @discardableResult
    public func register<Value, each Parameter, Failure: Error>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: PrototypeScope, parameterQualifiers: [Qualifier?] = [],
        fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(add(type, qualifier, .prototype, parameterQualifiers, fileID, line, maker(make)))
    }

    /// Registers the type that the factory closure returns.
    ///
    /// Each request gets a new instance.
    @discardableResult
    public func register<Value, each Parameter, Failure: Error>(
        qualifier: Qualifier? = nil, scope: PrototypeScope, parameterQualifiers: [Qualifier?] = [],
        fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws(Failure) -> Value
    ) -> UnretainedRegistration<Value> {
        UnretainedRegistration(add(Value.self, qualifier, .prototype, parameterQualifiers, fileID, line, maker(make)))
    }

    /// Registers an existing instance.
    ///
    /// Forks of the context share the instance. Its hooks run in each context in which it was requested, when that
    /// context ends or resets its instances. If other contexts continue to use the instance, do not add a dispose hook.
    @_disfavoredOverload @discardableResult
    public func register<Value: Sendable>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, instance: Value,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Registration<Value> {
        Registration(add(type, qualifier, .held(.singleton), [], fileID, line, NewMaker(.instance(Box(instance)))))
    }

    @inline(never)
    func add(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ lifetime: Lifetime, _ parameterQualifiers: [Qualifier?],
        _ fileID: StaticString, _ line: UInt, _ maker: consuming NewMaker,
        payload: (type: any Any.Type, count: Int)? = nil
    ) -> RegistrationRecord {
        let location = SourcePlace(fileID: fileID, line: line)
        let (takesRequestSite, isolation) = (maker.takesRequestSite, maker.isolation)
        let record = RegistrationRecord(
            key: Key(type, qualifier: name(of: qualifier, type: type, location: location)), lifetime: lifetime,
            location: location, production: (consume maker).production, isolation: isolation, run: self)
        if !parameterQualifiers.isEmpty { record.detailed().parameterQualifiers = parameterQualifiers }
        if let payload {
            record.detailed().payload = payload.type
            record.detailed().payloadCount = payload.count
        }
        if takesRequestSite, lifetime != .prototype {
            problems.append(.init(record: record, kind: .requestSite(.registration)))
        }
        add(record)
        return record
    }

    /// A closure that makes instances with a function that can run anywhere.
    func maker<Value, each Parameter, Failure: Error>(
        _ make: @escaping @Sendable (repeat each Parameter) throws(Failure) -> Value
    ) -> NewMaker {
        let maker = Maker { call in
            if call.asksForParameters { throw Parameters<repeat each Parameter>.added(to: call) }
            return try make(repeat try call.next((each Parameter).self))
        }
        return NewMaker(.synchronous(maker), takesRequestSite: takesRequestSite(repeat (each Parameter).self))
    }
}

/// The way a new registration makes its instances.
struct NewMaker {
    let production: Production
    let isolation: Isolation
    /// Whether a parameter is a ``RequestSite``.
    let takesRequestSite: Bool

    init(_ production: Production, _ isolation: Isolation = .none, takesRequestSite: Bool = false) {
        self.production = production
        self.isolation = isolation
        self.takesRequestSite = takesRequestSite
    }
}

/// Whether one of the parameters is a ``RequestSite``, or an optional or `Lazy` one.
@inline(never)
func takesRequestSite<each Parameter>(_ types: repeat (each Parameter).Type) -> Bool {
    for type in repeat each types {
        if DeclaredDependency(type).type == RequestSite.self { return true }
    }
    return false
}
