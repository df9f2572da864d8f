internal import Synchronization

/// Ends instances permanently.
extension ContextCore {
    /// Runs the dispose hooks of instances that have left the context, in reverse order of creation, and returns the
    /// errors.
    ///
    /// Every hook runs. No lock is held.
    ///
    /// `areReleased` means that users of the instances have just released them. If the change that removed an instance
    /// has not disposed of it yet, the instance is then left to that change.
    @discardableResult
    func dispose(of instances: [Instance], areReleased: Bool = false) -> [HookFailure] {
        if instances.isEmpty { return [] }
        var errors: [HookFailure] = []
        var open = instances
        var areReleased = areReleased
        while !open.isEmpty {
            // An instance that a running request uses is disposed of when the request ends.
            var (ended, parts, read) = locked { Instance.end(open, areDue: !areReleased, where: hasHooks) }
            defer {
                if !read.isEmpty {
                    locked {
                        discard(read)
                        read = []
                    }
                }
            }
            areReleased = true
            // Instances that were made before an instance with a pending shutdown must last until the shutdown.
            if let first = ended.firstIndex(where: \.endsWithShutdown) {
                return errors
                    + Shutdown.runLater(
                        of: self, replaced: Array(ended[first...]), after: ended[..<first], lettingGoOf: parts)
            }
            errors += runDisposals(of: ended)
            open = letGo(of: parts)
        }
        return errors
    }

    /// Whether anything runs at the end of an instance.
    private func hasHooks(_ instance: Instance) -> Bool {
        // Decorators and aliases have no hooks of their own.
        guard case .registration = instance.slot.layer, !instance.slot.isDecoded else { return false }
        // An instance of another context may be observed there.
        let isObserved = instance.slot.owner == identity ? isObserved : family.isObserved
        return isObserved || instance.endsWithShutdown || !instance.slot.record.disposals.isEmpty
    }

    /// Releases the parts of instances that have been disposed of, and returns them.
    ///
    /// The caller disposes next of those that nothing else uses.
    func letGo(of parts: [Instance]) -> [Instance] {
        if !parts.isEmpty { locked { for part in parts { part.letGo() } } }
        return parts
    }

    /// Runs the dispose hooks of instances, and returns the errors.
    func runDisposals(of instances: some Collection<Instance>) -> [HookFailure] {
        if instances.isEmpty { return [] }
        var errors: [HookFailure] = []
        // Hooks that wait for the main actor belong to instances that have ended before these.
        if instances.contains(where: \.slot.record.needsMainActorAtEnd), MainActorCheck.isOnMainActor {
            locked { family.mainActorHooks }?.runWaiting()
        }
        runningHooks {
            for instance in instances {
                guard let box = instance.boxWithoutLock else { continue }
                let owner = owner(of: instance)
                // At the end of a context, this has already been reported.
                if !instance.slot.record.shutdowns.isEmpty, owner.isObserved,
                    locked({ !instance.hasBegunShutdown && !instance.endsWithShutdown && !owner.isClosed })
                {
                    owner.tellNeverShutDown(instance)
                }
                errors += owner.dispose(of: box, instance.slot.record)
            }
        }
        return errors
    }

    /// Runs the dispose hooks of one instance, and returns the errors.
    ///
    /// If a hook needs the main actor and this is another thread, this hook and those after it run later. Observers are
    /// notified.
    func dispose(of box: AnyBox, _ record: RegistrationRecord) -> [HookFailure] {
        let hooks = record.disposals[...]
        let isOnMainActor = !record.needsMainActorAtEnd || MainActorCheck.isOnMainActor
        let atOnce = isOnMainActor ? hooks : hooks.prefix { !$0.isOnMainActor }
        let later = hooks[atOnce.endIndex...]
        let errors = run(atOnce, box, record)
        if later.isEmpty {
            tell(.disposed(record.key, record.location))
        } else {
            let hooks = locked { () -> MainActorHooks in
                let hooks = family.mainActorHooks ?? MainActorHooks()
                family.mainActorHooks = hooks
                disposingCount += 1
                return hooks
            }
            hooks.add { [self] in
                defer {
                    tell(.disposed(record.key, record.location))
                    locked { disposingCount -= 1 }
                    empty()
                }
                let errors = run(later, box, record)
                // Nobody reads the errors of a context that has ended.
                if !errors.isEmpty { locked { if !isClosed { tables.lateFailures += errors } } }
            }
        }
        return errors
    }

