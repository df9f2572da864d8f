internal import LocatorProperties
internal import Synchronization

/// One load of the properties that children have for their whole life.
///
/// See ``AppContext/child(opening:giving:and:pushing:keepsSettings:fileID:line:)``.
///
/// Guarded by the lock of the family.
final class KeptLoad: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the family, whose holder accesses one field at a time:
    // hence the unchecked exclusivity.

    let base: Properties
    let revision: UInt
    /// How many children have it.
    @exclusivity(unchecked) fileprivate var childCount = 0
    /// What later loads have ended, by registration: these children still give it, as far as it is the same for them.
    @exclusivity(unchecked) private var kept: IdentityTable<[Instance]> = [:]

    fileprivate init(_ base: Properties, revision: UInt) {
        self.base = base
        self.revision = revision
    }

    /// What is kept of a registration, with or without decorators and aliases.
    func instances(of record: RegistrationRecord) -> [Instance] { kept[ObjectIdentifier(record)] ?? [] }

    func keeps(_ instance: Instance) -> Bool { instances(of: instance.slot.record).contains { $0 === instance } }

    /// Whether something else is kept of the slot of an instance.
    func keepsAnother(than instance: Instance) -> Bool {
        let others = instances(of: instance.slot.record).filter { $0.slot.isSame(as: instance.slot) }
        return !others.isEmpty && !others.contains { $0 === instance }
    }

    fileprivate func keep(_ instance: Instance) {
        if keeps(instance) { return }
        kept[ObjectIdentifier(instance.slot.record), default: []].append(instance)
        instance.hold()
    }

    /// Ends what is kept where `isMeant`; gives it in the order of its making.
    fileprivate func end(where isMeant: (Instance) -> Bool) -> [Instance] {
        let ended = kept.values.joined().sorted { $0.order < $1.order }.filter(isMeant)
        for instance in ended {
            kept[ObjectIdentifier(instance.slot.record)]?.removeAll { $0 === instance }
            instance.letGo()
        }
        return ended
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
        let instances = load.end { _ in true }
        discard(load)
        family.disposeLater(of: instances, in: self)
    }

    /// Keeps what a load of the properties has ended for the children that have an earlier one.
    func keepForChildren(_ gone: [Instance]) {
        for load in keptLoads where !load.base.isIdentical(to: state.lineup.base) {
            for instance in gone where instance.slot.owner == ObjectIdentifier(self) { load.keep(instance) }
        }
    }

    /// Keeps an instance whose making a load of the properties has overtaken, for the children that have the load it was made
    /// from; gives false where there are none, or where it is not valid for them, either.
    func keepOvertaken(_ instance: Instance, madeIn state: ContextState) -> Bool {
        guard !isClosed, let load = keptLoad(in: state), !load.base.isIdentical(to: self.state.lineup.base) else {
            return false
        }
        let hasParts = instance.reads.instances.allSatisfy { part in
            switch part.status {
            case .live, .aside, .pending: true
            case .stray, .gone: part === instance || part.hasEnded || load.keeps(part)
            }
        }
        if hasParts { load.keep(instance) }
        return hasParts
    }

    /// What children keep of a slot that have the load of a state which was overtaken.
    func keptForChildren(of slot: Slot, in state: ContextState) -> [Instance] {
        keptLoad(in: state)?.instances(of: slot.record).filter { $0.slot.isSame(as: slot) } ?? []
    }

    private func keptLoad(in state: ContextState) -> KeptLoad? {
        keptLoads.first { $0.base.isIdentical(to: state.lineup.base) }
    }

    /// Ends what is kept for children where `isMeant`, and what was made from what has gone; gives it, to be disposed of.
    func endKept(madeFrom gone: [Instance], orWhere isMeant: (Instance) -> Bool = { _ in false }) -> [Instance] {
        if keptLoads.isEmpty { return [] }
        var ended = IdentitySet(gone.map(\.identity))
        var found: [Instance] = []
        for load in keptLoads {
            // What was made later may have been made from what was made earlier.
            found += load.end { instance in
                let hasLost = instance.reads.instances.contains { ended.contains($0.identity) }
                guard hasLost || isMeant(instance) else { return false }
                ended.insert(instance.identity)
                return true
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
            return keptLoadHere?.keeps(instance) ?? false
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
        guard let keptLoad else { return nil }
        let root = outermost
        var candidates = keptLoad.instances(of: slot.record).filter { $0.slot.isSame(as: slot) }
        if root.tentativeCount > 0 { candidates += root.knownSlot(like: slot)?.aside ?? [] }
        if candidates.isEmpty { return nil }
        // A child in between may have something else for it.
        let isPlain = parentCore?.addsNothing ?? true
        return candidates.first { instance in
            if !isPlain || parentCore !== root && instance.isScoped { return false }
            var differing = Reads()
            return instance.box != nil && sharedReads(of: instance, in: state, differing: &differing) != nil
        }
    }

    /// Whether neither this context nor one above it, up to the outermost, has modules of its own.
    private var addsNothing: Bool {
        guard let parentCore else { return true }
        return ownRoots(in: state.lineup).isEmpty && parentCore.addsNothing
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
