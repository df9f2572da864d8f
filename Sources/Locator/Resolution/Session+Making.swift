/// Making instances.
extension Session {
    /// Runs the factory closure, the decorator, or the upcast of a slot.
    ///
    /// Factory closures nest, so rare parts of this path are not inlined.
    func make(
        _ slot: Slot, payload: UnsafeRawPointer? = nil, _ request: Request, on thread: ThreadRecord,
        making: Making? = nil, recorder: Recorder?
    ) throws(LocatorError) -> AnyBox {
        try enterFrame(of: slot, isFactory: payload != nil, request, on: thread, making, recorder)
        defer { leaveFrame(recorder, on: thread) }
        // The time that another context needs to make a part counts for the user of the part.
        if core.family.isObserved {
            return try timed(slot, payload, request, on: thread, recorder)
        }
        return try makeUntimed(slot, payload, request, on: thread, recorder)
    }

    /// Enters the frame of a making.
    @inline(never)
    func enterFrame(
        of slot: Slot, isFactory: Bool, _ request: Request, on thread: ThreadRecord, _ making: Making?,
        _ recorder: Recorder?
    ) throws(LocatorError) {
        if thread.isCycle(.passUnretained(slot), isFactory: isFactory) {
            throw thread.cycleError(to: slot, request)
        }
        if thread.stack.isReached { throw LocatorError(tooDeep: slot, request, thread) }
        if making != nil || slot.record.lifetime == .graph { noteAttempt(slot) }
        thread.frames.append(Frame(session: self, slot: slot, making: making, recorder: recorder))
        if recorder != nil { core.beginRecording() }
    }

    /// Leaves the frame of a making.
    @inline(never)
    func leaveFrame(_ recorder: Recorder?, on thread: ThreadRecord) {
        if recorder != nil { core.endRecording() }
        thread.frames.removeLast()
    }

    @inline(never)
    private func timed(
        _ slot: Slot, _ payload: UnsafeRawPointer?, _ request: Request, on thread: ThreadRecord, _ recorder: Recorder?
    ) throws(LocatorError) -> AnyBox {
        try core.timing(slot, on: thread) { () throws(LocatorError) in
            try makeUntimed(slot, payload, request, on: thread, recorder)
        }
    }

    private func makeUntimed(
        _ slot: Slot, _ payload: UnsafeRawPointer?, _ request: Request, on thread: ThreadRecord, _ recorder: Recorder?
    ) throws(LocatorError) -> AnyBox {
        guard case .registration = slot.layer else {
            return try makeLayer(of: slot, payload, request, on: thread)
        }
        let box = try runMaker(of: slot, payload, request, thread)
        try noteMade(box, of: slot, request, on: thread, recorder)
        return box
    }

    /// Runs the decorator or the upcast of a slot.
    @inline(never)
    private func makeLayer(
        of slot: Slot, _ payload: UnsafeRawPointer?, _ request: Request, on thread: ThreadRecord
    ) throws(LocatorError) -> AnyBox {
        guard let inner = slot.inner else { preconditionFailure("A registration is no layer around another") }
        let base = try obtain(inner, payload: payload, request, on: thread)
        return try makeLayer(of: slot, around: base, request, on: thread)
    }

    /// Runs the decorator or the upcast of a slot on the instance that it wraps.
    func makeLayer(
        of slot: Slot, around base: AnyBox, _ request: Request, on thread: ThreadRecord
    ) throws(LocatorError) -> AnyBox {
        let box = try foreign(slot, request, thread) { try slot.wrap(base, in: core, on: thread) }
        try checkIsHeldWeakly(box, of: slot, request, thread)
        return box
    }

    /// Throws if a `.weak` registration has made a value that cannot be held weakly.
    private func checkIsHeldWeakly(
        _ box: AnyBox, of slot: Slot, _ request: Request, _ thread: ThreadRecord
    ) throws(LocatorError) {
        if slot.record.lifetime == .weak, box.weakly() == nil {
            throw LocatorError(.weakValue(slot.key), request, thread)
        }
    }

