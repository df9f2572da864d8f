internal import LocatorProperties
internal import Synchronization

/// Loading, pushing, and removing modules.
extension ContextCore {
    /// Throws if the context must not change: inside one of its factory closures, or after its end.
    func checkMayChange(_ operation: String, at location: SourcePlace? = nil) throws(LocatorError) {
        try checkIsOutsideMakings(operation)
        if isClosed { throw goneError(at: location) }
    }

    private func checkIsOutsideMakings(_ operation: String) throws(LocatorError) {
        let thread = ThreadRecord.Unretained.current(threadKey)
        if thread._withUnsafeGuaranteedRef({ $0.isMaking(in: self) }) {
            throw LocatorError(.changeDuringInitialization(operation), thread: thread.takeUnretainedValue())
        }
        try checkIsOutsideClosures(operation)
    }

    /// Throws inside an asynchronous factory closure of this context that has not returned, and in the tasks inside of it.
    func checkIsOutsideClosures(_ operation: String) throws(LocatorError) {
        // Relaxed suffices: see `isUnrecorded`.
        if family.recordCount.load(ordering: .relaxed) == 0 { return }
        try AsyncStep.checkIsOutsideClosures(of: self, operation)
    }

    /// Loads or pushes modules, and then makes their `.always` instances.
    ///
    /// If that fails, the modules are removed again.
    ///
    /// `prepared` contains modules whose closures have already run for this context.
    ///
    /// With `isOnePush`, `pop()` pops all of them.
    ///
    /// Returns the numbers of the added roots, or nil if there are none.
    @discardableResult
    func load(
        _ modules: [Module], priority: Priority, isPushed: Bool, isOnePush: Bool = true, location: SourcePlace,
        prepared: IdentityTable<LoadedModule> = [:]
    ) throws(LocatorError) -> ClosedRange<UInt>? {
        let added = try add(
            modules, prepared, priority: priority, isPushed: isPushed, isOnePush: isOnePush, location: location)
        guard let added else { return nil }
        do throws(LocatorError) {
            for module in added.modules {
                try makeAlways(of: module, location: location)
            }
        } catch {
            takeBack(added)
            throw error
        }
        if isPushed { TestUse.current?.notePush(added.sequences, on: self) }
        for module in added.roots {
            tell(isPushed ? .pushed(module, priority, location) : .loaded(module, priority, location))
        }
        return added.sequences
    }

    /// Pushes the modules of the test trait, and makes their `.always` instances, on the main actor if they need it.
    func pushForTest(
        _ modules: [Module], _ prepared: IdentityTable<LoadedModule>
    ) async throws(LocatorError) {
        let location = SourcePlace(fileID: "the test trait", line: 0)
        let added = try add(
            modules, prepared, priority: .high, isPushed: true, isOnePush: false, location: location)
        guard let added else { return }
        do throws(LocatorError) {
            for module in added.modules {
                try await makeAlwaysAnywhere(of: module, location: location)
            }
        } catch {
            takeBack(added)
            throw error
        }
    }

    /// Runs the closures of modules that are not known yet, and adds the modules.
    ///
    /// Returns nil if there is nothing to add.
    private func add(
        _ modules: [Module], _ prepared: IdentityTable<LoadedModule>, priority: Priority, isPushed: Bool,
        isOnePush: Bool, location: SourcePlace
    ) throws(LocatorError) -> Added? {
        var prepared = prepared
        var outcome = Outcome.incomplete
        while case .incomplete = outcome {
            try prepare(modules, &prepared)
            askSelections(of: modules, prepared, at: priority)
            outcome = locked {
                place(
                    modules, prepared, priority: priority, isPushed: isPushed, isOnePush: isOnePush, location: location)
            }
        }
        guard case .complete(let added?) = outcome else { return nil }
        dispose(of: added.gone)
        return added
    }

    /// Removes the added modules again, because their `.always` instances could not be made.
    private func takeBack(_ added: Added) {
        let removed = locked {
            remove(ownRoots(in: state.lineup).filter { added.sequences.contains($0.sequence) })
        }
        // Errors of dispose hooks matter less than the error that is thrown.
        dispose(of: removed.gone)
    }

