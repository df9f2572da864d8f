extension AppContext {
    /// Opens scopes while `body` runs: makes a child, makes it the current context, and ends it in every case.
    ///
    /// ```swift
    /// let response = try await server.within(.request, giving: info) { child in
    ///     try await child.resolve(Router.self).respond()
    /// }
    /// ```
    ///
    /// The child has ended when this returns, also where `body` threw or its task was cancelled, and even if somebody still
    /// keeps the child: its instances are disposed of, and asking it for anything is an error. What outlives the closure,
    /// such as a response body that is streamed later, needs
    /// `child` instead.
    ///
    /// An error of `body` is thrown before those of dispose hooks. Instances with asynchronous makers are not made by
    /// this: call `try await child.start()`.
    ///
    /// - Parameters:
    ///   - scopes: The scopes whose instances live in the child.
    ///   - values: The inputs without a qualifier.
    ///   - inputs: Inputs with a qualifier, or as another type.
    ///   - modules: Modules in front of all others; of several, the first is asked first.
    ///   - keepsSettings: Whether the child has one load of the properties for its whole life.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    ///   - body: What is done in the child.
    /// - Throws: The error of `body`. Otherwise ``LocatorError``, for the reasons for which `child` throws, or
    ///   ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks of the child failed.
    nonisolated(nonsending) public func within<each Value: Sendable, Result>(
        _ scopes: Scope..., giving values: repeat each Value, and inputs: Input..., pushing modules: Module...,
        keepsSettings: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: nonisolated(nonsending) (AppContext) async throws -> Result
    ) async throws -> Result {
        let child = try open(
            scopes, Input.list(repeat each values, and: inputs), pushing: modules, keepsSettings: keepsSettings,
            at: SourcePlace(fileID: fileID, line: line))
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await AppContext.withContext(child) { try await body(child) })
        } catch {
            result = .failure(error)
        }
        return try child.ended(with: result, SourcePlace(fileID: fileID, line: line))
    }

    /// Opens scopes while `body` runs: makes a child, makes it the current context, and ends it in every case.
    ///
    /// ```swift
    /// let page = try server.within(.request, giving: info) { child in try child.resolve(Page.self).text }
    /// ```
    ///
    /// It is like the asynchronous form.
    ///
    /// - Throws: The error of `body`. Otherwise ``LocatorError``, for the reasons for which `child` throws, or
    ///   ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks of the child failed.
    public func within<each Value: Sendable, Result>(
        _ scopes: Scope..., giving values: repeat each Value, and inputs: Input..., pushing modules: Module...,
        keepsSettings: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: (AppContext) throws -> Result
    ) throws -> Result {
        let child = try open(
            scopes, Input.list(repeat each values, and: inputs), pushing: modules, keepsSettings: keepsSettings,
            at: SourcePlace(fileID: fileID, line: line))
        let result = Swift.Result { try AppContext.withContext(child) { try body(child) } }
        return try child.ended(with: result, SourcePlace(fileID: fileID, line: line))
    }

    /// Ends the child, and gives what was done in it.
    private func ended<Result>(
        with result: Swift.Result<Result, any Error>, _ location: SourcePlace
    ) throws -> Result {
        let failures = core.close(isDropped: false)
        let value = try result.get()
        try failures.check(at: location)
        return value
    }
}
