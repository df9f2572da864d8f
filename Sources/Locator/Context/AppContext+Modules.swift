extension AppContext {
    /// Loads modules; of equal priority, the first is asked first.
    ///
    /// A module that is loaded already stays as it is. If anything fails, a maker of scope `.always` too, none of the
    /// modules is loaded.
    @discardableResult
    public func load(
        _ modules: Module..., priority: Priority = .normal, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try load(modules, priority: priority, fileID: fileID, line: line)
    }

    /// Loads a list of modules; of equal priority, the first is asked first.
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
    /// - Returns: The push, which takes off what it has pushed and nothing else.
    @discardableResult
    public func push(
        _ modules: Module..., priority: Priority = .high, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Push {
        try push(modules, priority: priority, fileID: fileID, line: line)
    }

    /// Puts a list of modules in front of those of their priority, until they are popped.
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
    public func pop(
        _ module: Module, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) {
        try core.checkMayChange("pop")
        let location = SourcePlace(fileID: fileID, line: line)
        guard let failures = core.pop(module) else { throw core.notLoaded(module, "pop", at: location) }
        try failures.check(at: location)
    }

    /// Drops all instances, and disposes of them.
    public func reset(fileID: StaticString = #fileID, line: UInt = #line) throws(LocatorError) {
        try core.checkMayChange("reset")
        try core.reset().check(at: SourcePlace(fileID: fileID, line: line))
    }

    /// Drops the instances of a scope, and every shared instance made from them, and disposes of them.
    ///
    /// A child that has not opened the scope drops those of the context that has. A scope that no loaded module names, and
    /// nobody has opened, is an error: its name is likely misspelled.
    public func reset(
        _ scope: Scope, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) {
        try core.checkMayChange("reset")
        let location = SourcePlace(fileID: fileID, line: line)
        try core.locked { () throws(LocatorError) in try core.checkKnown(scope, at: location) }
        try core.reset(scope).check(at: location)
    }
}
