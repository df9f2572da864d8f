/// Who waits for whom, over all contexts of the process.
///
/// A thread that asks for an instance in the making waits for it here. Before it does, the chain "this making runs on
/// that thread, which waits for …" is followed; if it comes back to the asker, waiting would never end, and the asker
/// is told so.
enum WaitGraph {
    /// What became of a wait.
    enum Outcome {
        /// The making has ended.
        case ended
        /// Waiting would never end. The steps lead from the making asked for back to the asker's own.
        case circle([Step])
    }

    private static let lock = Lock()

    /// Waits until `awaited` has ended, unless its thread waits, over any number of others, for `thread`.
    ///
    /// A circle in which somebody waits for what is made, and only lacks its injections, is closed by that one.
    static func wait(for awaited: Awaited, on thread: ThreadRecord) -> Outcome {
        lock.withLock {
            wait(Wait(making: awaited, isForInjections: false), on: thread)
        }
    }

    /// Waits until the request that made something has run its injections.
    static func waitForInjections(of making: Making, on thread: ThreadRecord) {
        _ = lock.withLock {
            wait(Wait(making: making, isForInjections: true), on: thread)
        }
    }

    private static func wait(_ wait: Wait, on thread: ThreadRecord) -> Outcome {
        while !wait.isOver {
            if let circle = circle(from: wait.making, to: thread) {
                if !wait.isForInjections, wait.making.isMade || !circle.canBeClosed { return .circle(circle.steps) }
                // Whoever can close the circle, or has to report it, waits: it looks again.
                lock.wakeAll()
            }
            thread.waitingFor = wait
            lock.waitForWake()
            thread.waitingFor = nil
        }
        return .ended
    }

    /// Notes that a making has its instance, which waits for injections.
    static func noteMade(_ making: Making) {
        lock.withLock { making.isMade = true }
    }

    /// Notes that a request has run its injections.
    static func noteInjected(_ session: Session) {
        lock.withLock {
            session.hasInjected = true
            lock.wakeAll()
        }
    }

    /// Marks `awaited` as ended and wakes whoever waits.
    static func end(_ awaited: Awaited) {
        lock.withLock {
            awaited.hasEnded = true
            lock.wakeAll()
        }
    }

    /// Whether a request has run its injections.
    static func hasInjected(_ session: Session) -> Bool {
        lock.withLock { session.hasInjected }
    }

    /// The steps from a making over waiting threads back to a thread, and whether one of these waits for what is made.
    ///
    /// Gives nil where the chain ends at a running thread.
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
            // The chain may lead into a circle of others, who have yet to close it.
            guard seen.insert(ObjectIdentifier(next.thread)).inserted else { return nil }
            if !wait.isForInjections, wait.making.isMade { canBeClosed = true }
            steps += self.steps(of: next)
            next = wait.making
        }
    }

    /// What runs on the making's thread from the making inwards.
    ///
    /// That thread is blocked, so its frames stand still.
    private static func steps(of making: Awaited) -> [Step] {
        let frames = making.thread.frames
        let start = frames.firstIndex { $0.making === making } ?? frames.endIndex
        return frames[start...].compactMap(\.step)
    }
}

/// What a thread waits for: the end of a making or of an answer, or of the injections of the request that it belongs to.
struct Wait {
    let making: Awaited
    let isForInjections: Bool

    /// Whether there is nothing more to wait for.
    ///
    /// Guarded by ``WaitGraph``.
    var isOver: Bool { making.hasEnded || isForInjections && making.session.hasInjected }
}
