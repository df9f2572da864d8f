/// Taking instances out of the context for good.
extension ContextCore {
    /// Runs the dispose hooks of instances that have left the context, in reverse order of their making.
    ///
    /// Every hook runs; what they throw is given back. No lock is held.
    @discardableResult
    func dispose(of instances: [Instance]) -> [HookFailure] {
        var errors: [HookFailure] = []
        var open = instances
        while !open.isEmpty {
            // What a running request uses is disposed of at its end.
            let (ended, parts) = locked { Instance.end(open) }
            // What was made before an instance that is shut down has to last until then.
            if let first = ended.firstIndex(where: \.endsWithShutdown) {
                shutDownLater(Array(ended[first...]), lettingGoOf: parts)
                return errors + runDisposals(of: ended[..<first])
            }
            errors += runDisposals(of: ended)
            open = letGo(of: parts)
        }
        return errors
    }

    /// Lets go of what was made before instances that have been disposed of; gives it, to be disposed of where nobody uses it.
    func letGo(of parts: [Instance]) -> [Instance] {
        if !parts.isEmpty { locked { for part in parts { part.letGo() } } }
        return parts
    }

    /// Runs the dispose hooks of instances; gives what they threw.
    func runDisposals(of instances: some Sequence<Instance>) -> [HookFailure] {
        // A decorator or alias has no hooks of its own.
        let instances = instances.filter { instance in
            guard case .registration = instance.slot.layer, instance.slot.record.run != nil else { return false }
            return isObserved || !instance.slot.record.disposals.isEmpty
        }
        if instances.isEmpty { return [] }
        var errors: [HookFailure] = []
        ThreadRecord.current.outsideOfMakings {
            bound {
                for instance in instances {
                    guard let box = instance.box else { continue }
                    errors += owner(of: instance).dispose(of: box, instance.slot.record, tellingAs: instance.slot.key)
                }
            }
        }
        return errors
    }

    /// Runs the dispose hooks of one instance; what needs the main actor runs later where this is not it, and what is
    /// behind it too.
    ///
    /// Gives what they threw; observers are told.
    private func dispose(of box: AnyBox, _ record: RegistrationRecord, tellingAs key: Key) -> [HookFailure] {
        let hooks = record.disposals[...]
        let isOnMainActor = !record.disposals.contains(where: \.isOnMainActor) || MainActorCheck.isOnMainActor
        let atOnce = isOnMainActor ? hooks : hooks.prefix { !$0.isOnMainActor }
        let later = hooks[atOnce.endIndex...]
        let errors = run(atOnce, box, record, tellingAs: key)
        if later.isEmpty {
            tell(.disposed(key, record.location))
        } else {
            let hooks = locked { () -> MainActorHooks in
                let hooks = family.mainActorHooks ?? MainActorHooks()
                family.mainActorHooks = hooks
                return hooks
            }
            hooks.add { [self] in
                defer { tell(.disposed(key, record.location)) }
                return run(later, box, record, tellingAs: key)
            }
        }
        return errors
    }

    private func run(_ hooks: ArraySlice<Disposal>, _ box: AnyBox, _ record: RegistrationRecord, tellingAs key: Key)
        -> [HookFailure]
    {
        if hooks.isEmpty { return [] }
        var errors: [HookFailure] = []
        ThreadRecord.current.outsideOfMakings {
            bound {
                for hook in hooks {
                    do {
                        try hook.run(box)
                    } catch {
                        errors.append(HookFailure(.dispose, of: record, error))
                        tell(.hookFailed(key, error))
                    }
                }
            }
        }
        return errors
    }

    /// Runs the dispose hooks of one instance of a lean child.
    func dispose(of box: AnyBox, _ record: RegistrationRecord) -> [HookFailure] {
        dispose(of: box, record, tellingAs: record.key)
    }

    /// The context whose instance it is: a change also ends what others of the family have made of what it ends.
    func owner(of instance: Instance) -> ContextCore {
        let owner = instance.slot.owner
        if owner == ObjectIdentifier(self) { return self }
        return locked { family.core(owner) } ?? self
    }

