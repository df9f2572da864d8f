internal import Synchronization

/// Answering requests in a lean child, and making its instances.
extension ChildCore {
    /// Answers a request in a lean child: an outermost request, or a request of the factory closure that runs on the
    /// thread.
    ///
    /// Returns nil if the request has to be answered like any other. `isKept` means that the caller keeps the context
    /// alive.
    ///
    /// A request of a factory closure is noted, because the instance depends on the answer. For a parameter, that is
    /// not necessary, because the registration says what it reads.
    func readLean(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace, isNoted: Bool = true,
        isKept: Bool = false
    ) throws(LocatorError) -> LeanAnswer? {
        // Unretained, because each request of a lean child comes here.
        return try ThreadRecord.Unretained.current(threadKey)._withUnsafeGuaranteedRef { thread in
            Result { () throws(LocatorError) in
                try readLean(type, qualifier, location, isNoted: isNoted, isKept: isKept, on: thread)
            }
        }.get()
    }

    private func readLean(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace, isNoted: Bool, isKept: Bool,
        on thread: ThreadRecord
    ) throws(LocatorError) -> LeanAnswer? {
        guard mayReadLean(on: thread) else { return nil }
        var name = qualifier?.name
        var revision: UInt?
        if let path = qualifier?.path {
            // An error of a lean request would show a secret qualifier.
            guard let lookup = readLean(path, on: thread)?.lookup, !lookup.isMasked,
                case .success(let value?) = lookup.result, let text = value.stringValue
            else { return nil }
            name = text
            revision = thread.lean.revision
        }
        let isOutermost = thread.frames.isEmpty
        let isNoted = isNoted && !isOutermost
        // If nothing can be found, `prepare` adds what is missing, and the second round finds it.
        for isPrepared in [false, true] {
            let found = find(WarmKey(type, named: name), isNoted: isNoted, at: revision, on: thread)
            if isOutermost {
                if case .slot(let slot) = found {
                    thread.lean.begin(type, name, location, revision: thread.lean.revision, isLent: true)
                    return .box(try runOutermost(slot, isKept: isKept, on: thread).get())
                }
                endLean(on: thread)
            }
            switch found {
            // Its recipe runs in a request.
            case .answer(.recipe) where isOutermost: return nil
            case .answer(let answer): return answer
            case .slot(let slot): return .box(try run(slot, on: thread).get())
            case nil: break
            }
            if isPrepared { return nil }
            let given = prepare(type, name, isOutermost: isOutermost, on: thread)
            // The answer may belong to another state than the setting.
            if !isNoted, revision == nil, let given { return .box(given) }
        }
        return nil
    }

    /// Whether the thread may read something in this context while it is lean: in a factory closure of the context, or
    /// outside of any request.
    func mayReadLean(on thread: ThreadRecord) -> Bool {
        // Relaxed suffices: the flag is read again with the lock held.
        guard isChild, isLean.load(ordering: .relaxed), !isObserved else { return false }
        return isUnrecorded(on: thread) && !thread.isInLeanRequest || thread.isInLentRequest(of: self)
    }

    /// Begins a lean request in the state that the child has followed, unless the thread is in one.
    ///
    /// This marks the thread as a reader. Returns whether it has begun a request.
    @discardableResult
    func beginLean(on thread: ThreadRecord) -> Bool {
        guard thread.frames.isEmpty else { return false }
        thread.lean.revision = followed.load(ordering: .sequentiallyConsistent)
        thread.beginLeanRequest(of: family.number, branch, at: thread.lean.revision)
        return true
    }

    /// Makes the instance of an outermost request with this context as the current one, and ends the request.
    private func runOutermost(
        _ slot: Unmanaged<Slot>, isKept: Bool, on thread: ThreadRecord
    ) -> Result<AnyBox, LocatorError> {
        if !AppContext.isCurrent(self) {
            return withExtendedLifetime(isKept ? nil : representative) {
                AppContext.entering(contextOf: self) { runOutermost(slot, isKept: isKept, on: thread) }
            }
        }
        let result = run(slot, on: thread)
        let failure = endSession(on: thread)
        endLean(on: thread)
        if case .success = result, let failure { return .failure(failure) }
        return result
    }

