extension Registry {
    /// Declares an instance that is handed in by whoever opens its scope.
    ///
    /// ```swift
    /// registry.input(RequestInfo.self, scope: .request)
    /// registry.register(scope: .request, AuditTrail.init)  // may have a RequestInfo as a parameter
    ///
    /// let child = try server.child(opening: .request, giving: info)
    /// ```
    ///
    /// An input is a registration like any other. It is validated, it is part of the graph, and a module in front can
    /// replace it. Because nothing can make an input, all instances of its scope can be asked for only where the scope
    /// was opened, as if the scope had ``Scope/requiresOpening``.
    ///
    /// - Parameters:
    ///   - type: What is handed in, and asked for.
    ///   - qualifier: The name that tells it from others of its type.
    ///   - scope: The scope that is opened; one of your own.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    /// - Returns: The registration, to be refined.
    @discardableResult
    public func input<Value: Sendable>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: Scope,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> InputRegistration<Value> {
        InputRegistration(
            registration: Registration(
                add(type, qualifier, .held(scope), [], SourcePlace(fileID: fileID, line: line), NewMaker(.input))))
    }
}

/// What `input` gives back: the registration, to be refined while its module's closure runs.
///
/// Whoever hands an instance in also completes it and ends it, so there is no `.injecting` and no `.onDispose`.
public struct InputRegistration<Value> {
    let registration: Registration<Value>

    /// Prefers this registration where several of one key in one module could answer a single request.
    @discardableResult
    public func primary() -> Self {
        registration.primary()
        return self
    }

    /// Gives the registration a further key; see ``Registration/alias(_:qualifier:fileID:line:_:)``.
    @discardableResult
    public func alias<Other>(
        _ type: Other.Type, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ upcast: @escaping @Sendable (Value) -> Other
    ) -> Self {
        registration.alias(type, qualifier: qualifier, fileID: fileID, line: line, upcast)
        return self
    }
}
