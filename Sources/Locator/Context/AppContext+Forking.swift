public import LocatorProperties

extension AppContext {
    /// A snapshot with instances of its own: the same modules and properties, and these modules in front.
    ///
    /// Later changes of this context do not show in it, and nothing it makes shows here. Instances of scope `.always`
    /// are made on demand, but for those of the pushed modules; those with asynchronous makers need `try await
    /// fork.start()`. What `register(instance:)` was given, and what module closures captured, is shared.
    ///
    /// - Parameters:
    ///   - modules: Modules in front of all others; of several, the first is asked first.
    ///   - profile: Profiles to load the profile files for instead of the active ones.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    /// - Throws: ``LocatorError`` if the files of `profile` cannot be read, if a module in `modules` cannot be loaded,
    ///   for example because an initializer of scope `.always` throws, or if this context has ended.
    public func fork(
        pushing modules: Module..., profile: ProfileList? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try fork(pushing: modules, profile: profile, fileID: fileID, line: line)
    }

    /// A snapshot with instances of its own: the same modules and properties, and a list of modules in front.
    ///
    /// - Throws: ``LocatorError`` if the files of `profile` cannot be read, if a module in `modules` cannot be loaded,
    ///   for example because an initializer of scope `.always` throws, or if this context has ended.
    public func fork(
        pushing modules: [Module], profile: ProfileList? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        if core.isGone { throw core.goneError() }
        let fork = AppContext(forking: core)
        let watch = core.locked { core.watch }?.ofForks
        fork.core.locked { fork.core.watch = watch }
        if let profile { try fork.core.reloadProperties(profiles: profile, makesAlways: false) }
        for module in modules.reversed() {
            try fork.core.load(
                [module], priority: .high, isPushed: true, location: SourcePlace(fileID: fileID, line: line))
        }
        return fork
    }

    /// A snapshot, with the files that a child has from its outermost parent, and what was handed in to it.
    convenience init(forking core: ContextCore) {
        let (lineup, opened) = core.locked { (core.state.lineup.takenOverByFork, core.everythingOpened) }
        let root = core.outermost
        let (sources, reads, hasInputs) = root.locked { (root.sources, root.fileReads, root.family.hasInputs) }
        self.init(
            ContextState(revision: 0, lineup), level: core.level, sources: sources, isFork: true, opened: opened.scopes,
            inputs: opened.inputs)
        self.core.fileReads = reads
        self.core.family.hasInputs = hasInputs
    }
}
