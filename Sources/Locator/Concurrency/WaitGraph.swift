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

    /// Waits until `making` has ended, unless its thread waits, over any number of others, for `thread`.
    static func wait(for making: Making, on thread: ThreadRecord) -> Outcome {
        lock.lock()
        defer { lock.unlock() }
        while !making.hasEnded {
            if let steps = circle(from: making, to: thread) { return .circle(steps) }
            thread.waitingFor = making
            lock.waitForWake()
            thread.waitingFor = nil
        }
        return .ended
    }

    /// Marks `making` as ended and wakes whoever waits.
    static func end(_ making: Making) {
        lock.withLock {
            making.hasEnded = true
            lock.wakeAll()
        }
    }

    /// The steps from `making` over waiting threads back to `thread`, or nil where that chain ends at a running thread.
    private static func circle(from making: Making, to thread: ThreadRecord) -> [Step]? {
        var steps: [Step] = []
        var next = making
        while true {
            if next.thread === thread { return steps + self.steps(of: next) }
            guard let waited = next.thread.waitingFor, !waited.hasEnded else { return nil }
            steps += self.steps(of: next)
            next = waited
        }
    }

    /// What runs on the making's thread from the making inwards.
    ///
    /// That thread is blocked, so its frames stand still.
    private static func steps(of making: Making) -> [Step] {
        let frames = making.thread.frames
        let start = frames.firstIndex { $0.making === making } ?? frames.endIndex
        return frames[start...].compactMap(\.step)
    }
}
