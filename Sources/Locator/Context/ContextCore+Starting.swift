internal import LocatorProperties

extension ContextCore {
    /// Makes the instances of the asynchronous registrations that are needed and satisfy `isWanted`.
    ///
    /// Independent instances are made concurrently.
    ///
    /// If one fails, the others are canceled. Finished instances stay, and the context can be started again.
    func start(_ operation: String, where isWanted: @escaping @Sendable (Slot) -> Bool) async throws {
        let start = try await enterStart(operation)
        defer { leave(start) }
        try await make(in: start, where: isWanted)
    }

    /// Makes the wanted instances for the current state, or for a prepared state, which the context will take over.
    ///
    /// The caller has called `enterStart`.
    ///
    /// A prepared state was made from `basis`. This function gives up once the context has other modules or settings.
    func make(
        in start: AsyncStep, for prepared: ContextState? = nil, from basis: ContextState? = nil,
        where isWanted: @escaping @Sendable (Slot) -> Bool
    ) async throws {
        // A push during this may add more. Each round makes at least one instance, or is the last.
        while true {
            askSelectionsToShareAsynchronous()
            let slots = locked {
                if let basis, basis.lineup !== state.lineup { return [Slot]() }
                return unprepared(in: prepared ?? state)
            }.filter(isWanted)
            if slots.isEmpty { return }
            let round = StartRound(slots: slots, core: self, start, for: prepared, from: basis, where: isWanted)
            // Children wait for the instances that are made for the current state.
            if prepared == nil { locked { tables.asynchronous.members = round.members } }
            defer {
                // The round keeps its members, so that none of them is released while the lock is held.
                withExtendedLifetime(round) { if prepared == nil { locked { tables.asynchronous.members = [:] } } }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for slot in slots {
                    group.addTask { try await round.prepare(slot) }
                }
                // This does not use `waitForAll()`, which would let the others run to their end. Leaving with an error
                // cancels them.
                for try await _ in group {}
            }
        }
    }

    /// Reads all files again, makes the instances with asynchronous factory closures that the new settings need, and
    /// then takes over the settings.
    ///
    /// If anything fails, nothing changes. Until the end, requests get the old settings and instances.
    func reloadAndStart(validating: Bool, noting reads: inout FileReads) async throws {
        try checkMayChange("reloadAndStart")
        if isChild { throw LocatorError(.propertiesLoadedInChild) }
        let start = try await enterStart("reloadAndStart")
        defer { leave(start) }
        let preparation = Preparation(of: self)
        locked { tables.asynchronous.preparation = preparation }
        defer { preparation.end() }
        var read: ReadAgain?
        var isReplaced = false
        while !isReplaced {
            let basis = locked { state }
            let new = try readAgain(&read, for: basis, noting: &reads)
            let lineup = basis.lineup.replacingBase(new, revision: basis.lineup.baseRevision + 1)
            // No state of the context has revision 0, so this state is not confused with a state of the context.
            let prepared = ContextState(revision: 0, lineup, preparation: preparation)
            locked { preparation.carry(into: prepared) }
            if validating { try checkWiring(with: new) }
            do {
                try await make(in: start, for: prepared, from: basis) { _ in true }
            } catch let error as LocatorError {
                // Something that the instance needs has left the context.
                if error.unprepared != nil, locked({ state.lineup !== basis.lineup }) { continue }
                throw error
            }
            isReplaced = try await replace(by: new, prepared: preparation) {
                // If the context has changed, more may have to be made.
                $0.lineup === basis.lineup && unprepared(in: prepared).isEmpty
            }
        }
        locked { shutDownPlace = nil }
    }

    /// The state for which the asynchronous factory closure of this task runs, if it is a prepared state.
    ///
    /// The caller holds the lock.
    var preparedState: ContextState? {
        guard let recorder = family.recorderOfTask, recorder.core === self else { return nil }
        return recorder.prepared
    }

