extension AppContext {
    /// Loads modules; of equal priority, the first is asked first.
    ///
    /// A module that is loaded already stays as it is. If anything fails, a maker of scope `.always` too, none of the
    /// modules is loaded.
    @discardableResult
    public func load(
        _ modules: Module..., priority: Priority = .normal, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try core.checkMayChange("load")
        try core.load(
            modules, priority: priority, isPushed: false, location: SourceLocation(fileID: fileID, line: line))
        return self
    }

    /// Takes off a module that was loaded, and disposes of what was made from it.
    @discardableResult
    public func unload(_ module: Module) throws(LocatorError) -> AppContext {
        try core.checkMayChange("unload")
        guard let errors = core.unload(module) else {
            throw LocatorError(.notLoaded(module: module.name, operation: "unload"))
        }
        if !errors.isEmpty { throw LocatorError(.hooksFailed(errors)) }
        return self
    }

    /// Takes off all modules, pushed ones too, and disposes of everything that was made.
    public func unloadAll() throws(LocatorError) {
        try core.checkMayChange("unloadAll")
        let errors = core.reset() + core.remove { _ in true }
        if !errors.isEmpty { throw LocatorError(.hooksFailed(errors)) }
    }

    /// Puts a module in front of those of its priority, until it is popped.
    ///
    /// What was made and is not affected stays the identical object; what is affected is set aside, and brought back by
    /// the pop.
    ///
    /// ```swift
    /// try context.push(fakes)
    /// defer { context.pop() }
    /// ```
    @discardableResult
    public func push(
        _ module: Module, priority: Priority = .high, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try core.checkMayChange("push")
        try core.load(
            [module], priority: priority, isPushed: true, location: SourceLocation(fileID: fileID, line: line))
        return self
    }

    /// Takes off what was pushed last.
    ///
    /// Without a push, the program stops.
    ///
    /// What dispose hooks throw is dropped: ``pop(_:)`` throws it.
    public func pop() {
        do throws(LocatorError) {
            try core.checkMayChange("pop")
        } catch {
            fatalError(error.description)
        }
        guard core.pop(nil) != nil else {
            fatalError("pop() without a push: nothing is pushed in this context\n  mend: pop once for each push")
        }
    }

    /// Takes off the latest push of a module, wherever it is in the stack.
    public func pop(_ module: Module) throws(LocatorError) {
        try core.checkMayChange("pop")
        guard let errors = core.pop(module) else {
            throw LocatorError(.notLoaded(module: module.name, operation: "pop"))
        }
        if !errors.isEmpty { throw LocatorError(.hooksFailed(errors)) }
    }

    /// Drops all instances, and disposes of them.
    public func reset() throws(LocatorError) {
        try core.checkMayChange("reset")
        let errors = core.reset()
        if !errors.isEmpty { throw LocatorError(.hooksFailed(errors)) }
    }

    /// Drops the instances of a scope, and every shared instance made from them, and disposes of them.
    ///
    /// A child that has not opened the scope drops those of the context that has.
    public func reset(_ scope: Scope) throws(LocatorError) {
        try core.checkMayChange("reset")
        let errors = core.reset(scope)
        if !errors.isEmpty { throw LocatorError(.hooksFailed(errors)) }
    }
}
