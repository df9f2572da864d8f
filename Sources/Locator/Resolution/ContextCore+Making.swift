/// Making what was asked for.
extension ContextCore {
    /// Makes a shared instance and hands it to the context.
    func run(
        _ making: Making, _ request: Request, in session: Session, on thread: ThreadRecord, noting outer: Recorder?
    ) throws(LocatorError) -> AnyBox {
        let outcome: Result<AnyBox, LocatorError>
        do throws(LocatorError) {
            outcome = .success(
                try make(making.slot, request, in: session, on: thread, making: making, recorder: making.recorder))
        } catch {
            outcome = .failure(error)
        }
        return try conclude(making, with: outcome, noting: outer)
    }

    /// Hands what a making has come to over to the context and to those who wait for it.
    func conclude(
        _ making: Making, with outcome: Result<AnyBox, LocatorError>, noting outer: Recorder?
    ) throws(LocatorError) -> AnyBox {
        let slot = making.slot
        do throws(LocatorError) {
            let box = try outcome.get()
            let ended = try locked { () throws(LocatorError) in
                family.instanceCount += 1
                let instance = try Instance(
                    box, slot: slot, birth: birth(in: making.session.state), order: family.instanceCount,
                    reads: making.recorder.reads)
                making.instance = instance
                use(instance, of: slot, in: making.session)
                outer?.reads.add(instance)
                if waitsForInjections(making) {
                    awaitInjections(making)
                    return false
                }
                conclude(making)
                return true
            }
            if ended { WaitGraph.end(making) }
            return box
        } catch {
            locked {
                slot.makings.removeAll { $0 === making }
                making.failure = error
            }
            WaitGraph.end(making)
            // The asker may catch the error and be made all the same; with other answers it would have been made
            // otherwise.
            locked { outer?.reads.add(making.recorder.reads) }
            throw error
        }
    }

    /// The greatest number of a load or push that something made in this state has seen, in any context of the family.
    ///
    /// The caller holds the lock.
    func birth(in state: ContextState) -> UInt {
        state === self.state ? family.rootCount : state.latestSequence
    }

    /// Runs the maker, the decorator or the upcast of a slot.
    func make(
        _ slot: Slot, payload: UnsafeRawPointer? = nil, _ request: Request, in session: Session,
        on thread: ThreadRecord, making: Making? = nil, recorder: Recorder?
    ) throws(LocatorError) -> AnyBox {
        if isObserved {
            return try timing(slot, on: thread) { () throws(LocatorError) in
                try makeUntimed(
                    slot, payload: payload, request, in: session, on: thread, making: making, recorder: recorder)
            }
        }
        return try makeUntimed(
            slot, payload: payload, request, in: session, on: thread, making: making, recorder: recorder)
    }

    private func makeUntimed(
        _ slot: Slot, payload: UnsafeRawPointer?, _ request: Request, in session: Session, on thread: ThreadRecord,
        making: Making?, recorder: Recorder?
    ) throws(LocatorError) -> AnyBox {
        if thread.isTooDeep(.passUnretained(slot), isFactory: payload != nil) {
            throw LocatorError(.circle(thread.circle(to: slot)), request, thread)
        }
        if making != nil || slot.record.lifetime == .graph { session.noteAttempt(slot) }
        thread.frames.append(Frame(session: session, slot: slot, making: making, recorder: recorder))
        if recorder != nil { beginRecording() }
        defer {
            if recorder != nil { endRecording() }
            thread.frames.removeLast()
        }
        switch slot.layer {
        case .alias(let alias, let inner):
            return alias.convert(try obtain(inner, payload: payload, request, in: session, on: thread))
        case .decorator(let decorator, let inner):
            let base = try obtain(inner, payload: payload, request, in: session, on: thread)
            return try foreign(slot, request, thread) {
                let subject = UnsafeRawPointer(Unmanaged.passUnretained(base).toOpaque())
                var call = MakerCall(
                    .passUnretained(self), thread, of: .passUnretained(slot), subject: subject)
                return try withExtendedLifetime(base) { try decorator.decorate.run(&call) }
            }
        case .registration:
            let box = try runMaker(of: slot, payload: payload, request, thread)
            let record = slot.record
            if record.lifetime == .weak, box.weakly() == nil {
                throw LocatorError(.weakValue(slot.key), request, thread)
            }
            if !record.injections.isEmpty {
                let origin = thread.isOfSharedSinceInjection ? nil : session.runningInjection
                if let row = session.endlessRow(to: slot, from: origin) {
                    throw LocatorError(.circle(thread.circle(to: slot, behind: row)), request, thread)
                }
                session.injections.append(.init(slot: slot, box: box, recorder: recorder, origin: origin))
                recorder?.waitForInjections()
            }
            return box
        }
    }

    private func runMaker(
        of slot: Slot, payload: UnsafeRawPointer?, _ request: Request, _ thread: ThreadRecord
    ) throws(LocatorError) -> AnyBox {
        let record = slot.record
        if record.isolation != .none, !MainActorCheck.isOnMainActor {
            throw LocatorError(.wrongActor(slot.key, isSendable: record.isolation == .making), request, thread)
        }
        switch record.production {
        case .instance(let box):
            return box
        case .synchronous(let maker):
            return try foreign(slot, request, thread) {
                let call = MakerCall(.passUnretained(self), thread, of: .passUnretained(slot), subject: payload)
                return try maker.make(record.key.type, call)
            }
        case .asynchronous:
            throw LocatorError(notStarted: slot, request, thread)
        }
    }

    /// Runs a user's closure; what it throws keeps its cause.
    func foreign<Result>(
        _ slot: Slot, _ request: Request, _ thread: ThreadRecord, _ body: () throws -> Result
    ) throws(LocatorError) -> Result {
        do {
            return try body()
        } catch let error as LocatorError {
            throw error
        } catch {
            throw LocatorError(.makerFailed(slot.key, error), request, thread)
        }
    }
}
