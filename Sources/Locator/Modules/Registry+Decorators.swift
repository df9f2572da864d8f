extension Registry {
    /// Wraps every registration of a key in this module and in the modules that come after it in lookup order.
    ///
    /// ```swift
    /// registry.decorate((any Catalog).self) { base in CachedCatalog(base) }
    /// ```
    ///
    /// Each instance is wrapped once, in its own scope. The instance itself does not change. Elements of collections
    /// are also wrapped. The decorators of one module wrap in source order. Decorators of modules that come earlier in
    /// lookup order wrap around them.
    ///
    /// - Parameters:
    ///   - type: The type to wrap.
    ///   - qualifier: The qualifier of the registrations to wrap. By default, all registrations of the type are
    ///     wrapped.
    ///   - parameterQualifiers: The qualifiers of the parameters after the first, by position.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    ///   - decorate: A closure that makes the wrapper from the wrapped instance and other dependencies.
    public func decorate<Value, each Parameter, Failure: Error>(
        _ type: Value.Type, qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [],
        fileID: StaticString = #fileID, line: UInt = #line,
        _ decorate: @escaping @Sendable (Value, repeat each Parameter) throws(Failure) -> Value
    ) {
        checkOpen()
        let location = SourcePlace(fileID: fileID, line: line)
        let function = MakerFunction<AnyBox> { call in
            if call.asksForParameters { throw Parameters<repeat each Parameter>.added(to: call) }
            let base = call.box.value(as: Value.self)
            return Box(try decorate(base, repeat try call.next((each Parameter).self)))
        }
        if let kind = RegistrationProblem.Kind(parameterQualifiers, for: function.parameters) {
            problems.append(.init(key: Key(type), location: location, kind: kind, role: .decorator))
        }
        if takesRequestSite(repeat (each Parameter).self) {
            problems.append(.init(key: Key(type), location: location, kind: .requestSite(.decorator)))
        }
        detailed().decorators.append(
            DecoratorRecord(
                type: type, qualifier: name(of: qualifier, type: type, location: location), location: location,
                parameterQualifiers: parameterQualifiers, run: self, decorate: function))
    }
}
