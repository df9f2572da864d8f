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

    fileprivate var states: [Overtaken] = []
    fileprivate var retired: [AnyObject] = []

    fileprivate var isEmpty: Bool { states.isEmpty && retired.isEmpty }
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
        if limbo.isEmpty || Readers.all.hasLeanRequest(of: number) { return }
        discard(limbo)
        limbo = Limbo()
        hasLimbo.store(false, ordering: .relaxed)
    }
}
