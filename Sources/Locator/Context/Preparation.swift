/// Instances that are made for a load of the settings before the context takes it over.
///
/// The requests that make them see a state that is not the context's yet. The instances are valid only there. They come
/// into the context with the load, or end if the load is given up.
///
/// Guarded by the lock of the context. The caller holds it, except for `end`.
final class Preparation: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the context. Its holder accesses one field at a time, so the
    // exclusivity need not be checked.

    private let core: ContextCore
    @exclusivity(unchecked) private var instances: IdentityTable<Instance> = [:]
    /// Whether it has ended.
    ///
    /// A request that began before may still make something.
    @exclusivity(unchecked) private var hasEnded = false

    init(of core: ContextCore) {
        self.core = core
    }

    /// Keeps an instance.
    ///
    /// It is not disposed of before the end of the preparation.
    func keep(_ instance: Instance) {
        if hasEnded { return }
        if instances.updateValue(instance, forKey: instance.identity) == nil { instance.hold() }
    }

    /// Releases all instances, and disposes of those that did not come into the context.
    func end() {
        let left = core.locked {
            hasEnded = true
            core.tables.asynchronous.preparation = nil
            // Those that a factory closure has begun may have seen the new settings.
            core.family.followers.wake(core)
            defer { instances = [:] }
            for instance in instances.values { instance.letGo() }
            let left = instances.values.filter(\.hasLeft)
            core.noteReplaced(left)
            return left
        }
        core.dispose(of: left, areReleased: true)
    }

    /// Ends the instances of a scope, or all instances, together with those that were made from ended instances.
    func drop(_ scope: Scope?) -> [Instance] {
        let ended = Array(instances.values).inOrder.filter { instance in
            guard instance.status == .stray else { return false }
            let isMeant = scope.map { instance.slot.record.lifetime == .held($0) } ?? true
            guard isMeant || !core.mayTakeOver(instance) else { return false }
            instance.status = .gone
            instance.letGo()
            return true
        }
        for instance in ended { instances[instance.identity] = nil }
        return ended
    }

    /// Adds the instances that were made for an earlier state of the preparation to a state, if they are valid there.
    func carry(into prepared: ContextState) {
        var moment = Moment(of: core, prepared)
        for instance in instances.values where instance.status == .stray {
            guard instance.failure == nil, moment.isValid(instance) else { continue }
            prepared.keep(instance, for: instance.slot, of: core)
        }
    }

    /// Moves the prepared instances into the context, if they are valid in the context's current state.
    func enterContext() {
        var found: IdentityTable<Instance> = [:]
        for instance in instances.values {
            guard instance.status == .stray, !instance.isDisposed, instance.failure == nil, instance.box != nil,
                instance.slot.owner == core.identity, instance.slot.live == nil,
                core.ownReadsHold(of: instance, in: core.state)
            else { continue }
            found[instance.identity] = instance
        }
        // Instances that were joined by injections read each other, so they come in together.
        var rest = found
        repeat {
            found = rest
            for instance in found.values {
                let isComplete = instance.reads.instances.allSatisfy {
                    $0.status == .live || $0.hasEnded || found[$0.identity] != nil
                }
                if !isComplete { rest[instance.identity] = nil }
            }
        } while rest.count < found.count
        for instance in Array(found.values).inOrder where instance.slot.live == nil {
            instance.status = .live
            instance.ownReadsHold = true
            instance.slot.live = instance
            instance.letGoOfParts()
            core.register(instance)
        }
    }
}
