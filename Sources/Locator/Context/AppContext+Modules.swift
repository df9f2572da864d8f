extension AppContext {
    /// Loads modules; of equal priority, the first is asked first.
    ///
    /// A module that is loaded already stays as it is. If anything fails, a maker of scope `.always` too, none of the
    /// modules is loaded.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - priority: Modules of a higher priority are asked first. Those of equal priority are asked in the order in
    ///     which they were loaded.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    /// - Throws: ``LocatorError`` if a module has invalid registrations, if its condition or its settings have a
    ///   malformed path, or if an initializer of scope `.always` throws. The context is then as it was before.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this context
    ///   runs.
    @discardableResult
    public func load(
        _ modules: Module..., priority: Priority = .normal, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try load(modules, priority: priority, fileID: fileID, line: line)
    }

    /// Loads a list of modules; of equal priority, the first is asked first.
    ///
    /// - Throws: ``LocatorError`` if a module has invalid registrations, if its condition or its settings have a
    ///   malformed path, or if an initializer of scope `.always` throws. The context is then as it was before.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this context
    ///   runs.
    @discardableResult
    public func load(
        _ modules: [Module], priority: Priority = .normal, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try core.checkMayChange("load")
        try core.load(
            modules, priority: priority, isPushed: false, location: SourcePlace(fileID: fileID, line: line))
        return self
    }

    /// Takes off a module that was loaded, and disposes of what was made from it.
    ///
    /// - Throws: ``LocatorError/Kind/notLoaded(module:operation:)`` if the module was not loaded.
    ///   ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks failed; the module is gone nevertheless.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this context
    ///   runs.
    @discardableResult
    public func unload(
        _ module: Module, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try core.checkMayChange("unload")
        let location = SourcePlace(fileID: fileID, line: line)
        guard let failures = core.unload(module) else { throw core.notLoaded(module, "unload", at: location) }
        try failures.check(at: location)
        return self
    }

    /// Takes off all modules, pushed ones too, and disposes of everything that was made.
    ///
    /// - Throws: ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks failed; everything is disposed of nevertheless.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this context
    ///   runs.
    public func unloadAll(fileID: StaticString = #fileID, line: UInt = #line) throws(LocatorError) {
        try core.checkMayChange("unloadAll")
        let failures = core.reset() + core.remove { _ in true }
        try failures.check(at: SourcePlace(fileID: fileID, line: line))
    }

    /// Puts modules in front of those of their priority, until they are popped; of several, the first is asked first.
    ///
    /// What was made and is not affected stays the identical object; what is affected is set aside, and brought back by
    /// the pop.
    ///
    /// ```swift
    /// let push = try context.push(fakes)
    /// defer { push.pop() }
    /// ```
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - priority: A pushed module stands in front of those of this priority, and behind those of a higher one.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    /// - Returns: The push, which takes off what it has pushed and nothing else.
    /// - Throws: ``LocatorError`` if a module has invalid registrations, if its condition or its settings have a
    ///   malformed path, or if an initializer of scope `.always` throws. The context is then as it was before.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this context
    ///   runs.
    @discardableResult
    public func push(
        _ modules: Module..., priority: Priority = .high, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Push {
        try push(modules, priority: priority, fileID: fileID, line: line)
    }

    /// Puts a list of modules in front of those of their priority, until they are popped.
    ///
    /// - Throws: ``LocatorError`` if a module has invalid registrations, if its condition or its settings have a
    ///   malformed path, or if an initializer of scope `.always` throws. The context is then as it was before.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this context
    ///   runs.
    @discardableResult
    public func push(
        _ modules: [Module], priority: Priority = .high, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Push {
        try core.checkMayChange("push")
        let sequences = try core.load(
            modules, priority: priority, isPushed: true, location: SourcePlace(fileID: fileID, line: line))
        return Push(context: self, sequences: sequences)
    }

    /// Takes off what was pushed last, all modules of that push.
    ///
    /// Without a push, the program stops. Where another push may have come in between, or where the push may have thrown,
    /// use ``Push/pop(fileID:line:)``.
    ///
    /// What dispose hooks throw is dropped: ``pop(_:fileID:line:)`` throws it.
    public func pop(fileID: StaticString = #fileID, line: UInt = #line) {
        core.stopUnlessMayPop(fileID, line)
        guard core.popLatest() != nil else {
            fatalError(
                "pop() without a push: nothing is pushed in this context\n  fix: pop once for each push", file: fileID,
                line: line)
        }
    }

    /// Takes off the latest push of a module, wherever it is in the stack.
    ///
    /// - Throws: ``LocatorError/Kind/notLoaded(module:operation:)`` if the module was not pushed.
    ///   ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks failed; the push is gone nevertheless.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this context
    ///   runs.
    public func pop(
        _ module: Module, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) {
        try core.checkMayChange("pop")
        let location = SourcePlace(fileID: fileID, line: line)
        guard let failures = core.pop(module) else { throw core.notLoaded(module, "pop", at: location) }
        try failures.check(at: location)
    }

    /// Drops all instances, and disposes of them.
    ///
    /// - Throws: ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks failed; everything is disposed of nevertheless.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this context
    ///   runs.
    public func reset(fileID: StaticString = #fileID, line: UInt = #line) throws(LocatorError) {
        try core.checkMayChange("reset")
        try core.reset().check(at: SourcePlace(fileID: fileID, line: line))
    }

    /// Drops the instances of a scope, and every shared instance made from them, and disposes of them.
    ///
    /// A child that has not opened the scope drops those of the context that has.
    ///
    /// - Throws: ``LocatorError/Kind/nothingToReset(_:)`` if no loaded module names the scope, and nobody has opened it:
    ///   its name is likely misspelled.
    ///   ``LocatorError/Kind/hooksFailed(_:)`` if dispose hooks failed; everything is disposed of nevertheless.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this context
    ///   runs.
    public func reset(
        _ scope: Scope, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) {
        try core.checkMayChange("reset")
        let location = SourcePlace(fileID: fileID, line: line)
        try core.locked { () throws(LocatorError) in try core.checkKnown(scope, at: location) }
        try core.reset(scope).check(at: location)
    }
}
