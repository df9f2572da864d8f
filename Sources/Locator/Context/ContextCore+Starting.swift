internal import Synchronization

/// The state of `start()`, `shutdown()`, and of shutdowns in the background.
struct AsyncMakings {
    /// The running start; others wait for it.
    var start: AsyncStep?
    /// What it makes for the current state, by slot.
    var members: IdentityTable<AsyncStep> = [:]
    /// The running shutdown; others wait for it.
    var shutdown: AsyncStep?
    /// The running shutdowns of replaced instances.
    var endings: IdentityTable<AsyncStep> = [:]
}

extension ContextCore {
    /// Makes the instances of the asynchronous registrations that come first for their key and satisfy `isWanted`.
    ///
    /// Independent instances are made concurrently.
    ///
    /// If one fails, the others are canceled, what was made stays, and the context can be started again.
    func start(_ operation: String, where isWanted: @escaping @Sendable (Slot) -> Bool) async throws {
        let start = try await enterStart(operation)
        defer { leave(start) }
        try await make(in: start, where: isWanted)
    }

    /// Makes what is wanted for the current state, or for one that is to be taken over.
    ///
    /// The caller has called `enterStart`.
    ///
    /// A state that is to be taken over was made from `basis`. This gives up once the context has other modules or settings.
    func make(
        in start: AsyncStep, for prepared: ContextState? = nil, from basis: ContextState? = nil,
        where isWanted: @escaping @Sendable (Slot) -> Bool
    ) async throws {
        // A push during this may add more. Each round makes at least one instance, or is the last.
        while true {
            let slots = locked {
                if let basis, basis.lineup !== state.lineup { return [Slot]() }
                return unprepared(in: prepared ?? state)
            }.filter(isWanted)
            if slots.isEmpty { return }
            let round = StartRound(slots: slots, core: self, start, for: prepared, where: isWanted)
            // Children wait for what is made for the current state.
            if prepared == nil { locked { asynchronous.members = round.members } }
            defer {
                // The round keeps its members, so that none is released with the lock held.
                withExtendedLifetime(round) { if prepared == nil { locked { asynchronous.members = [:] } } }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for slot in slots {
                    group.addTask { try await round.prepare(slot) }
                }
                // Not `waitForAll()`, which would let the others run to their end. Leaving with an error cancels them.
                for try await _ in group {}
            }
        }
    }

    /// Waits until no other start is running, and begins one.
    ///
    /// Throws inside a factory closure that such a start runs: each would wait for the other.
    func enterStart(_ operation: String) async throws -> AsyncStep {
        try checkIsOutsideClosures(operation)
        return try await enter(\.start, .start)
    }

    /// Waits until no other step has begun, and begins one.
    ///
    /// Throws if it would wait forever.
    func enter(
        _ running: any WritableKeyPath<AsyncMakings, AsyncStep?> & Sendable, _ work: AsyncStep.Work
    ) async throws -> AsyncStep {
        let step = AsyncStep(work, of: self, inside: .ofTask)
        do {
            while let other = locked({ () -> AsyncStep? in
                if let other = asynchronous[keyPath: running] { return other }
                asynchronous[keyPath: running] = step
                return nil
            }) { _ = try await step.wait(for: other) }
        } catch {
            step.end()
            throw error
        }
        return step
    }

    /// Ends a start or a shutdown.
    func leave(_ step: AsyncStep) {
        locked {
            if asynchronous.start === step { asynchronous.start = nil } else { asynchronous.shutdown = nil }
        }
        step.end()
    }

    /// The slots of asynchronous registrations that come first for their keys and have no instance.
    ///
    /// The caller holds the lock.
    func unprepared(in state: ContextState) -> [Slot] {
        var slots: [Slot] = []
        for module in state.lineup.preparingInForce {
            for record in module.loaded.asynchronous where isFirst(module, with: record.key, in: state) {
                let slot = slot(of: record)
                let isMade = state.preparation == nil ? given(slot) != nil : valid(slot, in: state) != nil
                if !isMade, !mayShare(slot), unopenedScope(of: slot, in: state) == nil { slots.append(slot) }
            }
        }
        return slots
    }

