internal import LocatorProperties

/// What a change of modules or properties does to what was made.
///
/// The caller holds the lock everywhere.
///
/// A change touches the cells of the keys that its modules have, and of the properties that they set. Only the
/// instances whose making read one of those are looked at, and what was made from them where they change. Each is then
/// - live, if everything its making read comes out the same now,
/// - set aside, if it would without the modules that were loaded after it was made, which may be undone,
/// - gone, if it never can again.
struct Change {
    var cells: [Cell] = []
    var properties: [PropertyCell] = []
    /// Whether something was taken away that set-aside instances may have been made from.
    var isRemoval = false
    /// Whether what was taken away is what came last, so that all earlier states can be come back to as before.
    var isUndo = false
    /// Instances that end whatever they read.
    var ended: [Instance] = []
    /// Instances that may be touched whatever they read: their own registration, decorator or alias may have come into
    /// force or gone out of it, or a change of another context of the family touches them.
    var instances: [Instance] = []
    /// Whether a child follows what has changed above it, so that everything may be touched.
    var isFollowing = false
    /// The paths of the settings that modules bring which come or go.
    fileprivate var paths: [String] = []

    /// Whether it touches nothing that was ever asked for.
    fileprivate var isEmpty: Bool { cells.isEmpty && properties.isEmpty && ended.isEmpty && instances.isEmpty }
}

/// What a change touches in other contexts of the family that are not below its own: what was made there from what it
/// changes.
struct Touched {
    /// The instances of each context.
    fileprivate var instances = IdentityTable<[Instance]>()
    /// Whether something was taken away that they may have been made from.
    var isRemoval = false

    fileprivate mutating func add(_ instance: Instance) {
        instances[instance.slot.owner, default: []].append(instance)
    }

}

extension ContextCore {
    /// Takes over a new state, and gives the instances that have left the context for good, to be disposed of.
    ///
    /// - Parameters:
    ///   - newState: The state.
    ///   - isTentative: Whether the change may be taken back. Then no instance leaves, and
    ///     ``endWhatCannotReturn()`` follows once the change is final.
    ///   - touched: What a change of another context of the family has touched.
    func apply(
        _ newState: ContextState, isTentative: Bool = false, touching touched: Touched = Touched()
    ) -> [Instance] {
        let (old, new) = (state.lineup, newState.lineup)
        publish(newState)
        var change = Change()
        let baseChanged = old.baseRevision != new.baseRevision
        let missing = new.rootsMissing(of: old)
        let isUndoing = missing.allSatisfy { $0.sequence > new.latestSequence }
        // A module that a later load names again leaves no gap, but the states without that load do not have it any
        // more. Nor do they have what it includes, though the module itself may be forgotten.
        let repeated = isUndoing ? [] : missing.flatMap { old.reached(from: $0.loaded) }
        change.isRemoval = !isTentative && (!repeated.isEmpty || baseChanged)
        change.isUndo = !baseChanged && isUndoing
        if !touched.instances.isEmpty {
            change.instances = (touched.instances[ObjectIdentifier(self)] ?? []).filter { $0.status != .gone }
            if touched.isRemoval, !change.instances.isEmpty { change.isRemoval = true }
        }
        let hasConditions = old.hasConditions || new.hasConditions
        new.forEachDifference(from: old) { left, right in
            if let left, left.loaded !== right?.loaded { collectSlots(of: left.loaded, into: &change) }
            if let left, left.first != nil {
                if !isTentative { change.isRemoval = true }
                touch(left.loaded, withInstances: hasConditions, in: &change)
            }
            if let right, right.first != nil { touch(right.loaded, withInstances: hasConditions, in: &change) }
        }
        // A module that is still in force may not be in the states that can be come back to.
        for loaded in repeated { touch(loaded, withInstances: true, in: &change) }
        // These states may have other modules in force than before, too.
        if change.isRemoval, !change.isUndo {
            for loaded in new.conditionalWithIncluded { touch(loaded, withInstances: true, in: &change) }
        }
        if baseChanged {
            change.properties = Array(properties.all)
        } else if !change.paths.isEmpty {
            change.properties = properties.cells(touchedBy: change.paths)
        }
        if !shared.isEmpty { shared = [:] }
        var found = Touched()
        found.isRemoval = change.isRemoval
        var gone = settle(change, finding: &found)
        endChange()
        if !isTentative { wakeFollowers(of: old, new) }
        gone += letOthersFollow(found, isTentative: isTentative)
        return gone
    }

