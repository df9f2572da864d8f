/// Changing the state of a context.
///
/// The caller holds the lock everywhere.
extension ContextCore {
    /// Takes over a new state, and returns the instances to dispose of because they have left the context permanently.
    ///
    /// - Parameters:
    ///   - newState: The state.
    ///   - removed: The roots of the current state that the new one lacks.
    ///   - isTentative: Whether the change may be undone. If so, no instance leaves, and ``endWhatCannotReturn()``
    ///     follows once the change is final.
    ///   - touched: The instances that a change of another context of the family has touched.
    func apply(
        _ newState: consuming ContextState, removing removed: [Lineup.Root] = [], isTentative: Bool = false,
        touching touched: Touched = Touched()
    ) -> [Instance] {
        let (earlier, old, new) = (state, state.lineup, newState.lineup)
        publish(newState)
        var changed: [LoadedModule] = []
        var change = Change(core: self)
        let baseChanged = old.baseRevision != new.baseRevision
        // Whether everything that stays was added before everything that is removed.
        let isUndoing = removed.allSatisfy { $0.sequence > new.latestSequence }
        // If a later load names a module again, the module stays. But the states without that load no longer have the
        // module or the modules that it includes.
        let repeated = isUndoing ? [] : removed.flatMap { old.reached(from: $0.loaded) }
        change.isRemoval = !isTentative && (!repeated.isEmpty || baseChanged)
        change.isUndo = !baseChanged && isUndoing
        if !baseChanged, touched.instances.isEmpty {
            change.unchangedUpTo = removed.reduce(new.latestSequence) { min($0, $1.sequence - 1) }
        }
        if !touched.instances.isEmpty {
            change.instances = (touched.instances[identity] ?? []).filter { $0.status != .gone }
            if touched.isRemoval, !change.instances.isEmpty { change.isRemoval = true }
        }
        let hasConditions = old.hasConditions || new.hasConditions
        new.forEachDifference(from: old) { left, right in
            if let loaded = left?.loaded { changed.append(loaded) }
            if let loaded = right?.loaded, loaded !== left?.loaded { changed.append(loaded) }
            let wasInForce = left?.first != nil
            let isSame = left?.loaded === right?.loaded
            if let loaded = left?.loaded {
                if !isSame { change.collectSlots(of: loaded) }
                if wasInForce {
                    if !isTentative { change.isRemoval = true }
                    change.touch(loaded, withInstances: hasConditions)
                }
            }
            // A module that was in force before was touched above.
            if let loaded = right?.loaded, right?.first != nil, !isSame || !wasInForce {
                change.touch(loaded, withInstances: hasConditions)
            }
        }
        // A module that is still in force may be missing in the states that can return.
        for loaded in repeated { change.touch(loaded, withInstances: true) }
        // With other settings, these states may also have other modules in force than before.
        if change.isRemoval, !change.isUndo, baseChanged || touched.isRemoval || !change.paths.isEmpty {
            for loaded in new.conditionalWithIncluded { change.touch(loaded, withInstances: true) }
        }
        if baseChanged || change.listsSecrets {
            change.properties = Array(tables.properties.all)
        } else if !change.paths.isEmpty {
            change.properties = tables.properties.cells(touchedBy: change.paths)
        }
        forgetShared()
        let gone = change.settle()
        endChange()
        takeOpenings(from: earlier, changed: changed)
        if !isTentative, !family.followers.isEmpty {
            if baseChanged {
                family.followers.wake(self)
            } else {
                // A module that is off here may be on in a child.
                family.followers.wake(self, touchedBy: change.paths + changed.flatMap(\.settingPaths))
            }
        }
        return gone + letOthersFollow(change.touchedElsewhere, isTentative: isTentative)
    }

    /// Lets the other contexts of the family follow if they have made something from ended instances.
    func letOthersFollow(afterEnding gone: [Instance]) -> [Instance] {
        var found = Touched()
        for instance in gone where instance.slot.owner != identity { found.add(instance) }
        return letOthersFollow(found, isTentative: false)
    }

    /// Lets other contexts of the family follow a change of this context.
    ///
    /// Children follow when they are used, except for those from which something was made elsewhere.
    func letOthersFollow(_ found: Touched, isTentative: Bool) -> [Instance] {
        // The instances that they lose are disposed of in one order with those that this context loses.
        var gone = promptFollowersBelow.flatMap { $0.follow() }
        for owner in found.instances.keys {
            guard let core = family.core(owner) else { continue }
            gone += core.follow()
            gone += core.apply(core.newState(core.state.lineup), isTentative: isTentative, touching: found)
        }
        return gone
    }

    private var promptFollowersBelow: [ContextCore] {
        family.promptFollowers.values.map { $0.takeUnretainedValue() }.filter { $0.isBelow(self) }
    }

    /// Ends the set-aside instances that can no longer return after a change of the settings is final.
    ///
    /// Returns them, to be disposed of.
    func endWhatCannotReturn() -> [Instance] {
        let cores = [self] + promptFollowersBelow
        var touched = Touched()
        for core in cores { core.findWhatMayNotReturn(&touched) }
        var ended: [Instance] = []
        for core in cores {
            let instances = (touched.instances[core.identity] ?? []).filter { $0.status != .gone }
            let gone = Change(core: core).withoutReturn(instances).withDependents
            for instance in gone { core.remove(instance) }
            core.detainUsed(gone)
            ended += gone
        }
        return ended
    }