    func bound(_ body: () -> Void) {
        if AppContext.isCurrent(self) { return body() }
        AppContext.entering(representative, body)
    }

    /// Drops all instances, and disposes of them.
    func reset() -> [HookFailure] {
        dispose(of: locked { drop(nil) })
    }

    /// Drops the instances of a scope, here and in the parents up to the one that has opened it, and disposes of all of them
    /// in one order.
    func reset(_ scope: Scope) -> [HookFailure] {
        dispose(
            of: locked {
                var core = self
                var gone = core.drop(scope)
                while !core.opened.contains(scope), let parent = core.parent?.core {
                    core = parent
                    gone += core.drop(scope)
                }
                if core !== self { gone += follow() }
                return gone
            })
    }

    /// Drops the instances of a scope, or of all, live and set aside, and all that were made from them.
    ///
    /// The children follow, as they do after any change. The caller holds the lock.
    private func drop(_ scope: Scope?) -> [Instance] {
        publish(newState(state.lineup))
        if let scope { resets[scope] = state.revision }
        shared = [:]
        var gone = closeOverDependents(takeInstances(of: scope))
        for instance in gone { remove(instance) }
        gone += endKept(madeFrom: gone) { kept in scope.map { kept.slot.record.lifetime == .held($0) } ?? true }
        detainUsed(gone)
        endChange()
        return gone + letOthersFollow(afterEnding: gone)
    }

    /// The instances of a scope, or of all, which are about to end.
    private func takeInstances(of scope: Scope?) -> [Instance] {
        var instances: [Instance] = []
        if let scope, Lifetime.held(scope).customScope != nil {
            for slot in scoped.removeValue(forKey: scope)?.values ?? [] { instances += slot.instances }
            return instances
        }
        for slot in slots.values where scope.map({ slot.record.lifetime == .held($0) }) ?? true {
            slot.forEachAround { instances += $0.instances }
        }
        return instances
    }

    /// Drops everything and disposes of it, and of what the hooks make.
    ///
    /// Gives what hooks threw. Hooks that make each other's instances for ever are left to their last ones.
    private func disposeOfEverything() -> [HookFailure] {
        var errors: [HookFailure] = []
        var ended: IdentitySet = []
        // What a hook makes is disposed of in the next round. Unless hooks go in a circle, each round has a registration
        // that no round before it had.
        var rounds = 0
        repeat {
            let gone = locked { hasInstances { _ in true } ? drop(nil) : [] }
            if gone.isEmpty { break }
            for instance in gone { ended.insert(ObjectIdentifier(instance.slot.record)) }
            errors += dispose(of: gone)
            rounds += 1
        } while rounds <= ended.count
        return errors
    }

    /// Whether there is an instance of one of these registrations; the caller holds the lock.
    private func hasInstances(where isMeant: (RegistrationRecord) -> Bool) -> Bool {
        slots.values.contains { isMeant($0.record) && !$0.instances.isEmpty }
    }

    /// Ends the context: first everything in it, then what answers.
    ///
    /// A context that is not dropped may still be used by other threads. Its children end, too; and what its running
    /// requests need is kept until it is dropped.
    ///
    /// Gives what hooks threw.
    @discardableResult
    func close(isDropped: Bool = true) -> [HookFailure] {
        var errors: [HookFailure] = []
        defer { letGoOfKeptLoad() }
        if closeLean(&errors) { return errors }
        if isObserved { tellNeverShutDown() }
        var gone: [Instance]?
        repeat {
            if !isDropped { for child in locked({ children.all }) { errors += child.close(isDropped: false) } }
            if locked({ hasInstances { !$0.disposals.isEmpty } }) { errors += disposeOfEverything() }
            gone = locked { () -> [Instance]? in
                // Whoever still has the context may have opened another child.
                if !isDropped, children.all.contains(where: { !$0.isClosed }) { return nil }
                return isEmptied ? [] : empty(isDropped: isDropped)
            }
        } while gone == nil
        errors += dispose(of: gone ?? [])
        endObservations()
        return errors
    }

