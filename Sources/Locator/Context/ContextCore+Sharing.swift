internal import LocatorProperties

/// What a child shares with its parent: every instance that its modules and scopes do not affect.
extension ContextCore {
    /// An instance from the parent, made there where it was not, or nil where this context must have its own.
    ///
    /// Then what is answered differently here, and shows only when the parent's is made, counts for its own.
    func obtainFromParent(
        _ slot: Slot, _ request: Request, in session: Session, on thread: ThreadRecord, differing: inout Reads
    ) throws(LocatorError) -> AnyBox? {
        guard isChild, !isOpened(slot) else { return nil }
        let (above, hasSelections) = locked { (parent, !family.selecting.isEmpty) }
        guard let parent = above else { return nil }
        if hasSelections { askSelections(toShare: slot, in: session.state) }
        let recorder = thread.recorder(of: self)
        func share(_ state: ContextState) -> AnyBox? {
            guard valid(slot, in: state) == nil, let instance = inherited(slot, in: state) else { return nil }
            guard agrees(instance, with: session) else { return nil }
            guard let box = instance.box, let reads = sharedReads(of: instance, in: state, differing: &differing) else {
                return nil
            }
            use(instance, of: slot, in: session)
            recorder?.reads.add(instance)
            recorder?.reads.add(reads)
            return box
        }
        let (box, wanted) = locked { () -> (AnyBox?, Slot?) in
            if let instance = wasGiven(slot, to: session) {
                recorder?.reads.add(instance)
                if instance.slot.owner != ObjectIdentifier(self),
                    let reads = sharedReads(of: instance, in: session.state, differing: &differing)
                {
                    recorder?.reads.add(reads)
                }
                return (instance.box, nil)
            }
            if let box = share(session.state) { return (box, nil) }
            // For whoever asks in a state that has been overtaken the parent makes what it gives now; whether that is the
            // same shows then.
            guard valid(slot, in: session.state) == nil, session.state === state || valid(slot, in: state) == nil else {
                return (nil, nil)
            }
            guard let outer = parentSlot(of: slot), parent.core.given(outer) == nil else { return (nil, nil) }
            // What is made for an alias that the parent has, too, the parent has been asked for already, over the alias.
            if let making = thread.frames.last?.making, case .alias(_, let inner) = making.slot.layer, inner === slot,
                parentSlot(of: making.slot) != nil
            {
                return (nil, nil)
            }
            return (nil, mayShare(slot) ? outer : nil)
        }
        if let box { return box }
        guard let wanted else { return nil }
        // What is made there counts for the asker only where it is given.
        let probe = Recorder(core: parent.core)
        thread.frames.append(Frame(session: session, recorder: probe))
        defer { thread.frames.removeLast() }
        do throws(LocatorError) {
            let made = try parent.core.inSession(request) { (session, thread) throws(LocatorError) in
                try parent.core.obtain(wanted, request, in: session, on: thread)
            }
            askSelections(toShare: slot, in: session.state)
            // What it read at run time may be affected after all; then this context makes its own. What is held weakly
            // lives until then.
            return withExtendedLifetime(made) { locked { share(session.state) } }
        } catch {
            let isShared = locked {
                sharesFailure(after: probe.reads, in: session.state, noting: recorder, differing: &differing)
            }
            if isShared { throw error }
            return nil
        }
    }

    /// Whether an instance of the parent was made from what the request was given already.
    ///
    /// What was made before the request began was given from then on.
    ///
    /// The caller holds the lock.
    private func agrees(_ instance: Instance, with session: Session) -> Bool {
        var open = [instance]
        var seen: IdentitySet = []
        while let next = open.popLast() {
            guard next.order > session.instancesBefore, seen.insert(next.identity).inserted else { continue }
            if let slot = knownSlot(like: next.slot), let given = session.used[slot], given !== next { return false }
            open += next.reads.instances
        }
        return true
    }

