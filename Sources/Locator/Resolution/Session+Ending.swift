/// The end of an outermost request: injections run, and the context gets the instances that waited for them.
extension Session {
    /// Runs the work that waits for the end of the request, and returns the first error.
    func end(on thread: ThreadRecord) -> LocatorError? {
        let failure = complete(on: thread)
        leave()
        return failure
    }

    /// Ends a request without waiting work, and disposes of the instances that were kept only for it.
    func leave() {
        var left = core.locked { () -> [Instance] in
            // The instances that it was given are used until the asynchronous factory closure that has made the request
            // ends.
            if let keeper = core.family.recorderOfTask?.keeper { keeper.use(uses) }
            // The same is true of instances that it was given for a request of another context, which has made this
            // one.
            if !isForSharing { outer?.holdUses(of: self) }
            let left = release()
            // Until the hooks have run, another session does not release the parent.
            if !left.isEmpty { core.disposingCount += 1 }
            return left
        }
        if !left.isEmpty {
            ThreadRecord.current.outsideOfMakings {
                // If another request also uses some of these, that request disposes of them.
                core.dispose(of: left, areReleased: true)
                left = []
            }
            core.locked { core.disposingCount -= 1 }
        }
        core.empty()
    }

    /// Runs the injections of the request, passes the instances that waited for them to the context, and returns the
    /// first error.
    private func complete(on thread: ThreadRecord) -> LocatorError? {
        if injections.isEmpty, pending.isEmpty, taken.isEmpty, answers.isEmpty { return nil }
        let injectionFailure = runInjections(on: thread)
        WaitGraph.noteInjected(self)
        let waitFailure = waitForInjections(on: thread)
        var (ended, joinedFailure, gone) = core.locked { handOver() }
        for making in ended { WaitGraph.end(making) }
        // A deinitializer must not make anything in this request, because nothing would run its injections.
        thread.outsideOfMakings {
            core.dispose(of: gone)
            gone = []
            ended = []
        }
        endAnswers(on: thread)
        return injectionFailure ?? waitFailure ?? joinedFailure
    }

    /// Runs the injections of the request, and returns the first error.
    private func runInjections(on thread: ThreadRecord) -> LocatorError? {
        var failure: LocatorError?
        var position = 0
        // Injections may make more instances. Their injections are appended.
        while position < injections.count {
            let injection = injections[position]
            runningInjection = position
            position += 1
            do throws(LocatorError) {
                try run(injection, on: thread)
            } catch {
                failure = failure ?? error
                guard let recorder = injection.recorder else { continue }
                recorder.fail(with: error)
                // A closure of another context that catches the error depends on what was read. Whether it counts for a
                // child that shares the instance depends on that, too.
                thread.frames.last?.recorder?.note(recorder)
            }
        }
        runningInjection = nil
        for injection in injections { injection.recorder?.endInjections() }
        return failure
    }

    /// Waits for the injections of other requests that have made incomplete instances for this one, so that nothing
    /// incomplete is returned, and nothing that is joined to a failed injection is kept.
    ///
    /// Returns an error if they run only after this request.
    private func waitForInjections(on thread: ThreadRecord) -> LocatorError? {
        while let making = core.locked({ uninjected }) {
            if WaitGraph.wait(for: making, toInject: true, on: thread) == nil { continue }
            // The other request cannot continue before this one has ended, for example because an observer makes this
            // one.
            let steps = [making.slot.step] + pending.prefix(1).map(\.slot.step) + [making.slot.step]
            let error = LocatorError(.circularDependency(steps), request, thread).noting(
                ["\(making.slot.key) waits for its injections, which run after this request"],
                betterFix: Fix.requestingAfterInjections)
            for making in pending { making.recorder.fail(with: error) }
            return error
        }
        return nil
    }

    /// Lets wrappers cache what they returned in the request, if it is complete.
    private func endAnswers(on thread: ThreadRecord) {
        if answers.isEmpty { return }
        var ended = Array(answers.values)
        answers = [:]
        // Answers that other threads wait for end first, because ending them does not wait for another thread.
        for answer in ended where answer.isClaimed { answer.end() }
        for answer in ended where !answer.isClaimed { answer.end() }
        thread.outsideOfMakings { ended = [] }
    }

    /// A making of another request whose injections have not all run, if an instance of this request was made from it.
    ///
    /// The caller holds the lock.
    private var uninjected: Making? {
        joined.first { $0.session !== self && !WaitGraph.hasInjected($0.session) }
    }

    /// The makings of this request that wait for injections, those that it has taken from other requests, and the
    /// makings of other requests that all of these were made from.
    ///
    /// The reads of a making are followed only after its request has run its injections. The caller holds the lock.
    private var joined: [Making] {
        var found: IdentityTable<Making> = [:]
        var open = (pending + taken).filter { $0.instance?.making != nil && !isInside($0.session) }
        while let making = open.popLast() {
            guard found.updateValue(making, forKey: ObjectIdentifier(making)) == nil else { continue }
            guard making.session === self || WaitGraph.hasInjected(making.session) else { continue }
            open += making.recorder.reads.instances.compactMap(\.making).filter { !isInside($0.session) }
        }
        return Array(found.values)
    }

    /// Whether an instance is complete only after injections that run before the end of this request, or on another
    /// thread.
    ///
    /// The injections of an outer request run later. If the instance then leaves its context, the instances that this
    /// request has made from it end.
    func waits(for instance: Instance) -> Bool {
        instance.status == .pending && !(instance.making.map { isInside($0.session) } ?? false)
    }

