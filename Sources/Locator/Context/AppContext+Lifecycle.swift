extension AppContext {
    /// Makes all instances with asynchronous factory closures, except those that other modules hide.
    ///
    /// Independent instances are made concurrently.
    ///
    /// If one fails, the others are canceled. The context keeps finished instances, and you can start it again.
    ///
    /// Concurrent calls run one after the other. If an instance of a child needs one that the parent's `start()` is
    /// making at the same time, the child waits for it.
    ///
    /// If a change of the context invalidates an instance while it is being made, its closure runs again.
    ///
    /// - Throws: ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an asynchronous factory closure of this
    ///   context, and ``LocatorError/Kind/circularDependency(_:)`` if starts of several contexts would wait for each other.
    ///   ``LocatorError/Kind/overtaken(_:times:)`` if changes invalidate an instance 5,000 times.
    ///   ``LocatorError/Kind/initializationFailed(_:_:)`` with the error of the first initializer or closure that
    ///   failed. ``LocatorError`` if an instance cannot be made for another reason, or if the context has ended.
    ///   `CancellationError` if the task is canceled.
    public func start() async throws {
        if core.isClosed { throw core.goneError() }
        core.locked { core.shutDownPlace = nil }
        try await core.start("start") { _ in true }
    }

    /// Runs the `.onShutdown` hooks and then disposes of all instances, in the reverse order of their creation.
    ///
    /// In a child, these are only the child's own instances.
    ///
    /// Instances that hooks make are also shut down. All hooks run, even if the calling task is canceled, and their
    /// errors are collected into one error.
    ///
    /// If a call of ``start()`` is still running, it continues, and the instances that it makes afterward stay in the
    /// context. To avoid this, cancel its task first, and wait for it.
    ///
    /// Concurrent calls run one after the other, so each hook runs once. A call inside a shutdown hook returns
    /// immediately, because the shutdown is already running. The same is true of a call that a running shutdown of this
    /// context waits for, through hooks of other contexts.
    ///
    /// You can still use the context. A later request creates a new instance, and ``start()`` creates the asynchronous
    /// ones.
    ///
    /// - Throws: ``LocatorError/Kind/hooksFailed(_:)`` with the errors of all hooks. All instances are disposed of even
    ///   then. ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an asynchronous factory closure of this
    ///   context. ``LocatorError/Kind/contextGone`` if the context has ended.
    public func shutdown(fileID: StaticString = #fileID, line: UInt = #line) async throws {
        let location = SourcePlace(fileID: fileID, line: line)
        try core.checkMayChange("shutdown", at: location)
        let failures = await Shutdown.run(of: core)
        core.locked { core.shutDownPlace = location }
        try failures.check(at: location)
    }

    /// Pushes modules while `body` runs, and always pops them afterward.
    ///
    /// Affected instances with asynchronous factory closures are made before `body` begins.
    ///
    /// ```swift
    /// try await context.pushing(fakes) {
    ///     try await checkout.pay()
    /// }
    /// ```
    ///
    /// An error of `body` takes precedence over those of dispose hooks.
    ///
    /// - Throws: The error of `body`. Otherwise ``LocatorError``, if a module cannot be loaded or prepared, or if
    ///   dispose hooks failed when the modules were popped.
    nonisolated(nonsending) public func pushing<Result, Failure: Error>(
        _ modules: Module..., priority: Priority = .high, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws -> Result {
        try await pushing(modules, priority: priority, fileID: fileID, line: line, body)
    }

    /// Pushes a list of modules while `body` runs, and always pops them afterward.
    ///
    /// - Throws: The same errors as the form that takes modules one by one.
    nonisolated(nonsending) public func pushing<Result, Failure: Error>(
        _ modules: [Module], priority: Priority = .high, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws -> Result {
        let (prepared, earlier) = (core.preparedSlots(), core.locked { core.state.lineup })
        let push = try push(modules, priority: priority, fileID: fileID, line: line)
        let result: Swift.Result<Result, any Error>
        do {
            let pushed = core.slotsAffected(by: modules, prepared, earlier)
            if !pushed.isEmpty { try await core.start("pushing") { pushed.contains(ObjectIdentifier($0)) } }
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        return try result.get(beforeThrowing: push.pop(fileID: fileID, line: line))
    }

    /// Pushes modules while `body` runs, and always pops them afterward.
    ///
    /// ```swift
    /// let total = try context.pushing(fakes) { try checkout.total() }
    /// ```
    ///
    /// This form does not make instances with asynchronous factory closures. The asynchronous form does.
    ///
    /// - Throws: The error of `body`. Otherwise ``LocatorError``, if a module cannot be loaded, or if dispose hooks
    ///   failed when the modules were popped.
    @_disfavoredOverload  // Asynchronous code gets the asynchronous form, whatever the closure does.
    public func pushing<Result, Failure: Error>(
        _ modules: Module..., priority: Priority = .high, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: () throws(Failure) -> Result
    ) throws -> Result {
        try pushing(modules, priority: priority, fileID: fileID, line: line, body)
    }

    /// Pushes a list of modules while `body` runs, and always pops them afterward.
    ///
    /// - Throws: The same errors as the form that takes modules one by one.
    @_disfavoredOverload
    public func pushing<Result, Failure: Error>(
        _ modules: [Module], priority: Priority = .high, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: () throws(Failure) -> Result
    ) throws -> Result {
        let push = try push(modules, priority: priority, fileID: fileID, line: line)
        let result = Swift.Result<Result, any Error> { try body() }
        return try result.get(beforeThrowing: push.pop(fileID: fileID, line: line))
    }
}