    /// Whether a making that has failed in the parent would fail here, too; then what it read counts for the asker, who
    /// may catch the error.
    ///
    /// The caller holds the lock.
    private func sharesFailure(
        after failed: Reads, in state: ContextState, noting recorder: Recorder?, differing: inout Reads
    ) -> Bool {
        var reads = Reads()
        var seen: IdentitySet = []
        guard let parentCore, translate(failed, of: ObjectIdentifier(parentCore), in: state, to: &reads, &seen) else {
            differing = reads
            return false
        }
        recorder?.reads.add(reads)
        recorder?.reads.join(failed)
        return true
    }

    /// The instance that would be given for a slot, without making any.
    ///
    /// The caller holds the lock.
    func given(_ slot: Slot) -> Instance? {
        if let own = valid(slot, in: state) { return own }
        guard parent != nil, !isOpened(slot), let instance = inherited(slot, in: state) else { return nil }
        var differing = Reads()
        return sharedReads(of: instance, in: state, differing: &differing) == nil ? nil : instance
    }

    /// The parent's instance that is given for a slot here, with what it depends on, where it was made.
    ///
    /// The caller holds the lock.
    func sharedWithParent(_ slot: Slot) -> (instance: Instance, reads: Reads)? {
        guard !isOpened(slot), let instance = inherited(slot, in: state) else { return nil }
        var differing = Reads()
        return sharedReads(of: instance, in: state, differing: &differing).map { (instance, $0) }
    }

    private func inherited(_ slot: Slot, in state: ContextState) -> Instance? {
        if let kept = kept(slot, in: state) { return kept }
        guard let parent, let outer = parentSlot(of: slot) else { return nil }
        // The request may have been lent it.
        if let above = state.above, let lent = parent.core.valid(outer, in: above) { return lent }
        let given = parent.core.given(outer)
        if state === self.state { return given }
        // A request that was overtaken cannot make what has an asynchronous maker.
        var differing = Reads()
        if let given, sharedReads(of: given, in: state, differing: &differing) != nil { return given }
        let left = family.limbo.instances(of: outer) + parent.core.keptForChildren(of: outer, in: state)
        return left.first {
            $0.box != nil && sharedReads(of: $0, in: state, differing: &differing) != nil
        } ?? given
    }

    /// What has to be asked before it is known whether an instance of the parent is given for a slot.
    ///
    /// The caller holds the lock.
    func selectionQuestions(toShare slot: Slot, in state: ContextState) -> [SelectionQuestion] {
        guard !family.selecting.isEmpty, !isOpened(slot), let core = parent?.core, let outer = parentSlot(of: slot)
        else { return [] }
        let above = core.selectionQuestions(toShare: outer, in: core.state)
        if !above.isEmpty { return above }
        guard let instance = core.given(outer), state !== self.state || shared[instance.identity] == nil else {
            return []
        }
        var questions: [SelectionQuestion] = []
        var seen: IdentitySet = []
        var open = [instance]
        while let next = open.popLast() {
            guard seen.insert(next.identity).inserted else { continue }
            open += next.reads.instances
            for selection in next.reads.cells.compactMap(\.selected) {
                let undecided = selection.undecided(of: state.holders(of: selection.type).candidates)
                if !undecided.isEmpty { questions.append(.init(selection: selection, candidates: undecided)) }
            }
        }
        return questions
    }

    func isOpened(_ slot: Slot) -> Bool {
        guard case .held(let scope) = slot.record.lifetime else { return false }
        return opened.contains(scope)
    }

    /// The parent's slot of the same registration, decorators and aliases, where the parent has them all.
    private func parentSlot(of slot: Slot) -> Slot? {
        guard let core = parent?.core, core.isInForce(slot, in: core.state) else { return nil }
        switch slot.layer {
        case .registration:
            return core.slot(of: slot.record)
        case .decorator(let decorator, let inner):
            guard let inner = parentSlot(of: inner) else { return nil }
            return core.outer(of: inner, ObjectIdentifier(decorator), .decorator(decorator, around: inner))
        case .alias(let alias, let inner):
            guard let inner = parentSlot(of: inner) else { return nil }
            return core.outer(of: inner, ObjectIdentifier(alias), .alias(alias, of: inner))
        }
    }

