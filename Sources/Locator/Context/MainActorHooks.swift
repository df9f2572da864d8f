/// The dispose hooks of a family that wait for the main actor, in the order in which they run.
final class MainActorHooks: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by `lock`.

    private let lock = Lock()
    private var waiting: [() -> Void] = []
    private var isRunning = false

    /// Runs a hook on the main actor, after the hooks that were added before.
    func add(_ hook: @escaping () -> Void) {
        let isFirst = lock.withLock {
            waiting.append(hook)
            defer { isRunning = true }
            return !isRunning
        }
        // Detached, because the reads of a hook must not be recorded for a factory closure that runs in this task.
        if isFirst { Task.detached { @MainActor in self.run() } }
    }

    @MainActor private func run() {
        runWaiting()
        // Hooks that were added in the meantime run in another job, so that the main actor also does other work.
        let isDone = lock.withLock {
            isRunning = !waiting.isEmpty
            return !isRunning
        }
        if !isDone { Task.detached { @MainActor in self.run() } }
    }

    /// Runs the hooks that wait now.
    ///
    /// The caller is on the main actor.
    func runWaiting() {
        for _ in 0..<lock.withLock({ waiting.count }) {
            // A hook may run others of them.
            guard let hook = lock.withLock({ waiting.isEmpty ? nil : waiting.removeFirst() }) else { return }
            hook()
        }
    }

    /// Waits until the hooks that have been added so far have run.
    ///
    /// It does not wait for later ones, because other contexts of the family may never stop adding hooks.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isDone = lock.withLock {
                // This closure runs after the hooks that were added before it.
                if isRunning { waiting.append { continuation.resume() } }
                return !isRunning
            }
            if isDone { continuation.resume() }
        }
    }
}