    /// Resolves the parameters of an asynchronous factory closure.
    fileprivate func beginAsynchronous(
        _ slot: Slot, in prepared: ContextState?
    ) throws(LocatorError) -> AsyncMaking? {
        let request = slot.request
        return try inSession(request, in: prepared) { (session, thread) throws(LocatorError) in
            guard case .asynchronous(let collect) = slot.record.production else { return nil }
            if locked({ valid(slot, in: session.state) != nil || !isInForce(slot, in: prepared ?? state) }) {
                return nil
            }
            let making = Making(slot: slot, session: session, thread: thread)
            thread.frames.append(Frame(session: session, slot: slot, making: making, recorder: making.recorder))
            beginRecording()
            defer {
                endRecording()
                thread.frames.removeLast()
            }
            let make = try foreign(slot, request, thread) {
                var call = MakerCall(.passUnretained(self), thread, of: .passUnretained(slot))
                return try collect.run(&call)
            }
            let request = ProlongedRequest(session, recordedBy: making.recorder)
            return AsyncMaking(slot: slot, request: request, recorder: making.recorder, make: make)
        }
    }

    /// Runs an asynchronous factory closure, and returns its result and its reads.
    ///
    /// What its child tasks read is recorded too.
    fileprivate func run(_ asynchronous: AsyncMaking, in making: AsyncStep) async throws -> AsyncMade {
        beginRecording()
        // Relaxed suffices: see `isNotedNowhere`.
        family.recordCount.wrappingAdd(1, ordering: .relaxed)
        defer {
            family.recordCount.wrappingSubtract(1, ordering: .relaxed)
            endRecording()
        }
        let step = AsyncStep(.closure(asynchronous.recorder), of: self, inside: making)
        let result: Result<AnyBox, any Error>
        do {
            let box = try await AsyncStep.$ofTask.withValue(step) {
                try await binding { try await asynchronous.make() }
            }
            result = .success(box)
        } catch {
            result = .failure(error)
        }
        // The step ends first: once the recorder is closed, a task that outlives the closure may wait for this start.
        step.end()
        let reads = asynchronous.recorder.close()
        return AsyncMade(slot: asynchronous.slot, box: try result.get(), reads: reads)
    }

    /// Disposes of an instance that did not come into the context.
    fileprivate func giveUp(_ made: AsyncMade) {
        let instance = Instance(held: made.box, slot: made.slot, birth: 0, order: 0, reads: made.reads)
        instance.status = .gone
        dispose(of: [instance])
    }

    /// Hands an instance to the context, after its injections.
    ///
    /// Returns false if the instance is not valid anymore.
    fileprivate func conclude(_ made: AsyncMade, in prepared: ContextState?) throws(LocatorError) -> Bool {
        let (slot, box, reads) = (made.slot, made.box, made.reads)
        let request = slot.request
        var hasBegun = false
        defer {
            // A child may have ended while the factory closure ran.
            if !hasBegun { giveUp(made) }
        }
        return try inSession(request, in: prepared) { (session, thread) throws(LocatorError) in
            hasBegun = true
            let making = Making(slot: slot, session: session, thread: thread)
            making.recorder.reads = reads
            return try locked { () throws(LocatorError) in
                followAtOnce(reads)
                family.instanceCount += 1
                let instance = try Instance(
                    box, slot: slot, birth: birth(in: session.state), order: family.instanceCount,
                    reads: reads)
                guard isAnswer(slot, reads, in: session.state) else {
                    // It is disposed of at the end of this request.
                    instance.status = .stray
                    noteReplaced([instance])
                    detain(instance, in: session)
                    return false
                }
                making.instance = instance
                if slot.record.injections.isEmpty {
                    conclude(making)
                } else {
                    slot.makings.append(making)
                    awaitInjections(making)
                    session.injections.append(.init(slot: slot, box: box, recorder: making.recorder))
                }
                return true
            }
        }
    }
}

extension ContextCore {
    /// Whether these reads are the answer of a state for a slot that has no instance there yet.
    ///
    /// The caller holds the lock.
    private func isAnswer(_ slot: Slot, _ reads: Reads, in state: ContextState) -> Bool {
        if state.preparation == nil {
            return isCurrent(reads, in: state) && isInForce(slot, in: self.state) && slot.live == nil
        }
        return isAnswer(reads, in: state) && isInForce(slot, in: state) && valid(slot, in: state) == nil
    }
}