    /// All that an instance of the parent was made from, as cells of this context, or nil where something answers
    /// differently here.
    func sharedReads(of instance: Instance, in state: ContextState, differing: inout Reads) -> Reads? {
        let isCurrent = state === self.state
        if sharedSince != family.removalCount {
            shared = [:]
            sharedSince = family.removalCount
        }
        if isCurrent, let reads = shared[instance.identity] { return reads }
        var reads = Reads()
        var seen: IdentitySet = []
        guard translate(instance, in: state, to: &reads, &seen) else {
            differing = reads
            return nil
        }
        if isCurrent { shared[instance.identity] = reads }
        return reads
    }

    /// - Parameter isNeeded: Whether something was made of the instance that this context cannot make.
    private func translate(
        _ instance: Instance, isNeeded: Bool = false, in state: ContextState, to reads: inout Reads,
        _ seen: inout IdentitySet
    ) -> Bool {
        guard seen.insert(instance.identity).inserted else { return true }
        if isOpened(instance.slot) || !isNeeded && hasAnother(than: instance, in: state) {
            reads = Reads()
            return false
        }
        if let scope = instance.slot.record.lifetime.openableScope {
            reads.add(Reads.ScopeRead(owner: ObjectIdentifier(self), scope: scope))
        }
        let needsParts = isNeeded || instance.slot.record.isAsynchronous && keptLoadHere != nil
        return translate(
            instance.reads, of: instance.slot.owner, areNeeded: needsParts, in: state, to: &reads, &seen)
    }

    /// Whether this context gives something else for the slot of an instance of the parent.
    private func hasAnother(than instance: Instance, in state: ContextState) -> Bool {
        // What is decoded from the same settings is the same, wherever that was done.
        if instance.slot.record.run == nil { return false }
        if let keptLoad, keptLoad.keepsAnother(than: instance) { return true }
        return knownSlot(like: instance.slot).map { hasOwn($0, in: state) } ?? false
    }

    /// Whether this context has an instance of its own, or one that waits for its injections in a request of this thread.
    private func hasOwn(_ slot: Slot, in state: ContextState) -> Bool {
        // A request that was overtaken may be given what it could not make.
        if slot.record.run == nil || state !== self.state { return false }
        if valid(slot, in: state) != nil { return true }
        if slot.makings.isEmpty { return false }
        let thread = ThreadRecord.current
        return slot.makings.contains { $0.thread === thread && $0.session.state === state }
    }

    /// What was read for something of a context above this one; false, and what differs, where it would read otherwise
    /// here.
    private func translate(
        _ read: Reads, of owner: ObjectIdentifier, areNeeded: Bool = false, in state: ContextState,
        to reads: inout Reads, _ seen: inout IdentitySet
    ) -> Bool {
        // What it read of another context, over a wrapper that belongs to it, it would read there from here, too.
        for read in read.cells where read.cell.owner == owner {
            let cell = node(of: read.cell.type).cell(read.cell.query)
            let answer = answer(of: cell, in: state)
            guard read.isSame(in: answer) else {
                reads = Reads()
                reads.add(cell, answer, read.taken(of: answer) == nil ? nil : read.selected)
                return false
            }
            reads.add(cell, answer, read.selected)
        }
        for read in read.properties where read.cell.owner == owner {
            let cell = properties.cell(of: read.cell.path, owner: self)
            let lookup = lookup(cell, in: state)
            guard lookup.hasSameAnswer(as: read.lookup) else {
                reads = Reads()
                reads.add(cell, lookup)
                return false
            }
            reads.add(cell, lookup)
        }
        for read in read.scopes where read.owner == owner {
            guard !opened.contains(read.scope) else {
                reads = Reads()
                return false
            }
            reads.add(Reads.ScopeRead(owner: ObjectIdentifier(self), scope: read.scope))
        }
        // What the instances of other contexts were made from is among its own reads, as far as it shared them.
        return read.instances.allSatisfy {
            $0.slot.owner != owner || translate($0, isNeeded: areNeeded, in: state, to: &reads, &seen)
        }
    }