    /// Takes out what no hook waits for, and what other threads have made in the meantime, and then what answers.
    ///
    /// The caller holds the lock.
    private func empty(isDropped: Bool) -> [Instance] {
        let gone = drop(nil)
        isClosed = true
        family.followers.wake(self)
        lendState()
        forgetWarmAnswers()
        if !isDropped, sessionCount > 0 || !children.isEmpty { return gone }
        isEmptied = true
        family.remove(self)
        if let parent {
            if parent.core.isChild { parent.core.children.remove(self) }
            discard(parent)
        }
        parent = nil
        discard(inputs)
        inputs = []
        // A slot and the one around it know each other.
        for inner in layered.values.flatMap(\.values) { inner.outer = [:] }
        discard((nodes, slots, scoped, prepared, layered))
        family.retire(state)
        state = newState(ContextState.nothing.lineup)
        nodes = [:]
        slots = [:]
        scoped = [:]
        prepared = [:]
        layered = [:]
        properties = PropertyCells()
        return gone
    }

    /// Tells observers of the instances whose shutdown hooks will not run any more.
    private func tellNeverShutDown() {
        let instances = locked {
            slots.values.filter { !$0.record.shutdowns.isEmpty }.flatMap(\.instances).sorted { $0.order > $1.order }
        }
        for instance in instances {
            tell(.neverShutDown(instance.slot.key, instance.slot.record.location))
        }
    }
}

extension ContextCore {
    /// Runs the shutdown hooks, latest instance first, and then disposes of everything.
    ///
    /// Gives what hooks threw.
    func shutDown() async -> [HookFailure] {
        var errors: [HookFailure] = []
        await waitForEndings()
        var open = OpenShutdowns()
        // Hooks may make further instances, whose hooks run too.
        while let instance = nextToShutDown(&open) {
            guard let box = instance.box else { continue }
            for shutDown in instance.slot.record.shutdowns {
                do {
                    try await binding { try await shutDown(box) }
                } catch {
                    errors.append(HookFailure(.shutdown, of: instance.slot.record, error))
                }
            }
        }
        // What has ended before comes first.
        errors += await finishMainActorHooks() ?? []
        // On the main actor, where a hook needs it, so that all of them run in one order.
        if locked({ hasInstances { $0.disposals.contains(where: \.isOnMainActor) } }) {
            errors += await MainActor.run { disposeOfEverything() }
        } else {
            errors += disposeOfEverything()
        }
        guard let late = await finishMainActorHooks() else { return errors }
        // Those hooks may have made something, too.
        return errors + late + (await MainActor.run { disposeOfEverything() })
    }

    /// Waits for the dispose hooks that wait for the main actor; nil where there were never any.
    private func finishMainActorHooks() async -> [HookFailure]? {
        await locked { family.mainActorHooks }?.finish()
    }

    /// The instances whose shutdown hooks have not run yet, as far as they were looked for.
    private struct OpenShutdowns {
        /// The latest comes last.
        var instances: [Instance] = []
        /// Those whose hooks have run, or that have ended before.
        var done: IdentitySet = []
        /// How many instances had been made when they were looked for.
        var instanceCount: UInt?
    }

    /// The latest instance whose shutdown hooks have not run yet.
    ///
    /// Looks through the slots only where an instance has been made since, and once more at the end.
    private func nextToShutDown(_ open: inout OpenShutdowns) -> Instance? {
        locked {
            repeat {
                if open.instances.isEmpty || open.instanceCount != family.instanceCount {
                    let done = open.done
                    open.instanceCount = family.instanceCount
                    open.instances = slots.values.filter { !$0.record.shutdowns.isEmpty }.flatMap(\.instances)
                        .filter { !done.contains($0.identity) }.sorted { $0.order < $1.order }
                }
                guard let instance = open.instances.popLast() else { return nil }
                open.done.insert(instance.identity)
                // A hook may have ended it.
                if instance.status != .gone { return instance }
            } while true
        }
    }
}
