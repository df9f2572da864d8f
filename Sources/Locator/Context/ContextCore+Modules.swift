internal import LocatorProperties

/// Loading, pushing and taking off modules.
extension ContextCore {
    /// Throws where the context must not change: inside one of its makers, or after its end.
    func checkMayChange(_ operation: String) throws(LocatorError) {
        let thread = ThreadRecord.current
        if thread.isMaking(in: self) { throw LocatorError(.changeWhileMaking(operation), thread: thread) }
        if locked({ isClosed }) { throw goneError() }
    }

    /// Loads or pushes modules, and then makes what is to be made at load.
    ///
    /// If that fails, the modules are taken off again.
    ///
    /// Gives the numbers of the roots that were added, nil where there are none.
    @discardableResult
    func load(
        _ modules: [Module], priority: Priority, isPushed: Bool, location: SourcePlace
    ) throws(LocatorError) -> ClosedRange<UInt>? {
        var prepared: IdentityTable<LoadedModule> = [:]
        var added: Added??
        while added == nil {
            try prepare(modules, &prepared)
            askSelections(of: modules, prepared, at: priority)
            added = locked { add(modules, prepared, priority: priority, isPushed: isPushed, location: location) }
        }
        guard let added, let added else { return nil }
        dispose(of: added.gone)
        do throws(LocatorError) {
            for module in added.modules where !module.always.isEmpty {
                try makeAlways(of: module, location: location)
            }
        } catch {
            // What the failed modules' instances say when they are disposed of is less to the point than this error.
            _ = removeSilently { added.sequences.contains($0.sequence) }
            throw error
        }
        if isPushed { TestUse.current?.notePush(added.sequences, on: self) }
        for module in added.roots {
            tell(isPushed ? .pushed(module, priority, location) : .loaded(module, priority, location))
        }
        return added.sequences
    }

    /// What a load has added.
    private struct Added {
        let sequences: ClosedRange<UInt>
        let modules: [LoadedModule]
        /// The modules that were not loaded before, or that were pushed.
        let roots: [Module]
        /// What a module moved to another place has ended.
        let gone: [Instance]
    }

    /// Runs the closures of the modules that the context does not know, and of those they include.
    ///
    /// No lock is held.
    private func prepare(
        _ modules: [Module], _ prepared: inout IdentityTable<LoadedModule>
    ) throws(LocatorError) {
        var open = Array(modules.reversed())
        var seen: IdentitySet = []
        while let module = open.popLast() {
            let identity = module.identity
            guard seen.insert(identity).inserted else { continue }
            if let loaded = locked({ state.lineup.known(identity) }) ?? prepared[identity] {
                open += loaded.included.reversed()
                continue
            }
            let loaded = try LoadedModule(module)
            prepared[identity] = loaded
            open += loaded.included.reversed()
        }
    }

    /// Adds roots for the modules.
    ///
    /// Gives nil where more has to be prepared, and an inner nil where nothing is to do. The caller holds the lock.
    private func add(
        _ modules: [Module], _ prepared: IdentityTable<LoadedModule>, priority: Priority, isPushed: Bool,
        location: SourcePlace
    ) -> Added?? {
        var new: [LoadedModule] = []
        var open = Array(modules.reversed())
        var seen: IdentitySet = []
        while let module = open.popLast() {
            guard seen.insert(module.identity).inserted else { continue }
            if let found = state.lineup.known(module.identity) {
                open += found.included.reversed()
            } else if let loaded = prepared[module.identity] {
                new.append(loaded)
                open += loaded.included.reversed()
            } else {
                return nil
            }
        }
        var lineup = state.lineup
        var addedRoots: [Module] = []
        let first = family.rootCount + 1
        // Of what is pushed, the latest is asked first.
        for module in isPushed ? modules.reversed() : modules {
            if !isPushed, lineup.isLoaded(module.identity) { continue }
            guard let loaded = lineup.known(module.identity) ?? prepared[module.identity] else { return nil }
            family.rootCount += 1
            let root = Lineup.Root(
                loaded: loaded, priority: priority, isPushed: isPushed, level: level, sequence: family.rootCount,
                first: first,
                location: location)
            lineup = lineup.adding(root) { prepared[$0] }
            addedRoots.append(module)
        }
        guard family.rootCount >= first else { return .some(nil) }
        if new.contains(where: { !$0.inputs.isEmpty }) { family.hasInputs = true }
        let before = state
        let gone = apply(newState(lineup))
        return Added(
            sequences: first...family.rootCount, modules: modulesInForce(since: before), roots: addedRoots, gone: gone)
    }

    /// The modules that are in force and were not in an earlier state, in lookup order.
    ///
    /// The caller holds the lock.
    func modulesInForce(since earlier: ContextState) -> [LoadedModule] {
        state.lineup.difference(from: earlier.lineup).added.filter { !earlier.lineup.has($0.loaded.run) }
            .sorted { $0.position < $1.position }.map(\.loaded)
    }

    /// The state after the current one, with another lineup.
    ///
    /// The caller holds the lock.
    func newState(_ lineup: Lineup) -> ContextState { ContextState(revision: state.revision + 1, lineup) }