    /// Whether what was made here in an overtaken state is what the parent would have made, too.
    ///
    /// Such an instance is for the request alone: the child gives the parent's. The caller holds the lock.
    func isInherited(_ instance: Instance, in state: ContextState) -> Bool {
        guard parent != nil, !isOpened(instance.slot) else { return false }
        let hasOwnParts = instance.reads.instances.contains {
            $0 !== instance && $0.slot.owner == ObjectIdentifier(self)
        }
        if hasOwnParts { return false }
        var lineup = state.lineup
        let own = ownRoots(in: lineup)
        if !own.isEmpty { lineup = lineup.removing(own) }
        // The parent of a child that keeps its settings may have others.
        if let above = parentCore?.state.lineup, keptLoad != nil, !above.base.isIdentical(to: lineup.base) {
            lineup = lineup.replacingBase(above.base, revision: above.baseRevision)
        }
        if lineup === state.lineup { return true }
        return ownReadsHold(of: instance, in: ContextState(revision: state.revision, lineup))
    }

    /// Whether what is known of a registration before it is made is unaffected here.
    ///
    /// What a maker decides at run time shows only when it has run. The caller holds the lock.
    func mayShare(_ slot: Slot) -> Bool {
        guard parent != nil else { return false }
        var seen: IdentitySet = []
        return mayShare(slot, &seen)
    }

    private func mayShare(_ slot: Slot, _ seen: inout IdentitySet) -> Bool {
        guard seen.insert(ObjectIdentifier(slot)).inserted else { return true }
        guard !isOpened(slot), parentSlot(of: slot) != nil, !hasOwn(slot, in: state) else { return false }
        switch slot.layer {
        case .registration:
            let record = slot.record
            if let path = record.configurationPath, !isSame(property: path) { return false }
            let injected = record.injections.flatMap { $0.parameters }
            return dependenciesAreSame(record.parameters, record.parameterQualifiers, &seen)
                && dependenciesAreSame(injected, [], &seen)
        case .decorator(let decorator, let inner):
            return mayShare(inner, &seen)
                && dependenciesAreSame(decorator.decorate.parameters, decorator.parameterQualifiers, &seen)
        case .alias(_, let inner):
            return mayShare(inner, &seen)
        }
    }

    private func dependenciesAreSame(
        _ parameters: [any Any.Type], _ parameterQualifiers: [Qualifier?], _ seen: inout IdentitySet
    ) -> Bool {
        for (position, parameter) in parameters.enumerated() {
            let qualifier = parameterQualifiers.isEmpty ? nil : parameterQualifiers[position]
            let demand = Demand(parameter: parameter)
            if !demand.kind.isNeededWhileMaking { continue }
            guard isSame(demand.type, demand.shape.query, qualifier, &seen) else { return false }
        }
        return true
    }

    private func isSame(
        _ type: any Any.Type, _ kind: Cell.Query.Kind, _ qualifier: Qualifier?, _ seen: inout IdentitySet
    ) -> Bool {
        guard let core = parent?.core else { return false }
        var name: String?
        switch qualifier?.content {
        case nil: break
        case .name(let text): name = text
        case .property(let path):
            guard isSame(property: path), case .success(let value) = state.properties.lookup(path).result else {
                return false
            }
            name = value?.stringValue
        }
        let query = Cell.Query(kind: kind, qualifier: name)
        let own = answer(of: node(of: type).cell(query), in: state)
        guard own.isSame(as: core.answer(of: core.node(of: type).cell(query), in: core.state)) else { return false }
        switch own {
        case .missing, .ambiguous, .payloadNeeded, .offers: return true
        case .slot(let slot): return mayShare(slot, &seen)
        case .elements(let elements): return elements.allSatisfy { mayShare($0.slot, &seen) }
        }
    }

    private func isSame(property path: String) -> Bool {
        parent?.core.state.properties.hasSameAnswer(as: state.properties, at: path) ?? false
    }

    /// The loads and pushes of this context itself, the latest first.
    func ownRoots(in lineup: Lineup) -> [Lineup.Root] {
        isChild ? lineup.latestRoots(at: level) : lineup.roots
    }
}
