internal import Synchronization

/// An asynchronous factory closure whose parameters have been resolved.
struct AsyncMaking {
    private let core: ContextCore
    private let slot: Slot
    /// The request that has resolved the parameters.
    let prolonged: ProlongedRequest
    /// Records what is read for the parameters, and what the closure reads when it runs.
    private let recorder: Recorder
    /// See `Session.startRevision`.
    private let startRevision: UInt
    private let make: () async throws -> AnyBox

    /// Resolves the parameters of an asynchronous factory closure.
    ///
    /// Returns nil if no instance is needed.
    static func begin(
        _ slot: Slot, of core: ContextCore, in prepared: ContextState?
    ) throws(LocatorError) -> AsyncMaking? {
        let request = slot.request
        return try core.inSession(request, in: prepared) { (session, thread) throws(LocatorError) in
            guard case .asynchronous(let collect) = slot.record.production else { return nil }
            core.askSelections(toShare: slot, in: session.state)
            let isNeeded = core.locked {
                core.valid(slot, in: session.state) == nil && core.isInForce(slot, in: prepared ?? core.state)
                    && (prepared != nil || slot.isLeftToItself(in: core) && core.rejoin(slot))
            }
            if !isNeeded { return nil }
            let making = Making(slot: slot, session: session, thread: thread)
            thread.frames.append(Frame(session: session, slot: slot, making: making, recorder: making.recorder))
            core.beginRecording()
            defer { session.leaveFrame(making.recorder, on: thread) }
            let make = try session.foreign(slot, request, thread) {
                var call = MakerCall(.passUnretained(core), thread, of: .passUnretained(slot))
                return try collect.run(&call)
            }
            let prolonged = ProlongedRequest(session, recordedBy: making.recorder)
            return AsyncMaking(
                core: core, slot: slot, prolonged: prolonged, recorder: making.recorder,
                startRevision: session.startRevision, make: make)
        }
    }

    /// Runs the closure, and returns its result and its reads.
    ///
    /// Reads in its child tasks are recorded too.
    func run(in making: AsyncStep) async throws -> AsyncMade {
        let family = core.family
        core.beginRecording()
        // Relaxed suffices: see `isUnrecorded`.
        family.recordCount.wrappingAdd(1, ordering: .relaxed)
        defer {
            family.recordCount.wrappingSubtract(1, ordering: .relaxed)
            core.endRecording()
        }
        let step = AsyncStep(.closure(recorder), of: core, inside: making)
        let result: Result<AnyBox, any Error>
        let start = ContinuousClock.now
        do {
            let box = try await AsyncStep.$ofTask.withValue(step) {
                try await core.binding { try await make() }
            }
            result = .success(box)
        } catch {
            result = .failure(error)
        }
        // The step ends before the recorder closes. Once the recorder is closed, a task that outlives the closure may
        // wait for this start.
        step.end()
        let reads = recorder.close()
        return AsyncMade(
            core: core, slot: slot, request: prolonged.request, box: try result.get(), reads: reads,
            startRevision: startRevision, duration: ContinuousClock.now - start)
    }
}

/// The result of an asynchronous factory closure.
struct AsyncMade: @unchecked Sendable {
    // Sendable: all fields are constant, and the objects that the reads refer to are guarded by the lock of the context.

    fileprivate let core: ContextCore
    let slot: Slot
    /// The request that has resolved the parameters.
    fileprivate let request: Session
    fileprivate let box: AnyBox
    fileprivate let reads: Reads
    fileprivate let startRevision: UInt
    /// How long the closure ran, without the time that the injections of the instance wait.
    fileprivate let duration: Duration

    /// Passes the instance to the context, after its injections.
    ///
    /// Returns false if the instance is not valid anymore.
    func conclude(in prepared: ContextState?) throws(LocatorError) -> Bool {
        var isTaken = false
        defer {
            // It is not valid, or a child has ended while the factory closure ran.
            if !isTaken { giveUp() }
        }
        do throws(LocatorError) {
            return try conclude(in: prepared, &isTaken)
        } catch {
            // Its injections have failed, and will not run again.
            if isTaken, !error.isTemporaryInStart { tellMade() }
            throw error
        }
    }

