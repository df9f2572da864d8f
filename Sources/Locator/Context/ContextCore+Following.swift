internal import Synchronization

/// How a child follows the contexts above it.
///
/// A change visits no children. A child remembers how far it has followed, and compares that when it is used or ends.
/// Where the contexts above have changed, it takes over their current state in one step and looks at everything it has
/// made.
extension ContextCore {
    /// The revisions of the contexts above, added up: each change of one of them makes the sum greater.
    ///
    /// No revision ever gets smaller. So where the sum is that of earlier revisions, none of them has changed.
    var revisionsAbove: UInt {
        var sum: UInt = 0
        var next = unmanagedParentCore
        while let core = next {
            next = core._withUnsafeGuaranteedRef {
                sum &+= $0.stamp.nowInOrder.revision
                return $0.unmanagedParentCore
            }
        }
        return sum
    }

    /// How far the context has followed, to be asked before an answer is taken without the lock.
    var followedMark: UInt {
        // Sequentially consistent, before the answer: who follows takes back what has changed before it stores the mark.
        isChild ? followed.load(ordering: .sequentiallyConsistent) : 0
    }

    /// Whether an answer that was taken without the lock, after the mark, is that of this moment.
    ///
    /// An observer of a context above has to be told of it, which needs the lock.
    func mayAnswer(since mark: UInt) -> Bool { !isChild || revisionsAbove == mark && !isObserved }
}

/// The caller holds the lock everywhere.
extension ContextCore {
    /// Follows what has changed above; what ends by it is disposed of once the lock has been given back.
    func followAbove() {
        family.disposeLater(of: follow(), in: self)
    }

    /// Follows what has changed above; gives what has left the context for good.
    func follow() -> [Instance] {
        var gone: [Instance] = []
        // Others of the family may change by it, and this one has to follow again.
        while let more = followOnce() { gone += more }
        return gone
    }

    /// Notes that the context has the state of those above.
    func noteFollowed() {
        followed.store(revisionsAbove, ordering: .sequentiallyConsistent)
    }

    /// Gives what has left the context for good, or nil where there is nothing to follow.
    private func followOnce() -> [Instance]? {
        guard let parentCore, !isClosed else { return nil }
        let isTentative = hasTentativeAbove
        // Relaxed suffices: it is changed with the lock held.
        let isUpToDate = followed.load(ordering: .relaxed) == revisionsAbove
        if isUpToDate, isTentative || !hasFollowedTentatively { return nil }
        parentCore.followAbove()
        defer { hasFollowedTentatively = isTentative }
        return takeOver(from: parentCore, isTentative: isTentative)
    }

    /// Whether a change of the properties above may still be taken back.
    var hasTentativeAbove: Bool {
        var next = parentCore
        while let core = next {
            if core.tentativeCount > 0 { return true }
            next = core.parentCore
        }
        return false
    }

    /// Takes over the state of the parent, and brings everything to where it belongs in it.
    private func takeOver(from parent: ContextCore, isTentative: Bool) -> [Instance] {
        let old = state
        // A child that a hook has kept of a context which has ended keeps what it had.
        publish(newState(parent.isClosed ? old.lineup : lineup(following: parent)))
        shared = [:]
        var change = Change()
        change.isFollowing = true
        change.isRemoval = !isTentative && (hasFollowedTentatively || isRemoval(from: old.lineup, to: state.lineup))
        cutUnknownSlots(into: &change)
        for node in nodes.values { change.cells += node.all }
        change.properties = Array(properties.all)
        for slot in slots.values { slot.forEachAround { change.instances += $0.instances } }
        var found = Touched()
        found.isRemoval = change.isRemoval
        let gone = settle(change, finding: &found)
        endChange()
        noteFollowed()
        return gone + letOthersFollow(found, isTentative: isTentative)
    }

    /// The lineup of the parent, with what was loaded and pushed here.
    private func lineup(following parent: ContextCore) -> Lineup {
        let old = state.lineup
        return ownRoots(in: old).reversed().reduce(keepingLoad(in: parent.state.lineup)) { $0.adding($1, old.known) }
    }

    /// Whether something was taken away between two states.
    private func isRemoval(from old: Lineup, to new: Lineup) -> Bool {
        old.baseRevision != new.baseRevision || !new.rootsMissing(of: old).isEmpty
            || !old.modulesInForce(butNotIn: new).isEmpty
    }

    /// Whether the instances of the contexts above that an instance was made from are given out there.
    func partsAboveAreLive(_ instance: Instance) -> Bool {
        if !isChild { return true }
        return instance.reads.instances.allSatisfy { part in
            if !isAbove(part.slot.owner) || part.hasEnded { return true }
            switch part.status {
            case .live, .pending: return true
            case .aside, .gone: return keeps(part)
            case .stray: return false
            }
        }
    }

    /// Lets the contexts that have answered follow at once from now on, where they are not above this one.
    ///
    /// What was made here from their answers has to be found when these change. That is the rare case that a change visits
    /// a context below the one that it changes.
    func followAtOnce(_ reads: Reads) {
        guard reads.isJoined else { return }
        for owner in reads.owners where owner != ObjectIdentifier(self) && !isAbove(owner) {
            guard let core = family.core(owner) else { continue }
            family.addPromptFollower(core)
            core.followAbove()
        }
    }

    /// Whether this is a child of another context, or a child's child.
    func isBelow(_ other: ContextCore) -> Bool { isAbove(ObjectIdentifier(other)) }

    /// Whether a context is above this one.
    func isAbove(_ owner: ObjectIdentifier) -> Bool {
        var next = unmanagedParentCore
        while let core = next {
            if core._withUnsafeGuaranteedRef({ ObjectIdentifier($0) }) == owner { return true }
            next = core._withUnsafeGuaranteedRef { $0.unmanagedParentCore }
        }
        return false
    }
}