    /// Makes the `.always` instances of a module that has come into force.
    func makeAlways(of module: LoadedModule, location: SourcePlace) throws(LocatorError) {
        for record in module.always {
            let request = Request(key: record.key, location: location)
            do throws(LocatorError) {
                try inSession(request) { (session, thread) throws(LocatorError) in
                    let slot = locked { () -> Slot? in
                        guard let entry = session.state.lineup.entry(of: module) else { return nil }
                        return decoratedSlot(of: record, in: entry, session.state)
                    }
                    // Another thread may have taken the module off already.
                    guard let slot else { return }
                    _ = try obtain(slot, request, in: session, on: thread)
                }
            } catch {
                guard case .notStarted = error.kind else { throw error }
                throw error.noting(["\(record.key) has scope .always: it is made at load, before start() can run"])
            }
        }
    }

    /// Takes off what was loaded or pushed by some of the roots.
    ///
    /// Gives what dispose hooks threw.
    @discardableResult
    func remove(where isRemoved: (Lineup.Root) -> Bool) -> [HookFailure] {
        end(locked { remove(ownRoots(in: state.lineup).filter(isRemoved)) })
    }

    private func removeSilently(where isRemoved: (Lineup.Root) -> Bool) -> [HookFailure] {
        dispose(of: locked { remove(ownRoots(in: state.lineup).filter(isRemoved)) }.gone)
    }

    /// What a removal has taken out.
    private struct Removed {
        /// The modules that were pushed, or loaded.
        var roots: [(module: Module, isPushed: Bool)] = []
        var gone: [Instance] = []
    }

    /// Disposes of what a removal has ended.
    private func end(_ removed: Removed) -> [HookFailure] {
        let errors = dispose(of: removed.gone)
        for root in removed.roots { tell(root.isPushed ? .popped(root.module) : .unloaded(root.module)) }
        return errors
    }

    /// Takes off roots, and modules that no root names or includes any more.
    ///
    /// The caller holds the lock.
    private func remove(_ roots: [Lineup.Root]) -> Removed {
        if roots.isEmpty { return Removed() }
        let lineup = state.lineup
        let removed = roots.sorted { $0.position < $1.position }.map { ($0.loaded.module, lineup.isPushed($0)) }
        return Removed(roots: removed, gone: apply(newState(lineup.removing(roots))))
    }

    /// Stops the program where the context must not change.
    func stopUnlessMayPop(_ fileID: StaticString, _ line: UInt) {
        do throws(LocatorError) {
            try checkMayChange("pop")
        } catch {
            fatalError(error.description, file: fileID, line: line)
        }
    }

    /// Takes off what was pushed last, with all modules of that push.
    ///
    /// Gives nil where there is nothing.
    func popLatest() -> [HookFailure]? {
        locked {
            let lineup = state.lineup
            return lineup.latestPush(of: nil, level: level).map { latest in
                remove(lineup.roots(after: latest.first - 1).filter { $0.first == latest.first && $0.level == level })
            }
        }.map(end)
    }

    /// Takes off the latest push of a module.
    ///
    /// Gives nil where there is none.
    func pop(_ module: Module) -> [HookFailure]? {
        locked { state.lineup.latestPush(of: module, level: level).map { remove([$0]) } }.map(end)
    }

    /// Takes off what a push has added, unless that is done, or the context has ended.
    func pop(_ sequences: ClosedRange<UInt>?) -> [HookFailure] {
        guard let sequences else { return [] }
        return end(
            locked {
                if isClosed { return Removed() }
                let added = state.lineup.roots(after: sequences.lowerBound - 1)
                return remove(added.filter { sequences.contains($0.sequence) && $0.level == level })
            })
    }

    /// The error of taking off a module that is not there, with what is there and has its name.
    func notLoaded(_ module: Module, _ operation: String, at location: SourcePlace) -> LocatorError {
        let error = LocatorError(.notLoaded(module: module.name, operation: operation), at: location)
        let (others, own) = locked { () -> ([Lineup.Root], Lineup.Root?) in
            let lineup = state.lineup
            let roots = ownRoots(in: lineup)
            let others = roots.filter { root in
                root.loaded.name == module.name && lineup.isPushed(root) == (operation == "pop")
                    && root.loaded.identity != module.identity
            }
            return (others, roots.first { $0.loaded.identity == module.identity })
        }
        if let own {
            // It is there, and was brought in the other way.
            let (came, goes) = operation == "pop" ? ("loaded", "unload") : ("pushed", "pop")
            return error.noting(
                ["it was \(came) at \(own.location)"], betterFix: "\(goes) it instead: `context.\(goes)(module)`")
        }
        return error.noting(
            others.map { root in
                "near: another module of this name (\(root.loaded.module.location)) was "
                    + "\(operation == "pop" ? "pushed" : "loaded") at \(root.location)"
            })
    }

    /// Takes off a module that was loaded.
    ///
    /// Gives nil where it was not.
    func unload(_ module: Module) -> [HookFailure]? {
        let removed = locked { () -> Removed? in
            let lineup = state.lineup
            let roots = lineup.roots(naming: module.identity).filter {
                !lineup.isPushed($0) && (!isChild || $0.level == level)
            }
            return roots.isEmpty ? nil : remove(roots)
        }
        return removed.map(end)
    }
}
