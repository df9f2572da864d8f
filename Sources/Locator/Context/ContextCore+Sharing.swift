internal import LocatorProperties

/// What a child shares with its parent: every instance that its modules and scopes do not affect.
///
/// The caller holds the lock, except for `obtainFromParent` and `isOpened`.
extension ContextCore {
    /// Obtains the parent's instance, which the parent makes if necessary, instead of making an instance here.
    ///
    /// Without one, returns the answers because of which this context makes its own, if they are known. They count as reads
    /// of its instance. What differs may become known only after the parent has made its instance.
    func obtainFromParent(
        _ slot: Slot, _ request: Request, in session: Session, on thread: ThreadRecord
    ) throws(LocatorError) -> (box: AnyBox?, differing: Reads) {
        var differing = Reads()
        guard isChild, !isOpened(slot) else { return (nil, differing) }
        let (found, earlier, hasSelections) = locked {
            // If the settings stay the same here, this context makes its own instance, because the parent does not keep one
            // of earlier settings.
            (parent, keptLoad == nil ? session.stateAbove : nil, !family.selecting.isEmpty)
        }
        guard let parent = found else { return (nil, differing) }
        if hasSelections { askSelections(toShare: slot, in: session.state) }
        let recorder = thread.recorder(of: self)
        func share(_ state: ContextState) -> AnyBox? {
            guard valid(slot, in: state) == nil, let instance = inherited(slot, in: state) else { return nil }
            guard agrees(instance, with: session), let box = instance.box else { return nil }
            switch sharing(of: instance, in: state, withReads: recorder != nil) {
            case .shared(let reads):
                session.use(instance, of: slot)
                recorder?.reads.add(instance, sharedAs: reads)
                return box
            case .differing(let reads):
                differing = reads
                return nil
            }
        }
        let (box, wanted) = locked { () -> (AnyBox?, Slot?) in
            if let instance = session.wasGiven(slot) {
                let isAbove = recorder != nil && instance.slot.owner != identity
                if isAbove, let reads = sharedReads(of: instance, in: session.state) {
                    recorder?.reads.add(instance, sharedAs: reads)
                } else {
                    recorder?.reads.add(instance)
                }
                return (instance.box, nil)
            }
            if let box = share(session.state) { return (box, nil) }
            let above = earlier ?? parent.core.state
            guard valid(slot, in: session.state) == nil, let outer = parentSlot(of: slot, in: above),
                above !== parent.core.state || parent.core.given(outer) == nil
            else { return (nil, nil) }
            // If an alias is being made that the parent also has, the parent's instance has already been tried through
            // the alias.
            if let making = thread.frames.last?.making, case .alias(_, let inner) = making.slot.layer, inner === slot,
                parentSlot(of: making.slot, in: above) != nil
            {
                return (nil, nil)
            }
            return (nil, mayShare(slot, in: session.state, above) ? outer : nil)
        }
        guard box == nil, let wanted else { return (box, differing) }
        // The parent makes the instance in the state that it had when it was the state of the child's request. In a later
        // state, another request of the earlier one would make a second instance.
        //
        // The reads of that making count for the request only if the instance is given.
        let probe = Recorder(core: parent.core)
        thread.frames.append(Frame(session: session, recorder: probe))
        defer { thread.frames.removeLast() }
        do throws(LocatorError) {
            let made = try parent.core.inSession(request, in: earlier) {
                (parents, thread) throws(LocatorError) -> AnyBox? in
                let isCurrent = parent.core.locked { parents.state === parent.core.state }
                if isCurrent, parents.outer === session { parents.isForSharing = true }
                // The parent may have unloaded the module before its request began. Then nothing would end the
                // instance.
                guard parent.core.locked({ parent.core.isLoaded(wanted) }) else { return nil }
                return try parents.obtain(wanted, request, on: thread)
            }
            askSelections(toShare: slot, in: session.state)
            // Something that it read at run time may be affected after all. Then this context makes its own instance.
            if let made, wanted.record.lifetime == .weak { session.weakAbove.append(made) }
            return (locked { share(session.state) }, differing)
        } catch {
            let difference = locked { differenceAfterFailure(probe.reads, in: session.state, noting: recorder) }
            guard let difference else { throw error }
            return (nil, difference)
        }
    }

    /// Whether an instance was made from the same instances that a request gets itself.
    ///
    /// In the current state, this is always true. After a reset, other threads may have made the instance again, from
    /// other instances than those that an overtaken request has been given, or would be given.
    func agrees(_ instance: Instance, with session: Session) -> Bool {
        if session.state === state { return true }
        var open = [instance]
        var seen: IdentitySet = []
        while let next = open.popLast() {
            // If the context had an instance when the request began, and still has it, the request has been given this
            // instance all along.
            guard next.hasLeft || next.order > session.instancesBefore else { continue }
            guard seen.insert(next.identity).inserted else { continue }
            if next.isDisposed { return false }
            for part in next.reads.instances where !part.hasEnded {
                if isReplaced(part, in: session) { return false }
                open.append(part)
            }
        }
        return true
    }

