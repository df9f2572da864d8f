/// The end of a making: its instance comes into the context, or waits for injections.
extension Making {
    private var core: ContextCore { session.core }

    /// Makes the instance and passes it to the context.
    func run(_ request: Request, noting outer: Recorder?) throws(LocatorError) -> AnyBox {
        let box: AnyBox
        do throws(LocatorError) {
            box = try session.make(slot, request, on: thread, making: self, recorder: recorder)
        } catch {
            return try conclude(with: .failure(error), noting: outer)
        }
        return try conclude(with: .success(box), noting: outer)
    }

    /// Passes the outcome of a making to the context and to the threads that wait for it.
    @inline(never)
    func conclude(
        with outcome: Result<AnyBox, LocatorError>, noting outer: Recorder?
    ) throws(LocatorError) -> AnyBox {
        let core = core
        do throws(LocatorError) {
            let box = try outcome.get()
            let ended = core.locked {
                let instance = Instance(
                    box, slot: slot, in: core.family, birth: core.birth(in: session.state), reads: recorder.reads)
                self.instance = instance
                session.use(instance, of: slot)
                outer?.reads.add(instance)
                if waitsForInjections {
                    awaitInjections()
                    return false
                }
                enterContext()
                return true
            }
            if ended { WaitGraph.end(self) }
            return box
        } catch {
            core.locked {
                slot.makings.removeAll { $0 === self }
                failure = error
                // The closure that requested it may catch the error and still make its instance. With other answers, it
                // might have made something else.
                outer?.reads.add(recorder.reads)
                outer?.reads.addFailure(of: slot)
            }
            WaitGraph.end(self)
            throw error
        }
    }

    /// Keeps the instance pending until the injections that it is joined to have run.
    ///
    /// The caller holds the lock.
    func awaitInjections() {
        session.pending.append(self)
        instance?.making = self
        WaitGraph.noteMade(self)
    }

    /// Whether the instance that was just made is incomplete before the end of its request.
    ///
    /// The caller holds the lock.
    var waitsForInjections: Bool {
        recorder.waitsForInjections || recorder.reads.instances.contains { session.waits(for: $0) }
    }

    /// Takes the instance into the context, if it is valid there.
    ///
    /// The caller holds the lock.
    func enterContext() {
        completeInstance()
        if let instance { enterContext(as: standing(of: instance)) }
    }

    /// Adds the reads that only the context knows to those of the instance.
    ///
    /// The caller holds the lock.
    func completeInstance() {
        guard let instance else { return }
        instance.reads.addReadsOfWeakParts(in: core)
        instance.reads.replaceOutlived(in: core)
        core.followAtOnce(instance.reads)
        slot.makings.removeAll { $0 === self }
        instance.orderAbove = core.orderAbove(slot)
    }

    /// Takes the instance into the context with a status.
    ///
    /// The caller holds the lock.
    func enterContext(as status: Instance.Status) {
        guard let instance else { return }
        let core = core
        // Instances that are joined by injections count as scoped. Only when all of them have ended is it known whether
        // they are.
        instance.isScoped =
            !slot.record.lifetime.isLasting
            || instance.reads.instances.contains { $0.isScoped || $0.status == .pending }
            || !instance.reads.scopes.isEmpty
        instance.noteTypes()
        instance.status = status
        switch status {
        case .live:
            // The instance of another making may have ended while it waited for injections.
            _ = core.valid(slot, in: core.state)
            if session.state === core.state, instance.birth == core.state.lineup.latestSequence {
                instance.validUpTo = instance.birth
            }
            slot.live = instance
            // Something that was made from the instance above may have been shared.
            if instance.orderAbove != nil { core.forgetShared() }
            core.register(instance)
        case .aside:
            slot.aside.append(instance)
            core.register(instance)
        case .stray, .pending, .gone:
            // Requests in the same state get the same instance. The context does not keep it, except for children.
            instance.status = .stray
            if mayStay, core.keepOvertaken(instance, madeIn: session.state) {
                instance.status = .gone
            }
            session.state.keep(instance, for: slot, of: core)
            if let preparation = session.state.preparation {
                // It is made again for the preparation.
                if mayStay, core.mayTakeOver(instance) { preparation.keep(instance) } else { instance.end() }
            }
            session.detain(instance)
        }
    }

    /// Keeps an instance that waits for injections out of the context if it or one of its parts may not stay there.
    ///
    /// Returns whether it has done so. The caller holds the lock.
    func leaveOutIfEnded() -> Bool {
        guard let instance, instance.status == .pending, instance.failure == nil else { return false }
        if mayStay, parts(of: instance).allSatisfy(isInContext) { return false }
        instance.status = .stray
        return true
    }

    private func parts(of instance: Instance) -> [Instance] {
        instance.reads.instances.filter { $0 !== instance && !$0.hasEnded }
    }

    private func isInContext(_ part: Instance) -> Bool {
        switch part.status {
        case .live, .aside, .pending: true
        case .stray, .gone: core.keeps(part)
        }
    }

    /// The status of the instance, whose state may have been overtaken.
    ///
    /// The statuses of parts that also wait for injections are not considered.
    func standing(of instance: Instance) -> Instance.Status {
        let core = core
        let isCurrent = session.state === core.state
        if core.isClosed || instance.status == .stray { return .stray }
        let parts = parts(of: instance)
        guard parts.allSatisfy(isInContext) else { return .stray }
        if !isCurrent {
            guard mayStay, core.rejoin(slot) else { return .stray }
            if core.isInherited(instance, in: session.state) { return .stray }
        }
        instance.ownReadsHold = isCurrent && !instance.reads.isJoined || core.isUntouched(instance)
        let isValid =
            instance.ownReadsHold
            && parts.allSatisfy { $0.status == .live || $0.status == .pending || core.keeps($0) }
        // Another one may be live, because a hook may have made it while the factory closure ran. The instance of
        // another making may also have ended while it waited for injections.
        if isValid, core.valid(slot, in: core.state) == nil, isCurrent || !isOvertakenByPending { return .live }
        if isCurrent || isValid { return .stray }
        var returns = Returns(of: core)
        return returns.include(instance) ? .aside : .stray
    }

    /// Whether a request in the current state has made an instance of the slot that waits for its injections.
    ///
    /// That request uses it, so the context keeps it rather than the instance of this older request.
    private var isOvertakenByPending: Bool {
        slot.makings.contains {
            $0.session.state === core.state && $0.instance?.status == .pending && $0.instance?.hasEnded == false
        }
    }

    /// Whether no change has permanently ended the instances that were made in the state of the request.
    private var mayStay: Bool { core.isLoaded(slot) && !core.wasReset(slot, since: session.startRevision) }
}
