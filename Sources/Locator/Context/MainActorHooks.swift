/// The dispose hooks of a family of contexts that wait for the main actor, in the order in which they run.
final class MainActorHooks: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by `lock`.

    private let lock = Lock()
    private var waiting: [() -> [HookFailure]] = []
    private var isRunning = false
    /// What hooks have thrown since `finish()` was called last.
    private var errors: [HookFailure] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    /// Runs a hook on the main actor, after those that were added before.
    func add(_ hook: @escaping () -> [HookFailure]) {
        let isFirst = lock.withLock {
            waiting.append(hook)
            defer { isRunning = true }
            return !isRunning
        }
        // Detached: what a maker of the running task reads is not read by a hook.
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

    /// The hooks that wait; nil where there are none, so that running them has ended.
    private func next() -> [() -> [HookFailure]]? {
        let (hooks, finished) = lock.withLock {
            let hooks = waiting
            waiting = []
            isRunning = !hooks.isEmpty
            defer { if !isRunning { watchers = [] } }
            return (hooks, isRunning ? [] : watchers)
        }
        for watcher in finished { watcher.resume() }
        return hooks.isEmpty ? nil : hooks
    }

    /// Waits until no hook waits; gives what they threw.
    func finish() async -> [HookFailure] {
        await withCheckedContinuation { continuation in
            let isIdle = lock.withLock {
                if isRunning { watchers.append(continuation) }
                return !isRunning
            }
            if isIdle { continuation.resume() }
        }
        return lock.withLock {
            defer { errors = [] }
            return errors
        }
    }
}