    /// Waits until no other start is running, and begins one.
    ///
    /// Throws inside a factory closure that such a start runs, because each would wait for the other.
    func enterStart(_ operation: String) async throws -> AsyncStep {
        try checkIsOutsideClosures(operation)
        return try await enter(\.start, .start)
    }

    /// Waits until no other step has begun, and begins one.
    ///
    /// Throws if it would wait forever.
    func enter(
        _ running: any WritableKeyPath<AsyncMakings, AsyncStep?> & Sendable, _ work: AsyncStep.Work
    ) async throws -> AsyncStep {
        let step = AsyncStep(work, of: self, inside: .ofTask)
        do {
            while let other = locked({ () -> AsyncStep? in
                if let other = tables.asynchronous[keyPath: running] { return other }
                tables.asynchronous[keyPath: running] = step
                return nil
            }) { _ = try await step.wait(for: other) }
        } catch {
            step.end()
            throw error
        }
        return step
    }

    /// Ends a start or a shutdown.
    func leave(_ step: AsyncStep) {
        locked {
            if tables.asynchronous.start === step {
                tables.asynchronous.start = nil
            } else {
                tables.asynchronous.shutdown = nil
            }
        }
        step.end()
    }

    /// The slots of asynchronous registrations that are needed here and have no instance: those that come first for their
    /// keys, and elements of collections.
    ///
    /// A strict test does not open real services. The caller holds the lock.
    func unprepared(in state: ContextState) -> [Slot] {
        var slots: [Slot] = []
        for module in state.lineup.asynchronousInForce {
            // Many elements of a collection may have the same key.
            var firstKeys: [Key: Bool] = [:]
            func isFirst(_ key: Key) -> Bool {
                if let known = firstKeys[key] { return known }
                let isFirst = self.isFirst(module, with: key, in: state)
                firstKeys[key] = isFirst
                return isFirst
            }
            for record in module.loaded.asynchronous {
                let slot = slot(of: record)
                if let watch, !watch.allows(slot) { continue }
                // This comes first, because it usually says enough.
                if state.preparation == nil ? given(slot) != nil : valid(slot, in: state) != nil { continue }
                let isNeeded = isFirst(record.key) || isNeededElement(slot, in: state)
                if isNeeded, !isLeftToParent(slot), blocked(slot, in: state) == nil { slots.append(slot) }
            }
        }
        return slots
    }

    /// Whether the parent makes the instance of a slot.
    ///
    /// If the parent has made an instance that this context cannot share, because of something that the closure read,
    /// this context makes its own.
    func isLeftToParent(_ slot: Slot) -> Bool {
        guard let parent, mayShare(slot, in: state, parent.core.state), let outer = parentSlot(of: slot) else {
            return false
        }
        return parent.core.given(outer) == nil
    }

    /// Whether a slot that does not come first for its key is in a collection that a registration in force takes, or
    /// that was requested before it could be made.
    ///
    /// The caller holds the lock.
    func isNeededElement(_ slot: Slot, in state: ContextState) -> Bool {
        let type = slot.key.type
        guard slot.isRequestedElement || state.lineup.takenCollections.contains(ObjectIdentifier(type)),
            case .elements(let elements) = collection(of: node(of: type), in: state)
        else { return false }
        return elements.contains { $0.slot.base === slot }
    }

    /// Notes that an instance was requested that only `start()` makes, and returns whether it is only an element.
    ///
    /// If its registration does not come first for its key, the request was for a collection, and the next start makes it.
    func noteRequest(inVain slot: Slot, in state: ContextState) -> Bool {
        guard let module = slot.record.run.flatMap(state.lineup.entry(of:)), !isFirst(module, with: slot.key, in: state)
        else { return false }
        slot.isRequestedElement = true
        return true
    }

