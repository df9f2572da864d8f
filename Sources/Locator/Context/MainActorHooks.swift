/// The dispose hooks of a family that wait for the main actor, in the order in which they run.
final class MainActorHooks: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by `lock`.

    private let lock = Lock()
    private var waiting: [() -> [HookFailure]] = []
    private var isRunning = false
    /// The errors of hooks since the last call of `finish()`.
    private var errors: [HookFailure] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    /// Runs a hook on the main actor, after the hooks that were added before.
    func add(_ hook: @escaping () -> [HookFailure]) {
        let isFirst = lock.withLock {
            waiting.append(hook)
            defer { isRunning = true }
            return !isRunning
        }
        // Detached: what a hook reads must not be recorded for a factory closure that runs in this task.
        if isFirst { Task.detached { @MainActor in self.run() } }
    }

    @MainActor private func run() {
        while let hooks = next() {
            for hook in hooks {
                let thrown = hook()
                if !thrown.isEmpty { lock.withLock { errors += thrown } }
            }
        }
    }

    /// Takes the waiting hooks, or returns nil if there are none, which ends the run.
    private func next() -> [() -> [HookFailure]]? {
        let (hooks, finished) = lock.withLock {
            let hooks = waiting.takeAll()
            isRunning = !hooks.isEmpty
            return (hooks, isRunning ? [] : watchers.takeAll())
        }
        for watcher in finished { watcher.resume() }
        return hooks.isEmpty ? nil : hooks
    }

    /// Waits until no hook is waiting, and returns the errors.
    func finish() async -> [HookFailure] {
        await withCheckedContinuation { continuation in
            let isIdle = lock.withLock {
                if isRunning { watchers.append(continuation) }
                return !isRunning
            }
            if isIdle { continuation.resume() }
        }
        return lock.withLock { errors.takeAll() }
    }
}
