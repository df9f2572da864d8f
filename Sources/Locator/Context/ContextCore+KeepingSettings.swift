internal import LocatorProperties
internal import Synchronization

/// One load of the properties that children have for their whole life; see ``AppContext/child(opening:giving:and:pushing:keepsSettings:fileID:line:)``.
///
/// Guarded by the lock of the family.
final class KeptLoad: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the family, whose holder accesses one field at a time:
    // hence the unchecked exclusivity.

    let base: Properties
    let revision: UInt
    /// How many children have it.
    @exclusivity(unchecked) fileprivate var childCount = 0
    /// What later loads have ended: these children still give it, as far as it is the same for them.
    @exclusivity(unchecked) fileprivate(set) var instances: IdentityTable<Instance> = [:]

    fileprivate init(_ base: Properties, revision: UInt) {
        self.base = base
        self.revision = revision
    }
}

extension ContextCore {
    /// Lets go of the load that a child has kept until its end.
    func letGoOfKeptLoad() {
        // It is set before anybody else has the child, and read with the lock held.
        guard keptLoad != nil else { return }
        let root = outermost
        root.locked {
            guard isClosed, let load = keptLoad, !hasLetGoOfLoad else { return }
            hasLetGoOfLoad = true
            root.endKeepingLoad(load)
        }
    }
}

/// The caller holds the lock everywhere.
extension ContextCore {
    /// The load that a child of this context has, which is one that lasts.
    ///
    /// While a change of the properties may still be taken back, it is that from before.
    func beginKeepingLoad() -> KeptLoad {
        let load = keptLoadHere ?? outermost.presentLoad
        load.childCount += 1
        return load
    }

    private var presentLoad: KeptLoad {
        let (base, revision) = settledBase ?? (state.lineup.base, state.lineup.baseRevision)
        if let known = keptLoads.first(where: { $0.base.isIdentical(to: base) }) { return known }
        let load = KeptLoad(base, revision: revision)
        keptLoads.append(load)
        return load
    }

    /// Notes that a child has ended which has kept a load; what was kept for it alone is disposed of.
    func endKeepingLoad(_ load: KeptLoad) {
        load.childCount -= 1
        if load.childCount > 0 { return }
        keptLoads.removeAll { $0 === load }
        let instances = Array(load.instances.values)
        for instance in instances { instance.userCount -= 1 }
        load.instances = [:]
        discard(load)
        family.disposeLater(of: instances, in: self)
    }

    /// Keeps what a load of the properties has ended for the children that have an earlier one.
    func keepForChildren(_ gone: [Instance]) {
        for load in keptLoads where !load.base.isIdentical(to: state.lineup.base) {
            for instance in gone where instance.slot.owner == ObjectIdentifier(self) {
                guard load.instances.updateValue(instance, forKey: instance.identity) == nil else { continue }
                instance.userCount += 1
            }
        }
    }

    /// Ends what is kept for children of a scope, or all of it, and what was made from what has gone; gives it, to be
    /// disposed of.
    func endKept(of scope: Scope?, madeFrom gone: [Instance]) -> [Instance] {
        var ended = IdentitySet(gone.map(\.identity))
        var found: [Instance] = []
        for load in keptLoads {
            // What was made later may have been made from what was made earlier.
            for instance in load.instances.values.sorted(by: { $0.order < $1.order }) {
                let isMeant = scope.map { instance.slot.record.lifetime == .held($0) } ?? true
                let hasLost = instance.reads.instances.contains { ended.contains($0.identity) }
                guard isMeant || hasLost else { continue }
                ended.insert(instance.identity)
                load.instances[instance.identity] = nil
                instance.userCount -= 1
                found.append(instance)
            }
        }
        return found.sorted { $0.order > $1.order }
    }

    /// The load that this context keeps, or the nearest one above.
    var keptLoadHere: KeptLoad? {
        var next: ContextCore? = self
        while let core = next {
            if let load = core.keptLoad { return load }
            next = core.parentCore
        }
        return nil
    }

    /// The context that has no parent.
    var outermost: ContextCore {
        var core = self
        while let parentCore = core.parentCore { core = parentCore }
        return core
    }

    /// Whether an instance that a load has ended, or is about to end, is still given here.
    func keeps(_ instance: Instance) -> Bool {
        switch instance.status {
        case .gone:
            return keptLoadHere?.instances[instance.identity] != nil
        case .aside:
            if keptLoadHere == nil { return false }
            let root = outermost
            return root.tentativeCount > 0 && instance.slot.owner == ObjectIdentifier(root)
        case .live, .pending, .stray:
            return false
        }
    }

    /// What a load has ended, or is about to end, and this child still gives for a slot.
    func kept(_ slot: Slot, in state: ContextState) -> Instance? {
        // Other children ask their parent, which may have more to say.
        guard let keptLoad, let parentCore, !parentCore.isChild else { return nil }
        var candidates = keptLoad.instances.values.filter { $0.slot.isSame(as: slot) }
        if parentCore.tentativeCount > 0 { candidates += parentCore.knownSlot(like: slot)?.aside ?? [] }
        return candidates.first { instance in
            var differing = Reads()
            return instance.box != nil && sharedReads(of: instance, in: state, differing: &differing) != nil
        }
    }

    /// A lineup of the parent with the load that this child keeps.
    func keepingLoad(in lineup: Lineup) -> Lineup {
        guard let keptLoad, !keptLoad.base.isIdentical(to: lineup.base) else { return lineup }
        return lineup.replacingBase(keptLoad.base, revision: keptLoad.revision)
    }

    /// Lets a new child have the load that it keeps, where its parent has another one just now.
    func followKeptLoad() {
        guard let keptLoad, !keptLoad.base.isIdentical(to: state.lineup.base) else { return }
        becomeFull()
        // Relaxed suffices: nobody else has the child yet.
        followed.store(revisionsAbove &- 1, ordering: .relaxed)
        followAbove()
    }

    /// Whether a child that is lean may take over a state of its parent.
    func mayTakeOver(_ state: ContextState) -> Bool {
        keptLoad.map { $0.base.isIdentical(to: state.lineup.base) } ?? true
    }
}