    /// What an instance of a custom scope needs from a scope that is not open, itself or another instance; nil if nothing.
    ///
    /// The caller holds the lock.
    func blocked(_ slot: Slot, in state: ContextState) -> (slot: Slot, scope: Scope)? {
        if slot.record.lifetime.openableScope == nil { return nil }
        var seen: IdentitySet = []
        var open = [slot]
        while let next = open.popLast() {
            if let scope = unopenedScope(of: next, in: state) { return (next, scope) }
            guard seen.insert(ObjectIdentifier(next)).inserted, given(next) == nil else { continue }
            if let inner = next.inner { open.append(inner) }
            for dependency in next.dependencies where dependency.isHeld {
                let path = dependency.qualifier?.path
                let name = path.map { state.properties.lookup($0).text } ?? dependency.qualifier?.name
                if path != nil, name == nil { continue }
                switch answer(of: dependency, named: name, in: state) {
                case .slot(let needed): open.append(needed)
                case .elements(let elements): open += elements.map(\.slot)
                case .missing, .undecided, .offers: break
                }
            }
        }
        return nil
    }
}

extension ContextCore {
    /// The steps that may make an instance for a slot in the contexts above: its making, or otherwise a start that is
    /// running.
    ///
    /// A start makes the instance again if a reset drops it. A step that is inside such a start cannot wait for it.
    func stepsAbove(_ step: AsyncStep, makingOf slot: ObjectIdentifier) -> [AsyncStep] {
        let steps = locked {
            var steps: [AsyncStep] = []
            var above = parent?.core
            while let core = above {
                if let making = core.tables.asynchronous.members[slot] { steps.append(making) }
                if let start = core.tables.asynchronous.start { steps.append(start) }
                above = core.parent?.core
            }
            return steps
        }
        // The lock is not held here, because this may release a step that has ended.
        return steps.filter { if case .start = $0.work { !step.isInside($0) } else { true } }
    }

    /// Makes this context the current one while an asynchronous factory closure or hook runs.
    ///
    /// The context lasts until the closure or hook has ended. Tasks that begin there do not keep it alive.
    func binding<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async throws -> Result {
        let representative = representative
        defer { withExtendedLifetime(representative) {} }
        return try await AppContext.entering(contextOf: self, body)
    }

    /// The asynchronous slots that have an instance, or share the parent's.
    ///
    /// No lock is held.
    func preparedSlots() -> IdentitySet {
        askSelectionsToShareAsynchronous()
        return locked { IdentitySet(asynchronousSlots.filter { given($0) != nil }.map { ObjectIdentifier($0) }) }
    }

    /// Evaluates the `.where` predicates that decide which asynchronous instances of the contexts above are given here.
    ///
    /// No lock is held.
    private func askSelectionsToShareAsynchronous() {
        if !isChild || locked({ family.selecting.isEmpty }) { return }
        let (slots, state) = locked { (asynchronousSlots, self.state) }
        for slot in slots { askSelections(toShare: slot, in: state) }
    }

    /// The caller holds the lock.
    private var asynchronousSlots: [Slot] {
        state.lineup.asynchronousInForce.flatMap { $0.loaded.asynchronous.map { slot(of: $0) } }
    }

    /// The asynchronous slots that have lost their instance in a push, and those that the push has added.
    func slotsAffected(by modules: [Module], _ before: IdentitySet, _ earlier: Lineup) -> IdentitySet {
        locked {
            let lost = asynchronousSlots.filter { before.contains(ObjectIdentifier($0)) && given($0) == nil }
            // A pushed module may include others, and its settings may turn others on.
            let pushed = modules.compactMap { state.lineup.known($0.identity) }.flatMap(state.lineup.reached)
            let added = pushed + state.lineup.modulesInForce(butNotIn: earlier)
            let slots = lost + added.flatMap(\.asynchronous).map { slot(of: $0) }
            return IdentitySet(slots.map { ObjectIdentifier($0) })
        }
    }
}
