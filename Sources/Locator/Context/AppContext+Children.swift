internal import Synchronization

extension AppContext {
    /// A context that shares every instance of this one which its modules do not affect, and owns the instances of the
    /// scopes it opens.
    ///
    /// It is what a server needs for each request. It disposes of its own instances when it ends, and follows later
    /// changes of this context.
    ///
    /// ```swift
    /// extension Scope {
    ///     static let request = Scope("request", requiresOpening: true)
    /// }
    ///
    /// registry.input(RequestInfo.self, scope: .request)
    ///
    /// let child = try server.child(opening: .request, giving: info)
    /// ```
    ///
    /// The child ends when nobody keeps it; `within` opens one that ends with a
    /// closure.
    ///
    /// The compiler's type of an instance decides which input it is: `giving: Fixed()` is a `Fixed`, not an `any Clock`.
    /// Each input of the opened scopes has to be handed in once, unless another module answers it.
    ///
    /// - Parameters:
    ///   - scopes: The scopes whose instances live in the child; registrations have to name them.
    ///   - values: The inputs without a qualifier.
    ///   - inputs: Inputs with a qualifier, or as another type.
    ///   - modules: Modules in front of all others; of several, the first is asked first.
    ///   - keepsSettings: Whether the child has one load of the profile files and variables for its whole life, that of
    ///     its beginning. Then two settings that are read in it belong together, though the context loads others in
    ///     between. See <doc:Reloading>.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    /// - Throws: ``LocatorError`` if a scope cannot be opened, if no loaded registration names it, if the inputs are
    ///   not those that are declared for it, or if a module in `modules` cannot be loaded. No child is left behind.
    @inlinable
    public func child<each Value: Sendable>(
        opening scopes: Scope..., giving values: repeat each Value, and inputs: Input..., pushing modules: Module...,
        keepsSettings: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try open(
            scopes, Input.list(repeat each values, and: inputs), pushing: modules, keepsSettings: keepsSettings,
            at: SourcePlace(fileID: fileID, line: line))
    }

    /// A context that shares every instance of this one which its modules, given as a list, do not affect, and owns the
    /// instances of the scopes it opens.
    ///
    /// - Throws: ``LocatorError`` if a scope cannot be opened, if no loaded registration names it, if the inputs are
    ///   not those that are declared for it, or if a module in `modules` cannot be loaded. No child is left behind.
    @inlinable
    public func child<each Value: Sendable>(
        opening scopes: Scope..., giving values: repeat each Value, and inputs: Input..., pushing modules: [Module],
        keepsSettings: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try open(
            scopes, Input.list(repeat each values, and: inputs), pushing: modules, keepsSettings: keepsSettings,
            at: SourcePlace(fileID: fileID, line: line))
    }

    /// Makes a child.
    @usableFromInline
    func open(
        _ scopes: [Scope], _ inputs: [Input], pushing modules: [Module], keepsSettings: Bool,
        at location: SourcePlace
    ) throws(LocatorError) -> AppContext {
        for scope in scopes where scope.isLasting {
            throw LocatorError(.scopeNotOpenable(scope), request: .opening(at: location))
        }
        let (child, isSound) = try newChild(scopes, inputs, keepsSettings: keepsSettings)
        if modules.isEmpty {
            if isSound { return child }
            // It throws, unless the context has changed just now; then this child is not what it should be.
            try core.locked { () throws(LocatorError) in try core.checkOpening(scopes, inputs, location) }
            return try open(scopes, inputs, pushing: modules, keepsSettings: keepsSettings, at: location)
        }
        for module in modules.reversed() {
            var prepared: IdentityTable<LoadedModule> = [:]
            if isSound {
                guard case .refused(let loaded) = try child.core.pushLean(module, at: location) else { continue }
                if let loaded { prepared[module.identity] = loaded }
            }
            try child.core.load(
                [module], priority: .high, isPushed: true, location: location, prepared: prepared)
        }
        // Relaxed suffices: nobody else has the child. What it pushes declares no inputs.
        if child.core.isLean.load(ordering: .relaxed) { return child }
        try child.core.locked { () throws(LocatorError) in
            let lineup = child.core.state.lineup
            // Most modules that are pushed declare nothing: then what the parent's modules declare is all there is, as
            // long as a push does not turn some of these on or off.
            let pushed = modules.compactMap { lineup.known($0.identity) }.flatMap(lineup.reached)
            if isSound, pushed.allSatisfy(\.inputs.isEmpty),
                !lineup.hasConditions || inputs.isEmpty && core.findOpenings().offer(scopes)
            {
                return
            }
            try child.core.checkOpening(scopes, inputs, location)
        }
        return child
    }

    /// A child that has nothing of its own yet, but for what was handed in, and whether that is what is declared.
    private func newChild(
        _ scopes: [Scope], _ inputs: [Input], keepsSettings: Bool
    ) throws(LocatorError) -> (child: AppContext, isSound: Bool) {
        if !keepsSettings, let state = core.stateToLend, let openings = state.openings {
            let child = AppContext(parent: self, opened: scopes, inputs: inputs, state: state)
            // The child keeps the state, which keeps them.
            let isSound = openings._withUnsafeGuaranteedRef { core.handIn(inputs, to: child.core, $0) }
            return (child, isSound)
        }
        return try core.locked { () throws(LocatorError) in
            if core.isClosed { throw core.goneError() }
            let child = AppContext(parent: self, opened: scopes, inputs: inputs, state: core.state)
            child.core.watch = core.watch
            if keepsSettings { child.core.keptLoad = core.beginKeepingLoad() }
            let isSound = core.handIn(inputs, to: child.core, core.findOpenings())
            // Only a parent without parents of its own can tell later what it has lent. And who watches has to be told.
            if core.isChild || core.watch != nil { child.core.becomeFull() }
            if core.isChild { core.children.insert(child.core) }
            child.core.followKeptLoad()
            return (child, isSound)
        }
    }
}
