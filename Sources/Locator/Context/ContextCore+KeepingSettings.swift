internal import LocatorProperties
internal import Synchronization

/// One load of the settings that children keep for their whole lifetime.
///
/// See ``AppContext/child(opening:giving:and:pushing:keepsSettings:fileID:line:)``.
///
/// Guarded by the lock of the family.
final class KeptLoad: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the family. Its holder accesses one field at a time, so
    // the exclusivity need not be checked.

    let settings: LoadedSettings
    let revision: UInt
    var base: Properties { settings.properties }
    /// For each context, how many children below it keep the load.
    @exclusivity(unchecked) fileprivate var childCounts: IdentityTable<Int> = [:]
    /// Instances that later loads have ended, by registration.
    ///
    /// The children still give these instances if they are valid for the children.
    @exclusivity(unchecked) private var kept: IdentityTable<[Instance]> = [:]

    fileprivate init(_ settings: LoadedSettings, revision: UInt) {
        self.settings = settings
        self.revision = revision
    }

    /// The kept instances for a slot, and for those like it in other contexts.
    func instances(for slot: Slot) -> [Instance] {
        (kept[ObjectIdentifier(slot.record)] ?? []).filter { $0.slot.isSame(as: slot) }
    }

    /// Whether instances of a context are kept.
    func keepsAny(of owner: ObjectIdentifier) -> Bool {
        kept.values.contains { $0.contains { $0.slot.owner == owner } }
    }

    func keeps(_ instance: Instance) -> Bool { instances(for: instance.slot).contains { $0 === instance } }

    fileprivate func keep(_ instance: Instance) {
        if keeps(instance) { return }
        kept[ObjectIdentifier(instance.slot.record), default: []].append(instance)
        instance.hold()
    }

    /// Ends the kept instances that satisfy `isMeant`, and returns them in order of creation.
    fileprivate func end(where isMeant: (Instance) -> Bool) -> [Instance] {
        let ended = kept.values.flatMap(\.self).inOrder.filter(isMeant)
        for instance in ended {
            kept[ObjectIdentifier(instance.slot.record)]?.removeAll { $0 === instance }
            instance.letGo()
        }
        return ended
    }
}

extension ContextCore {
    /// Releases the load that a child has kept until its end.
    func letGoOfKeptLoad() {
        // Reading it without the lock is safe here, because it is set before anything else can use the child.
        guard keptLoad != nil else { return }
        let root = outermost
        root.locked {
            guard isClosed, let load = keptLoad, !hasLetGoOfLoad else { return }
            hasLetGoOfLoad = true
            endKeepingLoad(load)
        }
    }
}

/// The caller holds the lock everywhere.
extension ContextCore {
    /// The load for a new child of this context that keeps its settings.
    ///
    /// While a change of the settings may still be undone, it is the load from before the change.
    func beginKeepingLoad() -> KeptLoad {
        let load = keptLoadHere ?? outermost.presentLoad
        for core in lineage { load.childCounts[core.identity, default: 0] += 1 }
        return load
    }

    private var presentLoad: KeptLoad {
        let (settings, revision) = settledSettings
        if let known = keptLoads.first(where: { $0.base.isIdentical(to: settings.properties) }) { return known }
        let load = KeptLoad(settings, revision: revision)
        keptLoads.append(load)
        return load
    }

    /// Notes that this child, which kept a load, has ended.
    ///
    /// The instances of a context that were kept for this child alone are disposed of.
    private func endKeepingLoad(_ load: KeptLoad) {
        var unused: IdentitySet = []
        for core in lineage.dropFirst() {
            load.childCounts[core.identity, default: 0] -= 1
            if load.childCounts[core.identity] == 0 { unused.insert(core.identity) }
        }
        let instances = load.end { unused.contains($0.slot.owner) }
        let root = outermost
        if unused.contains(root.identity) {
            root.keptLoads.removeAll { $0 === load }
            discard(load)
        }
        family.disposeLater(of: instances, in: root)
    }

    /// The loads that children below this context keep.
    private var loadsKeptBelow: [KeptLoad] { outermost.keptLoads.filter { $0.childCounts[identity, default: 0] > 0 } }

    /// Keeps instances that a load of the settings has ended, for the children that have an earlier load.
    ///
    /// An instance is not kept if it was made from other settings than those of the load, or if an older one is kept that
    /// the children are given instead.
    func keepForChildren(_ gone: [Instance]) {
        let gone = gone.filter { $0.slot.owner == identity }
        if gone.isEmpty { return }
        for load in loadsKeptBelow where !load.base.isIdentical(to: state.lineup.base) {
            var returns = Returns(of: self, keeping: load)
            for instance in gone.inOrder where returns.include(instance) {
                let isReplaced = load.instances(for: instance.slot).contains { older in
                    older.slot === instance.slot && older.reads.hasSameAnswers(as: instance.reads)
                        && returns.include(older)
                }
                if !isReplaced { load.keep(instance) }
            }
        }
    }

