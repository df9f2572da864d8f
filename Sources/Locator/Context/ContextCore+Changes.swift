internal import LocatorProperties

/// The effects of a change of modules or settings on the existing instances.
///
/// The caller holds the lock everywhere.
///
/// A change touches the cells of the keys that its modules have, and the settings that they set. Only instances whose
/// making read one of these are checked, and, if they change, the instances that were made from them. Each is then
/// - live, if everything that its making read is the same now,
/// - set aside, if it would be the same without the modules that were loaded after it was made, because these may be
///   removed again,
/// - gone, if it can never be valid again.
struct Change {
    var cells: [Cell] = []
    var properties: [PropertyCell] = []
    /// Whether something was removed that set-aside instances may have been made from.
    var isRemoval = false
    /// Whether only the latest additions were removed, so that all earlier states can return as they were.
    var isUndo = false
    /// The number of a root: the states without what was loaded after it are as they were before.
    ///
    /// Nil if there may be no such state: the settings were loaded again, or a change of another context of the family
    /// touches something.
    var unchangedUpTo: UInt?
    /// Instances that end, whatever they read.
    var ended: [Instance] = []
    /// Instances that may be touched, whatever they read.
    ///
    /// Their own registration, decorator, or alias may be in force now and was not before, or the other way around. Or a
    /// change of another context of the family touches them.
    var instances: [Instance] = []
    /// Whether a child follows a change above it, so that everything may be touched.
    var isFollowing = false
    /// The paths of the settings in modules that come or go.
    var paths: [String] = []

    /// Whether the change touches nothing that was ever requested.
    var isEmpty: Bool { cells.isEmpty && properties.isEmpty && ended.isEmpty && instances.isEmpty }
}

/// The instances that a change touches in contexts of the family that are not below its own: they were made there from
/// something that it changes.
struct Touched {
    /// The instances of each context.
    private(set) var instances = IdentityTable<[Instance]>()
    /// Whether something was removed that they may have been made from.
    var isRemoval = false

    mutating func add(_ instance: Instance) {
        instances[instance.slot.owner, default: []].append(instance)
    }
}

extension ContextCore {
    /// Takes over a new state, and returns the instances to dispose of because they have left the context for good.
    ///
    /// - Parameters:
    ///   - newState: The state.
    ///   - removed: The roots of the current state that the new one lacks.
    ///   - isTentative: Whether the change may be undone. Then no instance leaves, and ``endWhatCannotReturn()``
    ///     follows once the change is final.
    ///   - touched: The instances that a change of another context of the family has touched.
    func apply(
        _ newState: consuming ContextState, removing removed: [Lineup.Root] = [], isTentative: Bool = false,
        touching touched: Touched = Touched()
    ) -> [Instance] {
        let (old, new) = (state.lineup, newState.lineup)
        publish(newState)
        var change = Change()
        let baseChanged = old.baseRevision != new.baseRevision
        // Whether everything that stays was added before what is removed.
        let isUndoing = removed.allSatisfy { $0.sequence > new.latestSequence }
        // If a later load names a module again, the module stays. But the states without that load no longer have it,
        // or what it includes, although the module itself may be forgotten.
        let repeated = isUndoing ? [] : removed.flatMap { old.reached(from: $0.loaded) }
        change.isRemoval = !isTentative && (!repeated.isEmpty || baseChanged)
        change.isUndo = !baseChanged && isUndoing
        if !baseChanged, touched.instances.isEmpty {
            change.unchangedUpTo = removed.reduce(new.latestSequence) { min($0, $1.sequence - 1) }
        }
        if !touched.instances.isEmpty {
            change.instances = (touched.instances[ObjectIdentifier(self)] ?? []).filter { $0.status != .gone }
            if touched.isRemoval, !change.instances.isEmpty { change.isRemoval = true }
        }
        let hasConditions = old.hasConditions || new.hasConditions
        new.forEachDifference(from: old) { left, right in
            let wasInForce = left?.first != nil
            let isSame = right.map { $0.loaded === left?.loaded } ?? false
            if let loaded = left?.loaded {
                if !isSame { collectSlots(of: loaded, into: &change) }
                if wasInForce {
                    if !isTentative { change.isRemoval = true }
                    touch(loaded, withInstances: hasConditions, in: &change)
                }
            }
            // A module that was in force before was touched above.
            if let loaded = right?.loaded, right?.first != nil, !isSame || !wasInForce {
                touch(loaded, withInstances: hasConditions, in: &change)
            }
        }
        // A module that is still in force may be missing in the states that can return.
        for loaded in repeated { touch(loaded, withInstances: true, in: &change) }
        // With other settings, these states may also have other modules in force than before.
        if change.isRemoval, !change.isUndo, baseChanged || touched.isRemoval || !change.paths.isEmpty {
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
        let gone = settle(change, finding: &found)
        endChange()
        if !isTentative { wakeFollowers(of: old, new) }
        return gone + letOthersFollow(found, isTentative: isTentative)
    }

    /// Lets the other contexts of the family follow that have made something from ended instances.
    func letOthersFollow(afterEnding gone: [Instance]) -> [Instance] {
        var found = Touched()
        for instance in gone { note(instance, &found) }
        return letOthersFollow(found, isTentative: false)
    }

    /// Lets other contexts of the family follow a change of this context.
    ///
    /// Children follow when they are used, except for those from which something was made elsewhere.
    func letOthersFollow(_ found: Touched, isTentative: Bool) -> [Instance] {
        // What they lose is disposed of in one order with what this context loses.
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
}
