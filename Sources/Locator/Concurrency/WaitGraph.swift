/// The graph of threads that wait for each other, over all contexts of the process.
///
/// A thread that needs an instance that is being made waits for it here. Before it waits, it follows the chain from the
/// making to its thread, to what this thread waits for, and so on. If the chain leads back to the first thread, waiting
/// would never end, and the outcome is a circle.
enum WaitGraph {
    /// The outcome of a wait.
    enum Outcome {
        /// The making has ended.
        case ended
        /// Waiting would never end.
        ///
        /// The steps lead from the making that is needed back to the one that needs it.
        case circle([Step])
    }

    private static let lock = Lock()
    private static let wakeUp = WakeUp()

    /// Waits until `awaited` has ended, unless its thread waits for `thread`, directly or through other threads.
    ///
    /// If a thread in a circle waits for an instance that exists and only lacks its injections, that thread closes the
    /// circle.
    static func wait(for awaited: Awaited, on thread: ThreadRecord) -> Outcome {
        lock.withLock {
            wait(Wait(making: awaited, isForInjections: false), on: thread)
        }
    }

    /// Waits until the injections of the request that made something have run.
    static func waitForInjections(of making: Making, on thread: ThreadRecord) {
        _ = lock.withLock {
            wait(Wait(making: making, isForInjections: true), on: thread)
        }
    }

    private static func wait(_ wait: Wait, on thread: ThreadRecord) -> Outcome {
        while !wait.isOver {
            if let circle = circle(from: wait.making, to: thread) {
                if !wait.isForInjections, wait.making.isMade || !circle.canBeClosed { return .circle(circle.steps) }
                // The thread that can close the circle, or has to report it, is waiting. Let it look again.
                wakeUp.wakeAll()
            }
            thread.waitingFor = wait
            wakeUp.wait(lock)
            thread.waitingFor = nil
        }
        return .ended
    }

    /// Notes that the instance of a making exists, and waits for injections.
    static func noteMade(_ making: Making) {
        lock.withLock { making.isMade = true }
    }

    /// Notes that the injections of a request have run.
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

    /// Whether the injections of a request have run.
    static func hasInjected(_ session: Session) -> Bool {
        lock.withLock { session.hasInjected }
    }

    /// The steps from a making through waiting threads back to a thread, and whether one of these waits for an existing
    /// instance.
    ///
    /// Returns nil if the chain ends at a running thread.
    private static func circle(
        from making: Awaited, to thread: ThreadRecord
    ) -> (steps: [Step], canBeClosed: Bool)? {
        var steps: [Step] = []
        var canBeClosed = false
        var seen: IdentitySet = []
        var next = making
        while true {
            if next.thread === thread { return (steps + self.steps(of: next), canBeClosed) }
            guard let wait = next.thread.waitingFor, !wait.isOver else { return nil }
            // The chain may lead into a circle of other threads, which have yet to close it.
            guard seen.insert(ObjectIdentifier(next.thread)).inserted else { return nil }
            if !wait.isForInjections, wait.making.isMade { canBeClosed = true }
            steps += self.steps(of: next)
            next = wait.making
        }
    }

    /// What runs on the making's thread, from the making inwards.
    ///
    /// That thread is blocked, so its frames do not change.
    private static func steps(of making: Awaited) -> [Step] {
        let frames = making.thread.frames
        let start = frames.firstIndex { $0.making === making } ?? frames.endIndex
        return frames[start...].compactMap(\.step)
    }
}

/// What a thread waits for: the end of a making or of an answer, or the injections of its request.
struct Wait {
    let making: Awaited
    let isForInjections: Bool

    /// Whether the wait is over.
    ///
    /// Guarded by ``WaitGraph``.
    var isOver: Bool { making.hasEnded || isForInjections && making.session.hasInjected }
}
