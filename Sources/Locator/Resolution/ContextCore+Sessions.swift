/// The end of an outermost request: running injections, and handing over the instances that waited for them.
extension ContextCore {
    /// Runs what waits for the end of the request, and returns the first error.
    func end(_ session: Session, on thread: ThreadRecord) -> LocatorError? {
        let failure = complete(session, on: thread)
        leave(session)
        return failure
    }

    /// Ends a request for which nothing waits, and disposes of what was kept for it alone.
    func leave(_ session: Session) {
        let left = locked { () -> [Instance] in
            // What it was given is used until the asynchronous factory closure that has made the request ends.
            if let keeper = family.recorderOfTask?.keeper { keeper.addUses(of: session) }
            return release(session)
        }
        // If another request uses some of these too, that request disposes of them.
        if !left.isEmpty { dispose(of: left, areReleased: true) }
    }

    /// Runs the injections of a request, hands over the instances that waited for them, and returns the first error.
    private func complete(_ session: Session, on thread: ThreadRecord) -> LocatorError? {
        if session.isPlain { return nil }
        if session.injections.isEmpty, session.pending.isEmpty, session.answers.isEmpty { return nil }
        var failure: LocatorError?
        var position = 0
        // Injections may make more instances. Their injections are appended.
        while position < session.injections.count {
            let injection = session.injections[position]
            session.runningInjection = position
            position += 1
            do throws(LocatorError) {
                try run(injection, in: session, on: thread)
            } catch {
                failure = failure ?? error
                injection.recorder?.fail(with: error)
            }
        }
        session.runningInjection = nil
        for injection in session.injections { injection.recorder?.endInjections() }
        WaitGraph.noteInjected(session)
        // What this request returns may be made from incomplete instances of other requests. Wait for their injections,
        // so that nothing incomplete is returned, and nothing that is joined to a failed injection is kept.
        while let making = locked({ uninjected(session) }) { WaitGraph.waitForInjections(of: making, on: thread) }
        let (ended, joinedFailure) = locked { handOver(session) }
        for making in ended { WaitGraph.end(making) }
        endAnswers(of: session)
        return failure ?? joinedFailure
    }

    /// Lets wrappers cache what they returned in the request, if it is complete.
    private func endAnswers(of session: Session) {
        if session.answers.isEmpty { return }
        let answers = Array(session.answers.values)
        session.answers = [:]
        // First those that other threads wait for: ending these waits for no other thread.
        for answer in answers where answer.isClaimed { answer.end() }
        for answer in answers where !answer.isClaimed { answer.end() }
        locked { discard(answers) }
    }

    /// Keeps an instance pending until the injections that it is joined to have run.
    ///
    /// The caller holds the lock.
    func awaitInjections(_ making: Making) {
        making.session.pending.append(making)
        making.instance?.making = making
        WaitGraph.noteMade(making)
    }

    /// A making that something of this request was made from, in a request whose injections have not all run.
    ///
    /// The caller holds the lock.
    private func uninjected(_ session: Session) -> Making? {
        joined(session).first { $0.session !== session && !WaitGraph.hasInjected($0.session) }
    }

    /// The makings of this request that wait for injections, and the makings of other requests that they were made
    /// from.
    ///
    /// The reads of a making are followed only after its request has run its injections. The caller holds the lock.
    private func joined(_ session: Session) -> [Making] {
        var found: IdentityTable<Making> = [:]
        var open = session.pending.filter { $0.instance?.making != nil }
        while let making = open.popLast() {
            guard found.updateValue(making, forKey: ObjectIdentifier(making)) == nil else { continue }
            guard making.session === session || WaitGraph.hasInjected(making.session) else { continue }
            open += making.recorder.reads.instances.compactMap(\.making)
        }
        return Array(found.values)
    }

    /// Notes that an outermost request begins.
    ///
    /// The caller holds the lock.
    func enter(_ session: Session) -> Session {
        sessionCount += 1
        session.instancesBefore = family.instanceCount
        session.place = family.sessions.count
        family.sessions.append(.passUnretained(session))
        return session
    }