    /// Waits for the dispose hooks that wait for the main actor, and returns the errors of this context's hooks.
    func finishMainActorHooks() async -> [HookFailure] {
        await locked { family.mainActorHooks }?.wait()
        return locked { knownTables?.pointee.lateFailures.takeAll() ?? [] }
    }

    private func run(_ hooks: ArraySlice<Disposal>, _ box: AnyBox, _ record: RegistrationRecord) -> [HookFailure] {
        if hooks.isEmpty { return [] }
        var errors: [HookFailure] = []
        runningHooks {
            for hook in hooks {
                do {
                    try hook.run(box)
                } catch {
                    errors.append(HookFailure(.dispose, of: record, error))
                    tell(.hookFailed(record.key, error))
                }
            }
        }
        return errors
    }

    /// The context that an instance belongs to.
    ///
    /// A change also ends instances of other contexts of the family that were made from what it ends.
    func owner(of instance: Instance) -> ContextCore {
        let owner = instance.slot.owner
        if owner == identity { return self }
        return locked { family.core(owner) } ?? self
    }

    /// Runs hooks outside of all makings, with this context as the current one.
    func runningHooks(_ body: () -> Void) {
        ThreadRecord.current.outsideOfMakings {
            if AppContext.isCurrent(self) { return body() }
            AppContext.withContext(representative, body)
        }
    }

    /// Ends and disposes of all instances.
    func reset() -> [HookFailure] {
        dispose(of: locked { dropForGood(nil) })
    }

    /// Whether a reset since a revision has permanently ended an instance that was made, or was being made, for a slot.
    ///
    /// The caller holds the lock.
    func wasReset(_ slot: Slot, since revision: UInt) -> Bool {
        if let reset = tables.resets[nil], reset > revision { return true }
        guard case .held(let scope) = slot.record.lifetime, let reset = tables.resets[scope] else { return false }
        return reset > revision
    }

    /// Ends the instances of a scope, here and in the parents up to the one that has opened it.
    ///
    /// All of them are disposed of in one order.
    func reset(_ scope: Scope) -> [HookFailure] {
        dispose(
            of: locked {
                var core = self
                var gone = core.dropForGood(scope)
                while !core.opened.contains(scope), let parent = core.parent?.core {
                    core = parent
                    gone += core.dropForGood(scope)
                }
                if core !== self { gone += follow() }
                return gone
            })
    }

    /// Ends the instances of a scope, or all instances.
    ///
    /// This includes instances that are being made, and those that were made for settings that the context has not
    /// taken over yet.
    ///
    /// A shutdown only drops instances, because instances that are made in the meantime have to be shut down, too. The
    /// caller holds the lock.
    private func dropForGood(_ scope: Scope?) -> [Instance] {
        let gone = drop(scope)
        tables.resets[scope] = state.revision
        let prepared = tables.asynchronous.preparation?.drop(scope) ?? []
        detainUsed(prepared)
        return gone + prepared
    }