    /// Whether another request has made this one, through other contexts.
    private func isInside(_ other: Session) -> Bool {
        sequence(first: self, next: \.outer).dropFirst().contains { $0 === other }
    }

    /// Releases the stranded slots of the context that no request can need.
    ///
    /// While requests run, these are the slots whose modules are not in any running request's state. So a long request
    /// does not keep what others leave behind. The caller holds the lock.
    private func discardStranded() {
        var kept = StrandedSlots()
        if core.sessionCount > 0 {
            if core.tables.stranded.count <= core.tables.stranded.limit { return }
            var lineups = IdentityTable<Lineup>()
            core.family.forEachSession {
                if $0.core === core { lineups[ObjectIdentifier($0.state.lineup)] = $0.state.lineup }
            }
            kept = core.tables.stranded.filter { slot in lineups.values.contains { core.isKnown(slot, in: $0) } }
        }
        core.discard(core.tables.stranded)
        core.tables.stranded = kept
    }

    /// Notes that the request has ended, and returns the instances that were kept for it.
    ///
    /// The caller holds the lock.
    private func release() -> [Instance] {
        let family = core.family
        // The last session takes its place.
        let last = family.sessions.removeLast()
        if place < family.sessions.count {
            family.sessions[place] = last
            last._withUnsafeGuaranteedRef { $0.place = place }
        }
        core.sessionCount -= 1
        if !core.tables.stranded.isEmpty { discardStranded() }
        if detained.isEmpty, held.isEmpty { return [] }
        for instance in detained.values { instance.letGo() }
        for instance in held { instance.letGo() }
        // A prepared instance may have come into the context.
        return (detained.values + held).filter(\.hasLeft)
    }

    /// The steps that needed the instance whose injections are running, innermost first.
    var usersOfRunningInjection: [Step] { runningInjection.map { injections[$0].users } ?? [] }

    private func run(_ injection: PendingInjection, on thread: ThreadRecord) throws(LocatorError) {
        thread.frames.append(
            Frame(session: self, slot: injection.slot, recorder: injection.recorder, isInjection: true))
        core.beginRecording()
        defer {
            core.endRecording()
            thread.frames.removeLast()
            injection.recorder?.passReadsOn(afterInjection: true)
        }
        for inject in injection.slot.record.injections {
            try foreign(injection.slot, request, thread) {
                let subject = UnsafeRawPointer(Unmanaged.passUnretained(injection.box).toOpaque())
                var call = MakerCall(.passUnretained(core), thread, of: nil, subject: subject)
                try withExtendedLifetime(injection) { try inject.run(&call) }
            }
        }
    }

    /// Passes all pending instances to their contexts, except those that are joined to a failed injection, and returns
    /// that failure.
    ///
    /// Instances of other requests that these were made from are passed with them, so that no change comes in between.
    /// The caller holds the lock.
    private func handOver() -> (ended: [Making], failure: LocatorError?, gone: [Instance]) {
        let joined = joined.filter { $0.session === self || WaitGraph.hasInjected($0.session) }
            .sorted { ($0.instance?.order ?? 0) < ($1.instance?.order ?? 0) }
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
        // Otherwise, dropped instances would retain each other through the reads of their injections.
        for making in joined {
            if let instance = making.instance, instance.failure == nil { instance.reads = making.recorder.reads }
        }
        repeat {
            changed = false
            // The latest comes first, because injections have made it for earlier ones.
            for making in joined.reversed() where making.leaveOutIfEnded() { changed = true }
        } while changed
        let statuses = statuses(of: joined)
        var touched = Touched()
        for making in joined {
            guard let instance = making.instance else { continue }
            instance.making = nil
            if let error = instance.failure {
                instance.status = .gone
                making.failure = error
                making.instance = nil
                making.slot.makings.removeAll { $0 === making }
                core.discard(instance)
            } else {
                making.enterContext(as: statuses[instance.identity] ?? .stray)
            }
            guard instance.hasLeft else { continue }
            for user in instance.dependents.values where user.slot.owner != core.identity { touched.add(user) }
        }
        // Other requests may have been given these instances while they waited for injections.
        if joined.contains(where: { $0.instance?.hasLeft ?? false }) { core.detainUsed() }
        let gone = touched.instances.isEmpty ? [] : core.letOthersFollow(touched, isTentative: false)
        defer { (pending, taken) = ([], []) }
        return (joined, (pending + taken).lazy.compactMap(\.failure).first, gone)
    }

    /// The statuses of instances that injections have joined.
    ///
    /// One that was made from a part that cannot be live is not live either.
    private func statuses(of joined: [Making]) -> IdentityTable<Instance.Status> {
        let complete = joined.filter { $0.instance?.failure == nil }
        for making in complete { making.completeInstance() }
        var statuses: IdentityTable<Instance.Status> = [:]
        for making in complete {
            if let instance = making.instance { statuses[instance.identity] = making.standing(of: instance) }
        }
        var hasChanged = statuses.values.contains { $0 != .live }
        while hasChanged {
            hasChanged = false
            for instance in complete.compactMap(\.instance) where statuses[instance.identity] != .stray {
                let parts = instance.reads.instances.compactMap { $0.hasEnded ? nil : statuses[$0.identity] }
                let worst: Instance.Status? = parts.contains(.stray) ? .stray : parts.contains(.aside) ? .aside : nil
                guard let worst, worst != statuses[instance.identity] else { continue }
                statuses[instance.identity] = worst
                hasChanged = true
            }
        }
        return statuses
    }
}