/// An asynchronous factory closure whose parameters are resolved.
private struct AsyncMaking {
    let slot: Slot
    /// The request that has resolved the parameters.
    let request: ProlongedRequest
    /// Records what is read for the parameters, and what the closure reads when it runs.
    let recorder: Recorder
    let make: () async throws -> AnyBox
}

/// The result of an asynchronous factory closure.
private struct AsyncMade: @unchecked Sendable {
    // Sendable: all fields are constant, and the objects that the reads refer to are guarded by the lock of the context.

    let slot: Slot
    let box: AnyBox
    let reads: Reads
}

/// One round of `start()`: several asynchronous factory closures, some of which may need what others make.
private actor StartRound {
    private let core: ContextCore
    /// The state that is prepared; nil for the current one.
    private let prepared: ContextState?
    private let start: AsyncStep
    /// One step for each slot.
    nonisolated let members: IdentityTable<AsyncStep>
    private let isWanted: @Sendable (Slot) -> Bool
    /// How often one start runs a factory closure whose instances changes invalidate.
    ///
    /// Changes that come by chance let one of so many runs end. If the closure itself causes them, none does.
    private static let mostRuns = 5000

    /// Begins the steps of all slots, each of which ends in `prepare`.
    init(
        slots: [Slot], core: ContextCore, _ start: AsyncStep, for prepared: ContextState?,
        where isWanted: @escaping @Sendable (Slot) -> Bool
    ) {
        self.core = core
        self.start = start
        self.prepared = prepared
        self.isWanted = isWanted
        var members: IdentityTable<AsyncStep> = [:]
        for slot in slots { members[ObjectIdentifier(slot)] = AsyncStep(.making(slot), of: core, inside: start) }
        self.members = members
    }

    func prepare(_ slot: Slot) async throws {
        guard let step = members[ObjectIdentifier(slot)] else { preconditionFailure("A slot is not of its round") }
        do {
            try await make(slot, step)
            step.end()
        } catch {
            step.end(.failure(error))
            throw error
        }
    }

    private func make(_ slot: Slot, _ step: AsyncStep) async throws {
        var waits = Waits()
        while true {
            try Task.checkCancellation()
            let making: AsyncMaking?
            let state = core.locked { core.state }
            do throws(LocatorError) {
                making = try core.beginAsynchronous(slot, in: prepared)
            } catch {
                if try await waitForMissing(error, step, &waits, since: state) { continue }
                return
            }
            guard let making else { return }
            if start.countRun(of: slot) > Self.mostRuns {
                throw LocatorError(.overtaken(slot.key, times: Self.mostRuns), request: slot.request)
            }
            // What it was made from lasts until it is disposed of, if it is not valid anymore.
            defer { withExtendedLifetime(making.request) {} }
            let made: AsyncMade
            let start = ContinuousClock.now
            do {
                made = try await core.run(making, in: step)
            } catch let error as LocatorError {
                throw error
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                throw LocatorError(.initializationFailed(slot.key, error), request: slot.request)
            }
            switch try await concludeOnceInjected(made, step, &waits) {
            case .kept:
                let duration = ContinuousClock.now - start
                core.tellMade(slot, duration, own: duration)
                return
            case .invalid: continue
            case .leftToNextRound: return
            }
        }
    }

    private enum Conclusion {
        case kept
        /// A change has invalidated the instance while it was made.
        case invalid
        /// The next round makes what its injections need, and then the instance.
        case leftToNextRound
    }

    /// Hands an instance to the context, once its injections get the asynchronous instances that they need.
    private func concludeOnceInjected(
        _ made: AsyncMade, _ step: AsyncStep, _ waits: inout Waits
    ) async throws -> Conclusion {
        while true {
            let state = core.locked { core.state }
            do {
                return try await conclude(made) ? .kept : .invalid
            } catch let error as LocatorError where error.unprepared != nil {
                var isRepeated = false
                defer { if !isRepeated { core.giveUp(made) } }
                isRepeated = try await waitForMissing(error, step, &waits, since: state)
                if !isRepeated { return .leftToNextRound }
            }
        }
    }

    /// Hands an instance to the context, on the main actor if its injections need it.
    private func conclude(_ made: AsyncMade) async throws -> Bool {
        if made.slot.record.isolation == .none { return try core.conclude(made, in: prepared) }
        return try await MainActor.run { [core, prepared] in try core.conclude(made, in: prepared) }
    }

    /// What the making of one instance has waited for.
    private struct Waits {
        var steps: [AsyncStep] = []
        /// The slots of contexts above that were requested once more.
        var retried: IdentitySet = []
    }

    /// Waits for the asynchronous instance without which a request failed with `error`, so that it can be repeated.
    ///
    /// Returns false if the next round has to make that instance first.
    private func waitForMissing(
        _ error: LocatorError, _ step: AsyncStep, _ waits: inout Waits, since state: ContextState
    ) async throws -> Bool {
        guard let needed = error.unprepared else { throw error }
        let others = members[needed].map { [$0] } ?? core.stepsAbove(step, makingOf: needed)
        if let other = others.first(where: { other in !waits.steps.contains { $0 === other } }) {
            waits.steps.append(other)
            try await wait(for: other, step, error)
            return true
        }
        // A context above may have made it since the request failed.
        if core.isChild, waits.retried.insert(needed).inserted { return true }
        // Its instance has ended during this round, as in a reset, or it is not needed anymore, as after a pop. The
        // next round makes what is needed then.
        if isMissing(needed) || prepared == nil && core.locked({ core.state !== state }) { return false }
        throw error
    }

    /// Whether the next round would make the instance of a slot.
    private func isMissing(_ identity: ObjectIdentifier) -> Bool {
        let slots = core.locked { core.unprepared(in: prepared ?? core.state) }
        return slots.contains { ObjectIdentifier($0) == identity && isWanted($0) }
    }

    /// Waits for what makes an instance, without which a request failed with `error`.
    private func wait(for other: AsyncStep, _ step: AsyncStep, _ error: LocatorError) async throws {
        do {
            try await step.wait(for: other).get()
        } catch is CancellationError {
            try Task.checkCancellation()
            // Only the other start was canceled.
            throw error
        }
    }
}

