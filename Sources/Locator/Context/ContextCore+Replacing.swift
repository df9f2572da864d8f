internal import LocatorProperties
internal import Synchronization

extension ContextCore {
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
}

/// The caller holds the lock everywhere.
extension ContextCore {
    /// Keeps instances with an asynchronous factory closure for the running requests.
    ///
    /// A request may need such an instance in the state of its start, and could not make it.
    func keepForRequests(_ gone: [Instance]) {
        let needed = gone.filter(\.slot.record.isAsynchronous)
        if needed.isEmpty { return }
        family.forEachSession { session in
            let core = session.core
            guard core === self || core.isBelow(self) else { return }
            core.followAbove()
            // A child checks by itself, in `detain`, whether an instance of its parent is the same for it.
            var moment = Moment(of: core, session.state)
            for instance in needed where core !== self || moment.isValid(instance) { session.detain(instance) }
        }
    }

    /// Notes that a load of the settings has replaced instances.
    ///
    /// As a result, their shutdown hooks run before their dispose hooks.
    func noteReplaced(_ gone: [Instance]) {
        for instance in gone
        where !instance.slot.isLayer && !instance.slot.record.shutdowns.isEmpty && !instance.hasBegunShutdown {
            instance.endsWithShutdown = true
        }
    }
}

extension ContextCore {
    /// Disposes of `later`, and then shuts down and disposes of `instances`, which loads of the settings have replaced.
    ///
    /// Returns the errors of `later`. The shutdown runs in a task of its own. At its end, it releases `parts`, from which
    /// the instances were made.
    func shutDownLater(
        _ instances: [Instance], after later: ArraySlice<Instance>, lettingGoOf parts: [Instance]
    ) -> [HookFailure] {
        let step = AsyncStep(.shutdown, of: self, inside: nil)
        // A request of a child may have been the last user of an instance of its parent. The shutdown of the parent
        // waits for this shutdown, and for that of an instance of the child, which may have ended by then.
        let owners = instances.map { owner(of: $0) }
        let waiting = locked { () -> [ContextCore] in
            // Relaxed suffices: a lean context becomes full only with the lock held.
            let waiting = owners.flatMap { owner in
                owner.lineage.filter { $0.asChild?.isLean.load(ordering: .relaxed) != true }
            }
            for core in waiting { core.tables.asynchronous.endings[ObjectIdentifier(step)] = step }
            return waiting
        }
        let errors = runDisposals(of: later)
        // Detached: the shutdown belongs to the context, not to the task that ended the last request that used an
        // instance.
        Task.detached { [self] in
            await shutDown(instances, in: step)
            // Errors of hooks are reported to observers.
            _ = dispose(of: letGo(of: parts), areReleased: true)
            locked { for core in waiting { core.tables.asynchronous.endings[ObjectIdentifier(step)] = nil } }
            step.end()
        }
        return errors
    }

    private func shutDown(_ instances: [Instance], in step: AsyncStep) async {
        for instance in instances where instance.endsWithShutdown {
            guard let box = instance.boxWithoutLock else { continue }
            let owner = owner(of: instance)
            let step = AsyncStep(.shutdown, of: owner, inside: step)
            defer { step.end() }
            for shutDown in instance.slot.record.shutdowns {
                do {
                    try await owner.run(shutDown, box, in: step)
                } catch {
                    owner.tell(.hookFailed(instance.slot.key, error))
                }
            }
        }
        // These errors are reported to observers.
        _ = runDisposals(of: instances)
    }

    /// Waits until all replaced instances have been shut down, except for those that wait for this shutdown.
    func waitForEndings(in step: AsyncStep) async {
        // The steps that this has waited for are kept, so that no other step gets the identity of one of them.
        var seen: IdentityTable<AsyncStep> = [:]
        while let ending = locked({ tables.asynchronous.endings.values.first { !seen.has(ObjectIdentifier($0)) } }) {
            seen[ObjectIdentifier(ending)] = ending
            _ = try? await step.wait(for: ending)
        }
    }
}
