internal import Synchronization

/// The end of a lean child.
extension ChildCore {
    /// Ends a lean child, unless it has ended before.
    ///
    /// Runs its dispose hooks in reverse order of creation, and then releases its instances.
    ///
    /// Returns false if there is more to do. Errors of the hooks that have run are added to `errors`.
    func closeLean(_ errors: inout [HookFailure]) -> Bool {
        var rounds = DisposalRounds()
        while var taken = takeInstances(isLast: rounds.isCycle) {
            defer { taken.end() }
            if taken.isClosed { return true }
            let entries = taken.lean.entriesToDisposeOf
            rounds.add(entries.lazy.map { $0.record.takeUnretainedValue() })
            errors += dispose(of: entries)
        }
        return false
    }

    /// The instances of a lean child, and the objects that keep it alive.
    private struct TakenLean: ~Copyable {
        var lean = LeanChild()
        /// Whether the child has ended.
        var isClosed = true
        /// These two keep the registrations of what is disposed of.
        var state: ContextState?
        var layer: ChildLayer?
        var parent: AppContext?
        var inputs: [Input] = []

        /// Releases everything.
        ///
        /// No lock is held.
        mutating func end() {
            // The record lives as long as its thread.
            ThreadRecord.Unretained.current(ThreadRecord.key)._withUnsafeGuaranteedRef { thread in
                thread.outsideOfMakings {
                    for entry in lean.entries.reversed() { entry.box?.release() }
                    lean = LeanChild()
                    inputs = []
                    layer = nil
                    state = nil
                    parent = nil
                }
            }
        }
    }

    /// Takes the instances out of a lean child, and ends the child if nothing has to be disposed of.
    ///
    /// Returns nil if the child is not lean, or has more to do.
    private func takeInstances(isLast: Bool) -> TakenLean? {
        leanLock.withLock {
            var taken = TakenLean()
            if lean.hasEnded { return taken }
            guard isLean.load(ordering: .relaxed), !lean.isMaking, !isObserved else { return nil }
            let hasDisposals = lean.entries.contains(where: \.hasDisposals)
            if hasDisposals, isInUse { return nil }
            swap(&taken.lean, &lean)
            if !isLast, hasDisposals {
                taken.isClosed = false
                (taken.state, taken.layer) = (state, layer)
                return taken
            }
            lean.hasEnded = true
            isClosed = true
            isEmptied = true
            taken.state = state
            state = .nothing
            swap(&taken.layer, &layer)
            swap(&taken.parent, &parent)
            swap(&taken.inputs, &inputs)
            // Releasing: a thread that holds the family's lock and finds that the child is no longer lean sees all of
            // this.
            isLean.store(false, ordering: .releasing)
            return taken
        }
    }

    /// Whether another thread may be using instances of a lean child to make an instance that is not shared.
    ///
    /// The caller holds the child's own lock. The other thread held it when it took the instances.
    private var isInUse: Bool {
        // Relaxed suffices: a thread stores it before it takes an instance with the lock held.
        guard hasLentRecipes.load(ordering: .relaxed) else { return false }
        let thread = ThreadRecord.current
        return Readers.all.users(of: family.number).requests.contains {
            $0.thread !== thread && $0.mayUse(instancesOf: self)
        }
    }

    /// Runs the dispose hooks of a lean child's instances, and returns their errors.
    private func dispose(of entries: [LeanChild.Entry]) -> [HookFailure] {
        var errors: [HookFailure] = []
        runningHooks {
            for entry in entries {
                guard let box = entry.box?.takeUnretainedValue() else { continue }
                errors += dispose(of: box, entry.record.takeUnretainedValue())
            }
        }
        return errors
    }
}