    private enum Outcome {
        /// More modules have to be prepared.
        case incomplete
        /// Nil if there was nothing to add.
        case complete(Added?)
    }

    /// What a load has added.
    private struct Added {
        let sequences: ClosedRange<UInt>
        /// The modules that have come into force, if some of them may have `.always` instances.
        let modules: [LoadedModule]
        /// The modules that were newly loaded or pushed, if the context is observed.
        let roots: [Module]
        /// The instances that ended because a module has moved to another place.
        let gone: [Instance]
    }

    /// Runs the closures of the modules that the context does not know, and of the modules that these include.
    ///
    /// No lock is held.
    func prepare(_ modules: [Module], _ prepared: inout IdentityTable<LoadedModule>) throws(LocatorError) {
        var includers = IdentitySet()
        for module in modules {
            var open = try prepare(module, &prepared, &includers)
            while let next = open.popLast() { open += try prepare(next, &prepared, &includers) }
        }
    }

    /// Runs a module's closure if the context does not know the module, and returns the modules that it includes, the
    /// last one first, unless they were returned before.
    private func prepare(
        _ module: Module, _ prepared: inout IdentityTable<LoadedModule>, _ includers: inout IdentitySet
    ) throws(LocatorError) -> [Module] {
        let identity = module.identity
        let known = locked { state.lineup.known(identity) }
        let included: [Module]
        if let loaded = known ?? prepared[identity] {
            included = loaded.included
        } else {
            let loaded = try Self.load(module)
            included = loaded.included
            prepared[identity] = loaded
        }
        // Modules may include each other.
        return included.isEmpty || !includers.insert(identity).inserted ? [] : included.reversed()
    }

    /// Runs a module's closure.
    ///
    /// The caller holds no lock.
    static func load(_ module: Module) throws(LocatorError) -> LoadedModule {
        if module.name.utf8.allSatisfy({ $0 <= 0x20 }) { throw LocatorError(.unnamedModule, at: module.location) }
        let registry = Registry(module)
        defer { registry.drop() }
        registry.run()
        if !registry.problems.isEmpty { throw LocatorError(.invalidRegistrations(registry.problems)) }
        return try LocatorError.wrapping { () throws(PropertiesError) in try LoadedModule(registry) }
    }

    /// Adds roots for the modules.
    ///
    /// The caller holds the lock.
    private func place(
        _ modules: [Module], _ prepared: IdentityTable<LoadedModule>, priority: Priority, isPushed: Bool,
        isOnePush: Bool, location: SourcePlace
    ) -> Outcome {
        var isComplete = true
        var lineup = state.lineup
        var addedRoots: [Module] = []
        let first = family.rootCount + 1
        var last = family.rootCount
        for index in modules.indices {
            // The latest push comes first in lookup order.
            let module = modules[isPushed ? modules.count - 1 - index : index]
            let known = lineup.find(module.identity)
            if !isPushed, known?.isLoaded ?? false { continue }
            guard let loaded = known?.loaded ?? prepared[module.identity] else { return .incomplete }
            last += 1
            let root = Lineup.Root(
                loaded: consume loaded, priority: priority, isPushed: isPushed, level: level, sequence: last,
                first: isOnePush ? first : last, location: location)
            lineup = lineup.adding(consume root) { included in
                let found = prepared[included]
                if found == nil { isComplete = false }
                return found
            }
            if isObserved { addedRoots.append(module) }
        }
        guard isComplete else { return .incomplete }
        guard last >= first else { return .complete(nil) }
        family.rootCount = last
        var mayMake = lineup.hasConditions
        for loaded in prepared.values {
            // Relaxed suffices: code that finds the module in a lineup has this lock, or took a state that was lent
            // after this.
            if !loaded.inputs.isEmpty { family.hasInputs.store(true, ordering: .relaxed) }
            if !loaded.always.isEmpty { mayMake = true }
        }
        let before = mayMake ? state.lineup : nil
        let gone = apply(newState(consume lineup))
        return .complete(
            Added(
                sequences: first...last, modules: before.map { state.lineup.modulesInForce(butNotIn: $0) } ?? [],
                roots: addedRoots, gone: gone))
    }

