extension Registry {
    /// Declares an input: an instance that is passed when its scope is opened.
    ///
    /// ```swift
    /// registry.input(RequestInfo.self, scope: .request)
    /// registry.register(scope: .request, AuditTrail.init)  // may have a RequestInfo as a parameter
    ///
    /// let child = try server.child(opening: .request, giving: info)
    /// ```
    ///
    /// An input is a registration like any other. Validation checks it, the graph contains it, and another module can
    /// replace it. Because the context cannot make an input, instances of its scope can be resolved only where the
    /// scope is open, as if the scope had ``Scope/requiresOpening``.
    ///
    /// - Parameters:
    ///   - type: The type of the input.
    ///   - qualifier: The name that distinguishes the registration from others of its type.
    ///   - scope: The custom scope that is opened.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    /// - Returns: The registration, for further configuration.
    @discardableResult
    public func input<Value: Sendable>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: Scope,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> InputRegistration<Value> {
        InputRegistration(
            registration: Registration(
                add(type, qualifier, .held(scope), [], fileID, line, NewMaker(.input))))
    }
}

/// A registration that `input` returns, for further configuration inside the module's closure.
///
/// The caller owns the instance, so an input has no `.injecting` and no `.onDispose`.
public struct InputRegistration<Value> {
    let registration: Registration<Value>

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
}