    /// Ends the instances of a scope, or all instances, live and set aside, with everything made from them.
    ///
    /// At the end of the context, instances that other contexts made from them stay. The children follow, as they do
    /// after any change. The caller holds the lock.
    private func drop(_ scope: Scope?, atEnd isAtEnd: Bool = false) -> [Instance] {
        // Then no request uses a state from before one of these resets.
        if family.sessions.isEmpty, family.limbo.isEmpty { tables.resets = [:] }
        let earlier = state
        publish(newState(state.lineup))
        forgetShared()
        // A value that was decoded from settings stays the same until they change.
        func isMeant(_ instance: Instance) -> Bool { isAtEnd || !instance.slot.isDecoded }
        var gone = takeInstances(of: scope).filter(isMeant)
        if isAtEnd { forget(gone) }
        gone = isAtEnd ? gone.latestFirst : gone.withDependents
        for instance in gone { remove(instance) }
        gone += endKept(madeFrom: gone) { kept in
            kept.slot.owner == identity && isMeant(kept)
                && scope.map { kept.slot.record.lifetime == .held($0) } ?? true
        }
        detainUsed(gone)
        endChange()
        takeOpenings(from: earlier)
        return gone + letOthersFollow(afterEnding: gone)
    }

    /// Notes that instances end with this context.
    ///
    /// Instances that other contexts made from them depend on the reads of the ended instances from now on.
    private func forget(_ instances: [Instance]) {
        guard tables.isReadElsewhere else { return }
        var users: IdentityTable<Instance> = [:]
        for instance in instances {
            instance.isOutlived = true
            instance.reads.addReadsAbove(self, instance.reads)
            for user in instance.dependents.values where user.slot.owner != identity { users[user.identity] = user }
        }
        for user in users.values {
            guard let core = family.core(user.slot.owner) else { continue }
            core.unregister(user, user.reads)
            user.reads.replaceOutlived(in: core)
            for owner in user.reads.owners where owner != core.identity && !core.isBelow(owner) {
                if let other = family.core(owner) { family.addPromptFollower(other) }
            }
            core.register(user)
        }
    }

    /// The instances of a scope, or all instances, which are about to end.
    private func takeInstances(of scope: Scope?) -> [Instance] {
        if let scope = scope.flatMap({ Lifetime.held($0).listedScope }) {
            return (tables.scoped.removeValue(forKey: scope) ?? [:]).values.flatMap(\.instances)
        }
        var instances: [Instance] = []
        for slot in tables.slots.values where scope.map({ slot.record.lifetime == .held($0) }) ?? true {
            slot.forEachAround { instances += $0.instances }
        }
        return instances
    }

    /// Ends and disposes of everything, including instances that the hooks create, and returns the errors.
    ///
    /// If hooks keep creating each other's instances, this stops at some point and leaves the last ones.
    private func disposeOfEverything() -> [HookFailure] {
        var errors: [HookFailure] = []
        var rounds = DisposalRounds()
        repeat {
            let gone = locked { endEverything(atEnd: true) }
            if gone.isEmpty { break }
            rounds.add(gone.lazy.map(\.slot.record))
            errors += dispose(of: gone)
        } while !rounds.isCycle
        return errors
    }

    /// Ends all instances, and returns them.
    ///
    /// The caller holds the lock.
    func endEverything(atEnd isAtEnd: Bool = false) -> [Instance] {
        let hasKept = outermost.keptLoads.contains { $0.keepsAny(of: identity) }
        return hasKept || hasInstances { _ in true } ? drop(nil, atEnd: isAtEnd) : []
    }

    /// The instances whose shutdown hooks have not begun.
    ///
    /// The caller holds the lock.
    var instancesToShutDown: [Instance] {
        guard let slots = knownTables?.pointee.slots.values else { return [] }
        return slots.filter { !$0.record.shutdowns.isEmpty }.flatMap(\.instances)
            .filter { !$0.hasBegunShutdown && $0.box != nil }
    }

    /// Whether there is an instance of one of these registrations.
    ///
    /// The caller holds the lock.
    private func hasInstances(where isMeant: (RegistrationRecord) -> Bool) -> Bool {
        knownTables?.pointee.slots.values.contains { isMeant($0.record) && !$0.instances.isEmpty } ?? false
    }