    /// Lets whoever else of the family has made something from what has ended follow.
    func letOthersFollow(afterEnding gone: [Instance]) -> [Instance] {
        var found = Touched()
        for instance in gone { note(instance, &found) }
        return letOthersFollow(found, isTentative: false)
    }

    /// Lets others of the family follow a change of this context.
    ///
    /// Children follow when they are used, but for those from which something was made elsewhere.
    func letOthersFollow(_ found: Touched, isTentative: Bool) -> [Instance] {
        for core in promptFollowersBelow { core.followAbove() }
        if found.instances.isEmpty { return [] }
        var gone: [Instance] = []
        for owner in found.instances.keys {
            guard let core = family.core(owner) else { continue }
            core.followAbove()
            gone += core.apply(core.newState(core.state.lineup), isTentative: isTentative, touching: found)
        }
        return gone
    }

    private var promptFollowersBelow: [ContextCore] {
        if family.promptFollowers.isEmpty { return [] }
        return family.promptFollowers.values.map { $0.takeUnretainedValue() }.filter { $0.isBelow(self) }
    }

    /// Ends the set-aside instances that cannot return any more, after a change of the properties is final.
    ///
    /// Gives them, to be disposed of.
    func endWhatCannotReturn() -> [Instance] {
        let cores = [self] + promptFollowersBelow
        var touched = Touched()
        for core in cores { core.findWhatMayNotReturn(&touched) }
        var ended: [Instance] = []
        for core in cores {
            let instances = (touched.instances[ObjectIdentifier(core)] ?? []).filter { $0.status != .gone }
            let gone = core.closeOverDependents(core.withoutReturn(instances, Change()))
            for instance in gone { core.remove(instance) }
            core.detainUsed(gone)
            ended += gone
        }
        return ended
    }

    private func findWhatMayNotReturn(_ touched: inout Touched) {
        var change = Change()
        change.properties = Array(properties.all)
        for loaded in state.lineup.conditionalWithIncluded { touch(loaded, withInstances: true, in: &change) }
        for instance in candidates(of: change, finding: &touched).values { touched.add(instance) }
    }

    /// Notes the instances of a module that may be in force in other states than before.
    private func touchInstances(of loaded: LoadedModule, in change: inout Change) {
        for record in loaded.registrations {
            if let slot = slots[ObjectIdentifier(record)] { slot.forEachAround { change.instances += $0.instances } }
            for alias in record.aliases { touchLayers(ObjectIdentifier(alias), in: &change) }
        }
        for decorator in loaded.decorators { touchLayers(ObjectIdentifier(decorator), in: &change) }
    }

    private func touchLayers(_ layer: ObjectIdentifier, in change: inout Change) {
        for inner in (layered[layer] ?? [:]).values {
            inner.outer[layer]?.forEachAround { change.instances += $0.instances }
        }
    }

    /// Notes what a module touches that comes or goes, or that may in other states than before.
    private func touch(_ loaded: LoadedModule, withInstances: Bool, in change: inout Change) {
        if let properties = loaded.properties { change.paths += properties.overriddenPaths }
        if withInstances { touchInstances(of: loaded, in: &change) }
        if nodes.isEmpty { return }
        // Whichever are fewer: the types of the module or those that were ever asked for.
        if nodes.count < loaded.registrations.count {
            for node in nodes.values where loaded.has(node.identity) { touch(node, loaded, in: &change) }
        } else {
            loaded.forEachType { type in
                if let node = nodes[type] { touch(node, loaded, in: &change) }
            }
        }
    }

