/// One round of `start()`: several asynchronous factory closures, some of which may need instances that others make.
actor StartRound {
    private let core: ContextCore
    /// The state that is prepared; nil for the current one.
    private let prepared: ContextState?
    /// The state of the context from which it was made.
    private let basis: ContextState?
    private let start: AsyncStep
    /// One step for each slot.
    nonisolated let members: IdentityTable<AsyncStep>
    private let isWanted: @Sendable (Slot) -> Bool
    /// How often one start runs a factory closure if changes invalidate its instances.
    ///
    /// If the changes happen by chance, one of so many runs succeeds. If the closure itself causes them, none does.
    private static let mostRuns = 5000

    /// Begins the steps of all slots, each of which ends in `prepare`.
    init(
        slots: [Slot], core: ContextCore, _ start: AsyncStep, for prepared: ContextState?, from basis: ContextState?,
        where isWanted: @escaping @Sendable (Slot) -> Bool
    ) {
        self.core = core
        self.start = start
        self.prepared = prepared
        self.basis = basis
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
            let state = core.locked { core.state }
            let conclusion: Conclusion
            do {
                let making: AsyncMaking?
                do throws(LocatorError) {
                    making = try AsyncMaking.begin(slot, of: core, in: prepared)
                } catch {
                    if try await waitForMissing(error, step, &waits, since: state) { continue }
                    return
                }
                guard let making else { return }
                conclusion = try await finish(making, of: slot, step, &waits)
            }
            // The making has ended, so an instance that an observer resets now is disposed of immediately.
            switch conclusion {
            case .kept(let made):
                made.tellMade()
                return
            case .invalid:
                // A change has overtaken the prepared state, so no instance that is made for it is valid.
                if let basis, core.locked({ core.state.lineup !== basis.lineup }) { return }
                // If nothing has changed, the closure has read from a child that it opened, which has the settings of
                // the context.
                if prepared != nil, core.locked({ core.state === state }) {
                    throw LocatorError(.overtaken(slot.key, times: 1), request: slot.request)
                }
            case .leftToNextRound: return
            }
        }
    }

    /// Runs the closure of a making, and passes its instance to the context.
    private func finish(
        _ making: sending AsyncMaking, of slot: Slot, _ step: AsyncStep, _ waits: inout Waits
    ) async throws -> Conclusion {
        if start.countRun(of: slot) > Self.mostRuns {
            throw LocatorError(.overtaken(slot.key, times: Self.mostRuns), request: slot.request)
        }
        // If the instance is not valid anymore, its parts last until it has been disposed of.
        defer { withExtendedLifetime(making.prolonged) {} }
        let made: AsyncMade
        do {
            made = try await making.run(in: step)
        } catch let error as LocatorError where !error.isOfHooks {
            throw error.needed(by: [slot.step])
        } catch is CancellationError where Task.isCancelled {
            throw CancellationError()
        } catch {
            throw LocatorError(.initializationFailed(slot.key, error), request: slot.request)
        }
        while true {
            let state = core.locked { core.state }
            do {
                if try await conclude(made) { return .kept(made) }
                return made.isLeftToNextRound ? .leftToNextRound : .invalid
            } catch let error as LocatorError where error.isTemporaryInStart {
                // Its injections need another asynchronous instance, or one that the main actor makes.
                var isRepeated = false
                defer { if !isRepeated { made.giveUp() } }
                isRepeated = try await waitForMissing(error, step, &waits, since: state)
                if !isRepeated { return .leftToNextRound }
            }
        }
    }

    private enum Conclusion {
        case kept(AsyncMade)
        /// A change has invalidated the instance while it was made.
        case invalid
        /// The next round makes the instances that its injections need, or that a reset has ended, and then this
        /// instance.
        case leftToNextRound
    }

    /// Passes an instance to the context, on the main actor if its injections need it.
    private func conclude(_ made: AsyncMade) async throws -> Bool {
        if made.slot.record.isolation == .none { return try made.conclude(in: prepared) }
        return try await MainActor.run { [prepared] in try made.conclude(in: prepared) }
    }

    /// The waits of the making of one instance.
    private struct Waits {
        var steps: [AsyncStep] = []
        /// The slots of contexts above that were requested once more.
        var retried: IdentitySet = []
        /// What the main actor has made.
        var parts: [AnyBox] = []
        var makingsOnMainActor = 0
    }

    /// Waits for the asynchronous instance without which a request failed with `error`, or makes it on the main actor,
    /// so that the request can be repeated.
    ///
    /// Returns false if the next round has to make that instance first.
    private func waitForMissing(
        _ error: LocatorError, _ step: AsyncStep, _ waits: inout Waits, since state: ContextState
    ) async throws -> Bool {
        if let part = error.leftToMainActor {
            // The request finds something else if its module has left the context.
            guard let part = part.slot as? Slot else { return true }
            do throws(LocatorError) {
                try await makeOnMainActor(part, for: step, &waits, after: error)
                return true
            } catch {
                return try await waitForMissing(error, step, &waits, since: state)
            }
        }
        guard let needed = error.unprepared else { throw error.inAsynchronousClosure }
        let others = members[needed].map { [$0] } ?? core.stepsAbove(step, makingOf: needed)
        if let other = others.first(where: { other in !waits.steps.contains { $0 === other } }) {
            waits.steps.append(other)
            if other === step { throw error.closingCycle(of: step) }
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

    /// Makes a shared instance on the main actor, without which a request failed with `error`.
    private func makeOnMainActor(
        _ part: Slot, for step: AsyncStep, _ waits: inout Waits, after error: LocatorError
    ) async throws(LocatorError) {
        waits.makingsOnMainActor += 1
        guard case .making(let slot) = step.work, let owner = core.relative(part.owner),
            waits.makingsOnMainActor <= Self.mostRuns
        else { throw error }
        let prepared = owner === core ? prepared : nil
        let made = await MainActor.run {
            Result { () throws(LocatorError) in try owner.made(part, for: slot, in: prepared) }
        }
        // A `.weak` one lasts until the request has been repeated.
        if let box = try made.get() { waits.parts.append(box) }
    }

    /// Whether the next round would make the instance of a slot.
    private func isMissing(_ identity: ObjectIdentifier) -> Bool {
        let slots = core.locked { core.unprepared(in: prepared ?? core.state) }
        return slots.contains { ObjectIdentifier($0) == identity && isWanted($0) }
    }

    /// Waits for the step that makes an instance without which a request failed with `error`.
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
