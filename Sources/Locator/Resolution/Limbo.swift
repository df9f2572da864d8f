internal import Synchronization

/// What a change has taken away while lean requests may still be using it.
///
/// A lean request retains neither its state, nor the slots it makes, nor the boxes it takes arguments from. It marks its
/// thread, and loads the stamp and the published slots after that; a change takes slots back and moves the stamp on, and
/// looks at the marks after that.
/// All of these are sequentially consistent: in their common order either the request finds the change, or the change
/// finds the mark. What it has taken away then waits here until no lean request of the family is running.
struct Limbo {
    fileprivate struct Overtaken {
        let contextNumber: UInt
        let state: ContextState
    }

    /// Instances that have left their context while lean requests of some threads were running.
    struct Departed {
        fileprivate let core: ContextCore
        fileprivate let instances: [Instance]
        fileprivate var threads: [ThreadRecord]

        /// Disposes of the instances, unless other requests use them; no lock is held.
        func dispose() { core.dispose(of: instances) }
    }

    fileprivate var states: [Overtaken] = []
    fileprivate var retired: [AnyObject] = []
    fileprivate var departed: [Departed] = []

    /// The instances of a slot that lean requests may be using although they have left the context.
    ///
    /// The slot may be another one for the same registration, where its module was unloaded in between.
    func instances(of slot: Slot) -> [Instance] {
        departed.flatMap(\.instances).filter { $0.slot.owner == slot.owner && $0.slot.isSame(as: slot) }
    }
}

extension ContextFamily {
    /// Takes over what was published, and what lean requests may be using.
    ///
    /// The caller holds the lock.
    func keepInLimbo(_ retired: [AnyObject]) {
        limbo.retired += retired
        hasLimbo.store(true, ordering: .relaxed)
    }

    /// Takes over a state that lean requests may see.
    ///
    /// The caller holds the lock.
    func keepInLimbo(_ state: ContextState, of core: ContextCore) {
        limbo.states.append(.init(contextNumber: core.number, state: state))
        hasLimbo.store(true, ordering: .relaxed)
    }

    /// Keeps instances that have left a context until the lean requests that are running have ended: what these were
    /// given is not known.
    ///
    /// The caller holds the lock, and has taken back every ready answer that has one of them.
    func keepInLimbo(_ instances: [Instance], of core: ContextCore) {
        let wasEmpty = !hasLimbo.load(ordering: .relaxed)
        // Before the marks are looked at: who ends a lean request after that finds something to tidy up. Should it have
        // looked just before, the next change or the end of another lean request does it.
        hasLimbo.store(true, ordering: .sequentiallyConsistent)
        let threads = Readers.all.threadsWithLeanRequest(of: number)
        if threads.isEmpty {
            if wasEmpty { hasLimbo.store(false, ordering: .relaxed) }
            return
        }
        for instance in instances { instance.userCount += 1 }
        limbo.departed.append(.init(core: core, instances: instances, threads: threads))
    }

    /// The state of a revision that was overtaken while a lean request saw it.
    ///
    /// The caller holds the lock.
    func overtaken(_ core: ContextCore, _ revision: UInt) -> ContextState? {
        limbo.states.first { $0.contextNumber == core.number && $0.state.revision == revision }?.state
    }

    /// Lets go of what no lean request can be using any more.
    ///
    /// The caller holds the lock.
    func tidyLimbo() {
        tidyDeparted()
        if limbo.states.isEmpty, limbo.retired.isEmpty {
            if limbo.departed.isEmpty { hasLimbo.store(false, ordering: .relaxed) }
            return
        }
        if Readers.all.hasLeanRequest(of: number) { return }
        discard((limbo.states, limbo.retired))
        limbo.states = []
        limbo.retired = []
        if limbo.departed.isEmpty { hasLimbo.store(false, ordering: .relaxed) }
    }

    /// Ends the wait of instances for lean requests that have ended.
    ///
    /// A thread that has begun another one since has been here at the end of the first.
    private func tidyDeparted() {
        if limbo.departed.isEmpty { return }
        var waiting: [Limbo.Departed] = []
        for var departed in limbo.departed {
            departed.threads.removeAll { !$0.isLean(in: number) }
            if departed.threads.isEmpty {
                for instance in departed.instances { instance.userCount -= 1 }
                ended.append(departed)
            } else {
                waiting.append(departed)
            }
        }
        limbo.departed = waiting
    }
}