    private func touch(_ node: TypeNode, _ loaded: LoadedModule, in change: inout Change) {
        guard let entry = loaded.entry(for: node.identity) else { return }
        change.cells += node.cells(touchedBy: entry)
        for alias in aliases(of: node) { change.cells += alias.all }
    }

    /// The types that forward to this one, over any number of aliases.
    private func aliases(of node: TypeNode) -> [TypeNode] {
        if node.aliasedBy.isEmpty { return [] }
        var found: IdentityTable<TypeNode> = [:]
        var open = [node]
        while let next = open.popLast() {
            for type in next.aliasedBy where found[type] == nil && type != node.identity {
                guard let alias = nodes[type] else { continue }
                found[type] = alias
                open.append(alias)
            }
        }
        return Array(found.values)
    }

    /// Cuts off the slots of a module that the context does not know any more; their instances end.
    private func collectSlots(of loaded: LoadedModule, into change: inout Change) {
        for record in slots.isEmpty ? [] : loaded.registrations {
            let identity = ObjectIdentifier(record)
            if let slot = slots.removeValue(forKey: identity) {
                if sessionCount > 0 { stranded.slots[identity] = slot }
                collect(slot, into: &change)
            }
            for alias in record.aliases { cutLayers(ObjectIdentifier(alias), into: &change) }
        }
        for decorator in loaded.decorators { cutLayers(ObjectIdentifier(decorator), into: &change) }
    }

    private func cutLayers(_ layer: ObjectIdentifier, into change: inout Change) {
        for inner in (layered[layer] ?? [:]).values { cut(layer, from: inner, into: &change) }
    }

    private func cut(_ layer: ObjectIdentifier, from inner: Slot, into change: inout Change) {
        if layered[layer]?.count == 1 {
            layered[layer] = nil
        } else if layered[layer] != nil {
            layered[layer, default: [:]].removeValue(forKey: ObjectIdentifier(inner))
        }
        guard let slot = inner.outer.removeValue(forKey: layer) else { return }
        if sessionCount > 0 { stranded.layers[.init(inner: ObjectIdentifier(inner), layer: layer)] = slot }
        collect(slot, into: &change)
    }

    /// Cuts off what a child has of modules that are not known any more.
    func cutUnknownSlots(into change: inout Change) {
        for (identity, slot) in slots where !isLoaded(slot.record.run) {
            slots.removeValue(forKey: identity)
            if sessionCount > 0 { stranded.slots[identity] = slot }
            collect(slot, into: &change)
        }
        for (layer, inners) in layered {
            for inner in inners.values where !isLoaded(inner.outer[layer]?.layer.run) {
                cut(layer, from: inner, into: &change)
            }
        }
    }

    /// The instances of a slot and of every slot around it, which are cut off: each knows the one inside it.
    private func collect(_ slot: Slot, into change: inout Change) {
        discard(slot)
        if let scope = slot.record.lifetime.customScope { scoped[scope]?[ObjectIdentifier(slot)] = nil }
        prepared[ObjectIdentifier(slot)] = nil
        // A request of a child may be making an instance of it.
        if slot.isLent { family.keepInLimbo(slot, from: 0, to: stamp.now.revision) }
        change.ended += slot.instances
        for layer in slot.outer.keys { cut(layer, from: slot, into: &change) }
    }

    /// Brings everything that a change touched to where it belongs.
    ///
    /// Finds what it touches in other contexts.
    func settle(_ change: Change, finding found: inout Touched) -> [Instance] {
        if change.isEmpty { return [] }
        for cell in change.cells {
            if let answer = cell.answer { discard(answer) }
            cell.unpublish()
            cell.forgetAnswer()
        }
        for cell in change.properties { cell.lookup = nil }
        let candidates = candidates(of: change, finding: &found)
        for instance in candidates.values {
            instance.ownReadsHold = isUntouched(instance)
        }
        var gone = closeOverDependents(
            change.ended + touchedEnds(of: change)
                + (change.isRemoval ? withoutReturn(candidates.values, change) : []))
        for instance in gone {
            note(instance, &found)
            remove(instance)
        }
        gone += endKept(madeFrom: gone)
        detainUsed(gone)
        for instance in candidates.values where instance.status == .live && !instance.ownReadsHold {
            setAside(instance, finding: &found)
        }
        // What ended because another context's instance did may have stood in the way of one that is valid again.
        let freed = change.instances.filter { $0.status == .gone }.flatMap(\.slot.aside)
        restore(candidates.values.filter { $0.status == .aside } + freed, finding: &found)
        return gone
    }