    /// What a lean child has for a request.
    enum LeanFound {
        case answer(LeanAnswer)
        /// The thread has to make the instance of this slot.
        case slot(Unmanaged<Slot>)
    }

    /// Finds the answer to a request within the lean request of the thread, or claims the making of the instance.
    ///
    /// If the request is an outermost one, this begins the lean request, and the caller ends it.
    ///
    /// Returns nil if nothing is found, or if the child or the parent has changed. With `isNoted`, the request is noted
    /// for the instance whose factory closure made the request. With `revision`, the answer must belong to that state.
    func find(
        _ key: WarmKey, isNoted: Bool, at revision: UInt? = nil, on thread: ThreadRecord
    ) -> LeanFound? {
        find(key.type, isQualified: key.name != nil, isNoted: isNoted, at: revision, on: thread) { $0.warmCell(key) }
    }

    /// Does the same for the parent's cell that a closure finds.
    private func find(
        _ type: ObjectIdentifier, isQualified: Bool, isNoted: Bool, at revision: UInt? = nil, on thread: ThreadRecord,
        in cellOf: (ContextCore) -> Unmanaged<Cell>?
    ) -> LeanFound? {
        guard let parent = unmanagedParentCore else { preconditionFailure("Only a child is lean") }
        let isPushed = isLayered && hasPushed(type)
        let result = parent._withUnsafeGuaranteedRef { parent -> (cell: Unmanaged<Cell>?, content: LeanFound?)? in
            let read = WarmRead(begunOn: thread)
            defer { read.end() }
            beginLean(on: thread)
            if let revision, revision != thread.lean.revision { return nil }
            // Modules pushed for a lean child register no qualifiers, and a note has no cell for their types.
            if isPushed, isQualified || isNoted { return nil }
            let cell = isPushed ? nil : cellOf(parent)
            let content = cell.flatMap { found(in: $0) }
            switch content {
            case .answer: break
            case nil where !isPushed: return nil
            // The making must record what it reads from the contexts above. Wrappers of this context always use the slow
            // path.
            case .slot, nil: parent.recordingHold.take(parent.stamp)
            }
            // The cell is read first: a change invalidates the cell's answer before it advances the stamp, and looks at
            // the marks after that.
            guard parent.stamp.nowInOrder.revision == thread.lean.revision else { return nil }
            if isNoted, let cell { retainLent(cell.toOpaque()) }
            return (cell, content)
        }
        guard let (cell, content) = result else { return nil }
        if isNoted, let cell, !note(cell.takeRetainedValue(), on: thread) { return nil }
        switch content {
        // The answer is read first: the child becomes full before anything changes in it.
        case .answer(let answer): return isLean.load(ordering: .sequentiallyConsistent) ? .answer(answer) : nil
        case .slot(let slot): return claim(slot, orPushed: type, on: thread)
        case nil: return claim(nil, orPushed: type, on: thread)
        }
    }

    /// What a cell of the parent has for the child, for a marked reader in a lean request: an answer, or the slot for
    /// which the child has or makes its own instance.
    private func found(in cell: Unmanaged<Cell>) -> LeanFound? {
        let answer = cell._withUnsafeGuaranteedRef { $0.ready }
        if let found = answer.found ?? answer.box, !answer.isScoped, isUnaffected(cell) {
            if answer.isRecipe { return .answer(.recipe(Cell.Ready.recipe(found))) }
            if found == Cell.missing { return .answer(.missing) }
            retainLent(found)
            return .answer(.box(Unmanaged<AnyBox>.fromOpaque(found).takeRetainedValue()))
        }
        return cell._withUnsafeGuaranteedRef { $0.lentSlot }.map { .slot($0) }
    }

    /// The child's slot for a type that it has pushed a registration of.
    ///
    /// The caller holds the child's own lock.
    private func pushedSlot(of type: ObjectIdentifier) -> Unmanaged<Slot>? {
        layer?.slot(of: type, in: self).map(Unmanaged.passUnretained)
    }

