/// What a read of a wrapper has got, until the request ends that it belongs to.
///
/// A read inside a maker or an injection may give an instance whose own injections have yet to run, as any request there
/// may. The wrapper keeps it only once they have run, and not where one has failed. Until then whoever reads the wrapper in
/// the same request gets the same instance.
///
/// All who read a wrapper get the same instance, although each thread may have made one: the first that is complete, or
/// that is claimed, because a maker or an injection has got it before it was complete. Other threads, which have made theirs
/// by then, wait for the end of the request that has the claim, and drop theirs. Nobody waits in a circle: who would, goes
/// on with its own, which the wrapper does not keep.
final class WrapperAnswer: SessionAnswer, @unchecked Sendable {
    // Sendable: as `Awaited`; the further constants may be read anywhere, and the `var`s are used by the request's thread
    // alone.

    let wrapper: WrapperState
    /// Holds what the answer depends on, to which injections may add until the request has ended.
    let recorder: Recorder
    /// How often the wrapper had been reset when the read began.
    let resets: Int
    /// What the reader gets.
    @exclusivity(unchecked) private(set) var box: AnyBox
    /// Whether a maker or an injection has got it, so that it cannot be exchanged any more.
    @exclusivity(unchecked) private var isGiven = false
    @exclusivity(unchecked) private var isEnding = false
    @exclusivity(unchecked) private var claimed = false

    init(
        _ box: AnyBox, of wrapper: WrapperState, _ recorder: Recorder, in session: Session, on thread: ThreadRecord,
        resets: Int
    ) {
        self.box = box
        self.wrapper = wrapper
        self.recorder = recorder
        self.resets = resets
        super.init(session: session, thread: thread, isMade: true)
    }

    override var isClaimed: Bool { claimed }

    /// Decides what the reader gets, and keeps it where it is complete.
    ///
    /// Inside a making the reader gets it at once, else when the request has ended. No lock is held.
    func settle(isInside: Bool) {
        if isGiven { return }
        waitForOthers(isInside: isInside)
        isGiven = isInside
    }

    override func end() {
        isEnding = true
        if isGiven {
            session.core.locked { endGiven() }
            WaitGraph.end(self)
        } else {
            waitForOthers(isInside: false)
        }
    }

    private func waitForOthers(isInside: Bool) {
        var passedOver: WrapperAnswer?
        while let other = session.core.locked({ next(passedOver, isInside) }) {
            if case .circle = WaitGraph.wait(for: other, on: thread) { passedOver = other }
        }
    }

    /// Decides what the reader gets, or gives the answer that is to be waited for first.
    ///
    /// The caller holds the lock of the context.
    private func next(_ passedOver: WrapperAnswer?, _ isInside: Bool) -> WrapperAnswer? {
        let (core, memory) = (session.core, wrapper.madeMemory)
        // What was being read when the wrapper was reset is not kept.
        guard memory.resets == resets else { return nil }
        // The reader itself may have read the wrapper further in.
        if let own = session.answers[ObjectIdentifier(wrapper)] as? WrapperAnswer, own !== self, own.resets == resets {
            replace(by: own.box)
            return nil
        }
        if let known = known(in: memory) {
            replace(by: known)
            return nil
        }
        if let claim = memory.claim, claim.session !== session {
            if claim !== passedOver { return claim }
        } else if isComplete, wrapper.keep(self, memory) {
            return nil
        }
        if isEnding { return nil }
        // What was given before the wrapper was reset is not kept: nobody need wait for it any longer.
        if let old = session.answers.updateValue(self, forKey: ObjectIdentifier(wrapper)), old !== self {
            WaitGraph.end(old)
            core.discard(old)
        }
        // What the context shares it gives to all of them.
        if isInside, !isComplete, !recorder.isHeld, memory.claim == nil {
            memory.claim = self
            claimed = true
        }
        return nil
    }

    /// Keeps the answer that a maker or an injection has got, where all have the same.
    ///
    /// The caller holds the lock of the context.
    private func endGiven() {
        let memory = wrapper.madeMemory
        let isFirst = memory.claim === self || memory.claim == nil && known(in: memory) == nil
        if memory.claim === self { memory.claim = nil }
        if isFirst, isComplete, memory.resets == resets { _ = wrapper.keep(self, memory) }
    }

    private func known(in memory: WrapperMemory) -> AnyBox? {
        let core = session.core
        return wrapper.known(memory, in: session.state, core, noting: isGiven ? nil : thread.recorder(of: core))
    }

    private func replace(by box: AnyBox) {
        session.core.discard(self.box)
        self.box = box
    }

    /// Whether all injections that the answer is joined to have run, and none has failed.
    private var isComplete: Bool {
        !recorder.waitsForInjections && recorder.injectionFailure == nil
            && recorder.reads.instances.allSatisfy { $0.status != .pending && $0.failure == nil }
    }
}
