/// A change of the modules or settings of a context, and its effects on the existing instances.
///
/// A change touches the cells of the keys that its modules have, and the settings that they set. It only checks
/// instances whose making read one of these. If one of them changes, it also checks the instances that were made from
/// it. Each instance is then one of these:
/// - live, if everything that its making read is the same now
/// - set aside, if it would be the same without the modules that were loaded after it was made, because these may be
///   removed again
/// - gone, if it can never be valid again
///
/// The caller holds the lock everywhere.
struct Change {
    let core: ContextCore
    var cells: [Cell] = []
    var properties: [PropertyCell] = []
    /// Whether something was removed from which set-aside instances may have been made.
    var isRemoval = false
    /// Whether only the latest additions were removed.
    ///
    /// Then all earlier states can return as they were.
    var isUndo = false
    /// The number of the latest root up to which the states are unchanged: without the roots that were loaded later.
    ///
    /// Nil if there may be no such state, because the settings were loaded again, because a child follows a change above
    /// it, or because a change of another context of the family touches something.
    var unchangedUpTo: UInt?
    /// Instances that end, whatever they read.
    var ended: [Instance] = []
    /// Instances that may be touched, whatever they read.
    ///
    /// Their own registration, decorator, or alias may have come into force or may no longer be in force, or a change
    /// of another context of the family touches them.
    var instances: [Instance] = []
    /// Whether a child follows a change above it, so that everything may be touched.
    var isFollowing = false
    /// The paths of the settings in modules that come or go.
    var paths: [String] = []
    /// Whether one of these modules lists secrets, which may occur in the text of any setting.
    var listsSecrets = false
    /// What the change touches in other contexts.
    private(set) var touchedElsewhere = Touched()

    /// Whether the change touches nothing that was ever requested.
    private var isEmpty: Bool { cells.isEmpty && properties.isEmpty && ended.isEmpty && instances.isEmpty }

    /// Moves everything that was touched to where it belongs, and returns the instances that have left the context
    /// permanently.
    mutating func settle() -> [Instance] {
        touchedElsewhere.isRemoval = isRemoval
        if isEmpty { return [] }
        let candidates = candidates(among: forgetAnswers())
        for instance in candidates.values { instance.ownReadsHold = core.isUntouched(instance) }
        var gone = (ended + touchedEnds).withDependents
        if isRemoval {
            let ended = IdentitySet(gone.lazy.map(\.identity))
            let others = candidates.values.filter { !ended.contains($0.identity) }
            gone = (gone + withoutReturn(others)).withDependents
        }
        end(gone)
        gone += core.endKept(madeFrom: gone)
        core.detainUsed(gone)
        for instance in candidates.values where instance.status == .live && !instance.ownReadsHold {
            setAside(instance)
        }
        if core.isChild {
            let replaced = core.replacedFromAbove(
                Array(candidates.values), isFollowing: isFollowing, afterRemoval: isRemoval)
            if isRemoval, !replaced.isEmpty {
                let ended = core.withoutLive(replaced) { replacedForGood($0) }.withDependents
                end(ended)
                core.detainUsed(ended)
                gone = (gone + ended).latestFirst
            }
            for instance in replaced where instance.status == .live { setAside(instance) }
        }
        restore(candidates.values.filter { $0.status == .aside } + freed(by: gone))
        // An instance that came back may replace one that was found to be shared.
        if core.isChild { core.forgetShared() }
        return gone
    }

    private mutating func end(_ instances: [Instance]) {
        for instance in instances {
            note(instance)
            core.remove(instance)
        }
    }

    /// The instances that ended ones may have kept from returning when a change of another context made them valid
    /// again.
    private func freed(by gone: [Instance]) -> [Instance] {
        if isOfLatest { return [] }
        var slots: IdentityTable<Slot> = [:]
        for slot in gone.lazy.map(\.slot) { slots[ObjectIdentifier(slot)] = slot }
        return slots.values.flatMap(\.aside)
    }

    /// Whether only the latest additions came or went.
    ///
    /// Then the change affects only instances that were given an answer from before or after it.
    ///
    /// An instance that was given another answer was not valid before, is not valid now, and can return as before.
    private var isOfLatest: Bool { unchangedUpTo != nil && (!isRemoval || isUndo) }

    /// Forgets the touched answers, and returns the instances that the change may affect by themselves.
    private func forgetAnswers() -> [Instance] {
        let old = cells.map { $0.dependents.isEmpty ? nil : $0.answer?.digest }
        let oldLookups = properties.map { $0.dependents.isEmpty ? nil : $0.lookup?.digest }
        for cell in cells {
            if let answer = cell.answer { core.discard(answer) }
            cell.unpublish()
            cell.forgetAnswer()
        }
        for cell in properties { cell.lookup = nil }
        guard isOfLatest else { return allDependents }
        var found: [Instance] = []
        for (cell, old) in zip(cells, old) where !cell.dependents.isEmpty {
            let new = core.answer(of: cell, in: core.state).digest
            found += old.map { cell.dependents.given($0, or: new) } ?? cell.dependents.all
        }
        for (cell, old) in zip(properties, oldLookups) where !cell.dependents.isEmpty {
            let new = core.lookup(cell, in: core.state).digest
            found += old.map { cell.dependents.given($0, or: new) } ?? cell.dependents.all
        }
        return found
    }