    private func conclude(in prepared: ContextState?, _ isTaken: inout Bool) throws(LocatorError) -> Bool {
        try core.inSession(slot.request, in: prepared) { (session, thread) throws(LocatorError) in
            session.continueGraph(of: request)
            let making = Making(slot: slot, session: session, thread: thread)
            making.recorder.reads = reads
            core.askSelections(toShare: slot, in: session.state)
            return core.locked {
                core.followAtOnce(reads)
                guard !isReset, isAnswer(in: session.state) else { return false }
                isTaken = true
                let instance = Instance(
                    box, slot: slot, in: core.family, birth: core.birth(in: session.state), reads: reads)
                core.noteDifference(of: instance, in: session.state)
                making.instance = instance
                if slot.record.injections.isEmpty {
                    making.enterContext()
                } else {
                    slot.makings.append(making)
                    making.awaitInjections()
                    session.injections.append(.init(slot: slot, box: box, recorder: making.recorder))
                }
                return true
            }
        }
    }

    /// Whether the reads are the answer of a state for a slot that has no instance there yet.
    ///
    /// The caller holds the lock.
    private func isAnswer(in state: ContextState) -> Bool {
        if state.preparation == nil {
            // The slot of a child may have been cut off since the start, and may belong to the child again.
            return core.isCurrent(reads, in: state) && core.isInForce(slot, in: core.state) && slot.live == nil
                && slot.isLeftToItself(in: core) && core.rejoin(slot)
        }
        return core.isAnswer(reads, in: state) && core.isInForce(slot, in: state)
            && core.valid(slot, in: state) == nil
    }

    /// Whether a reset has ended the instance since its making began.
    ///
    /// The caller holds the lock.
    private var isReset: Bool { core.wasReset(slot, since: startRevision) }

    /// Whether the next round makes the instance again, after the instances that its injections need.
    var isLeftToNextRound: Bool { core.locked { isReset } }

    /// Reports that the closure has run.
    func tellMade() { core.tellMade(slot, duration, own: duration) }

    /// Shuts down and disposes of the instance, which did not come into the context.
    func giveUp() {
        tellMade()
        let (instance, hasEnded) = core.locked {
            let instance = Instance(box, slot: slot, in: core.family, birth: 0, reads: reads)
            instance.status = .gone
            // Its parts last until it has been shut down.
            instance.holdParts()
            let hasEnded = core.isClosed
            // No shutdown follows the end of a context.
            if !hasEnded { core.noteReplaced([instance]) }
            return (instance, hasEnded)
        }
        if hasEnded, !slot.record.shutdowns.isEmpty { core.tell(.neverShutDown(slot.key, slot.record.location)) }
        core.dispose(of: [instance])
    }
}

extension ContextCore {
    /// The instance of a shared slot that an asynchronous one needs; nil if its module has left the context.
    func made(_ part: Slot, for slot: Slot, in prepared: ContextState?) throws(LocatorError) -> AnyBox? {
        do throws(LocatorError) {
            return try inSession(slot.request, in: prepared) { (session, thread) throws(LocatorError) in
                askSelections(toShare: part, in: session.state)
                guard locked({ isInForce(part, in: session.state) }) else { return nil }
                return try session.obtain(part, slot.request, on: thread)
            }
        } catch {
            throw error.needed(by: [slot.step])
        }
    }
}

extension Slot {
    /// The request for the instance of an asynchronous factory closure.
    var request: Request { Request(key: key, location: record.location) }

    /// Whether no context above has, or will make, the instance that a context returns.
    ///
    /// The caller holds the lock.
    fileprivate func isLeftToItself(in core: ContextCore) -> Bool {
        core.sharedWithParent(self) == nil && !core.isLeftToParent(self)
    }
}
