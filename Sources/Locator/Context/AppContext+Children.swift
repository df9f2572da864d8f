internal import Synchronization

extension AppContext {
    /// Creates a child context, which shares the instances of this context and owns those of the scopes that it opens.
    ///
    /// The child makes its own instances of everything that the pushed modules affect. If a shared instance of this
    /// context resolves a dependency later, such as through a ``Provider``, the dependency comes from this context.
    ///
    /// Use a child for each request of a server. The child follows later changes of this context. When the child ends,
    /// it disposes of its own instances.
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
    /// The child ends when its last reference is released. To open a child that ends with a closure, use `within`.
    ///
    /// The static type of an instance decides which input it is: `giving: Fixed()` is a `Fixed`, not an `any Clock`.
    /// Pass each input of the opened scopes once, unless another module replaces it.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to open. Their instances live in the child. Each scope must be used by a registration.
    ///   - values: The inputs without a qualifier.
    ///   - inputs: Inputs with a qualifier, or with another type.
    ///   - modules: The modules to push. The first one comes first in lookup order.
    ///   - keepsSettings: Whether the child keeps the profile files and variables that were loaded when it was created.
    ///     All settings that are read in it then belong to the same load, even after the context reloads. See
    ///     <doc:Reloading>.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    /// - Throws: ``LocatorError`` if a scope cannot be opened, if no loaded registration uses it, if the inputs do not
    ///   match those that the scopes declare, if a module in `modules` cannot be loaded, or if this context has ended.
    ///   In these cases, no child is created.
    @inlinable
    public func child<each Value: Sendable>(
        opening scopes: Scope..., giving values: repeat each Value, and inputs: Input..., pushing modules: Module...,
        keepsSettings: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try open(
            scopes, Input.list(repeat each values, and: inputs), pushing: modules, keepsSettings: keepsSettings,
            at: SourcePlace(fileID: fileID, line: line))
    }

    /// Creates a child context with a list of modules.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as the form that takes modules one by one.
    @inlinable
    public func child<each Value: Sendable>(
        opening scopes: Scope..., giving values: repeat each Value, and inputs: Input..., pushing modules: [Module],
        keepsSettings: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try open(
            scopes, Input.list(repeat each values, and: inputs), pushing: modules, keepsSettings: keepsSettings,
            at: SourcePlace(fileID: fileID, line: line))
    }

    /// Creates a child.
    @usableFromInline
    func open(
        _ scopes: [Scope], _ inputs: [Input], pushing modules: [Module], keepsSettings: Bool,
        at location: SourcePlace
    ) throws(LocatorError) -> AppContext {
        for scope in scopes where scope.isLasting {
            throw LocatorError(.scopeNotOpenable(scope), request: .opening(at: location))
        }
        let (child, childCore, isSound) = try newChild(scopes, inputs, keepsSettings: keepsSettings, at: location)
        var rest = modules[...]
        var prepared: IdentityTable<LoadedModule> = [:]
        while isSound, let module = rest.last, try childCore.pushLean(module, at: location, &prepared) {
            rest.removeLast()
        }
        if !rest.isEmpty {
            // Together, because an `.always` instance of one module may need another module.
            try childCore.load(
                Array(rest), priority: .high, isPushed: true, isOnePush: false, location: location, prepared: prepared)
        }
        // Relaxed suffices: nobody else has the child. What a lean child pushes declares no inputs.
        if isSound, modules.isEmpty || childCore.isLean.load(ordering: .relaxed) { return child }
        // Without modules, this throws, unless the context has just changed or there are more than 64 inputs.
        try childCore.locked { () throws(LocatorError) in try childCore.checkOpening(scopes, inputs, location) }
        return child
    }

    /// Creates a child that only has the passed inputs, and returns whether these match the declared ones.
    private func newChild(
        _ scopes: [Scope], _ inputs: [Input], keepsSettings: Bool, at location: SourcePlace
    ) throws(LocatorError) -> (child: AppContext, core: ChildCore, isSound: Bool) {
        // Without the lock, if it is not needed.
        if !keepsSettings, let state = core.lent({ .passUnretained($0) }), let openings = state.openings.unmanaged,
            openings._withUnsafeGuaranteedRef({ $0.has(scopes) })
        {
            let childCore = ChildCore(childOf: self, state: consume state, opened: scopes, inputs: inputs)
            // The child keeps the state, which keeps the openings. A change lends its state before it has settled what
            // it touches. No child can begin with that state here, because openings are found with the lock held, after
            // the change has ended.
            let isSound = openings._withUnsafeGuaranteedRef { openings in
                core.handIn(inputs, to: childCore) { openings.known($0) }
            }
            return (AppContext(child: childCore), childCore, isSound)
        }
        return try core.locked { () throws(LocatorError) in
            if core.isClosed { throw core.goneError(at: location) }
            let childCore = ChildCore(childOf: self, state: core.state, opened: scopes, inputs: inputs)
            let child = AppContext(child: childCore)
            childCore.watch = core.watch
            if keepsSettings { childCore.keptLoad = core.beginKeepingLoad() }
            core.findOpenings()
            let isSound = core.handIn(inputs, to: childCore) { core.opening(of: $0) }
            // A parent that is a child cannot tell later what it has lent, and the watch of a strict test has to be
            // notified.
            if core.isChild || core.watch != nil { childCore.becomeFull() }
            if core.isChild { core.children.insert(childCore) }
            childCore.followKeptLoad()
            return (child, childCore, isSound)
        }
    }
}