    /// Notes that an outermost request has ended, and returns what was kept for it.
    ///
    /// The caller holds the lock.
    private func release(_ session: Session) -> [Instance] {
        // The last session takes its place.
        let last = family.sessions.removeLast()
        if session.place < family.sessions.count {
            family.sessions[session.place] = last
            last._withUnsafeGuaranteedRef { $0.place = session.place }
        }
        leave()
        if session.detained.isEmpty { return [] }
        let detained = Array(session.detained.values)
        for instance in detained { instance.letGo() }
        // A prepared instance may have come into the context.
        return detained.filter(\.hasLeft)
    }

    private func leave() {
        sessionCount -= 1
        if stranded.isEmpty { return }
        if sessionCount == 0 {
            discard(stranded)
            stranded = StrandedSlots()
        } else if stranded.count > stranded.limit {
            discardStranded()
        }
    }

    /// Releases the stranded slots that no request can need, because no running request's state has their modules.
    ///
    /// So one request that takes long does not keep what others leave behind.
    private func discardStranded() {
        var lineups = IdentityTable<Lineup>()
        for session in family.sessions {
            session._withUnsafeGuaranteedRef {
                if $0.core === self { lineups[ObjectIdentifier($0.state.lineup)] = $0.state.lineup }
            }
        }
        let kept = stranded.filter { slot in lineups.values.contains { isKnown(slot, in: $0) } }
        discard(stranded)
        stranded = kept
    }

    private func run(
        _ injection: PendingInjection, in session: Session, on thread: ThreadRecord
    ) throws(LocatorError) {
        thread.frames.append(
            Frame(session: session, slot: injection.slot, recorder: injection.recorder, isInjection: true))
        beginRecording()
        defer {
            endRecording()
            thread.frames.removeLast()
            injection.recorder?.passReadsOn()
        }
        for inject in injection.slot.record.injections {
            try foreign(injection.slot, session.request, thread) {
                let subject = UnsafeRawPointer(Unmanaged.passUnretained(injection.box).toOpaque())
                var call = MakerCall(.passUnretained(self), thread, of: nil, subject: subject)
                try withExtendedLifetime(injection) { try inject.run(&call) }
            }
        }
    }

    /// Hands over all pending instances except those that are joined to a failed injection, and returns that failure.
    ///
    /// Instances of other requests that these were made from are handed over with them, so that no change comes in
    /// between. The caller holds the lock.
    private func handOver(_ session: Session) -> (ended: [Making], failure: LocatorError?) {
        let joined = joined(session).sorted { ($0.instance?.order ?? 0) < ($1.instance?.order ?? 0) }
        var changed = true
        while changed {
            changed = false
            for making in joined {
                guard let instance = making.instance, instance.failure == nil else { continue }
                let inherited = making.recorder.reads.instances.lazy.compactMap(\.failure).first
                guard let error = making.recorder.injectionFailure ?? inherited else { continue }
                instance.failure = error
                changed = true
            }
        }
        // Those that are dropped would retain each other by what their injections have read.
        for making in joined {
            if let instance = making.instance, instance.failure == nil { instance.reads = making.recorder.reads }
        }
        for making in joined {
            guard let instance = making.instance else { continue }
            instance.making = nil
            if let error = instance.failure {
                instance.status = .gone
                making.failure = error
                making.instance = nil
                making.slot.makings.removeAll { $0 === making }
                discard(instance)
            } else {
                conclude(making)
            }
        }
        defer { session.pending = [] }
        return (joined, session.pending.lazy.compactMap(\.failure).first)
    }

    /// Whether an instance that was just made is incomplete before the end of its request.
    ///
    /// The caller holds the lock.
    func waitsForInjections(_ making: Making) -> Bool {
        making.recorder.waitsForInjections
            || making.recorder.reads.instances.contains { $0.status == .pending }
    }