    /// Ends the context, first its instances and then its modules, and returns the errors of hooks.
    ///
    /// If the context is not dropped, its children end too. Everything that requests with a session need is kept until
    /// they end.
    @discardableResult
    func close(isDropped: Bool = true) -> [HookFailure] {
        var errors: [HookFailure] = []
        // Relaxed suffices: whoever finds that the context has ended sees it.
        if !isDropped { isOfWithin.store(true, ordering: .relaxed) }
        if asChild?.closeLean(&errors) != true { errors += closeFull(isDropped: isDropped) }
        letGoOfKeptLoad()
        return errors
    }

    private func closeFull(isDropped: Bool) -> [HookFailure] {
        var errors: [HookFailure] = []
        if isObserved { tellNeverShutDown() }
        var gone: [Instance]?
        repeat {
            if !isDropped { for child in locked({ children.all }) { errors += child.close(isDropped: false) } }
            if locked({ hasInstances { !$0.disposals.isEmpty } }) { errors += disposeOfEverything() }
            gone = locked { () -> [Instance]? in
                // Another user of the context may have opened another child.
                if !isDropped, children.all.contains(where: { !$0.isClosed }) { return nil }
                if isEmptied { return [] }
                if isDropped { self.isDropped = true }
                let gone = refuseRequests()
                if !gone.isEmpty { disposingCount += 1 }
                return gone
            }
        } while gone == nil
        if let gone, !gone.isEmpty {
            errors += dispose(of: gone)
            locked { disposingCount -= 1 }
        }
        empty()
        return errors
    }

    /// Refuses requests from now on, and removes the instances that have no hooks and those that other threads have made in
    /// the meantime.
    ///
    /// The caller holds the lock.
    private func refuseRequests() -> [Instance] {
        // A context without tables has made nothing, and has given no answers.
        let gone = knownTables == nil ? [] : drop(nil, atEnd: true)
        isClosed = true
        if let knownTables { discard(knownTables.pointee.lateFailures.takeAll()) }
        family.followers.wake(self)
        lendState()
        if knownTables != nil { forgetWarmAnswers() }
        return gone
    }

    /// Releases the modules and the parent of a context that has ended, unless a session or, before it is dropped, a child
    /// needs them.
    ///
    /// Each session and each dispose hook that had to wait calls this at its end.
    func empty() {
        guard isClosed, locked({ emptyIfUnused() }) else { return }
        endObservations { _ in true }
    }

    /// Does so, and returns whether it has released them now.
    ///
    /// The caller holds the lock.
    private func emptyIfUnused() -> Bool {
        if isEmptied || sessionCount + disposingCount > 0 || !isDropped && !children.isEmpty { return false }
        isEmptied = true
        family.remove(self)
        if let parent, parent.core.isChild { parent.core.children.remove(self) }
        // If this releases the parent, the parent's instances end after those that were made from them. No variable
        // may hold the parent longer than the discarded objects do. Otherwise, the parents of parents would end one
        // inside the other.
        if let parent = parent.take() { discard(parent.core.isChild ? ReleaseInTurn(parent) : parent) }
        discard(inputs)
        inputs = []
        // The state of a dropped context ends with it. Contexts end on many threads, and with `.nothing` each would
        // write to the same reference count.
        if knownTables == nil, isDropped { return true }
        if let knownTables { discard(knownTables.pointee.takeCells()) }
        // Code that ran here may have kept an object that represents the context, and may fork that object on
        // another thread.
        family.retire(state)
        state = .nothing
        return true
    }

    /// Notifies observers of the instances whose shutdown hooks will never run.
    private func tellNeverShutDown() {
        let instances = locked {
            let instances = instancesToShutDown.latestFirst
            // As a result, their disposal does not report them again.
            for instance in instances { instance.hasBegunShutdown = true }
            return instances
        }
        for instance in instances { tellNeverShutDown(instance) }
    }

    private func tellNeverShutDown(_ instance: Instance) {
        tell(.neverShutDown(instance.slot.key, instance.slot.record.location))
    }
}
