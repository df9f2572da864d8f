internal import Synchronization
public import LocatorProperties

extension AppContext {
    /// Creates a fork: a snapshot with the same modules and settings, but with its own instances.
    ///
    /// Later changes of this context do not affect the fork, and the fork does not affect this context. Instances of
    /// scope `.always` are made on demand, except those of the pushed modules, and of modules that the pushed settings
    /// turn on. To make instances with asynchronous factory closures, call `try await fork.start()`. The fork shares
    /// instances from `register(instance:)` and everything that the closures of modules captured.
    ///
    /// A module that is pushed on this context counts as loaded in the fork: ``unload(_:fileID:line:)`` removes it, and
    /// `pop` does not.
    ///
    /// - Parameters:
    ///   - modules: The modules to push. The first one comes first in lookup order.
    ///   - profile: The profiles to load instead of the active ones.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    /// - Throws: ``LocatorError`` if the files of `profile` cannot be read, if a module in `modules` cannot be loaded,
    ///   for example because an initializer of scope `.always` throws, or if this context has ended.
    public func fork(
        pushing modules: Module..., profile: ProfileList? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        try fork(pushing: modules, profile: profile, fileID: fileID, line: line)
    }

    /// Creates a fork, and pushes a list of modules on it.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as the form that takes modules one by one.
    public func fork(
        pushing modules: [Module], profile: ProfileList? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        let location = SourcePlace(fileID: fileID, line: line)
        guard let origin = ForkOrigin.of(core) else { throw core.goneError(at: location) }
        let fork = AppContext(forking: origin)
        if !origin.observers.isEmpty { fork.core.locked { fork.core.add(origin.observers) } }
        if let watch = origin.watch?.ofForks { fork.core.locked { fork.core.watch = watch } }
        if let profile { try fork.core.reloadProperties(profiles: profile, makesAlways: false) }
        if !modules.isEmpty {
            try fork.core.load(modules, priority: .high, isPushed: true, isOnePush: false, location: location)
        }
        return fork
    }

    /// Creates a snapshot that no other code references.
    convenience init(snapshotOf core: ContextCore) {
        self.init(forking: core.locked { ForkOrigin(core) })
    }

    convenience init(forking origin: ForkOrigin) {
        self.init(
            ContextState(revision: ContextState.firstRevision, origin.lineup), level: origin.level, isFork: true,
            opened: origin.opened.scopes, inputs: origin.opened.inputs)
        // Relaxed suffices: no one else has the fork yet.
        core.family.hasInputs.store(origin.hasInputs, ordering: .relaxed)
    }
}

/// What a fork takes over.
///
/// The inputs come from all contexts that opened a scope.
struct ForkOrigin {
    fileprivate let lineup: Lineup
    fileprivate let level: Int
    fileprivate var opened: (scopes: [Scope], inputs: [Input]) = ([], [])
    fileprivate let hasInputs: Bool
    fileprivate var watch: AnswerWatch?
    fileprivate var observers: [Observer] = []

    /// What a fork of a context takes over; nil if the context has ended.
    fileprivate static func of(_ core: ContextCore) -> ForkOrigin? {
        if core.opened.isEmpty, !core.isObserved, core.family.recorderOfTask == nil,
            let lineup = core.lent({ $0.lineupOfForks.unmanaged })
        {
            return ForkOrigin(core, lending: lineup)
        }
        return core.locked { core.isClosed ? nil : ForkOrigin(core) }
    }

    /// The caller holds the lock.
    fileprivate init(_ core: ContextCore) {
        // An asynchronous factory closure that runs for settings that are being loaded forks these.
        self.init(core, lending: (core.preparedState ?? core.state).findLineupOfForks())
        opened = core.everythingOpened
        watch = core.watch
        observers = core.observers
    }

    /// What a fork takes over from a context that is not a child, has no watch or observers, and has opened no scopes.
    fileprivate init(_ core: ContextCore, lending lineup: Lineup) {
        self.lineup = lineup
        level = core.level
        // Relaxed suffices: it is set before a module that declares inputs gets into a lineup, and never reset.
        hasInputs = core.family.hasInputs.load(ordering: .relaxed)
    }
}
