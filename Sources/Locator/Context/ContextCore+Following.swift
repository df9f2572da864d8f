internal import Synchronization

/// How a child follows the contexts above it.
///
/// A change visits no children. A child remembers how far it has followed, and compares this when it is used or ends.
/// If the contexts above have changed, it takes over their current state in one step and checks everything it has made.
extension ContextCore {
    /// The sum of the revisions of the contexts above.
    ///
    /// Every change of one of these contexts increases the sum, and no revision ever decreases. If the sum is the same
    /// as before, none of them has changed.
    var revisionsAbove: UInt {
        var sum: UInt = 0
        forEachAbove { sum &+= $0.stamp.nowInOrder.revision }
        return sum
    }

    /// Runs `body` for each context above, the nearest first.
    ///
    /// This context keeps them alive, so none of them is retained here.
    @inline(__always)
    func forEachAbove(_ body: (ContextCore) -> Void) {
        var next = unmanagedParentCore
        while let core = next {
            next = core._withUnsafeGuaranteedRef {
                body($0)
                return $0.unmanagedParentCore
            }
        }
    }

    /// Whether a context above satisfies a predicate.
    @inline(__always)
    func hasAbove(where isMeant: (ContextCore) -> Bool) -> Bool {
        var isFound = false
        forEachAbove { if isMeant($0) { isFound = true } }
        return isFound
    }

    /// This context and all contexts above it, the nearest first.
    var lineage: some Sequence<ContextCore> { sequence(first: self) { $0.parentCore } }

    /// How far the context has followed the contexts above it.
    ///
    /// Read it before taking an answer without the lock.
    var followedMark: UInt {
        // Sequentially consistent, before the answer: a context that follows invalidates the answers that have changed
        // before it stores the mark.
        isChild ? followed.load(ordering: .sequentiallyConsistent) : 0
    }

    /// Whether an answer that was taken without the lock after reading the mark is still current.
    ///
    /// If a context above has an observer, the observer must be notified, and this needs the lock.
    func mayAnswer(since mark: UInt) -> Bool { !isChild || revisionsAbove == mark && !isObserved }

    /// The same for a ready answer, which is not returned either if this context itself has an observer.
    @inline(__always)
    func mayAnswerReady(since mark: UInt) -> Bool {
        // Relaxed suffices: see `ContextFamily.isObserved`.
        !hasObservers.load(ordering: .relaxed) && mayAnswer(since: mark)
    }
}

/// The caller holds the lock everywhere.
extension ContextCore {
    /// Follows the changes above.
    ///
    /// Instances that end because of this are disposed of after the lock is released.
    @inline(never)
    func followAbove() {
        family.disposeLater(of: follow(), in: self)
    }

    /// Follows the changes above, and returns the instances that the caller disposes of.
    ///
    /// The caller does not hold the lock.
    func takeEndedFromAbove() -> [Instance] {
        if !isChild { return [] }
        family.lock.lock()
        defer { unlock() }
        asChild?.becomeFull()
        return follow()
    }

    /// Follows the changes above, and returns the instances that have left the context permanently.
    func follow() -> [Instance] {
        var gone: [Instance] = []
        // This may change other contexts of the family, and then this context must follow again.
        while let more = followOnce() { gone += more }
        return gone
    }

    /// Notes that the context has followed the contexts above.
    func noteFollowed() {
        followed.store(revisionsAbove, ordering: .sequentiallyConsistent)
    }

    /// Returns the instances that have left the context permanently, or nil if there is nothing to follow.
    private func followOnce() -> [Instance]? {
        guard let parentCore, !isClosed else { return nil }
        let isTentative = hasTentativeAbove
        // Relaxed suffices: it is changed with the lock held.
        let isUpToDate = followed.load(ordering: .relaxed) == revisionsAbove
        if isUpToDate, isTentative || !hasFollowedTentatively { return nil }
        let wasTentative = hasFollowedTentatively
        // This comes before others follow, because they may make this context follow again.
        hasFollowedTentatively = isTentative
        // The instances that the contexts above lose are disposed of in one order with those that this one loses.
        return parentCore.follow() + takeOver(from: parentCore, isTentative: isTentative, wasTentative: wasTentative)
    }

    /// Whether a change of the settings above may still be undone.
    var hasTentativeAbove: Bool { hasAbove { $0.hasTentativeLoads } }

