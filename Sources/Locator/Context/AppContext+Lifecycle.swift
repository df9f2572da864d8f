extension AppContext {
    /// Makes every instance that has an asynchronous maker and answers for its key; independent ones at the same time.
    ///
    /// If one fails the others are cancelled; what was made stays, and the context can be started again.
    public func start() async throws {
        if core.isGone { throw core.goneError() }
        try await core.start { _ in true }
    }

    /// Runs the `.onShutdown` hooks and then disposes of everything, in reverse order of making.
    ///
    /// Instances that hooks make are shut down too. What hooks throw is collected into one error; none is skipped.
    public func shutdown() async throws {
        try core.checkMayChange("shutdown")
        let errors = await core.shutDown()
        if !errors.isEmpty { throw LocatorError(.hooksFailed(errors)) }
    }

    /// Pushes a module while `body` runs, and pops it in every case.
    ///
    /// Affected instances with asynchronous makers are made before `body` begins.
    ///
    /// ```swift
    /// try await context.pushing(fakes) {
    ///     try await checkout.pay()
    /// }
    /// ```
    nonisolated(nonsending) public func pushing<Result>(
        _ module: Module, priority: Priority = .high, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        let prepared = core.preparedSlots
        try push(module, priority: priority, fileID: fileID, line: line)
        let result: Swift.Result<Result, any Error>
        do {
            let pushed = core.slotsAffected(by: module, prepared)
            if !pushed.isEmpty { try await core.start { pushed.contains(ObjectIdentifier($0)) } }
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        try pop(module)
        return try result.get()
    }
}
