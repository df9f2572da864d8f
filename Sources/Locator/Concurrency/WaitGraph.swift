/// The graph of threads that wait for each other, over all contexts of the process.
///
/// A thread that needs an instance that is being made waits for it here. Before it waits, it follows the chain from the
/// making to its thread, to what this thread waits for, and so on. If the chain leads back to the first thread, waiting
/// would never end, and this is reported instead.
enum WaitGraph {
    private static let lock = Lock()
    private static let wakeUp = WakeUp()

    /// Waits until `awaited` has ended, or until the injections of its request have run, if the wait is for these.
    ///
    /// Returns nil afterward. If its thread waits for `thread`, directly or through other threads, this does not wait,
    /// and returns the steps from the making that is needed back to the one that needs it. But if a thread in such a
    /// cycle waits for an instance that exists and only lacks its injections, that thread resolves the cycle. A wait
    /// for injections is a cycle only if the thread itself, or each thread in the chain, runs such a request and waits
    /// for injections inside it, as in an observer.
    // Not inlined: several functions call it, and a thread that gets here waits.
    @inline(never)
    static func wait(
        for awaited: Awaited, toInject isForInjections: Bool = false, on thread: ThreadRecord
    ) -> [Step]? {
        let wait = Wait(awaited: awaited, isForInjections: isForInjections)
        return lock.withLock {
            while !wait.isOver {
                if let cycle = cycle(from: awaited, to: thread) {
                    let isUnresolved = isForInjections ? cycle.isOfInjections : awaited.isMade || !cycle.canBeClosed
                    if isUnresolved { return cycle.steps }
                    // The thread that can resolve the cycle, or has to report it, is waiting. Wake it to check again.
                    wakeUp.wakeAll()
                }
                thread.waitingFor = wait
                wakeUp.wait(lock)
                thread.waitingFor = nil
            }
            return nil
        }
    }

    /// Records that the instance of a making exists, and waits for injections.
    static func noteMade(_ making: Making) {
        lock.withLock { making.isMade = true }
    }

    /// Records that the injections of a request have run.
    static func noteInjected(_ session: Session) {
        lock.withLock {
            session.hasInjected = true
            wakeUp.wakeAll()
        }
    }

    /// Marks `awaited` as ended, and wakes the threads that wait for it.
    static func end(_ awaited: Awaited) {
        lock.withLock {
            awaited.hasEnded = true
            wakeUp.wakeAll()
        }
    }

    /// Returns whether the injections of a request have run.
    static func hasInjected(_ session: Session) -> Bool {
        lock.withLock { session.hasInjected }
    }

    /// Returns the steps from a making through waiting threads back to a thread, whether one of these threads waits for
    /// an existing instance, and whether all of them wait for injections.
    ///
    /// The result is nil if the chain ends at a running thread.
    private static func cycle(
        from awaited: Awaited, to thread: ThreadRecord
    ) -> (steps: [Step], canBeClosed: Bool, isOfInjections: Bool)? {
        var steps: [Step] = []
        var canBeClosed = false
        var isOfInjections = true
        var seen: IdentitySet = []
        var next = awaited
        while true {
            if next.thread === thread { return (steps + self.steps(of: next), canBeClosed, isOfInjections) }
            guard let wait = next.thread.waitingFor, !wait.isOver else { return nil }
            // The chain may lead into a cycle of other threads, which have not resolved it yet.
            guard seen.insert(ObjectIdentifier(next.thread)).inserted else { return nil }
            if !wait.isForInjections {
                isOfInjections = false
                if wait.awaited.isMade { canBeClosed = true }
            }
            steps += self.steps(of: next)
            next = wait.awaited
        }
    }

    /// Returns the steps that run on the making's thread, from the making inward.
    ///
    /// That thread is blocked, so its frames do not change.
    private static func steps(of making: Awaited) -> [Step] {
        let frames = making.thread.frames
        let start = frames.firstIndex { $0.making === making } ?? frames.endIndex
        return frames[start...].compactMap(\.step)
    }
}

/// A wait of a thread for the end of a making or of an answer, or for the injections of its request.
struct Wait {
    let awaited: Awaited
    let isForInjections: Bool

    /// Whether the wait is over.
    ///
    /// Guarded by ``WaitGraph``.
    var isOver: Bool { awaited.hasEnded || isForInjections && awaited.session.hasInjected }
}