    /// Returns the existing instance, or claims its making for this thread, so that it is made only once.
    ///
    /// The instance is that of the parent's slot. If there is none, it is that of the child's slot for a pushed type.
    /// Returns nil if a lean child cannot give it.
    @inline(__always)
    private func claim(
        _ lent: Unmanaged<Slot>?, orPushed type: ObjectIdentifier, on thread: ThreadRecord
    ) -> LeanFound? {
        var isLayer = false
        if let lent {
            if !lent._withUnsafeGuaranteedRef(isOpened) { return nil }
            isLayer = lent._withUnsafeGuaranteedRef { $0.isLayer }
            // A decorator or an alias may wrap a type that the child pushes.
            if isLayer, isLayered { return nil }
        }
        return leanLock.withLock { () -> LeanFound? in
            // Relaxed suffices for both: they are changed with the lock held. Everything that the child makes belongs
            // to one state.
            guard isLean.load(ordering: .relaxed), followed.load(ordering: .relaxed) == thread.lean.revision,
                let slot = lent ?? pushedSlot(of: type)
            else { return nil }
            if let index = lean.index(of: slot) {
                // A lean child cannot handle a cycle or another thread's making.
                return lean.give(index).map { .answer(.box($0.takeRetainedValue())) }
            }
            // An input that is not among the instances was not passed.
            if lean.isCrowded || !isLayer && slot._withUnsafeGuaranteedRef({ $0.record.isInput }) { return nil }
            let record = slot._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.record) }
            // The request keeps the slot until the child keeps it.
            if isLayer { lean.keep(slot.takeUnretainedValue()) }
            lean.append(
                .init(slot: slot, record: record, isLayer: isLayer, box: nil, thread: .passUnretained(thread)))
            return .slot(slot)
        }
    }

    /// The instance of a lean child for a parameter in a lean request, which the child makes if necessary.
    @inline(never)
    func lentInstance(_ cell: Unmanaged<Cell>, on thread: ThreadRecord) throws(LocatorError) -> AnyBox? {
        if thread.lean.session != nil || isObserved { return nil }
        let (type, isQualified) = cell._withUnsafeGuaranteedRef { ($0.identity, $0.isQualified) }
        switch find(type, isQualified: isQualified, isNoted: false, on: thread, in: { _ in cell }) {
        case .answer(.box(let box)): return box
        case .slot(let slot): return try run(slot, on: thread).get()
        case .answer, nil: return nil
        }
    }

    /// Adds what is missing for a lean child to answer a request, or returns an instance of the parent that answers it.
    @inline(never)
    private func prepare(
        _ type: any Any.Type, _ name: String?, isOutermost: Bool, on thread: ThreadRecord
    ) -> AnyBox? {
        guard let parent = unmanagedParentCore else { return nil }
        var overtaken: ContextState?
        family.lock.lock()
        defer {
            unlock()
            withExtendedLifetime(overtaken) {}
        }
        return parent._withUnsafeGuaranteedRef { parent in
            if isOutermost {
                let isRenewed = leanLock.withLock {
                    guard isLean.load(ordering: .relaxed) else { return false }
                    overtaken = renewState(from: parent)
                    return state === parent.state
                }
                if !isRenewed { return nil }
            } else if parent.state.revision != thread.lean.revision {
                return nil
            }
            return parent.lend(type, name, isUnaffected)
        }
    }

    /// Takes over the parent's state in a lean child that has made nothing, and returns the earlier state.
    ///
    /// Returns nil if that is not possible or not necessary. The caller holds both locks, and releases the earlier
    /// state after releasing the locks.
    func renewState(from parent: ContextCore) -> ContextState? {
        // A module that comes first in one state may not come first in another.
        guard state !== parent.state, lean.count == 0, layer == nil, !parent.isClosed,
            keptLoad?.base.isIdentical(to: parent.state.lineup.base) ?? true
        else { return nil }
        let overtaken = state
        state = parent.state
        stamp.advance(to: state.revision)
        noteFollowed()
        return overtaken
    }

    /// Makes the claimed instance.
    func run(_ slot: Unmanaged<Slot>, on thread: ThreadRecord) -> Result<AnyBox, LocatorError> {
        let isTooDeep = thread.stack.isReached
        thread.frames.append(Frame(lean: slot, of: .passUnretained(self)))
        return conclude(
            slot, isTooDeep ? .failure(slot.takeUnretainedValue().tooDeep(on: thread)) : makeClaimed(slot, on: thread),
            on: thread)
    }

    private func makeClaimed(_ slot: Unmanaged<Slot>, on thread: ThreadRecord) -> Result<AnyBox, LocatorError> {
        let recipe = slot._withUnsafeGuaranteedRef { $0.recipe }
        let plan = recipe?._withUnsafeGuaranteedRef { $0.plan }
        var call = MakerCall(.passUnretained(self), thread, of: slot, plan: plan)
        do {
            guard let recipe else {
                return .success(try makeWithoutRecipe(slot.takeUnretainedValue(), &call, on: thread))
            }
            if let boxType = slot._withUnsafeGuaranteedRef({ $0.boxType }) {
                return .success(try boxType.make(by: recipe, &call))
            }
            return .success(try slot._withUnsafeGuaranteedRef { try $0.makeBox(&call) })
        } catch {
            noteFailure(of: slot, at: call.position, on: thread)
            return .failure(Self.failure(of: slot, error))
        }
    }

    /// Makes an instance of a registration that the child has pushed, or of a decorator or an alias.
    @inline(never)
    private func makeWithoutRecipe(
        _ slot: Slot, _ call: inout MakerCall, on thread: ThreadRecord
    ) throws -> AnyBox {
        if let inner = slot.inner { return try slot.wrap(try part(inner, on: thread), in: self, on: thread) }
        if case .instance(let box) = slot.record.production { return box }
        return try slot.makeBox(&call)
    }

    /// Returns the instance that a decorator or an alias wraps.
    private func part(_ slot: Slot, on thread: ThreadRecord) throws(LocatorError) -> AnyBox {
        switch claim(.passUnretained(slot), orPushed: ObjectIdentifier(slot.record.key.type), on: thread) {
        case .answer(.box(let box)):
            return box
        case .slot(let slot):
            return try run(slot, on: thread).get()
        case .answer, nil:
            // This makes the child full.
            guard let session = thread.session(of: self) else { preconditionFailure("A request was lost") }
            return try session.obtain(locked { self.slot(like: slot) }, session.request, on: thread)
        }
    }

    /// Stores the instance in the lean child, or in the full child that it has become.
    @inline(__always)
    private func conclude(
        _ slot: Unmanaged<Slot>, _ outcome: Result<AnyBox, LocatorError>, on thread: ThreadRecord
    ) -> Result<AnyBox, LocatorError> {
        if keep(slot, outcome, on: thread) {
            thread.frames.removeLast()
            return outcome
        }
        return concludeInFull(outcome, on: thread)
    }

    /// Stores the instance in the full child that the lean one has become.
    @inline(never)
    private func concludeInFull(
        _ outcome: Result<AnyBox, LocatorError>, on thread: ThreadRecord
    ) -> Result<AnyBox, LocatorError> {
        // This gives the frame its making.
        _ = thread.session(of: self)
        guard let making = thread.frames.last?.making else { preconditionFailure("A lean making was lost") }
        endRecording()
        thread.frames.removeLast()
        return Result { () throws(LocatorError) in
            try making.conclude(with: outcome, noting: thread.recorder(of: self))
        }
    }

    /// Stores the outcome of a making.
    ///
    /// Returns false if the child has become full.
    private func keep(
        _ slot: Unmanaged<Slot>, _ outcome: Result<AnyBox, LocatorError>, on thread: ThreadRecord
    ) -> Bool {
        leanLock.withLock {
            // Relaxed suffices: the flag is changed with the lock held.
            guard isLean.load(ordering: .relaxed) else { return false }
            guard let index = lean.index(of: slot) else { preconditionFailure("A lean making was lost") }
            guard case .success(let box) = outcome else {
                lean.remove(at: index, requestedFor: thread.leanSlot(of: self, without: 1))
                return true
            }
            lean.keep(.passRetained(box), at: index)
            slot._withUnsafeGuaranteedRef { $0.noteBoxType(type(of: box)) }
            return true
        }
    }
}
