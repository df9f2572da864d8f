/// What becomes of instances that a change touches: they stay, are set aside, come back, or go for good.
///
/// The caller holds the lock everywhere.
extension ContextCore {
    /// Brings everything that a change touched to where it belongs, and returns the instances that have left the context
    /// for good.
    ///
    /// Adds what it touches in other contexts to `found`.
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
        var gone = closeOverDependents(change.ended + touchedEnds(of: change))
        if change.isRemoval {
            let ended = IdentitySet(gone.lazy.map(\.identity))
            let others = candidates.values.filter { !ended.contains($0.identity) }
            gone = closeOverDependents(gone + withoutReturn(others, change))
        }
        for instance in gone {
            note(instance, &found)
            remove(instance)
        }
        gone += endKept(madeFrom: gone)
        detainUsed(gone)
        for instance in candidates.values where instance.status == .live && !instance.ownReadsHold {
            setAside(instance, finding: &found)
        }
        // An instance may have ended because one of another context did. If it stood in the way of one that is valid
        // again, that one comes back.
        let freed = change.instances.filter { $0.status == .gone }.flatMap(\.slot.aside)
        restore(candidates.values.filter { $0.status == .aside } + freed, finding: &found)
        return gone
    }

    /// The instances that a change may affect by themselves.
    ///
    /// Adds those of other contexts to `found`.
    func candidates(of change: Change, finding found: inout Touched) -> IdentityTable<Instance> {
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

    /// Notes an instance that has changed, if it belongs to another context.
    func note(_ instance: Instance, _ found: inout Touched) {
        if instance.slot.owner != ObjectIdentifier(self) { found.add(instance) }
    }

    /// The instances that can never come out the same again.
    ///
    /// If modules are removed in the reverse order of loading, earlier states return. An instance can return if it is
    /// valid in the current state, or in one of the states since its making.
    func withoutReturn(_ candidates: some Sequence<Instance>, _ change: Change) -> [Instance] {
        // If only the latest additions were removed, a live instance is affected only if something that it read has
        // changed.
        let affected = candidates.filter { !change.isUndo || $0.status != .live || !$0.ownReadsHold }
        var returns = Returns()
        // A child decides about what it has made from them, in its own state.
        return closeOverDependents(affected).filter {
            $0.slot.owner == ObjectIdentifier(self) && !returnsAsBefore($0, change)
                && !canReturn($0, &returns)
        }
    }

    /// Whether an instance was found to be valid in a state that is as it was before the change.
    ///
    /// Then it can return as before, no matter what set it aside.
    private func returnsAsBefore(_ instance: Instance, _ change: Change) -> Bool {
        guard let unchanged = change.unchangedUpTo else { return false }
        return instance.validUpTo <= unchanged && !instance.reads.isJoined
    }

    /// Whether an instance is valid now, or once some of what was loaded last is undone.
    func canReturn(_ instance: Instance, _ returns: inout Returns) -> Bool {
        var current = returns.current ?? Moment(of: self, state)
        defer { returns.current = current }
        if isValid(instance, at: &current) {
            instance.validUpTo = max(instance.birth, state.lineup.latestSequence)
            return true
        }
        if isValid(instance, upTo: instance.birth, &returns) { return true }
        var states = [state]
        if instance.reads.isJoined { states += instance.reads.owners.compactMap { family.core($0)?.state } }
        let sequences = Set(states.lazy.flatMap { $0.lineup.roots(after: instance.birth) }.map(\.sequence))
        return sequences.sorted().contains { isValid(instance, upTo: $0, &returns) }
    }

    /// Whether an instance is valid in the current state without what was loaded after a number.
    private func isValid(_ instance: Instance, upTo sequence: UInt, _ returns: inout Returns) -> Bool {
        var earlier = returns.earlier[sequence] ?? Moment(of: self, upTo: sequence)
        defer { returns.earlier[sequence] = earlier }
        guard isValid(instance, at: &earlier) else { return false }
        instance.validUpTo = sequence
        return true
    }

    /// The states that can return, and which instances are valid in them, as far as they have been checked.
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
            if !next.dependents.isEmpty { open += next.dependents.values }
        }
        return Array(found.values).latestFirst
    }

    /// Takes an instance out of the context for good.
    func remove(_ instance: Instance) {
        instance.status = .gone
        family.removalCount += 1
        discard(instance)
        let identity = instance.identity
        let slot = instance.slot
        if slot.live === instance { slot.live = nil }
        if !slot.aside.isEmpty { slot.aside.removeAll { $0 === instance } }
        for read in instance.reads.cells {
            read.cell.dependents[identity] = nil
            if let selected = read.selected { family.selecting.remove(instance, reading: selected.type) }
        }
        for read in instance.reads.properties { read.cell.dependents[identity] = nil }
        instance.dependents = [:]
        for part in instance.reads.instances {
            part.dependents[identity] = nil
            forgetIfEnded(part)
        }
    }

    /// Forgets an instance that was held weakly and has ended.
    ///
    /// What was made from it has noted what it read.
    func forgetIfEnded(_ instance: Instance) {
        guard instance.hasEnded else { return }
        switch instance.status {
        case .live, .aside:
            instance.isForgotten = true
            remove(instance)
            discard(instance.reads.removeInstances(from: instance.order))
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

    /// Whether an instance was made from a part of a context above, but its own context has an instance in place of the
    /// part, or brings one back.
    ///
    /// An instance that has read wrappers of other contexts may have received the part through these.
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
