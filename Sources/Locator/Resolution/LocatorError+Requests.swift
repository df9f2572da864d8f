/// Errors about what a thread makes.
extension LocatorError {
    init(_ kind: Kind, _ request: Request, _ thread: ThreadRecord) {
        self.init(kind, request: thread.outermostRequest ?? request, chain: thread.steps)
    }

    /// An error about a slot that is not entered.
    init(_ kind: Kind, _ request: Request, _ thread: ThreadRecord, reaching slot: Slot) {
        self.init(kind, request: thread.outermostRequest ?? request, chain: thread.steps + [slot.step])
    }

    /// What asks for an instance whose asynchronous maker has not run.
    init(notStarted slot: Slot, _ request: Request, _ thread: ThreadRecord) {
        self.init(
            .notStarted(slot.key), request: thread.outermostRequest ?? request, chain: thread.steps,
            unprepared: ObjectIdentifier(slot))
    }

    /// A making for which the thread's stack has too little room.
    ///
    /// Not inlined: it is rare, in functions that nest.
    @inline(never)
    init(tooDeep slot: Slot, _ request: Request, _ thread: ThreadRecord) {
        let steps = thread.steps
        self.init(
            .tooDeep(slot.key, levels: steps.count + 1), request: thread.outermostRequest ?? request, chain: steps)
    }

    init(_ kind: Kind, thread: ThreadRecord) {
        self.init(kind, request: thread.outermostRequest, chain: thread.steps)
    }
}

extension ThreadRecord {
    /// The request that led to whatever runs on this thread, since the last barrier.
    fileprivate var outermostRequest: Request? {
        var request: Request?
        for frame in reachable { request = frame.request(on: self) ?? request }
        return request
    }
}
