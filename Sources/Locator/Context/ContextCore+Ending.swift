/// Taking instances out of the context for good.
extension ContextCore {
    /// Runs the dispose hooks of instances that have left the context, in reverse order of their making.
    ///
    /// Every hook runs; what they throw is given back. No lock is held.
    @discardableResult
    func dispose(of instances: [Instance]) -> [any Error] {
        if !isObserved, !instances.contains(where: \.hasDisposals) { return [] }
        // What a running request uses is disposed of at its end.
        let instances = locked {
            instances.filter { instance in
                if instance.userCount > 0 || instance.isDisposed || instance.failure != nil { return false }
                instance.isDisposed = true
                return true
            }
        }
        var errors: [any Error] = []
        ThreadRecord.current.outsideOfMakings {
            bound {
                for instance in instances.sorted(by: { $0.order > $1.order }) {
                    guard case .registration = instance.slot.layer, instance.slot.record.run != nil,
                        let box = instance.box
                    else { continue }
                    let owner = owner(of: instance)
                    owner.bound {
                        for dispose in instance.slot.record.disposals {
                            do {
                                try dispose(box)
                            } catch {
                                errors.append(error)
                                owner.tell(.hookFailed(instance.slot.key, error))
                            }
                        }
                    }
                    owner.tell(.disposed(instance.slot.key, instance.slot.record.location))
                }
            }
        }
        return errors
    }

    /// The context whose instance it is: a change also ends what others of the family have made of what it ends.
    private func owner(of instance: Instance) -> ContextCore {
        let owner = instance.slot.owner
        if owner == ObjectIdentifier(self) { return self }
        return locked { family.core(owner) } ?? self
    }

    func bound(_ body: () -> Void) {
        if AppContext.isCurrent(self) { return body() }
        AppContext.entering(representative, body)
    }

    /// Drops the instances for which `isEnded` holds, live and set aside, and all that were made from them.
    func reset(scope: Scope?, where isEnded: (Slot) -> Bool) -> [any Error] {
        dispose(of: locked { drop(scope: scope, where: isEnded) })
    }

    /// Drops the instances of a scope, here and in the parents up to the one that has opened it, and disposes of all of them
    /// in one order.
    func reset(_ scope: Scope) -> [any Error] {
        dispose(
            of: locked {
                var core = self
                var gone = core.drop(scope: scope) { $0.record.lifetime == .held(scope) }
                while !core.opened.contains(scope), let parent = core.parent?.core {
                    core = parent
                    gone += core.drop(scope: scope) { $0.record.lifetime == .held(scope) }
                }
                if core !== self { gone += follow() }
                return gone
            })
    }

    /// Drops instances.
    ///
    /// The children follow, as they do after any change. The caller holds the lock.
    func drop(scope: Scope?, where isEnded: (Slot) -> Bool) -> [Instance] {
        publish(newState(roots: state.roots))
        if let scope { resets[scope] = state.revision }
        shared = [:]
        var ended: [Instance] = []
        func collect(_ slot: Slot) {
            if isEnded(slot) { ended += slot.instances }
            for outer in slot.outer.values { collect(outer) }
        }
        for slot in slots.values { collect(slot) }
        let gone = closeOverDependents(ended)
        for instance in gone { remove(instance) }
        detainUsed(gone)
        endChange()
        return gone + letOthersFollow(afterEnding: gone)
    }

    /// Drops everything and disposes of it, and of what the hooks make.
    ///
    /// Gives what hooks threw. Hooks that make each other's instances for ever are left to their last ones.
    private func disposeOfEverything() -> [any Error] {
        var errors: [any Error] = []
        var ended: IdentitySet = []
        // What a hook makes is disposed of in the next round. Unless hooks go in a circle, each round has a registration
        // that no round before it had.
        var rounds = 0
        repeat {
            let gone = locked { hasInstances { _ in true } ? drop(scope: nil) { $0.isShared } : [] }
            if gone.isEmpty { break }
            for instance in gone { ended.insert(ObjectIdentifier(instance.slot.record)) }
            errors += dispose(of: gone)
            rounds += 1
        } while rounds <= ended.count
        return errors
    }

    /// Whether there is an instance of one of these registrations; the caller holds the lock.
    private func hasInstances(where isMeant: (RegistrationRecord) -> Bool) -> Bool {
        slots.values.contains { isMeant($0.record) && !$0.instances.isEmpty }
    }

    /// Ends the context, which is going away: first everything in it, then what answers.
    func close() {
        var errors: [any Error] = []
        if closeLean(&errors) { return }
        if isObserved { tellNeverShutDown() }
        if locked({ hasInstances { !$0.disposals.isEmpty } }) { _ = disposeOfEverything() }
        let gone = locked { () -> [Instance] in
            // What no hook waits for, and what other threads have made in the meantime.
            let gone = drop(scope: nil) { $0.isShared }
            isClosed = true
            lendState()
            forgetWarmAnswers()
            family.remove(self)
            if let parent { discard(parent) }
            parent = nil
            // A slot and the one around it know each other.
            for inner in layered.values.flatMap(\.values) { inner.outer = [:] }
            discard((nodes, slots, layered, known))
            family.retire(state)
            state = ContextState(
                revision: state.revision + 1, roots: [], known: [:], base: .init(), baseRevision: 0)
            nodes = [:]
            slots = [:]
            layered = [:]
            known = [:]
            properties = PropertyCells()
            return gone
        }
        dispose(of: gone)
        endObservations()
    }

    /// Tells observers of the instances whose shutdown hooks will not run any more.
    private func tellNeverShutDown() {
        let instances = locked {
            slots.values.filter { !$0.record.shutdowns.isEmpty }.flatMap(\.instances).sorted { $0.order > $1.order }
        }
        for instance in instances {
            tell(.neverShutDown(instance.slot.key, instance.slot.record.location))
        }
    }
}

extension Instance {
    /// Whether a hook waits for the instance's end.
    ///
    /// A decorator or alias has none of its own.
    fileprivate var hasDisposals: Bool {
        guard case .registration = slot.layer else { return false }
        return !slot.record.disposals.isEmpty
    }
}

extension ContextCore {
    /// Runs the shutdown hooks, latest instance first, and then disposes of everything.
    ///
    /// Gives what hooks threw.
    func shutDown() async -> [any Error] {
        var errors: [any Error] = []
        var done: IdentitySet = []
        // Hooks may make further instances, whose hooks run too.
        while let instance = nextToShutDown(done) {
            done.insert(instance.identity)
            guard let box = instance.box else { continue }
            for shutDown in instance.slot.record.shutdowns {
                do { try await binding { try await shutDown(box) } } catch { errors.append(error) }
            }
        }
        return errors + disposeOfEverything()
    }

    private func nextToShutDown(_ done: IdentitySet) -> Instance? {
        locked {
            slots.values.lazy.filter { !$0.record.shutdowns.isEmpty }.flatMap(\.instances)
                .filter { !done.contains($0.identity) }.max { $0.order < $1.order }
        }
    }
}
