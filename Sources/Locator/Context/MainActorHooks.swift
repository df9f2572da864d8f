/// The dispose hooks of a family that wait for the main actor, in the order in which they run.
final class MainActorHooks: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by `lock`.

    private let lock = Lock()
    private var waiting: [() -> Void] = []
    private var isRunning = false
    private var addedCount = 0
    private var doneCount = 0
    /// The continuations that wait until this many hooks have run.
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Runs a hook on the main actor, after the hooks that were added before.
    func add(_ hook: @escaping () -> Void) {
        let isFirst = lock.withLock {
            waiting.append(hook)
            addedCount += 1
            defer { isRunning = true }
            return !isRunning
        }
        // Detached, because the reads of a hook must not be recorded for a factory closure that runs in this task.
        if isFirst { Task.detached { @MainActor in self.run() } }
    }

    @MainActor private func run() {
        while let hooks = next() {
            for hook in hooks {
                hook()
                noteDone()
            }
        }
    }

    /// Takes the waiting hooks, or returns nil if there are none, which ends the run.
    private func next() -> [() -> Void]? {
        lock.withLock {
            isRunning = !waiting.isEmpty
            return isRunning ? waiting.takeAll() : nil
        }
    }

    private func noteDone() {
        let reached = lock.withLock {
            doneCount += 1
            let reached = watchers.filter { $0.count <= doneCount }
            watchers.removeAll { $0.count <= doneCount }
            return reached
        }
        for watcher in reached { watcher.continuation.resume() }
    }

    /// Waits until the hooks that have been added so far have run.
    ///
    /// It does not wait for later ones, because other contexts of the family may never stop adding hooks.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isDone = lock.withLock {
                if doneCount < addedCount { watchers.append((addedCount, continuation)) }
                return doneCount == addedCount
            }
            if isDone { continuation.resume() }
        }
    }
}