    /// Whether an overtaken request has been given, or would be given, another instance instead of a part of an
    /// instance.
    ///
    /// It is not given the instances of other contexts than those above.
    private func isReplaced(_ part: Instance, in session: Session) -> Bool {
        guard part.slot.owner == identity || isBelow(part.slot.owner) else { return false }
        let slot = slot(like: part.slot)
        let isInherited = isChild && !isOpened(slot)
        let given =
            session.noted(slot) ?? valid(slot, in: session.state, insteadOf: part)
            ?? (isInherited ? inherited(slot, in: session.state, insteadOf: part) : nil)
        return given != nil && given !== part
    }

    /// The answers that differ here from those of a making that failed in the parent, or nil if the making would also
    /// fail here.
    ///
    /// If it would also fail here, the reads of the making count for the request, which may catch the error.
    private func differenceAfterFailure(
        _ failed: Reads, in state: ContextState, noting recorder: Recorder?
    ) -> Reads? {
        guard let parentCore else { return Reads() }
        var translation = Translation(to: self, state, withReads: true)
        guard translation.include(failed, of: parentCore.identity) else { return translation.reads }
        recorder?.reads.add(translation.reads)
        // The parent's answers count as answers of this context, which may have other answers later.
        recorder?.reads.join(failed, withoutThoseOf: parentCore.identity)
        return nil
    }

    /// The instance that would be given for a slot, without making one.
    func given(_ slot: Slot) -> Instance? {
        if let own = valid(slot, in: state) { return own }
        return sharedWithParent(slot)
    }

    /// The parent's instance that is given for a slot here, if it exists.
    func sharedWithParent(_ slot: Slot) -> Instance? {
        guard parent != nil, !isOpened(slot), let instance = inherited(slot, in: state) else { return nil }
        return shares(instance, in: state) ? instance : nil
    }

    /// The position in order of creation of the instance that the parent gives for a slot whose scope this child does
    /// not open; nil if there is none.
    func orderAbove(_ slot: Slot) -> UInt? {
        isChild && !isOpened(slot) ? inherited(slot, in: state)?.order : nil
    }

    /// The child's instances that it can replace from now on by sharing older ones of its parent.
    ///
    /// An instance can be replaced if the answers that required it no longer differ from the parent's, or if the parent
    /// gives an instance after a removal that it did not give before. The child still needs the other instances.
    func replacedFromAbove(_ own: [Instance], isFollowing: Bool, afterRemoval isRemoval: Bool) -> [Instance] {
        var found: [Instance] = []
        for instance in own where instance.ownReadsHold && instance.status != .gone && !isOpened(instance.slot) {
            var isNew = false
            if isFollowing, instance.slot.live === instance {
                let above = orderAbove(instance.slot)
                isNew = isRemoval && above != nil && above != instance.orderAbove
                instance.orderAbove = above
            }
            if isNew || hasLostDifferences(instance) { found.append(instance) }
        }
        // They may be made from each other, so none of them prevents another one from being replaced.
        var count: Int
        repeat {
            count = found.count
            found = withoutLive(found) { $0.filter { canShare(inPlaceOf: $0, in: state) } }
        } while found.count < count
        for instance in found { instance.ownReadsHold = false }
        for instance in own where instance.ownReadsHold && instance.status != .gone { renewDifference(of: instance) }
        return found
    }

    /// Whether the answers that required the child's own instance no longer differ from the parent's.
    func hasLostDifferences(_ instance: Instance) -> Bool {
        let differences = instance.reads.differences
        return !differences.isEmpty && !differences.contains { holds($0, in: state) }
    }

    /// Runs `body` as if instances were not live.
    func withoutLive<Result>(_ instances: [Instance], _ body: ([Instance]) -> Result) -> Result {
        let live = instances.filter { $0.slot.live === $0 }
        for instance in live { instance.slot.live = nil }
        defer {
            for instance in live { instance.slot.live = instance }
            forgetShared()
        }
        return body(instances)
    }

    /// Whether the child could share an instance of its parent instead of one of its own.
    func canShare(inPlaceOf own: Instance, in state: ContextState) -> Bool {
        if case .shared = sharing(inPlaceOf: own, in: state) { true } else { false }
    }

    private func sharing(inPlaceOf own: Instance, in state: ContextState) -> Sharing {
        // The child keeps an instance that is older than its parent's.
        guard let above = inherited(own.slot, in: state), above.order < own.order else { return .differing(Reads()) }
        if own.slot.live !== own { return sharing(of: above, in: state, withReads: false) }
        return withoutLive([own]) { _ in sharing(of: above, in: state, withReads: false) }
    }

