extension AppContext {
    /// Opens scopes while `body` runs, in a child that is the current context.
    ///
    /// The child always ends with the closure.
    ///
    /// ```swift
    /// let response = try await server.within(.request, giving: info) { child in
    ///     try await child.resolve(Router.self).respond()
    /// }
    /// ```
    ///
    /// When this function returns, the child has ended, even if `body` threw an error, its task was canceled, or the
    /// child is still referenced. Its instances have been disposed of, and every request to it is an error. For
    /// anything that outlives the closure, such as a response body that is streamed later, use `child` instead. If
    /// another thread changes a parent at the same moment and the change ends an instance of the child, that thread
    /// disposes of the instance, possibly after this function has returned. If the function is called inside a factory
    /// closure of this context, a parent, or a child, the instances are disposed of when the request that runs the
    /// closure has ended. Off the main actor, dispose hooks that need the main actor run later.
    ///
    /// An error of `body` takes precedence over those of dispose hooks. This function does not make instances with
    /// asynchronous factory closures. Call `try await child.start()`.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to open. Their instances live in the child.
    ///   - values: The inputs without a qualifier.
    ///   - inputs: Inputs with a qualifier, or with another type.
    ///   - modules: The modules to push. The first one comes first in lookup order.
    ///   - keepsSettings: Whether the child keeps the settings that were loaded when it was created.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    ///   - body: The closure to run in the child.
    /// - Throws: The error of `body`. Otherwise ``LocatorError``, for the reasons for which `child` throws, or
    ///   ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks of the child failed.
    nonisolated(nonsending) public func within<each Value: Sendable, Result, Failure: Error>(
        _ scopes: Scope..., giving values: repeat each Value, and inputs: Input..., pushing modules: Module...,
        keepsSettings: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: nonisolated(nonsending) (AppContext) async throws(Failure) -> Result
    ) async throws -> Result {
        let location = SourcePlace(fileID: fileID, line: line)
        let child = try open(
            scopes, Input.list(repeat each values, and: inputs), pushing: modules, keepsSettings: keepsSettings,
            at: location)
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await AppContext.withContext(child) { try await body(child) })
        } catch {
            result = .failure(error)
        }
        return try result.get(beforeThrowing: child.core.close(isDropped: false).error(at: location))
    }

    /// Opens scopes while `body` runs, in a child that is the current context.
    ///
    /// The child always ends with the closure.
    ///
    /// ```swift
    /// let page = try server.within(.request, giving: info) { child in try child.resolve(Page.self).text }
    /// ```
    ///
    /// See the asynchronous form.
    ///
    /// - Throws: The error of `body`. Otherwise ``LocatorError``, for the reasons for which `child` throws, or
    ///   ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks of the child failed.
    public func within<each Value: Sendable, Result, Failure: Error>(
        _ scopes: Scope..., giving values: repeat each Value, and inputs: Input..., pushing modules: Module...,
        keepsSettings: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: (AppContext) throws(Failure) -> Result
    ) throws -> Result {
        let location = SourcePlace(fileID: fileID, line: line)
        let child = try open(
            scopes, Input.list(repeat each values, and: inputs), pushing: modules, keepsSettings: keepsSettings,
            at: location)
        let result = Swift.Result<Result, any Error> { try AppContext.withContext(child) { try body(child) } }
        return try result.get(beforeThrowing: child.core.close(isDropped: false).error(at: location))
    }
}
