/// Shutting a context down: shutdown hooks run, and then everything is disposed of.
extension ContextCore {
    /// Runs a shutdown hook with this context as the current one.
    ///
    /// The hook runs in a task of its own, so that it can close its resources even if the caller's task is canceled.
    func run(_ hook: @escaping ShutdownHook, _ box: AnyBox, in step: AsyncStep) async throws {
        try await Task {
            try await AsyncStep.$ofTask.withValue(step) { try await binding { try await hook(box) } }
        }.value
    }

    /// Runs the shutdown hooks, latest instance first, then disposes of everything, and returns the errors.
    ///
    /// Inside such a hook, this does nothing: it would wait for itself.
    func shutDown() async -> [HookFailure] {
        let isInHook = AsyncStep.isInShutdown(of: self)
        if isInHook, locked({ tables.asynchronous.shutdown != nil }) { return [] }
        // If the running shutdown waits for this one, through hooks of other contexts, this one also returns
        // immediately.
        guard let step = try? await enter(\.shutdown, .shutdown) else { return [] }
        defer { leave(step) }
        // A hook of a replaced instance does not wait for itself, either.
        if !isInHook { await waitForEndings(in: step) }
        var errors: [HookFailure] = []
        var open = OpenShutdowns()
        var rounds = Rounds()
        // Dispose hooks may create further instances, and so may a start that ends in the meantime. These are shut down
        // too.
        var progress: (Int, Int)
        repeat {
            progress = (open.done.count, rounds.count)
            errors += await runShutdownHooks(&open, in: step)
            // Instances that ended earlier are disposed of first.
            errors += await finishMainActorHooks()
            // If one hook needs the main actor, all hooks run there, so that they run in one order.
            let needsMainActor = locked { hasInstances { $0.disposals.contains(where: \.isOnMainActor) } }
            let disposed =
                if needsMainActor {
                    await MainActor.run { [rounds] in disposeOfEverything(inShutdown: true, after: rounds) }
                } else {
                    disposeOfEverything(inShutdown: true, after: rounds)
                }
            rounds = disposed.rounds
            errors += disposed.errors
            errors += await finishMainActorHooks()
            // Instances that were kept for children are shut down in the same way as at the end of the children.
            if !isInHook { await waitForEndings(in: step) }
        } while progress != (open.done.count, rounds.count) && !rounds.isCircle
        return errors
    }

    /// Runs the shutdown hooks that have not run, latest instance first, and returns their errors.
    private func runShutdownHooks(_ open: inout OpenShutdowns, in step: AsyncStep) async -> [HookFailure] {
        var errors: [HookFailure] = []
        // Hooks may create further instances. Their shutdown hooks run too.
        while let instance = nextToShutDown(&open) {
            guard let box = instance.boxWithoutLock else { continue }
            for shutDown in instance.slot.record.shutdowns {
                do {
                    try await run(shutDown, box, in: step)
                } catch {
                    errors.append(HookFailure(.shutdown, of: instance.slot.record, error))
                }
            }
            // If a change has ended the instance in the meantime, it is disposed of now, not while its shutdown hook
            // runs.
            let hasLeft = locked {
                instance.letGo()
                return instance.hasLeft
            }
            if hasLeft { errors += dispose(of: [instance], areReleased: true) }
        }
        return errors
    }

    /// Waits for the dispose hooks that wait for the main actor, and returns the errors of this context's hooks.
    func finishMainActorHooks() async -> [HookFailure] {
        await locked { family.mainActorHooks }?.wait()
        return locked { knownTables?.pointee.lateFailures.takeAll() ?? [] }
    }

    /// The instances that were found so far whose shutdown hooks have not run yet.
    private struct OpenShutdowns {
        /// The latest comes last.
        var instances: [Instance] = []
        /// The instances whose hooks have run, or that ended earlier, by `Instance.order`.
        ///
        /// The identity is not used, because an instance that a hook makes may get the memory of one that has ended.
        var done: Set<UInt> = []
        /// The number of instances that had been made at the time of the search.
        var instanceCount: UInt?
    }

    /// The latest instance whose shutdown hooks have not run yet.
    ///
    /// It is not disposed of before it is released. This searches the slots again only if an instance has been made
    /// since the last search, and once more at the end.
    private func nextToShutDown(_ open: inout OpenShutdowns) -> Instance? {
        locked {
            repeat {
                if open.instances.isEmpty || open.instanceCount != family.instanceCount {
                    let done = open.done
                    open.instanceCount = family.instanceCount
                    let instances = tables.slots.values.filter { !$0.record.shutdowns.isEmpty }.flatMap(\.instances)
                    open.instances = instances.filter { !done.contains($0.order) }.inOrder
                }
                guard let instance = open.instances.popLast() else { return nil }
                open.done.insert(instance.order)
                // Something else may have ended it.
                if instance.status == .gone || instance.box == nil { continue }
                instance.hold()
                instance.hasBegunShutdown = true
                instance.endsWithShutdown = false
                return instance
            } while true
        }
    }
}