extension Slot {
    /// The request for the instance of an asynchronous factory closure.
    fileprivate var request: Request { Request(key: key, location: record.location) }
}

extension ContextCore {
    /// What may make an instance for a slot in the contexts above: its making, or else a start that is running.
    ///
    /// A start makes it again if a reset drops it. A step that is inside such a start cannot wait for it.
    fileprivate func stepsAbove(_ step: AsyncStep, makingOf slot: ObjectIdentifier) -> [AsyncStep] {
        let steps = locked {
            var steps: [AsyncStep] = []
            var above = parent?.core
            while let core = above {
                if let making = core.asynchronous.members[slot] { steps.append(making) }
                if let start = core.asynchronous.start { steps.append(start) }
                above = core.parent?.core
            }
            return steps
        }
        // The lock is not held here, because this may release a step that has ended.
        return steps.filter { if case .start = $0.work { !step.isInside($0) } else { true } }
    }

    /// Makes this context the current one while an asynchronous factory closure or hook runs.
    func binding<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async throws -> Result {
        try await AppContext.withContext(representative, body)
    }

    /// The asynchronous slots that have an instance.
    var preparedSlots: IdentitySet {
        locked {
            IdentitySet(prepared.values.lazy.filter { $0.live != nil }.map { ObjectIdentifier($0) })
        }
    }

    /// The asynchronous slots that have lost their instance in a push, and those that the push has added.
    func slotsAffected(by modules: [Module], _ before: IdentitySet) -> IdentitySet {
        locked {
            var affected: IdentitySet = []
            for slot in prepared.values where slot.live == nil && before.contains(ObjectIdentifier(slot)) {
                affected.insert(ObjectIdentifier(slot))
            }
            for module in modules {
                for record in state.lineup.known(module.identity)?.asynchronous ?? [] {
                    affected.insert(ObjectIdentifier(slot(of: record)))
                }
            }
            return affected
        }
    }
}
