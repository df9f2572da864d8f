internal import LocatorProperties

/// Whether everything that an instance's making read would be the same now.
///
/// The caller holds the lock everywhere.
extension ContextCore {
    /// Whether the instance's registration is in force in `state`, and everything that the making itself read is the
    /// same there.
    func ownReadsHold(of instance: Instance, in state: ContextState) -> Bool {
        var moment = Moment(of: self, state)
        return moment.ownReadsHold(of: instance)
    }

    /// Whether these cells and settings have the same answers in `state`, and in the current states of other contexts.
    func holds(_ reads: Reads, in state: ContextState) -> Bool {
        var moment = Moment(of: self, state)
        return moment.holds(reads)
    }

    /// Whether everything that an instance read itself is the same in the current state.
    func isUntouched(_ instance: Instance) -> Bool {
        ownReadsHold(of: instance, in: state) && partsAboveAreLive(instance)
    }

    /// This context, or another context of the family that has not ended.
    func relative(_ owner: ObjectIdentifier) -> ContextCore? {
        owner == identity ? self : family.core(owner)
    }

    /// Whether a context has not ended; false if there is none.
    func isAlive(_ owner: ObjectIdentifier?) -> Bool { owner.flatMap(relative).map { !$0.isClosed } ?? false }

    /// Whether an answer with these reads is current in `state`.
    ///
    /// This is never true if `state` has been overtaken.
    func isCurrent(_ reads: Reads, in state: ContextState) -> Bool {
        state === self.state && isAnswer(reads, in: state)
    }

    /// Whether an answer with these reads is the answer of `state`, which may have been overtaken.
    func isAnswer(_ reads: Reads, in state: ContextState) -> Bool {
        if isClosed { return false }
        var moment = Moment(of: self, state)
        return partsAnswer(reads, in: state, &moment) && moment.holds(reads)
    }

    /// Whether a request in `state`, which may be overtaken or prepared, would be given the instances among these reads.
    ///
    /// For an instance that has ended, its reads count instead, except instances that were made after it. Only
    /// injections read such later instances, which may themselves have read the ended one.
    private func partsAnswer(
        _ reads: Reads, in state: ContextState, _ moment: inout Moment, madeBefore order: UInt = .max
    ) -> Bool {
        reads.instances.allSatisfy { part in
            if part.order >= order { return true }
            if part.hasEnded {
                return partsAnswer(part.reads, in: state, &moment, madeBefore: part.order) && moment.holds(part.reads)
            }
            if state === self.state {
                return (part.status == .live || keeps(part)) && isPassedOn(part, to: reads) && part.box != nil
            }
            switch part.status {
            case .live, .aside: return part.box != nil && moment.isValid(part)
            case .stray: return state.stray(for: part.slot) === part && mayUse(part, in: state)
            case .gone: return keeps(part)
            case .pending: return false
            }
        }
    }

    /// What `state` has at the path of a setting, cached if the state is the current one.
    func lookup(_ cell: PropertyCell, in state: ContextState) -> PropertyLookup {
        let isCurrent = state === self.state
        if isCurrent, let lookup = cell.lookup { return lookup }
        let lookup = state.properties.lookup(cell.path)
        tables.properties.watch(cell, lookup)
        if isCurrent { cell.lookup = lookup }
        return lookup
    }

    /// The instance of a slot that is valid in `state`, which may have been overtaken.
    ///
    /// In an overtaken state, this is the oldest one, because the context had it first. If a part of another instance
    /// is passed, only older instances are considered, which would be given instead of the part.
    func valid(_ slot: Slot, in state: ContextState, insteadOf part: Instance? = nil) -> Instance? {
        if state === self.state {
            guard let live = slot.live else { return nil }
            if live.box != nil { return live }
            // It was held weakly, and has ended.
            forgetIfEnded(live)
            return nil
        }
        // A stray that no request uses anymore has been disposed of.
        if let stray = state.stray(for: slot), stray.userCount > 0,
            stray === part || mayUse(stray, in: state)
        {
            return stray
        }
        var moment = Moment(of: self, state)
        return everyInstance(of: slot, in: state).older(than: part).first {
            $0.box != nil && mayUse($0, in: state) && moment.isValid($0)
        }
    }

    /// The instances of a slot that a request in an overtaken state may be given, including those that have left the
    /// context and are kept for other requests or for children.
    func everyInstance(of slot: Slot, in state: ContextState) -> [Instance] {
        slot.instances + family.limbo.instances(like: slot, of: slot.owner, in: state)
            + keptForChildren(of: slot, in: state)
    }

    /// Whether a request in `state`, which is not the current one, may be given an instance.
    ///
    /// In an overtaken state, instances that have ended are given as before.
    private func mayUse(_ instance: Instance, in state: ContextState) -> Bool {
        state.preparation == nil || mayTakeOver(instance)
    }

    /// Whether the context could take over an instance of a prepared state.
    ///
    /// It cannot do so if the instance, or something that it was made from, has ended since then.
    func mayTakeOver(_ instance: Instance) -> Bool {
        var seen: IdentitySet = []
        var open = [instance]
        while let next = open.popLast() {
            if next.hasEnded { continue }
            if next.status == .gone, !keeps(next) { return false }
            // An instance of the context was also made from instances of the context.
            if next.status == .stray, seen.insert(next.identity).inserted { open += next.reads.instances }
        }
        return true
    }

    /// Whether an instance and the set-aside ones it was made from are valid again.
    ///
    /// They are collected in `group` by slot. If injections have joined an instance to two instances of one slot, it
    /// cannot return, because only one of the two can be live.
    func isRestorable(_ instance: Instance, _ group: inout IdentityTable<Instance>) -> Bool {
        switch instance.status {
        case .live: return true
        case .gone: return keeps(instance)
        case .pending, .stray: return false
        case .aside: if keeps(instance) { return true }
        }
        // Instances that were joined by injections read each other: they come back together.
        let slot = ObjectIdentifier(instance.slot)
        if let gathered = group[slot] { return gathered === instance }
        guard instance.ownReadsHold else { return false }
        if let live = instance.slot.live, live !== instance { return false }
        group[slot] = instance
        return instance.reads.instances.allSatisfy {
            $0.hasEnded || isRestorable($0, &group) && !isHidden($0, from: instance, group)
        }
    }

    /// Whether an instance was made from a part of a context above, but its own context has an instance instead of the
    /// part, or brings one back.
    ///
    /// An instance that has read wrappers of other contexts may have received the part through them.
    private func isHidden(_ part: Instance, from instance: Instance, _ group: IdentityTable<Instance>) -> Bool {
        let owner = instance.slot.owner
        if part.slot.owner == owner || instance.reads.isJoined { return false }
        guard let core = relative(owner), core.isBelow(part.slot.owner),
            let slot = core.knownSlot(like: part.slot)
        else { return false }
        if slot.live != nil { return true }
        var group = group
        return slot.aside.contains { core.isRestorable($0, &group) }
    }
}
