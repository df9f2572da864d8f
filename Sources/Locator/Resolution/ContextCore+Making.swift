/// Making instances.
extension ContextCore {
    /// The highest sequence number of a root, in any context of the family, that an instance made in this state has
    /// seen.
    ///
    /// The caller holds the lock.
    func birth(in state: ContextState) -> UInt {
        state === self.state ? family.rootCount : state.lineup.latestSequence
    }

    /// Runs the factory closure, the decorator, or the upcast of a slot.
    ///
    /// Factory closures nest, so rare parts of this path are not inlined.
    func make(
        _ slot: Slot, payload: UnsafeRawPointer? = nil, _ request: Request, in session: Session,
        on thread: ThreadRecord, making: Making? = nil, recorder: Recorder?
    ) throws(LocatorError) -> AnyBox {
        try begin(slot, isFactory: payload != nil, request, in: session, on: thread, making, recorder)
        defer { end(recorder, on: thread) }
        if isObserved {
            return try timed(slot, payload, request, in: session, on: thread, recorder)
        }
        return try makeUntimed(slot, payload, request, in: session, on: thread, recorder)
    }

    /// Enters the frame of a making.
    @inline(never)
    func begin(
        _ slot: Slot, isFactory: Bool, _ request: Request, in session: Session, on thread: ThreadRecord,
        _ making: Making?, _ recorder: Recorder?
    ) throws(LocatorError) {
        if thread.isCircle(.passUnretained(slot), isFactory: isFactory) {
            throw thread.circleError(to: slot, request)
        }
        if thread.stack.isReached { throw LocatorError(tooDeep: slot, request, thread) }
        if making != nil || slot.record.lifetime == .graph { session.noteAttempt(slot) }
        thread.frames.append(Frame(session: session, slot: slot, making: making, recorder: recorder))
        if recorder != nil { beginRecording() }
    }

    @inline(never)
    func end(_ recorder: Recorder?, on thread: ThreadRecord) {
        if recorder != nil { endRecording() }
        thread.frames.removeLast()
    }

    @inline(never)
    private func timed(
        _ slot: Slot, _ payload: UnsafeRawPointer?, _ request: Request, in session: Session, on thread: ThreadRecord,
        _ recorder: Recorder?
    ) throws(LocatorError) -> AnyBox {
        try timing(slot, on: thread) { () throws(LocatorError) in
            try makeUntimed(slot, payload, request, in: session, on: thread, recorder)
        }
    }

    private func makeUntimed(
        _ slot: Slot, _ payload: UnsafeRawPointer?, _ request: Request, in session: Session, on thread: ThreadRecord,
        _ recorder: Recorder?
    ) throws(LocatorError) -> AnyBox {
        guard case .registration = slot.layer else {
            return try makeLayer(of: slot, payload, request, in: session, on: thread)
        }
        let box = try runMaker(of: slot, payload, request, thread)
        try noteMade(box, of: slot, request, in: session, on: thread, recorder)
        return box
    }

    /// Runs the decorator or the upcast of a slot.
    @inline(never)
    private func makeLayer(
        of slot: Slot, _ payload: UnsafeRawPointer?, _ request: Request, in session: Session, on thread: ThreadRecord
    ) throws(LocatorError) -> AnyBox {
        guard let inner = slot.inner else { preconditionFailure("A registration is no layer around another") }
        let base = try obtain(inner, payload: payload, request, in: session, on: thread)
        return try makeLayer(of: slot, around: base, request, on: thread)
    }

    /// Runs the decorator or the upcast of a slot on the instance that it wraps.
    func makeLayer(
        of slot: Slot, around base: AnyBox, _ request: Request, on thread: ThreadRecord
    ) throws(LocatorError) -> AnyBox {
        switch slot.layer {
        case .registration:
            return base
        case .alias(let alias, _):
            return alias.convert(base)
        case .decorator(let decorator, _):
            return try foreign(slot, request, thread) {
                let subject = UnsafeRawPointer(Unmanaged.passUnretained(base).toOpaque())
                var call = MakerCall(
                    .passUnretained(self), thread, of: .passUnretained(slot), subject: subject)
                return try withExtendedLifetime(base) { try decorator.decorate.run(&call) }
            }
        }
    }

    /// Checks the result of a factory closure, and notes the injections that must follow.
    @inline(never)
    func noteMade(
        _ box: AnyBox, of slot: Slot, _ request: Request, in session: Session, on thread: ThreadRecord,
        _ recorder: Recorder?
    ) throws(LocatorError) {
        let record = slot.record
        if record.lifetime == .weak, box.weakly() == nil {
            throw LocatorError(.weakValue(slot.key), request, thread)
        }
        if record.injections.isEmpty { return }
        let origin = thread.isOfSharedSinceInjection ? nil : session.runningInjection
        if let row = session.endlessRow(to: slot, from: origin) {
            throw LocatorError(.circularDependency(thread.circle(to: slot, behind: row)), request, thread)
        }
        session.injections.append(.init(slot: slot, box: box, recorder: recorder, origin: origin))
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
            let call = MakerCall(.passUnretained(self), thread, of: .passUnretained(slot), payload: payload)
            return try maker.make(slot.record.key.type, call)
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
            let (box, isGone) = locked { (handedIn(slot.record), isClosed) }
            if let box { return box }
            if isGone { throw goneError(request) }
            throw LocatorError(.inputNotGiven(slot.key), request, thread)
        case .synchronous, .asynchronous:
            let error = LocatorError(notStarted: slot, request, thread)
            let (place, hasRun) = locked { (shutDownPlace, prepared.has(ObjectIdentifier(slot))) }
            if let place {
                throw error.noting(["its context was shut down at \(place)"], betterFix: Fix.startingAgain)
            }
            if !hasRun { throw error }
            throw error.noting(
                ["an earlier instance has ended because the context has changed"],
                betterFix: isChild ? Fix.startingChildAfterChange : Fix.startingAfterChange)
        }
    }

    @inline(never)
    func checkActor(of slot: Slot, _ request: Request, _ thread: ThreadRecord) throws(LocatorError) {
        if MainActorCheck.isOnMainActor { return }
        throw LocatorError(Self.wrongActor(slot), request, thread)
    }

    /// Why a slot cannot be resolved off the main actor.
    static func wrongActor(_ slot: Slot) -> LocatorError.Kind {
        switch slot.record.lifetime {
        case .held, .weak: .wrongActor(slot.key, isSendable: slot.record.isolation == .making)
        case .graph, .prototype: .madeOnMainActor(slot.key)
        }
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
    private static func failure(
        of slot: Slot, _ error: any Error, _ request: Request, _ thread: ThreadRecord
    ) -> LocatorError {
        error as? LocatorError ?? LocatorError(.initializationFailed(slot.key, error), request, thread)
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