    /// All instances that were made from the touched answers.
    var allDependents: [Instance] { cells.flatMap(\.dependents.all) + properties.flatMap(\.dependents.all) }

    /// The instances of the context that the change may affect by themselves, among these and its own.
    mutating func candidates(among dependents: [Instance]) -> IdentityTable<Instance> {
        var candidates: IdentityTable<Instance> = [:]
        for instance in dependents {
            if isOwn(instance) {
                candidates[instance.identity] = instance
            } else if !isFollowing || isTouchedElsewhere(instance) {
                touchedElsewhere.add(instance)
            }
        }
        for instance in instances { candidates[instance.identity] = instance }
        return candidates
    }

    /// Whether a change that a context has followed may make a difference for an instance of another context that read
    /// it.
    private func isTouchedElsewhere(_ instance: Instance) -> Bool {
        guard let core = core.family.core(instance.slot.owner) else { return false }
        return isRemoval && instance.status == .aside
            || core.isUntouched(instance) != instance.ownReadsHold
    }

    /// The touched instances that were made from something that has left its context permanently.
    private var touchedEnds: [Instance] {
        instances.filter { instance in
            instance.reads.instances.contains {
                $0.hasLeft && !$0.isForgotten && !$0.isOutlived && !core.keeps($0)
            }
        }
    }

    /// Notes an instance that has changed, if it belongs to another context.
    private mutating func note(_ instance: Instance) {
        if !isOwn(instance) { touchedElsewhere.add(instance) }
    }

    /// Whether an instance belongs to the context that changes.
    private func isOwn(_ instance: Instance) -> Bool { instance.slot.owner == core.identity }

    /// The instances that can never be valid again.
    ///
    /// If modules are removed in the reverse order of loading, earlier states return. An instance can return if it is
    /// valid in the current state, or in one of the states since its making.
    func withoutReturn(_ candidates: some Sequence<Instance>) -> [Instance] {
        // If only the latest additions were removed, a live instance is affected only if something that it read has
        // changed.
        let affected = candidates.filter { !isUndo || $0.status != .live || !$0.ownReadsHold }
        var returns = Returns(of: core)
        // A child decides in its own state about the instances that it has made from them.
        return affected.withDependents.filter { isOwn($0) && !returnsAsBefore($0) && !returns.include($0) }
    }

    /// The replaced instances of a child that cannot return, because no earlier state needs them.
    private func replacedForGood(_ replaced: [Instance]) -> [Instance] {
        let unneeded = replaced.filter(core.hasLostDifferences)
        return replaced.filter { !core.hasLostDifferences($0) } + withoutReturn(unneeded)
    }

    /// Whether an instance was found to be valid in a state that the change does not affect.
    ///
    /// Then it can return as before, no matter what set it aside.
    private func returnsAsBefore(_ instance: Instance) -> Bool {
        guard let unchanged = unchangedUpTo else { return false }
        return instance.validUpTo <= unchanged && !instance.reads.isJoined
    }

    /// Sets an instance aside, together with all live ones that were made from it.
    private mutating func setAside(_ instance: Instance) {
        var open = [instance]
        while let next = open.popLast() {
            guard next.status == .live else { continue }
            next.status = .aside
            note(next)
            let slot = next.slot
            if slot.live === next {
                slot.live = nil
                if next.box != nil { slot.aside.append(next) }
            }
            open += next.dependents.values
            core.forgetIfEnded(next)
        }
    }

    /// Brings back the instances that are valid again, and those that were made from them.
    private mutating func restore(_ instances: [Instance]) {
        var open = instances
        while let next = open.popLast() {
            guard next.status == .aside else { continue }
            var group: IdentityTable<Instance> = [:]
            guard core.isRestorable(next, &group) else { continue }
            for instance in group.values {
                instance.status = .live
                note(instance)
                let slot = instance.slot
                if slot.takeFromAside(instance), instance.box != nil { slot.live = instance }
                open += instance.dependents.values
                core.forgetIfEnded(instance)
            }
        }
    }
}

/// The instances that a change touches in contexts of the family that are not below its own.
///
/// They were made there from something that it changes.
struct Touched {
    /// The instances of each context.
    private(set) var instances = IdentityTable<[Instance]>()
    /// Whether something was removed from which they may have been made.
    var isRemoval = false

    mutating func add(_ instance: Instance) {
        instances[instance.slot.owner, default: []].append(instance)
    }
}
