/// Obtains what a request needs: the answers in its state, and the instances.
extension Session {
    /// Finds the answer in the state of the request, and records it for the instance that is being made.
    func read(
        _ kind: Cell.Query.Kind, _ request: Request, _ selected: SelectedModules? = nil, on thread: ThreadRecord
    ) -> Answer {
        let core = core
        let recorder = thread.recorder(of: core)
        return core.locked {
            let (cell, answer) = core.answer(kind, request, in: state)
            recorder?.reads.add(cell, answer, selected)
            return answer
        }
    }

    /// Obtains an instance of a slot: a shared one that exists, one that another thread is making, or a new one.
    func obtain(
        _ slot: Slot, payload: UnsafeRawPointer? = nil, _ request: Request, on thread: ThreadRecord
    ) throws(LocatorError) -> AnyBox {
        let recorder = try recorder(noting: slot, request, on: thread)
        if slot.isShared {
            switch try claim(slot, request, on: thread, noting: recorder) {
            case .given(let box): return box
            case .made(let making): return try making.run(request, noting: recorder)
            }
        }
        if slot.record.lifetime == .graph {
            return try obtainForGraph(slot, request, on: thread, noting: recorder)
        }
        return try make(slot, payload: payload, request, on: thread, recorder: recorder)
    }

    /// Returns the recorder of the making that needs an instance of the slot, and notes there how long the instance
    /// lasts.
    @inline(never)
    func recorder(
        noting slot: Slot, _ request: Request, on thread: ThreadRecord
    ) throws(LocatorError) -> Recorder? {
        if slot.record.isolation == .makingAndAsking, !MainActorCheck.isOnMainActor {
            throw LocatorError(offMainActor: slot, request, thread, reaching: slot)
        }
        guard let recorder = thread.recorder(of: core) else { return nil }
        if !slot.record.lifetime.isLasting { recorder.isLasting = false }
        if !slot.isShared || slot.record.lifetime == .weak { recorder.isHeld = false }
        return recorder
    }

    @inline(never)
    private func obtainForGraph(
        _ slot: Slot, _ request: Request, on thread: ThreadRecord, noting outer: Recorder?
    ) throws(LocatorError) -> AnyBox {
        if let found = graphInstance(of: slot) {
            if let outer { found.recorder.count(for: outer) }
            return found.box
        }
        let recorder = Recorder(core: core, outer: outer)
        // The reads of a failed making also count, because the closure that requested it may catch the error and still
        // make its instance.
        defer { recorder.passReadsOn() }
        let box = try make(slot, request, on: thread, recorder: recorder)
        keep(GraphInstance(slot: slot, box: box, recorder: recorder, state: state))
        return box
    }

    /// Obtains the instance for a request, or returns nil if nothing is registered.
    @inline(never)
    func obtain(
        _ answer: Answer, _ request: Request, on thread: ThreadRecord
    ) throws(LocatorError) -> AnyBox? {
        switch answer {
        case .missing:
            core.locked { core.makeMissingReady(core.cell(.single, of: request.key)) }
            return nil
        case .elements, .offers: return nil
        case .undecided(let factories, .payloadNeeded):
            throw LocatorError.payloadNeeded(request.key, by: factories) { LocatorError($0, request, thread) }
        case .undecided(let candidates, .ambiguous):
            throw LocatorError(ambiguous: request.key, candidates, request, in: state.lineup, thread)
        case .slot(let slot): return try obtain(slot, request, on: thread)
        }
    }

    /// The elements of a collection.
    @inline(never)
    func elements(
        _ kind: Cell.Query.Kind, _ request: Request, _ selected: SelectedModules?, on thread: ThreadRecord
    ) throws(LocatorError) -> [Answer.Element] {
        var answer = read(kind, request, selected, on: thread)
        if let selected, case .offers(let offers) = answer { answer = selected.collection(from: offers) ?? .missing }
        switch answer {
        case .elements(let elements): return elements
        case .undecided(let candidates, .ambiguous):
            let key = candidates.first?.key ?? request.key
            throw LocatorError(ambiguous: key, candidates, request, in: state.lineup, thread)
        case .missing, .slot, .undecided(_, .payloadNeeded), .offers: return []
        }
    }

    /// Obtains the instances of a collection.
    @inline(never)
    func obtain(
        _ elements: [Answer.Element], _ request: Request, on thread: ThreadRecord
    ) throws(LocatorError) -> [(box: AnyBox, qualifier: String?)] {
        var found: [(box: AnyBox, qualifier: String?)] = []
        found.reserveCapacity(elements.count)
        for element in elements {
            found.append((try obtain(element.slot, request, on: thread), element.qualifier))
        }
        return found
    }

    /// The factory that makes what is requested from a payload.
    ///
    /// Only if `isAwaited` is true may it be asynchronous.
    @inline(never)
    func factory(
        _ payloadType: any Any.Type, isAwaited: Bool, _ request: Request, on thread: ThreadRecord
    ) throws(LocatorError) -> Slot {
        switch read(.factory(payload: ObjectIdentifier(payloadType)), request, on: thread) {
        case .slot(let slot):
            if isAwaited || !slot.record.isAsynchronous { return slot }
            throw LocatorError(.notAwaited(slot.key), request, thread, reaching: slot)
        case .undecided(let candidates, .ambiguous):
            throw LocatorError(ambiguous: request.key, candidates, request, in: state.lineup, thread)
        case .missing, .elements, .undecided(_, .payloadNeeded), .offers:
            throw LocatorError.payloadMismatch(request, payloadType, thread, in: core)
        }
    }
}