    /// Takes an instance into the context, if it is valid there.
    ///
    /// The caller holds the lock.
    func conclude(_ making: Making) {
        guard let instance = making.instance else { return }
        let slot = making.slot
        let session = making.session
        followAtOnce(instance.reads)
        instance.reads.addReadsOfWeakParts(in: self)
        // Instances that are joined by injections count as scoped, because whether they are is known only when all of
        // them have ended.
        instance.isScoped =
            !slot.record.lifetime.isLasting
            || instance.reads.instances.contains { $0.isScoped || $0.status == .pending }
            || !instance.reads.scopes.isEmpty
        instance.noteTypes()
        slot.makings.removeAll { $0 === making }
        let status = standing(of: instance, madeIn: session.state)
        instance.status = status
        switch status {
        case .live:
            if session.state === state, instance.birth == state.lineup.latestSequence {
                instance.validUpTo = instance.birth
            }
            slot.live = instance
            register(instance)
        case .aside:
            slot.aside.append(instance)
            register(instance)
        case .stray, .pending, .gone:
            // Requests in the same state get the same instance. The context does not keep it, except for children.
            instance.status = .stray
            if mayStay(instance, madeIn: session.state), keepOvertaken(instance, madeIn: session.state) {
                instance.status = .gone
            }
            session.state.strays[ObjectIdentifier(slot)] = instance
            session.state.preparation?.keep(instance)
            detain(instance, in: session)
        }
    }

    /// The status of an instance that was made in a state that may have been overtaken.
    private func standing(of instance: Instance, madeIn state: ContextState) -> Instance.Status {
        if isClosed { return .stray }
        let parts = instance.reads.instances.filter { $0 !== instance && !$0.hasEnded }
        guard parts.allSatisfy({ $0.status == .live || $0.status == .aside || $0.status == .pending || keeps($0) })
        else {
            return .stray
        }
        if state !== self.state {
            guard mayStay(instance, madeIn: state), rejoin(instance.slot) else { return .stray }
            if isInherited(instance, in: state) { return .stray }
        }
        instance.ownReadsHold = state === self.state && !instance.reads.isJoined || isUntouched(instance)
        if instance.ownReadsHold, instance.slot.live == nil,
            parts.allSatisfy({ $0.status == .live || $0.status == .pending || keeps($0) })
        {
            return .live
        }
        if state === self.state { return .stray }
        var returns = Returns()
        return canReturn(instance, &returns) ? .aside : .stray
    }

    /// Whether no change has ended for good what was made in this state.
    private func mayStay(_ instance: Instance, madeIn state: ContextState) -> Bool {
        isLoaded(instance.slot) && !wasReset(instance.slot.record.lifetime, after: state)
    }

    private func wasReset(_ lifetime: Lifetime, after state: ContextState) -> Bool {
        guard case .held(let scope) = lifetime, let revision = resets[scope] else { return false }
        return revision > state.revision
    }

    /// Registers an instance with everything that its making read, except what contexts above have answered.
    ///
    /// A context does not know the instances of the contexts below it.
    func register(_ instance: Instance) {
        let identity = instance.identity
        for read in instance.reads.cells {
            if !isAbove(read.cell.owner) { read.cell.dependents[identity] = instance }
            if let selected = read.selected { family.selecting.add(instance, reading: selected.type) }
        }
        for read in instance.reads.properties where !isAbove(read.cell.owner) {
            read.cell.dependents[identity] = instance
        }
        for part in instance.reads.instances {
            if isAbove(part.slot.owner) {
                // A request without a lock may be given the instance, and use the part without being given it.
                part.noteReady(at: state.revision)
            } else {
                part.dependents[identity] = instance
            }
        }
        let slot = instance.slot
        if let scope = slot.record.lifetime.openableScope {
            scoped[scope, default: [:]][ObjectIdentifier(slot)] = slot
        }
        if slot.record.isAsynchronous { prepared[ObjectIdentifier(slot)] = slot }
    }
}