    /// The instances that a change may affect by themselves.
    ///
    /// Finds those of other contexts.
    private func candidates(of change: Change, finding found: inout Touched) -> IdentityTable<Instance> {
        var candidates: IdentityTable<Instance> = [:]
        for dependents in change.cells.map(\.dependents) + change.properties.map(\.dependents) {
            for (identity, instance) in dependents {
                if instance.slot.owner == ObjectIdentifier(self) {
                    candidates[identity] = instance
                } else if !change.isFollowing || isTouchedElsewhere(instance, change) {
                    found.add(instance)
                }
            }
        }
        for instance in change.instances { candidates[instance.identity] = instance }
        return candidates
    }

    /// Whether an instance comes out the same as far as it read that itself, in the current state.
    func isUntouched(_ instance: Instance) -> Bool {
        ownReadsHold(of: instance, in: state) && partsAboveAreLive(instance)
    }

    /// Whether what a context has followed may make a difference for an instance of another one that read it.
    private func isTouchedElsewhere(_ instance: Instance, _ change: Change) -> Bool {
        guard let core = family.core(instance.slot.owner) else { return false }
        return change.isRemoval && instance.status == .aside
            || core.isUntouched(instance) != instance.ownReadsHold
    }

    /// The touched instances that were made from something that has left its context for good.
    private func touchedEnds(of change: Change) -> [Instance] {
        change.instances.filter { instance in
            instance.reads.instances.contains { $0.status == .gone && !$0.isForgotten && !keeps($0) }
        }
    }

    /// Notes an instance that has changed, where it is another context's.
    private func note(_ instance: Instance, _ found: inout Touched) {
        if instance.slot.owner != ObjectIdentifier(self) { found.add(instance) }
    }

    /// The instances that can never come out the same again.
    ///
    /// What is undone in the order of a stack leads back over the states of the modules that were loaded up to some
    /// time. An instance has to be valid in the current state or in one of these, from that of its making on.
    private func withoutReturn(_ candidates: some Sequence<Instance>, _ change: Change) -> [Instance] {
        // Where the latest load was undone, what is set aside can come back as before, unless it is touched itself.
        let affected = candidates.filter { !change.isUndo || $0.status != .live || !$0.ownReadsHold }
        var returns = Returns()
        // What a child has made of them the child decides, in its own state.
        return closeOverDependents(affected).filter {
            $0.slot.owner == ObjectIdentifier(self) && !canReturn($0, &returns)
        }
    }

    /// Whether an instance is valid now, or once some of what was loaded last is undone.
    func canReturn(_ instance: Instance, _ returns: inout Returns) -> Bool {
        var current = returns.current ?? Moment(of: self, state)
        defer { returns.current = current }
        if isValid(instance, at: &current) { return true }
        var states = [state]
        if instance.reads.isJoined { states += instance.reads.owners.compactMap { family.core($0)?.state } }
        let sequences = Set(states.lazy.flatMap { $0.lineup.roots(after: instance.birth) }.map(\.sequence))
        return ([instance.birth] + sequences.sorted()).contains { sequence in
            var earlier = returns.earlier[sequence] ?? Moment(of: self, upTo: sequence)
            defer { returns.earlier[sequence] = earlier }
            return isValid(instance, at: &earlier)
        }
    }

    /// The states that may be come back to, and which instances are valid in them, as far as it was asked.
    struct Returns {
        fileprivate var current: Moment?
        fileprivate var earlier: [UInt: Moment] = [:]
    }

