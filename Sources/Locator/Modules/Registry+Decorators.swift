extension Registry {
    /// Wraps every registration of a key in this module and in the modules behind it.
    ///
    /// ```swift
    /// registry.decorate((any Catalog).self) { base in CachedCatalog(base) }
    /// ```
    ///
    /// Each instance is wrapped once, in its own scope, and stays as it is; elements of collections are wrapped too.
    /// Decorators of one module wrap in the order in which they are written, and those of modules further in front wrap
    /// around them.
    ///
    /// - Parameters:
    ///   - type: What is wrapped.
    ///   - qualifier: Which registrations of the type are wrapped; all of them unless given.
    ///   - parameterQualifiers: The qualifiers of the further parameters, by position.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    ///   - decorate: Makes the wrapper from what it wraps and from further dependencies.
    public func decorate<Value, each Parameter>(
        _ type: Value.Type, qualifier: Qualifier? = nil, parameterQualifiers: [Qualifier?] = [],
        fileID: StaticString = #fileID, line: UInt = #line,
        _ decorate: @escaping @Sendable (Value, repeat each Parameter) throws -> Value
    ) {
        checkOpen()
        let location = SourcePlace(fileID: fileID, line: line)
        let function = MakerFunction<AnyBox> { call in
            if call.asksForParameters { throw Parameters<repeat each Parameter>.types }
            let base = call.box.value(as: Value.self)
            return Box(try decorate(base, repeat try call.next((each Parameter).self)))
        }
        if !parameterQualifiers.isEmpty {
            check(parameterQualifiers, parameterCount: function.parameters.count, of: Key(type), at: location)
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