    /// Notes the answers because of which an instance that a start has made is not shared from the parent.
    func noteDifference(of instance: Instance, in state: ContextState) {
        guard isChild, !isOpened(instance.slot), case .differing(let reads) = sharing(inPlaceOf: instance, in: state),
            !reads.isEmpty
        else { return }
        instance.reads.differences = [reads]
    }

    /// Notes another difference that requires an instance of the child, if the noted differences no longer exist.
    ///
    /// The first one stays noted, because a pop brings it back, together with the instance.
    private func renewDifference(of instance: Instance) {
        guard let first = instance.reads.differences.first, hasLostDifferences(instance) else { return }
        guard case .differing(let new) = sharing(inPlaceOf: instance, in: state), !new.isEmpty else { return }
        unregister(instance, instance.reads)
        instance.reads.differences = [first, new]
        register(instance, instance.reads)
    }

    /// The instance of a context above for a slot.
    ///
    /// If a part is passed, an overtaken request looks for an instance to use instead of it. See
    /// ``valid(_:in:insteadOf:)``.
    private func inherited(_ slot: Slot, in state: ContextState, insteadOf part: Instance? = nil) -> Instance? {
        if let kept = kept(slot, in: state) { return kept }
        guard let parent else { return nil }
        let given = parentSlot(of: slot).flatMap { parent.core.given($0) }
        if state === self.state { return given }
        // The module of an instance that an overtaken request is given may have been unloaded.
        let outer = parent.core.slot(like: slot)
        // The instance may have been lent to the request.
        if let above = state.above, let lent = parent.core.valid(outer, in: above, insteadOf: part) { return lent }
        // An overtaken request cannot make an instance that has an asynchronous factory closure.
        var left = given.map { [$0] } ?? []
        for core in lineage.dropFirst() {
            left += core.everyInstance(of: core === parent.core ? outer : core.slot(like: slot), in: state)
        }
        // What was read in other contexts than those above is not compared by `shares`.
        var moment = Moment(of: self, state)
        let found = left.older(than: part).first { $0.box != nil && shares($0, in: state) && moment.isValid($0) }
        return found ?? (part == nil ? given : nil)
    }

    /// The selections to evaluate before this context knows whether it gives an instance of the parent for a slot.
    func selectionQuestions(toShare slot: Slot, in state: ContextState) -> [SelectionQuestion] {
        guard !family.selecting.isEmpty, !isOpened(slot), let core = parent?.core, let outer = parentSlot(of: slot)
        else { return [] }
        let above = core.selectionQuestions(toShare: outer, in: core.state)
        if !above.isEmpty { return above }
        guard let instance = core.given(outer), state !== self.state || !isKnownToBeShared(instance)
        else { return [] }
        var questions: [SelectionQuestion] = []
        var seen: IdentitySet = []
        var open = [instance]
        while let next = open.popLast() {
            guard seen.insert(next.identity).inserted else { continue }
            open += next.reads.instances
            for selection in next.reads.cells.compactMap(\.selected) {
                let undecided = selection.undecided(of: state.holders(of: selection.type).candidates)
                if !undecided.isEmpty { questions.append((selection, undecided)) }
            }
        }
        return questions
    }

    func isOpened(_ slot: Slot) -> Bool {
        guard case .held(let scope) = slot.record.lifetime else { return false }
        return opened.contains(scope)
    }

    /// The parent's slot for the same registration, decorators, and aliases, if the parent has all of them.
    func parentSlot(of slot: Slot, in above: ContextState? = nil) -> Slot? {
        guard let core = parent?.core, core.isInForce(slot, in: above ?? core.state) else { return nil }
        return core.slot(like: slot)
    }

    /// The slot of this context for the same registration, decorators, and aliases as a slot of another one.
    func slot(like other: Slot) -> Slot {
        switch other.layer {
        case .registration: slot(of: other.record)
        case .decorator(let decorator, let inner): outer(.decorator(decorator, around: slot(like: inner)))
        case .alias(let alias, let inner): outer(.alias(alias, of: slot(like: inner)))
        }
    }

    /// The slot of the same registration, decorators, and aliases, if it has not been cut off.
    func knownSlot(like other: Slot) -> Slot? {
        guard let inner = other.inner, let layer = other.layer.identity else {
            return tables.slots[ObjectIdentifier(other.record)]
        }
        return knownSlot(like: inner)?.outer[layer]
    }

    /// Whether a child shares an instance of its parent.
    enum Sharing {
        /// It does. The value contains the reads of the instance and of everything that it was made from, as cells of
        /// the child, if they were requested.
        case shared(Reads)
        /// It does not, because these answers differ, if they are known.
        case differing(Reads)
    }

