internal import Synchronization

/// A shutdown of a context: shutdown hooks run, and then everything is disposed of.
struct Shutdown {
    private let core: ContextCore
    private let step: AsyncStep
    private var errors: [HookFailure] = []
    /// The instances that were found so far whose shutdown hooks have not run yet.
    ///
    /// The latest comes last.
    private var open: [Instance] = []
    /// The number of instances that had been made at the time of the search.
    private var instanceCount: UInt?

    private init(of core: ContextCore, _ step: AsyncStep) {
        self.core = core
        self.step = step
    }

    /// Runs the shutdown hooks of a context, latest instance first, then disposes of everything, and returns the errors.
    ///
    /// Inside such a hook, this does nothing: it would wait for itself.
    static func run(of core: ContextCore) async -> [HookFailure] {
        // A child first follows the contexts above it. These errors are reported to observers.
        _ = await dispose(of: core.takeEndedFromAbove(), in: core)
        let isInHook = AsyncStep.isInShutdown(of: core)
        if isInHook, core.locked({ core.tables.asynchronous.shutdown != nil }) { return [] }
        // If the running shutdown waits for this one, through hooks of other contexts, this one also returns
        // immediately.
        guard let step = try? await core.enter(\.shutdown, .shutdown) else { return [] }
        defer { core.leave(step) }
        var shutdown = Shutdown(of: core, step)
        await shutdown.run(isInHook: isInHook)
        return shutdown.errors
    }

    private mutating func run(isInHook: Bool) async {
        // A hook of a replaced instance does not wait for itself, either.
        if !isInHook { await waitForReplaced() }
        var rounds = DisposalRounds()
        var isFinished = false
        // Hooks may create further instances, and so may requests in the meantime. These are shut down too.
        repeat {
            await runHooks()
            // Instances that ended earlier are disposed of first.
            errors += await core.finishMainActorHooks()
            let gone = core.locked { core.instancesToShutDown.isEmpty ? core.endEverything() : nil }
            if let gone {
                isFinished = gone.isEmpty
                if !isFinished { rounds.add(gone.lazy.map(\.slot.record)) }
                errors += await Self.dispose(of: gone, in: core)
            }
            // Instances that were kept for children are shut down in the same way as at the end of the children.
            if !isInHook { await waitForReplaced() }
            errors += await core.finishMainActorHooks()
        } while !isFinished && !rounds.isCycle
    }

    /// Disposes of instances, and returns the errors of their hooks.
    ///
    /// If one hook needs the main actor, all hooks run there, so that they run in one order.
    private static func dispose(
        of instances: [Instance], in core: ContextCore, areReleased: Bool = false
    ) async -> [HookFailure] {
        if !instances.contains(where: \.slot.record.needsMainActorAtEnd) {
            return core.dispose(of: instances, areReleased: areReleased)
        }
        return await MainActor.run { core.dispose(of: instances, areReleased: areReleased) }
    }

    /// Runs the shutdown hooks that have not run, latest instance first.
    private mutating func runHooks() async {
        // Hooks may create further instances. Their shutdown hooks run too.
        while let instance = next() {
            await Self.runHooks(of: instance, in: core, step) {
                errors.append(HookFailure(.shutdown, of: instance.slot.record, $0))
            }
            // If a change has ended the instance in the meantime, it is disposed of now, not while its shutdown hook
            // runs.
            let hasLeft = core.locked {
                instance.letGo()
                return instance.hasLeft
            }
            if hasLeft {
                // The change has also ended what was made from it.
                errors += await core.finishMainActorHooks()
                errors += await Self.dispose(of: [instance], in: core, areReleased: true)
            }
        }
    }

