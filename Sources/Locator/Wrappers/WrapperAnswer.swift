/// The answer to a read of a wrapper, until the request that it belongs to ends.
///
/// Like any request, a read inside a factory closure or an injection can return an instance whose own injections have
/// not run yet. The wrapper keeps it only after they have run, and not if one of them failed. Until then, all reads of
/// the wrapper in the same request get the same instance.
///
/// All readers of a wrapper get the same instance, although several threads may have made one. The instance that counts
/// is the first one that is complete, or that is claimed because a factory closure or an injection received it before
/// it was complete. Other threads that have made an instance by then wait for the end of the request with the claim,
/// and discard theirs. No thread waits in a cycle: instead, it continues with its own instance, which the wrapper does
/// not keep.
final class WrapperAnswer: SessionAnswer, @unchecked Sendable {
    // Sendable: like `Awaited`. The other constants can be read anywhere, and only the thread of the request uses the
    // `var`s.

    let wrapper: WrapperState
    /// The recorder of everything that the answer depends on.
    ///
    /// Injections can add to it until the request has ended.
    let recorder: Recorder
    /// The number of resets of the wrapper when the read began.
    let resets: Int
    /// The instance that the reader gets.
    @exclusivity(unchecked) private(set) var box: AnyBox
    /// Whether a factory closure or an injection has received the instance, so that it can no longer be replaced.
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

    /// Decides which instance the reader gets, and keeps it if it is complete.
    ///
    /// Inside a factory closure, the reader gets it immediately, otherwise when the request has ended. The caller must
    /// not hold a lock.
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
            if WaitGraph.wait(for: other, on: thread) != nil { passedOver = other }
        }
    }

    /// Decides which instance the reader gets, or returns the answer to wait for.
    ///
    /// The caller holds the lock of the context.
    private func next(_ passedOver: WrapperAnswer?, _ isInside: Bool) -> WrapperAnswer? {
        let (core, memory) = (session.core, wrapper.madeMemory)
        // An answer is not kept if the wrapper was reset during the read.
        guard memory.resets == resets else { return nil }
        // A nested read of the same wrapper may have run inside this one.
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
        // An answer from before a reset is not kept, so nothing needs to wait for it anymore.
        if let old = session.answers.updateValue(self, forKey: ObjectIdentifier(wrapper)), old !== self {
            WaitGraph.end(old)
            core.discard(old)
        }
        // A shared instance is the same for all readers.
        if isInside, !isComplete, !recorder.isHeld, memory.claim == nil {
            memory.claim = self
            claimed = true
        }
        return nil
    }

    /// Keeps the answer that a factory closure or an injection received, if all readers get it.
    ///
    /// The caller holds the lock.
    private func endGiven() {
        let memory = wrapper.madeMemory
        let isFirst = memory.claim === self || memory.claim == nil && known(in: memory) == nil
        if memory.claim === self { memory.claim = nil }
        if isFirst, isComplete, memory.resets == resets { _ = wrapper.keep(self, memory) }
    }

    private func known(in memory: WrapperMemory) -> AnyBox? {
        let core = session.core
        return wrapper.known(memory, in: session, core, noting: isGiven ? nil : thread.recorder(of: core))
    }

    private func replace(by box: AnyBox) {
        session.core.discard(self.box)
        self.box = box
    }

    /// Whether all injections that belong to the answer have run without an error.
    private var isComplete: Bool {
        !recorder.waitsForInjections && recorder.injectionFailure == nil
            && recorder.reads.instances.allSatisfy { $0.status != .pending && $0.failure == nil }
    }
}