    /// Takes over the state of the parent, and settles everything in it.
    private func takeOver(from parent: ContextCore, isTentative: Bool, wasTentative: Bool) -> [Instance] {
        let old = state
        // If the parent has ended, a child that a hook has kept does not change.
        publish(newState(parent.isClosed ? old.lineup : lineup(following: parent, with: ownRoots(in: old.lineup))))
        forgetShared()
        if sessionCount > 0 { family.forEachSession { if $0.core === self { $0.keepDetainedInState() } } }
        var change = Change(core: self)
        change.isFollowing = true
        change.isRemoval = !isTentative && (wasTentative || isRemoval(from: old.lineup, to: state.lineup))
        change.cutUnknownSlots()
        for node in tables.nodes.values { node.forEachCell { change.cells.append($0) } }
        change.properties = Array(tables.properties.all)
        for slot in tables.slots.values { slot.forEachAround { change.instances += $0.instances } }
        let gone = change.settle()
        // A load above has replaced the instances that have left, even if the load was still tentative when this
        // context followed it.
        if wasTentative || old.lineup.baseRevision != state.lineup.baseRevision {
            noteReplaced(gone)
            if keptLoadHere == nil { keepForChildren(gone) }
        }
        endChange()
        noteFollowed()
        return gone + letOthersFollow(change.touchedElsewhere, isTentative: isTentative)
    }

    /// The lineup of the parent, with modules loaded and pushed here, which are passed latest first.
    private func lineup(following parent: ContextCore, with own: [Lineup.Root]) -> Lineup {
        keepingLoad(in: parent.state.lineup).adding(
            own.reversed(), with: own.flatMap { state.lineup.reached(from: $0.loaded) })
    }

    /// The lineup without some of the modules loaded and pushed here, which are passed latest first.
    ///
    /// If the parent has run the closure of one of these modules later, the parent's run is in force here from now on.
    func lineup(removing roots: [Lineup.Root]) -> Lineup {
        let lineup = state.lineup
        if let parentCore, !parentCore.isClosed {
            let removed = roots.lazy.flatMap { lineup.reached(from: $0.loaded) }
            let others = parentCore.state.lineup
            if removed.contains(where: { run in others.known(run.identity).map { $0 !== run } ?? false }) {
                let numbers = Set(roots.lazy.map(\.sequence))
                return self.lineup(
                    following: parentCore, with: ownRoots(in: lineup).filter { !numbers.contains($0.sequence) })
            }
        }
        return lineup.removing(roots)
    }

    /// Whether a change took something away.
    private func isRemoval(from old: Lineup, to new: Lineup) -> Bool {
        old.baseRevision != new.baseRevision || new.lacksRoot(of: old)
            || !old.modulesInForce(butNotIn: new).isEmpty
    }

    /// Whether the contexts above still give the instances that an instance was made from.
    func partsAboveAreLive(_ instance: Instance) -> Bool {
        if !isChild { return true }
        return instance.reads.instances.allSatisfy { part in
            if !isBelow(part.slot.owner) || part.hasEnded { return true }
            switch part.status {
            case .live, .pending: return isPassedOn(part, to: instance.reads)
            case .aside, .gone: return keeps(part) && isPassedOn(part, to: instance.reads)
            case .stray: return false
            }
        }
    }

    /// Whether the parent still gives a part that comes from a context above the parent.
    ///
    /// True for all other parts, and for those that this context keeps although its parent has followed a load. If code
    /// has read wrappers of other contexts, it may have received the part through them.
    func isPassedOn(_ part: Instance, to reads: Reads) -> Bool {
        guard let parentCore, parentCore.isBelow(part.slot.owner), !reads.isJoined else { return true }
        if part.status != .live, part.status != .pending, parentCore.keptLoadHere == nil { return true }
        return parentCore.isInForce(part.slot, in: parentCore.state)
            && parentCore.given(parentCore.slot(like: part.slot)) === part
    }

    /// Lets the contexts that answered follow immediately from now on, if they are not above this one.
    ///
    /// If they change, the instances that were made here from their answers must be found. This is the rare case in
    /// which a change visits a context below the changed one.
    func followAtOnce(_ reads: Reads) {
        guard reads.isJoined else { return }
        for owner in reads.owners where owner != identity && !isBelow(owner) {
            guard let core = family.core(owner) else { continue }
            family.addPromptFollower(core)
            core.followAbove()
        }
    }

    /// Whether another context is neither this one nor below it, so that it does not follow this context by itself.
    func isElsewhere(from other: ContextCore) -> Bool { other !== self && !other.isBelow(self) }

    /// Whether this is a child of another context, directly or indirectly.
    func isBelow(_ other: ContextCore) -> Bool { isBelow(other.identity) }

    /// The same for the identity of the other context.
    func isBelow(_ owner: ObjectIdentifier) -> Bool { hasAbove { $0.identity == owner } }
}