    private func findWhatMayNotReturn(_ touched: inout Touched) {
        var change = Change(core: self)
        change.properties = Array(tables.properties.all)
        for loaded in state.lineup.conditionalWithIncluded { change.touch(loaded, withInstances: true) }
        let candidates = change.candidates(among: change.allDependents)
        for instance in candidates.values { touched.add(instance) }
        for instance in change.touchedElsewhere.instances.values.joined() { touched.add(instance) }
    }

    /// Removes an instance from the context permanently.
    func remove(_ instance: Instance) {
        if instance.status == .aside { instance.slot.takeFromAside(instance) }
        instance.status = .gone
        family.removalCount += 1
        discard(instance)
        let identity = instance.identity
        let slot = instance.slot
        if slot.live === instance { slot.live = nil }
        unregister(instance, instance.reads)
        instance.dependents = [:]
        for part in instance.reads.instances {
            part.dependents[identity] = nil
            forgetIfEnded(part)
        }
    }

    /// Forgets an instance that was held weakly and has ended.
    ///
    /// Instances that were made from it have noted what it read.
    func forgetIfEnded(_ instance: Instance) {
        guard instance.isReleased else { return }
        switch instance.status {
        case .live, .aside:
            instance.isForgotten = true
            remove(instance)
            discard(instance.reads.removeInstances(from: instance.order))
        case .pending, .stray, .gone: break
        }
    }

    /// Keeps instances that have left the context and that running requests use, until these requests end.
    func detainUsed(_ gone: [Instance]) {
        if gone.isEmpty { return }
        var byOwner: IdentityTable<[Instance]> = [:]
        for instance in gone {
            byOwner[instance.slot.owner, default: []].append(instance)
            instance.holdParts()
        }
        // The outermost context stands for one that has ended.
        for (owner, instances) in byOwner { family.keepInLimbo(instances, of: family.core(owner) ?? outermost) }
        detainUsed()
    }

    /// Keeps all instances that have left a context of the family for the running requests that use them.
    func detainUsed() {
        let root = outermost.identity
        family.forEachSession { session in
            var open = session.uses
            var seen: IdentitySet = []
            while let next = open.popLast() {
                if next.hasLeft {
                    session.detain(next)
                } else if next.slot.owner != root, seen.insert(next.identity).inserted {
                    // A child that has not followed yet has instances that were made from the instances that have left.
                    open += next.reads.instances
                }
            }
        }
    }

    /// The highest sequence number of a root, in any context of the family, that an instance made in this state has
    /// seen.
    ///
    /// The caller holds the lock.
    func birth(in state: ContextState) -> UInt {
        state === self.state ? family.rootCount : state.lineup.latestSequence
    }

    /// Registers an instance with everything that its making read, except answers of contexts above.
    ///
    /// A context does not know the instances of the contexts below it.
    func register(_ instance: Instance) {
        let identity = instance.identity
        register(instance, instance.reads)
        for part in instance.reads.instances {
            if isBelow(part.slot.owner) {
                // A request without a lock may be given the instance, and then uses the part without having been given
                // it.
                part.noteReady(at: state.revision)
            } else {
                part.dependents[identity] = instance
            }
        }
        let slot = instance.slot
        if let scope = slot.record.lifetime.listedScope {
            tables.scoped[scope, default: [:]][ObjectIdentifier(slot)] = slot
        }
        slot.hadInstance = true
        if slot.isDecoded, !instance.reads.isOneSetting { slot.readsMoreThanSetting = true }
    }

    /// Registers an instance with the answers and settings among these reads.
    func register(_ instance: Instance, _ reads: Reads) {
        for read in reads.cells {
            if !isBelow(read.cell.owner) { read.cell.dependents.add(instance, to: read.digest.identity) }
            if let selected = read.selected { family.selecting.add(instance, to: selected.type) }
        }
        for read in reads.properties where !isBelow(read.cell.owner) {
            read.cell.dependents.add(instance, to: read.lookup.digest.identity)
        }
        for difference in reads.differences { register(instance, difference) }
    }

    func unregister(_ instance: Instance, _ reads: Reads) {
        for read in reads.cells {
            read.cell.dependents.remove(instance, from: read.digest.identity)
            if let selected = read.selected { family.selecting.remove(instance, from: selected.type) }
        }
        for read in reads.properties { read.cell.dependents.remove(instance, from: read.lookup.digest.identity) }
        for difference in reads.differences { unregister(instance, difference) }
    }

    /// Keeps instances with an asynchronous factory closure for the running requests.
    ///
    /// A request may need such an instance in the state of its start, and could not make it.
    func keepForRequests(_ gone: [Instance]) {
        let needed = gone.filter(\.slot.record.isAsynchronous)
        if needed.isEmpty { return }
        family.forEachSession { session in
            let core = session.core
            guard core === self || core.isBelow(self) else { return }
            core.followAbove()
            // A child checks by itself, in `detain`, whether an instance of its parent is the same for it.
            var moment = Moment(of: core, session.state)
            for instance in needed where core !== self || moment.isValid(instance) { session.detain(instance) }
        }
    }

    /// Notes that a load of the settings has replaced instances.
    ///
    /// As a result, their shutdown hooks run before their dispose hooks.
    func noteReplaced(_ gone: [Instance]) {
        for instance in gone
        where !instance.slot.isLayer && !instance.slot.record.shutdowns.isEmpty && !instance.hasBegunShutdown {
            instance.endsWithShutdown = true
        }
    }
}
