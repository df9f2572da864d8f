internal import Synchronization

/// The state of `start()`, `shutdown()`, and of shutdowns in the background.
struct AsyncMakings {
    /// What only one task does at a time.
    struct Gate {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    var start = Gate()
    var shutdown = Gate()
    /// How many tasks are shutting down replaced instances, and the continuations that wait for their end.
    var endingCount = 0
    var waitingForEndings: [CheckedContinuation<Void, Never>] = []
}

extension ContextCore {
    /// Prepares the asynchronous registrations that win for their key and satisfy `isWanted`, independent ones
    /// concurrently.
    ///
    /// If one fails, the others are canceled, what was made stays, and the context can be started again.
    func start(_ operation: String, where isWanted: @escaping @Sendable (Slot) -> Bool) async throws {
        try await enterStart(operation)
        defer { leaveStart() }
        try await make(where: isWanted)
    }

    /// Makes what is wanted for the current state, or for one that is to be taken over.
    ///
    /// The caller has called `enterStart`.
    func make(in prepared: ContextState? = nil, where isWanted: @escaping @Sendable (Slot) -> Bool) async throws {
        // A push during this may add more. Each round makes at least one instance, or is the last.
        while true {
            let slots = locked { unprepared(in: prepared ?? state) }.filter(isWanted)
            if slots.isEmpty { return }
            let round = StartRound(slots: slots, core: self, in: prepared, where: isWanted)
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
    func enterStart(_ operation: String) async throws(LocatorError) {
        if isInAsynchronousClosure { throw LocatorError(.changeDuringInitialization(operation), thread: .current) }
        await enter(\.start)
    }

    func leaveStart() { leave(\.start) }

    /// Whether this is the task of an asynchronous factory closure of this context that has not returned, or a task inside
    /// of it.
    var isInAsynchronousClosure: Bool {
        guard let recorder = family.recorderOfTask, recorder.core === self else { return false }
        return locked { !recorder.isClosed }
    }

    func enter(_ gate: any WritableKeyPath<AsyncMakings, AsyncMakings.Gate> & Sendable) async {
        while true {
            let isFirst = locked {
                if asynchronous[keyPath: gate].isTaken { return false }
                asynchronous[keyPath: gate].isTaken = true
                return true
            }
            if isFirst { return }
            await withCheckedContinuation { continuation in
                let isOver = locked {
                    if asynchronous[keyPath: gate].isTaken { asynchronous[keyPath: gate].waiting.append(continuation) }
                    return !asynchronous[keyPath: gate].isTaken
                }
                if isOver { continuation.resume() }
            }
        }
    }

    func leave(_ gate: any WritableKeyPath<AsyncMakings, AsyncMakings.Gate> & Sendable) {
        let waiting = locked {
            defer { asynchronous[keyPath: gate] = AsyncMakings.Gate() }
            return asynchronous[keyPath: gate].waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// The slots of asynchronous registrations that win for their keys and have no instance.
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
        let request = Request(key: slot.key, location: slot.record.location)
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
    fileprivate func run(_ asynchronous: AsyncMaking) async throws -> (box: AnyBox, reads: Reads) {
        beginRecording()
        // Relaxed suffices: see `isNotedNowhere`.
        family.recordCount.wrappingAdd(1, ordering: .relaxed)
        defer {
            family.recordCount.wrappingSubtract(1, ordering: .relaxed)
            endRecording()
        }
        do {
            let box = try await Recorder.$ofTask.withValue(asynchronous.recorder) {
                try await binding { try await asynchronous.make() }
            }
            return (box, asynchronous.recorder.close())
        } catch {
            _ = asynchronous.recorder.close()
            throw error
        }
    }

    /// Hands an instance to the context, after its injections.
    ///
    /// Returns false if the instance is not valid anymore.
    fileprivate func conclude(
        _ slot: Slot, _ box: AnyBox, _ reads: Reads, in prepared: ContextState?
    ) throws(LocatorError) -> Bool {
        let request = Request(key: slot.key, location: slot.record.location)
        var hasBegun = false
        defer {
            // A child may have ended while the factory closure ran.
            if !hasBegun {
                let instance = Instance(held: box, slot: slot, birth: 0, order: 0, reads: reads)
                instance.status = .gone
                dispose(of: [instance])
            }
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

/// One round of `start()`: several asynchronous factory closures, some of which may need what others make.
private actor StartRound {
    private let core: ContextCore
    /// The state that is prepared; nil for the current one.
    private let prepared: ContextState?
    private var ended: IdentityTable<Result<Void, any Error>> = [:]
    private var waiting: IdentityTable<[CheckedContinuation<Void, Never>]> = [:]
    /// Which slot's task waits for which other slot.
    private var waits: IdentityTable<Slot> = [:]
    private var members: IdentityTable<Slot> = [:]
    private let isWanted: @Sendable (Slot) -> Bool

    init(
        slots: [Slot], core: ContextCore, in prepared: ContextState?, where isWanted: @escaping @Sendable (Slot) -> Bool
    ) {
        self.core = core
        self.prepared = prepared
        self.isWanted = isWanted
        for slot in slots { members[ObjectIdentifier(slot)] = slot }
    }

    func prepare(_ slot: Slot) async throws {
        do {
            try await make(slot)
            end(slot, .success(()))
        } catch {
            end(slot, .failure(error))
            throw error
        }
    }

    private func end(_ slot: Slot, _ result: Result<Void, any Error>) {
        let identity = ObjectIdentifier(slot)
        ended[identity] = result
        for continuation in waiting.removeValue(forKey: identity) ?? [] { continuation.resume() }
    }

    private func make(_ slot: Slot) async throws {
        var awaited: IdentitySet = []
        while true {
            try Task.checkCancellation()
            let making: AsyncMaking?
            do throws(LocatorError) {
                making = try core.beginAsynchronous(slot, in: prepared)
            } catch {
                guard let needed = error.unprepared else { throw error }
                // A parameter has an asynchronous factory closure itself. Wait for it, and then resolve the parameters
                // again.
                if let member = members[needed], awaited.insert(needed).inserted {
                    try await wait(for: member, from: slot)
                    continue
                }
                // Its instance has ended during this round, as in a reset. The next round makes both.
                if isMissing(needed) { return }
                throw error
            }
            guard let making else { return }
            // What it was made from lasts until it is disposed of, if it is not valid anymore.
            defer { withExtendedLifetime(making.request) {} }
            let box: AnyBox
            let reads: Reads
            let start = ContinuousClock.now
            do {
                (box, reads) = try await core.run(making)
            } catch let error as LocatorError {
                throw error
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                throw LocatorError(
                    .initializationFailed(slot.key, error),
                    request: Request(key: slot.key, location: slot.record.location))
            }
            if try await conclude(slot, box, reads) {
                let duration = ContinuousClock.now - start
                core.tellMade(slot, duration, own: duration)
                return
            }
        }
    }

    /// Hands an instance to the context, on the main actor if its injections need it.
    private func conclude(_ slot: Slot, _ box: AnyBox, _ reads: sending Reads) async throws -> Bool {
        if slot.record.isolation == .none { return try core.conclude(slot, box, reads, in: prepared) }
        return try await MainActor.run { [core, prepared] in try core.conclude(slot, box, reads, in: prepared) }
    }

    /// Throws if a slot would wait for itself.
    // A function of its own, so that nothing of the path is kept while the task waits.
    private func checkCircle(from slot: Slot, to needed: Slot) throws(LocatorError) {
        var path = [slot]
        var next: Slot? = needed
        while let waited = next {
            path.append(waited)
            if waited === slot {
                throw LocatorError(
                    .circularDependency(path.map(\.step)),
                    request: Request(key: slot.key, location: slot.record.location))
            }
            next = waits[ObjectIdentifier(waited)]
        }
    }

    /// Whether the next round would make the instance of a slot.
    private func isMissing(_ identity: ObjectIdentifier) -> Bool {
        let slots = core.locked { core.unprepared(in: prepared ?? core.state) }
        return slots.contains { ObjectIdentifier($0) == identity && isWanted($0) }
    }

    /// Waits until another member of the round has ended.
    private func wait(for needed: Slot, from slot: Slot) async throws {
        let identity = ObjectIdentifier(needed)
        try checkCircle(from: slot, to: needed)
        if ended[identity] == nil {
            waits[ObjectIdentifier(slot)] = needed
            await withCheckedContinuation { waiting[identity, default: []].append($0) }
            waits[ObjectIdentifier(slot)] = nil
        }
        try ended[identity]?.get()
    }
}

extension ContextCore {
    /// Makes this context the current one while an asynchronous factory closure or hook runs.
    func binding<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async throws -> Result {
        try await AppContext.withContext(representative, body)
    }
}

extension ContextCore {
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