    /// Checks the result of a factory closure, and notes the injections that must follow.
    @inline(never)
    func noteMade(
        _ box: AnyBox, of slot: Slot, _ request: Request, on thread: ThreadRecord, _ recorder: Recorder?
    ) throws(LocatorError) {
        try checkIsHeldWeakly(box, of: slot, request, thread)
        if slot.record.injections.isEmpty { return }
        let origin = thread.isOfSharedSinceInjection ? nil : runningInjection
        if let row = endlessRow(to: slot, from: origin) {
            throw LocatorError(.circularDependency(thread.cycle(to: slot, behind: row)), request, thread)
        }
        let users = thread.reachable.prefix { $0.isOf(self) }.flatMap(\.steps).dropFirst()
        injections.append(
            .init(
                slot: slot, box: box, recorder: recorder, origin: origin,
                users: Array(users.prefix(PendingInjection.userCount))))
        recorder?.waitForInjections()
    }

    private func runMaker(
        of slot: Slot, _ payload: UnsafeRawPointer?, _ request: Request, _ thread: ThreadRecord
    ) throws(LocatorError) -> AnyBox {
        guard case .synchronous(let maker) = slot.record.production else {
            return try made(slot, request, thread)
        }
        if slot.record.isolation != .none { try checkActor(of: slot, request, thread) }
        do {
            var call = MakerCall(.passUnretained(core), thread, of: .passUnretained(slot), payload: payload)
            return try maker.make(slot.record.key.type, &call)
        } catch {
            throw Self.failure(of: slot, error, request, thread)
        }
    }

    /// Obtains an instance that no synchronous factory closure makes.
    @inline(never)
    private func made(_ slot: Slot, _ request: Request, _ thread: ThreadRecord) throws(LocatorError) -> AnyBox {
        switch slot.record.production {
        case .instance(let box):
            if slot.record.isolation != .none { try checkActor(of: slot, request, thread) }
            return box
        case .input:
            let (box, isGone) = core.locked { (core.handedIn(slot.record), core.isClosed) }
            if let box { return box }
            if isGone { throw core.goneError(request) }
            throw LocatorError(.inputNotGiven(slot.key), request, thread)
        case .synchronous, .asynchronous:
            throw notStarted(slot, request, thread)
        }
    }

    /// The error for an instance that only `start()` makes, with the reason why there is none.
    private func notStarted(_ slot: Slot, _ request: Request, _ thread: ThreadRecord) -> LocatorError {
        let error = LocatorError(notStarted: slot, request, thread)
        let (place, hadInstance, mayStart, isElement, blocked) = core.locked {
            (
                core.shutDownPlace, slot.hadInstance, core.watch?.allows(slot) ?? true,
                core.noteRequest(inVain: slot, in: state), core.blocked(slot, in: state)
            )
        }
        if let (needed, scope) = blocked {
            return error.noting(
                ["it needs \(needed.key) of scope \(scope), which is not open in this context"],
                betterFix: Fix.opening(scope, hasInputs: needed.record.isInput))
        }
        if !mayStart {
            return error.noting(
                ["the test is strict, and no module of its trait registers it"], betterFix: Fix.registeringInTrait)
        }
        if let place {
            return error.noting(["its context was shut down at \(place)"], betterFix: Fix.startingAgain)
        }
        if isElement, !hadInstance {
            return error.noting(
                ["another registration of \(slot.key) comes before it, and no registration takes the array"],
                betterFix: Fix.startingForElement)
        }
        // A start that has begun the request may make the instance in the meantime.
        if !hadInstance || AsyncStep.isInClosure(of: core) { return error.sayingHowToStart(slot.key, in: core) }
        return error.noting(
            ["an earlier instance has ended because the context has changed"],
            betterFix: core.isChild
                ? Fix.startingAgain(core.isOpened(slot) ? "child" : "context") : Fix.startingAfterChange)
    }

    @inline(never)
    func checkActor(of slot: Slot, _ request: Request, _ thread: ThreadRecord) throws(LocatorError) {
        if MainActorCheck.isOnMainActor { return }
        throw LocatorError(offMainActor: slot, request, thread)
    }

    /// Runs a user's closure, and wraps its error.
    func foreign<Result>(
        _ slot: Slot, _ request: Request, _ thread: ThreadRecord, _ body: () throws -> Result
    ) throws(LocatorError) -> Result {
        do {
            return try body()
        } catch {
            throw Self.failure(of: slot, error, request, thread)
        }
    }

    @inline(never)
    static func failure(
        of slot: Slot, _ error: any Error, _ request: Request, _ thread: ThreadRecord
    ) -> LocatorError {
        if let error = error as? LocatorError, !error.isOfHooks { return error }
        return LocatorError(.initializationFailed(slot.key, error), request, thread)
    }
}