    /// The state after the current one, with another lineup.
    ///
    /// The caller holds the lock.
    func newState(_ lineup: consuming Lineup) -> ContextState {
        family.revision += 1
        return ContextState(revision: family.revision, lineup, above: parentCore?.state)
    }

    /// Makes the `.always` instances of a module that has come into force.
    func makeAlways(of module: LoadedModule, location: SourcePlace) throws(LocatorError) {
        for record in module.always { try makeAlways(record, of: module, location: location) }
    }

    /// Makes the `.always` instances of a module that has come into force.
    ///
    /// Those that need the main actor are made there.
    func makeAlwaysAnywhere(of module: LoadedModule, location: SourcePlace) async throws(LocatorError) {
        for record in module.always {
            do throws(LocatorError) {
                try makeAlways(record, of: module, location: location)
            } catch {
                // Any part of the instance may need the main actor. What was made before the error is kept or is not
                // used.
                guard error.isOfAnotherActor, !MainActorCheck.isOnMainActor else { throw error }
                let result = await MainActor.run {
                    Result { () throws(LocatorError) in try makeAlways(record, of: module, location: location) }
                }
                try result.get()
            }
        }
    }

    private func makeAlways(
        _ record: RegistrationRecord, of module: LoadedModule, location: SourcePlace
    ) throws(LocatorError) {
        let request = Request(key: record.key, location: location)
        do throws(LocatorError) {
            try inSession(request) { (session, thread) throws(LocatorError) in
                let slot = locked { () -> Slot? in
                    guard let entry = session.state.lineup.entry(of: module) else { return nil }
                    return decoratedSlot(of: record, in: entry, session.state)
                }
                // Another thread may have removed the module already.
                guard let slot else { return }
                _ = try session.obtain(slot, request, on: thread)
            }
        } catch {
            if case .notStarted = error.kind {
                throw error.noting(["\(record.key) has scope .always: it is made at load, before start() can run"])
            }
            if case .missing(let key) = error.kind, error.betterFix == nil, error.notes.isEmpty {
                throw error.noting(
                    ["\(record.key) has scope .always: it is made when its module is loaded"],
                    betterFix: Fix.loadingFirst(key))
            }
            if !error.isOfAnotherActor { throw error }
            throw error.noting([
                "\(record.key) has scope .always: it is made when its module is loaded or a reload turns it on; do that on the "
                    + "main actor, or reload with reloadAndStart()"
            ])
        }
    }

    /// Removes everything that was loaded or pushed here, and returns the errors of dispose hooks.
    func removeAll() -> [HookFailure] { removeRoots(ownRoots) ?? [] }

    /// The roots and instances that were removed.
    private struct Removed {
        /// The modules of the removed roots, and whether they were pushed, if the context is observed.
        var roots: [(module: Module, isPushed: Bool)] = []
        var gone: [Instance] = []
    }

    /// Removes the roots that `choose` returns with the lock held, and disposes of the instances that this ends.
    ///
    /// Returns nil if `choose` returns nil.
    private func removeRoots(_ choose: (Lineup) -> [Lineup.Root]?) -> [HookFailure]? {
        guard let removed = locked({ choose(state.lineup).map { remove($0) } }) else { return nil }
        let errors = dispose(of: removed.gone)
        for root in removed.roots { tell(root.isPushed ? .popped(root.module) : .unloaded(root.module)) }
        return errors
    }

    /// Removes roots, latest first, and the modules that no root names or includes any longer.
    ///
    /// The caller holds the lock.
    private func remove(_ roots: [Lineup.Root]) -> Removed {
        if roots.isEmpty { return Removed() }
        let lineup = state.lineup
        var removed = Removed()
        if isObserved {
            removed.roots = roots.inOrder.map { ($0.loaded.module, lineup.isPushed($0)) }
        }
        removed.gone = apply(newState(self.lineup(removing: roots)), removing: roots)
        return removed
    }