    /// The latest instance whose shutdown hooks have not run yet.
    ///
    /// It is not disposed of before it is released. This searches the slots again only if an instance has been made
    /// since the last search, and once more at the end.
    private mutating func next() -> Instance? {
        core.locked {
            repeat {
                if open.isEmpty || instanceCount != core.family.instanceCount {
                    instanceCount = core.family.instanceCount
                    open = core.instancesToShutDown.inOrder
                }
                guard let instance = open.popLast() else { return nil }
                // Something else may have ended it.
                if instance.status == .gone || instance.box == nil { continue }
                instance.hold()
                instance.hasBegunShutdown = true
                instance.endsWithShutdown = false
                return instance
            } while true
        }
    }

    /// Waits until all replaced instances have been shut down, except for those that wait for this shutdown.
    private func waitForReplaced() async {
        // The steps that this has waited for are kept, so that no other step gets the identity of one of them.
        var seen: IdentityTable<AsyncStep> = [:]
        while let ending = core.locked({
            core.tables.asynchronous.endings.values.first { !seen.has(ObjectIdentifier($0)) }
        }) {
            seen[ObjectIdentifier(ending)] = ending
            _ = try? await step.wait(for: ending)
        }
    }

    /// Runs the shutdown hooks of an instance with its context as the current one, and reports their errors.
    ///
    /// Each runs in a task of its own, so that it can close its resources even if the caller's task is canceled.
    private static func runHooks(
        of instance: Instance, in core: ContextCore, _ step: AsyncStep, _ report: (any Error) -> Void
    ) async {
        guard let box = instance.boxWithoutLock else { return }
        for hook in instance.slot.record.shutdowns {
            do {
                try await Task {
                    try await AsyncStep.$ofTask.withValue(step) { try await core.binding { try await hook(box) } }
                }.value
            } catch {
                report(error)
            }
        }
    }
}

/// The shutdown of instances that loads of the settings have replaced.
extension Shutdown {
    /// Disposes of `later`, and then shuts down and disposes of `instances`.
    ///
    /// Returns the errors of `later`. The shutdown runs in a task of its own. At its end, it releases `parts`, from which
    /// the instances were made.
    static func runLater(
        of core: ContextCore, replaced instances: [Instance], after later: ArraySlice<Instance>,
        lettingGoOf parts: [Instance]
    ) -> [HookFailure] {
        let step = AsyncStep(.shutdown, of: core, inside: nil)
        // A request of a child may have been the last user of an instance of its parent. The shutdown of the parent
        // waits for this shutdown, and for that of an instance of the child, which may have ended by then.
        let owners = instances.map { core.owner(of: $0) }
        let waiting = core.locked { () -> [ContextCore] in
            // Relaxed suffices: a lean context becomes full only with the lock held.
            let waiting = owners.flatMap { owner in
                owner.lineage.filter { $0.asChild?.isLean.load(ordering: .relaxed) != true }
            }
            for core in waiting { core.tables.asynchronous.endings[ObjectIdentifier(step)] = step }
            return waiting
        }
        let errors = core.runDisposals(of: later)
        // Detached: the shutdown belongs to the context, not to the task that ended the last request that used an
        // instance.
        Task.detached {
            await run(instances, of: core, in: step)
            // Errors of hooks are reported to observers.
            _ = await dispose(of: core.letGo(of: parts), in: core, areReleased: true)
            core.locked { for core in waiting { core.tables.asynchronous.endings[ObjectIdentifier(step)] = nil } }
            step.end()
        }
        return errors
    }

    private static func run(_ instances: [Instance], of core: ContextCore, in step: AsyncStep) async {
        for instance in instances where instance.endsWithShutdown {
            let owner = core.owner(of: instance)
            let step = AsyncStep(.shutdown, of: owner, inside: step)
            defer { step.end() }
            await runHooks(of: instance, in: owner, step) { owner.tell(.hookFailed(instance.slot.key, $0)) }
        }
        // These errors are reported to observers.
        if instances.contains(where: \.slot.record.needsMainActorAtEnd) {
            _ = await MainActor.run { core.runDisposals(of: instances) }
        } else {
            _ = core.runDisposals(of: instances)
        }
    }
}