    /// These instances and all that were made from them, latest first.
    func closeOverDependents(_ instances: [Instance]) -> [Instance] {
        var found: IdentityTable<Instance> = [:]
        var open = instances
        while let next = open.popLast() {
            guard found.updateValue(next, forKey: next.identity) == nil else { continue }
            open += next.dependents.values
        }
        return found.values.sorted { $0.order > $1.order }
    }

    /// Takes an instance out of the context for good.
    func remove(_ instance: Instance) {
        instance.status = .gone
        family.removalCount += 1
        discard(instance)
        let identity = instance.identity
        let slot = instance.slot
        if slot.live === instance { slot.live = nil }
        slot.aside.removeAll { $0 === instance }
        for read in instance.reads.cells {
            read.cell.dependents[identity] = nil
            if read.selected != nil { family.selecting[identity] = nil }
        }
        for read in instance.reads.properties { read.cell.dependents[identity] = nil }
        instance.dependents = [:]
        for part in instance.reads.instances {
            part.dependents[identity] = nil
            forgetIfEnded(part)
        }
    }

    /// Forgets an instance that was held weakly and has ended; what was made from it has noted what it read.
    func forgetIfEnded(_ instance: Instance) {
        guard instance.hasEnded else { return }
        switch instance.status {
        case .live, .aside:
            instance.isForgotten = true
            remove(instance)
        case .pending, .stray, .gone: break
        }
    }

    /// Sets an instance aside, and all live ones that were made from it.
    private func setAside(_ instance: Instance, finding found: inout Touched) {
        var open = [instance]
        while let next = open.popLast() {
            guard next.status == .live else { continue }
            next.status = .aside
            note(next, &found)
            let slot = next.slot
            if slot.live === next {
                slot.live = nil
                if next.box != nil { slot.aside.append(next) }
            }
            open += next.dependents.values
            forgetIfEnded(next)
        }
    }

    /// Brings back whatever is valid again, and what was made from it.
    private func restore(_ instances: [Instance], finding found: inout Touched) {
        var open = instances
        while let next = open.popLast() {
            guard next.status == .aside else { continue }
            var group: IdentityTable<Instance> = [:]
            guard isRestorable(next, &group) else { continue }
            for instance in group.values {
                instance.status = .live
                note(instance, &found)
                let slot = instance.slot
                if let position = slot.aside.firstIndex(where: { $0 === instance }) {
                    slot.aside.remove(at: position)
                    if instance.box != nil { slot.live = instance }
                }
                open += instance.dependents.values
                forgetIfEnded(instance)
            }
        }
    }

    /// Whether an instance and the set-aside ones it was made from, which are gathered in `group`, are valid again.
    private func isRestorable(_ instance: Instance, _ group: inout IdentityTable<Instance>) -> Bool {
        switch instance.status {
        case .live: return true
        case .gone: return keeps(instance)
        case .pending, .stray: return false
        case .aside: if keeps(instance) { return true }
        }
        // Instances that were joined by injections read each other: they come back together.
        if group[instance.identity] != nil { return true }
        guard instance.ownReadsHold else { return false }
        if let live = instance.slot.live, live !== instance { return false }
        group[instance.identity] = instance
        return instance.reads.instances.allSatisfy {
            $0.hasEnded || isRestorable($0, &group) && !isHidden($0, from: instance, group)
        }
    }

    /// Whether the context of an instance has, or brings back, its own in place of one from above that the instance was made
    /// from.
    ///
    /// What has read wrappers of other contexts may have been given the one from above there.
    private func isHidden(_ part: Instance, from instance: Instance, _ group: IdentityTable<Instance>) -> Bool {
        let owner = instance.slot.owner
        if part.slot.owner == owner || instance.reads.isJoined { return false }
        guard let core = owner == ObjectIdentifier(self) ? self : family.core(owner), core.isAbove(part.slot.owner),
            let slot = core.knownSlot(like: part.slot)
        else { return false }
        if slot.live != nil { return true }
        var group = group
        return slot.aside.contains { core.isRestorable($0, &group) }
    }
}