    /// Stops the program inside a factory closure of the context.
    ///
    /// A context that has ended does not stop it: another thread may end the context at any time.
    func stopInFactoryClosure(_ operation: String, _ fileID: StaticString, _ line: UInt) {
        do throws(LocatorError) {
            try checkIsOutsideMakings(operation)
        } catch {
            fatalError(error.description, file: fileID, line: line)
        }
    }

    /// Removes the latest push, with all its modules.
    ///
    /// Returns nil if there is none.
    func popLatest() -> [HookFailure]? {
        removeRoots { lineup in
            guard let first = lineup.latestPush(of: nil, level: level)?.first else { return nil }
            let roots = lineup.roots(after: first - 1) { $0.first == first && $0.level == level }
            TestUse.current?.notePop(of: roots, from: self)
            return roots
        }
    }

    /// Removes the latest push of a module.
    ///
    /// Returns nil if there is none.
    func pop(_ module: Module) -> [HookFailure]? {
        removeRoots { $0.latestPush(of: module, level: level).map { [$0] } }
    }

    /// Removes the modules that a push has added, unless they were removed before or the context has ended.
    func pop(_ sequences: ClosedRange<UInt>?) -> [HookFailure] {
        guard let sequences else { return [] }
        return removeRoots { lineup in
            if isClosed { return nil }
            return lineup.roots(after: sequences.lowerBound - 1) {
                sequences.contains($0.sequence) && $0.level == level
            }
        } ?? []
    }

    /// The error for removing a module that is not loaded or pushed.
    ///
    /// It lists other modules with the same name.
    func notLoaded(_ module: Module, _ operation: String, at location: SourcePlace) -> LocatorError {
        let error = LocatorError(.notLoaded(module: module.name, operation: operation), at: location)
        let isPop = operation == "pop"
        let (own, outer, above, others) = locked {
            let lineup = state.lineup
            let roots = ownRoots(in: lineup)
            func has(_ root: Lineup.Root) -> Bool {
                lineup.reached(from: root.loaded).contains { $0.identity == module.identity }
            }
            let others = roots.filter { root in
                root.loaded.name == module.name && lineup.isPushed(root) == isPop
                    && root.loaded.identity != module.identity
            }
            let own = roots.first { $0.loaded.identity == module.identity }
            return (own, roots.first(where: has), lineup.roots.first(where: has), others)
        }
        func words(_ isPush: Bool) -> (came: String, goes: String) { isPush ? ("pushed", "pop") : ("loaded", "unload") }
        if let own {
            // The module was pushed, not loaded, or the other way around.
            let (came, goes) = words(!isPop)
            return error.noting(
                ["it was \(came) at \(own.location)"], betterFix: "\(goes) it instead: `context.\(goes)(module)`")
        }
        if let outer {
            let (came, goes) = words(outer.isPushed)
            return error.noting(
                ["it was \(came) as a part of module \"\(outer.loaded.name)\" at \(outer.location)"],
                betterFix: "\(goes) module \"\(outer.loaded.name)\" instead")
        }
        if let above {
            let (came, goes) = words(above.isPushed)
            return error.noting(
                ["a parent of this context has it: \(above.loaded.module) was \(came) there at \(above.location)"],
                betterFix: "\(goes) \(above.loaded.module) in that context")
        }
        return error.noting(
            others.map { root in
                "near: another module with this name (\(root.loaded.module.location)) was "
                    + "\(words(isPop).came) at \(root.location)"
            })
    }

    /// Removes a module that was loaded.
    ///
    /// Returns nil if it was not loaded.
    func unload(_ module: Module) -> [HookFailure]? {
        removeRoots { lineup in
            let roots = lineup.roots(naming: module.identity).filter {
                !lineup.isPushed($0) && (!isChild || $0.level == level)
            }
            return roots.isEmpty ? nil : roots
        }
    }
}