    /// Keeps an instance whose making was overtaken by a load of the settings, for the children that have the earlier
    /// load.
    ///
    /// Returns false if there are no such children, or if the instance is not valid for them either.
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

    /// The instances that children with the load of an overtaken state keep for a slot.
    func keptForChildren(of slot: Slot, in state: ContextState) -> [Instance] {
        keptLoad(in: state)?.instances(for: slot).filter { $0.slot === slot } ?? []
    }

    private func keptLoad(in state: ContextState) -> KeptLoad? {
        loadsKeptBelow.first { $0.base.isIdentical(to: state.lineup.base) }
    }

    /// Ends the instances that are kept for children if they satisfy `isMeant` or were made from ended instances.
    ///
    /// Returns them, to be disposed of.
    func endKept(madeFrom gone: [Instance], orWhere isMeant: (Instance) -> Bool = { _ in false }) -> [Instance] {
        let loads = outermost.keptLoads
        if loads.isEmpty { return [] }
        var ended = IdentitySet(gone.map(\.identity))
        var found: [Instance] = []
        // This is repeated, because an injection may have read an instance that was made later.
        var more: [Instance]
        repeat {
            more = loads.flatMap { load in
                load.end { instance in
                    let hasLost = instance.reads.instances.contains { ended.contains($0.identity) }
                    guard hasLost || isMeant(instance) else { return false }
                    ended.insert(instance.identity)
                    return true
                }
            }
            found += more
        } while !more.isEmpty
        return found.latestFirst
    }

    /// The load that this context keeps, or the nearest one above.
    var keptLoadHere: KeptLoad? { lineage.first { $0.keptLoad != nil }?.keptLoad }

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
            guard keptLoadHere != nil, outermost.hasTentativeLoads else { return false }
            return lineage.contains { $0.identity == instance.slot.owner && $0.keptLoadHere == nil }
        case .live, .pending, .stray:
            return false
        }
    }

    /// The instance for a slot that a load has ended, or is about to end, and that this child still gives.
    func kept(_ slot: Slot, in state: ContextState) -> Instance? {
        keptAbove(slot).first { gives($0, in: state) }
    }

    /// The instances for a slot that a load has ended, or is about to end, in the contexts above that follow the load.
    private func keptAbove(_ slot: Slot) -> [Instance] {
        guard let keptLoad else { return [] }
        var instances = keptLoad.instances(for: slot)
        if outermost.hasTentativeLoads {
            for core in lineage where core.keptLoadHere == nil { instances += core.knownSlot(like: slot)?.aside ?? [] }
        }
        return instances.inOrder
    }

    /// Whether this child gives an instance that a load has ended, or is about to end.
    private func gives(_ instance: Instance, in state: ContextState) -> Bool {
        guard instance.box != nil, isBelow(instance.slot.owner), shares(instance, in: state) else { return false }
        let between = lineage.dropFirst().prefix { $0.identity != instance.slot.owner }
        return between.allSatisfy { mayGive(instance, through: $0) }
    }

    /// Whether a context between this child and the one of an instance had no older instance of its own instead of it or
    /// of its parts.
    private func mayGive(_ instance: Instance, through core: ContextCore) -> Bool {
        var open = [instance]
        var seen: IdentitySet = []
        while let next = open.popLast() {
            guard core.isBelow(next.slot.owner), seen.insert(next.identity).inserted else { continue }
            if core.isOpened(next.slot) { return false }
            let live = core.knownSlot(like: next.slot)?.live.map { [$0] } ?? []
            let own = live + keptAbove(next.slot).filter { $0.slot.owner == core.identity }
            if own.contains(where: { $0.order < next.order }) { return false }
            open += next.reads.instances
        }
        return true
    }

    /// Whether this child gives an instance that a load has ended where its parent gives another one.
    func givesKept(insteadOf other: Instance, in state: ContextState) -> Bool {
        guard let keptLoad, !keptLoad.keeps(other) else { return false }
        return keptLoad.instances(for: other.slot).contains { gives($0, in: state) }
    }

    /// A lineup of the parent with the load that this child keeps.
    func keepingLoad(in lineup: Lineup) -> Lineup {
        guard let keptLoad, !keptLoad.base.isIdentical(to: lineup.base) else { return lineup }
        return lineup.replacingBase(keptLoad.settings, revision: keptLoad.revision)
    }

    /// Gives a new child the load that it keeps, if its parent has another one now.
    func followKeptLoad() {
        guard let keptLoad, !keptLoad.base.isIdentical(to: state.lineup.base) else { return }
        asChild?.becomeFull()
        // Relaxed suffices: nothing else has the child yet.
        followed.store(revisionsAbove &- 1, ordering: .relaxed)
        followAbove()
    }
}