    /// Everything that an instance of the parent was made from, as cells of this context, or nil if an answer differs
    /// here.
    func sharedReads(of instance: Instance, in state: ContextState) -> Reads? {
        if case .shared(let reads) = sharing(of: instance, in: state, withReads: true) { reads } else { nil }
    }

    /// Whether everything that an instance of the parent was made from has the same answers here.
    func shares(_ instance: Instance, in state: ContextState) -> Bool {
        if case .shared = sharing(of: instance, in: state, withReads: false) { true } else { false }
    }

    private func sharing(of instance: Instance, in state: ContextState, withReads isCollecting: Bool) -> Sharing {
        let isCurrent = state === self.state
        let isKnown = isCurrent && isKnownToBeShared(instance)
        if isKnown, !isCollecting { return .shared(Reads()) }
        var translation = Translation(to: self, state, withReads: isCollecting)
        guard translation.include(instance) else { return .differing(translation.reads) }
        if isCurrent { for identity in translation.shared { tables.shared.insert(identity) } }
        return .shared(translation.reads)
    }

    private func isKnownToBeShared(_ instance: Instance) -> Bool {
        if tables.sharedSince != family.removalCount {
            forgetShared()
            tables.sharedSince = family.removalCount
        }
        return tables.shared.contains(instance.identity)
    }

    /// Forgets which instances of the parent are shared.
    ///
    /// They are found again when they are needed.
    func forgetShared() {
        if !tables.shared.isEmpty { tables.shared = [] }
        if tables.sharedCells.isEmpty { return }
        let cells = tables.sharedCells.takeAll()
        for cell in cells { cell.unpublish() }
        discard(cells)
    }

    /// The differences because of which this context gives another instance instead of the parent's; nil if it does not
    /// give another one.
    func differencesOfAnother(than instance: Instance, in state: ContextState) -> [Reads]? {
        // A value that is decoded from the same settings is the same in every context. For an instance that was held
        // weakly and has ended, only its reads count.
        if instance.slot.isDecoded || instance.hasEnded { return nil }
        if givesKept(insteadOf: instance, in: state) { return [] }
        return knownSlot(like: instance.slot).flatMap { differencesOfOwn($0, in: state) }
    }

    /// The differences that require this context to have its own instance, which exists or is being made by a request
    /// of this thread; nil if there is no such instance.
    func differencesOfOwn(_ slot: Slot, in state: ContextState) -> [Reads]? {
        // An overtaken request may be given an instance that it could not make.
        if slot.isDecoded || state !== self.state { return nil }
        if let own = valid(slot, in: state) { return own.reads.differences }
        if slot.makings.isEmpty { return nil }
        let thread = ThreadRecord.current
        return slot.makings.first { $0.thread === thread && $0.session.state === state }?.recorder.reads.differences
    }

    /// Whether the parent would also have made an instance that was made here in an overtaken state.
    ///
    /// Only the request uses such an instance, because the child gives the parent's.
    func isInherited(_ instance: Instance, in state: ContextState) -> Bool {
        if parent == nil { return false }
        // The parent would also have made the instances that wait for injections together with it.
        var group: IdentityTable<Instance> = [:]
        var open = [instance]
        while let next = open.popLast() {
            if group.updateValue(next, forKey: next.identity) != nil { continue }
            if isOpened(next.slot) || next.status != .pending { return false }
            open += next.reads.instances.filter { $0.slot.owner == identity }
        }
        var lineup = state.lineup
        let own = ownRoots(in: lineup)
        if !own.isEmpty { lineup = lineup.removing(own) }
        // If the child keeps its settings, the parent may have others.
        if let above = parentCore?.state.lineup, keptLoad != nil, !above.base.isIdentical(to: lineup.base) {
            lineup = lineup.replacingBase(above.loadedSettings, revision: above.baseRevision)
        }
        if lineup === state.lineup { return true }
        let parents = ContextState(revision: state.revision, lineup)
        return group.values.allSatisfy { ownReadsHold(of: $0, in: parents) }
    }

    /// Whether a registration is unaffected here, as far as this is known before its instance is made.
    ///
    /// The reads of a factory closure at run time are known only after it has run.
    func mayShare(_ slot: Slot, in state: ContextState, _ above: ContextState) -> Bool {
        guard let parent = parent?.core else { return false }
        var comparison = ParentComparison(core: self, state, parent: parent, above)
        return comparison.isSame(slot)
    }

    /// The loads and pushes of this context itself, the latest first.
    func ownRoots(in lineup: Lineup) -> [Lineup.Root] {
        isChild ? lineup.latestRoots(at: level) : lineup.roots
    }
}
