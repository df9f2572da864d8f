extension AppContext {
    /// Loads modules.
    ///
    /// A module that is already loaded stays as it is. If anything fails, including the factory closure of an `.always`
    /// instance, none of the modules is loaded.
    ///
    /// - Parameters:
    ///   - modules: The modules, in lookup order.
    ///   - priority: Modules with a higher priority come first in lookup order. Modules of equal priority are in the
    ///     order in which they were loaded.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    /// - Throws: ``LocatorError`` if a module has invalid registrations, if its condition or its settings have a
    ///   malformed path, if an initializer of scope `.always` throws, or if the context has ended. The context is then as
    ///   it was before.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this context
    ///   runs.
    @discardableResult
    public func load(
        _ modules: Module..., priority: Priority = .normal, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try load(modules, priority: priority, fileID: fileID, line: line)
    }

    /// Loads a list of modules.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as the form that takes modules one by one.
    @discardableResult
    public func load(
        _ modules: [Module], priority: Priority = .normal, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        let location = SourcePlace(fileID: fileID, line: line)
        try core.checkMayChange("load", at: location)
        try core.load(modules, priority: priority, isPushed: false, location: location)
        return self
    }

    /// Unloads a module, and disposes of the instances that were made from it.
    ///
    /// - Throws: ``LocatorError/Kind/notLoaded(module:operation:)`` if the module was not loaded.
    ///   ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks failed; the module is unloaded even then.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this
    ///   context runs. ``LocatorError/Kind/contextGone`` if the context has ended.
    @discardableResult
    public func unload(
        _ module: Module, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        let location = SourcePlace(fileID: fileID, line: line)
        try core.checkMayChange("unload", at: location)
        guard let failures = core.unload(module) else { throw core.notLoaded(module, "unload", at: location) }
        try failures.check(at: location)
        return self
    }

    /// Unloads all modules, including pushed ones, and disposes of all instances.
    ///
    /// In a child, these are only the child's own modules and instances.
    ///
    /// - Throws: ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks failed; all instances are disposed of even
    ///   then. ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that
    ///   this context runs. ``LocatorError/Kind/contextGone`` if the context has ended.
    public func unloadAll(fileID: StaticString = #fileID, line: UInt = #line) throws(LocatorError) {
        let location = SourcePlace(fileID: fileID, line: line)
        try core.checkMayChange("unloadAll", at: location)
        let failures = core.reset() + core.removeAll()
        try failures.check(at: location)
    }

    /// Pushes modules, which come before all others of their priority until they are popped.
    ///
    /// Existing instances that the modules do not affect stay the identical objects. Affected instances are set aside,
    /// and the pop brings them back.
    ///
    /// ```swift
    /// let push = try context.push(fakes)
    /// defer { push.pop() }
    /// ```
    ///
    /// - Parameters:
    ///   - modules: The modules, in lookup order.
    ///   - priority: The priority. A pushed module comes before other modules of the same priority, and after those
    ///     with a higher priority.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    /// - Returns: The push. Its `pop()` pops exactly these modules.
    /// - Throws: ``LocatorError`` if a module has invalid registrations, if its condition or its settings have a
    ///   malformed path, if an initializer of scope `.always` throws, or if the context has ended. The context is then as
    ///   it was before.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this context
    ///   runs.
    @discardableResult
    public func push(
        _ modules: Module..., priority: Priority = .high, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Push {
        try push(modules, priority: priority, fileID: fileID, line: line)
    }

    /// Pushes a list of modules, which come before all others of their priority until they are popped.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as the form that takes modules one by one.
    @discardableResult
    public func push(
        _ modules: [Module], priority: Priority = .high, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Push {
        let location = SourcePlace(fileID: fileID, line: line)
        try core.checkMayChange("push", at: location)
        let sequences = try core.load(modules, priority: priority, isPushed: true, location: location)
        return Push(context: self, sequences: sequences)
    }

    /// Pops the modules of the last push.
    ///
    /// If there is no push, the program stops. If another push may have happened in between, or the push may have
    /// thrown an error, use ``Push/pop(fileID:line:)``.
    ///
    /// Errors of dispose hooks are ignored. ``pop(_:fileID:line:)`` throws them.
    public func pop(fileID: StaticString = #fileID, line: UInt = #line) {
        let core = core
        core.stopInFactoryClosure("pop", fileID, line)
        guard core.popLatest() != nil else {
            if core.isClosed { fatalError(core.goneError().description, file: fileID, line: line) }
            fatalError(
                "pop() without a push: nothing is pushed in this context\n  fix: pop once for each push", file: fileID,
                line: line)
        }
    }

    /// Pops the latest push of a module, wherever it is in the stack.
    ///
    /// - Throws: ``LocatorError/Kind/notLoaded(module:operation:)`` if the module was not pushed.
    ///   ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks failed; the module is popped even then.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this
    ///   context runs. ``LocatorError/Kind/contextGone`` if the context has ended.
    public func pop(
        _ module: Module, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) {
        let location = SourcePlace(fileID: fileID, line: line)
        try core.checkMayChange("pop", at: location)
        guard let failures = core.pop(module) else { throw core.notLoaded(module, "pop", at: location) }
        try failures.check(at: location)
    }

    /// Disposes of all instances.
    ///
    /// In a child, these are only the child's own instances. An instance that is being created is disposed of when its
    /// request ends. A `ConfigProperty` that was decoded from settings stays until they change.
    ///
    /// - Throws: ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks failed; all instances are disposed of even
    ///   then. ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that
    ///   this context runs. ``LocatorError/Kind/contextGone`` if the context has ended.
    public func reset(fileID: StaticString = #fileID, line: UInt = #line) throws(LocatorError) {
        let location = SourcePlace(fileID: fileID, line: line)
        try core.checkMayChange("reset", at: location)
        try core.reset().check(at: location)
    }

    /// Disposes of the instances of a scope, and of all shared instances made from them.
    ///
    /// A child that has not opened the scope also disposes of the instances of its parents, up to the context that has
    /// opened it, or to the outermost one. An instance that is being created is disposed of when its request ends.
    ///
    /// - Throws: ``LocatorError/Kind/nothingToReset(_:)`` if no loaded module uses the scope, and it was not opened.
    ///   ``LocatorError/Kind/notOpenToReset(_:)`` if the scope requires opening, and neither this context nor one above
    ///   it has opened it. ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks failed; all instances are disposed of
    ///   even then. ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder
    ///   that this context runs. ``LocatorError/Kind/contextGone`` if the context has ended.
    public func reset(
        _ scope: Scope, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) {
        let location = SourcePlace(fileID: fileID, line: line)
        try core.checkMayChange("reset", at: location)
        try core.locked { () throws(LocatorError) in try core.checkKnown(scope, at: location) }
        try core.reset(scope).check(at: location)
    }
}
