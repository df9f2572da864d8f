internal import Synchronization

/// Making instances in a lean child.
extension ContextCore {
    /// Returns the instance of an opened scope that answers a request in a lean child.
    ///
    /// Returns nil if the request has to be answered like any other. `isKept` means that the caller keeps the context.
    /// `isParameter` means that the request is for a parameter, so that the registration tells what it reads.
    func leanInstance(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace, isKept: Bool = false,
        isParameter: Bool = false
    ) throws(LocatorError) -> AnyBox? {
        // Relaxed suffices: the flag is read again with the lock held.
        guard isLean.load(ordering: .relaxed), qualifier?.path == nil else { return nil }
        return try ThreadRecord.Unretained.current(threadKey)._withUnsafeGuaranteedRef { thread in
            leanInstance(type, qualifier?.name, location, isKept: isKept, isParameter: isParameter, on: thread)
        }?.get()
    }

    private func leanInstance(
        _ type: any Any.Type, _ name: String?, _ location: SourcePlace, isKept: Bool, isParameter: Bool,
        on thread: ThreadRecord
    ) -> Result<AnyBox, LocatorError>? {
        let isOutermost = thread.frames.isEmpty
        if isOutermost {
            guard isUnrecorded(on: thread) else { return nil }
        } else {
            guard isParameter, thread.isInLentRequest(of: self) else { return nil }
        }
        switch claim(type, name, location, isOutermost: isOutermost, on: thread) {
        case .other:
            return nil
        case .made(let box):
            return .success(box.takeRetainedValue())
        case .claimed(let slot, let boxType):
            if !isOutermost || AppContext.isCurrent(self) {
                return run(slot, boxType, isOutermost: isOutermost, on: thread)
            }
            return withExtendedLifetime(isKept ? nil : representative) {
                AppContext.entering(contextOf: self) { run(slot, boxType, isOutermost: isOutermost, on: thread) }
            }
        }
    }

    enum Claim {
        /// The request cannot be answered here.
        case other
        /// An existing instance, retained; see ``ShortLock``.
        case made(Unmanaged<AnyBox>)
        /// This thread has to make the instance from the parent's slot. The type of its box is passed if it is known.
        case claimed(Unmanaged<Slot>, AnyBox.Type?)
    }

    /// Finds the instance, or claims its making for this thread, so that it is made only once.
    private func claim(
        _ type: any Any.Type, _ name: String?, _ location: SourcePlace, isOutermost: Bool, on thread: ThreadRecord
    ) -> Claim {
        guard !isObserved, let parent = unmanagedParentCore else { return .other }
        if isLayered, hasPushed(ObjectIdentifier(type)) {
            // Modules pushed for a lean child register no qualifiers. If the parent has changed, the child has to
            // follow first.
            guard name == nil, find(in: parent, isOutermost: isOutermost, on: thread, { _ in true }) != nil else {
                return .other
            }
            let claim = claim(nil, orPushed: ObjectIdentifier(type), on: thread)
            return begin(claim, type, name, location, isOutermost: isOutermost, on: thread)
        }
        // If the slot cannot be found, `prepare` adds what is missing, and the second round finds it.
        for _ in 0..<2 {
            // This finds the parent's slot without a lock, and begins the request, which keeps the slot while it runs.
            let slot = find(in: parent, isOutermost: isOutermost, on: thread) { parent in
                parent.warmCell(of: type, named: name)?._withUnsafeGuaranteedRef { $0.lentSlot }
            }
            if let slot {
                let claim = claim(slot, orPushed: ObjectIdentifier(type), on: thread)
                return begin(claim, type, name, location, isOutermost: isOutermost, on: thread)
            }
            switch prepare(type, name, in: parent, isOutermost: isOutermost, on: thread) {
            case .found: continue
            case .given(let box): return .made(.passRetained(box))
            case .nothing: return .other
            }
        }
        return .other
    }

    /// Continues the request with what was claimed, or ends it if there is nothing to make.
    @inline(__always)
    private func begin(
        _ claim: Claim, _ type: any Any.Type, _ name: String?, _ location: SourcePlace, isOutermost: Bool,
        on thread: ThreadRecord
    ) -> Claim {
        guard isOutermost else { return claim }
        if case .claimed = claim {
            thread.lean.begin(type, name, location, revision: thread.lean.revision, isLent: true)
        } else {
            endLean(on: thread)
        }
        return claim
    }

    /// Looks something up in the parent without a lock, if the parent has not changed.
    ///
    /// This begins a request.
    @inline(__always)
    private func find<Found>(
        in parent: Unmanaged<ContextCore>, isOutermost: Bool, on thread: ThreadRecord,
        _ found: (ContextCore) -> Found?
    ) -> Found? {
        if isOutermost { thread.lean.revision = followed.load(ordering: .sequentiallyConsistent) }
        return parent._withUnsafeGuaranteedRef { parent -> Found? in
            let read = WarmRead(begunOn: thread)
            guard let found = found(parent) else {
                read.end()
                return nil
            }
            if isOutermost { thread.beginLeanRequest(of: family.number, branch, at: thread.lean.revision) }
            // The making must record what it reads from the contexts above. Wrappers of this context always use the
            // slow path.
            parent.recordingHold.take(parent.stamp)
            // The slot is read first: a change takes it back before it advances the stamp, and looks at the marks after
            // that.
            let isOfNow = parent.stamp.nowInOrder.revision == thread.lean.revision
            read.end()
            if isOfNow { return found }
            if isOutermost { endLean(on: thread) }
            return nil
        }
    }

    /// The child's slot for a type that it has pushed a registration of.
    ///
    /// The caller holds the child's own lock.
    private func pushedSlot(of type: ObjectIdentifier) -> Unmanaged<Slot>? {
        layer?.slot(of: type, in: self).map(Unmanaged.passUnretained)
    }

    /// Claims the making of an instance, or returns the existing one.
    ///
    /// The instance is that of the parent's slot, or if there is none, that of the child's slot for a pushed type.
    @inline(__always)
    func claim(_ lent: Unmanaged<Slot>?, orPushed type: ObjectIdentifier, on thread: ThreadRecord) -> Claim {
        var isLayer = false
        if let lent {
            if !lent._withUnsafeGuaranteedRef(isOpened) { return .other }
            isLayer = lent._withUnsafeGuaranteedRef { $0.isLayer }
            // What the child pushes may be what a decorator or an alias stands on.
            if isLayer, isLayered { return .other }
        }
        return leanLock.withLock {
            // Relaxed suffices for both: they are changed with the lock held. Everything that the child makes belongs
            // to one state.
            guard isLean.load(ordering: .relaxed), followed.load(ordering: .relaxed) == thread.lean.revision,
                let slot = lent ?? pushedSlot(of: type)
            else { return .other }
            if let index = lean.index(of: slot) {
                // A lean child cannot handle a circle or another thread's making.
                return lean.give(index).map(Claim.made) ?? .other
            }
            // An input that is not among the instances was not passed.
            if lean.isCrowded || !isLayer && slot._withUnsafeGuaranteedRef({ $0.record.isInput }) { return .other }
            let record = slot._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.record) }
            // The request keeps the slot until the child does.
            if isLayer { lean.keep(slot.takeUnretainedValue()) }
            lean.append(
                .init(slot: slot, record: record, isLayer: isLayer, box: nil, thread: .passUnretained(thread)))
            lean.runningCount += 1
            return .claimed(slot, slot._withUnsafeGuaranteedRef { $0.boxType })
        }
    }

    /// The instance that a lean child has for a parameter in a lean request: a passed input, or an existing instance.
    @inline(never)
    func lentInstance(_ cell: Unmanaged<Cell>, on thread: ThreadRecord) -> AnyBox? {
        guard thread.lean.session == nil, !isObserved, let parent = unmanagedParentCore else { return nil }
        let type = cell._withUnsafeGuaranteedRef { $0.identity }
        var lent: Unmanaged<Slot>?
        if isLayered, hasPushed(type) {
            if cell._withUnsafeGuaranteedRef({ $0.isQualified }) { return nil }
        } else {
            // The slot is read first: a change takes it back before it advances the stamp. So the instances here belong
            // to this slot.
            lent = cell._withUnsafeGuaranteedRef { $0.lentSlot }
            if lent == nil { return nil }
        }
        guard parent._withUnsafeGuaranteedRef({ $0.stamp.nowInOrder.revision }) == thread.lean.revision else {
            return nil
        }
        let box = leanLock.withLock { () -> Unmanaged<AnyBox>? in
            // Relaxed suffices for both: see `claim`.
            guard isLean.load(ordering: .relaxed), followed.load(ordering: .relaxed) == thread.lean.revision,
                let slot = lent ?? pushedSlot(of: type)
            else { return nil }
            return lean.index(of: slot).flatMap { lean.give($0) }
        }
        return box?.takeRetainedValue()
    }

    enum Prepared {
        /// The slot can be found now.
        case found
        /// An instance of the parent.
        case given(AnyBox)
        case nothing
    }

    /// Adds what is missing for a lean child to answer a request.
    @inline(never)
    @discardableResult
    func prepare(
        _ type: any Any.Type, _ name: String?, in parent: Unmanaged<ContextCore>, isOutermost: Bool,
        on thread: ThreadRecord
    ) -> Prepared {
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
                if !isRenewed { return .nothing }
            } else if parent.state.revision != thread.lean.revision {
                return .nothing
            }
            if parent.addLentSlot(type, name) { return .found }
            return parent.boxToLend(type, name, isUnaffected).map(Prepared.given) ?? .nothing
        }
    }

    /// Takes over the parent's state in a lean child that has made nothing, and returns the earlier state.
    ///
    /// Returns nil if that is not possible or not necessary. The caller holds both locks, and releases the earlier
    /// state after giving them back.
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
    func run(
        _ slot: Unmanaged<Slot>, _ boxType: AnyBox.Type?, isOutermost: Bool, on thread: ThreadRecord
    ) -> Result<AnyBox, LocatorError> {
        let isTooDeep = thread.stack.isReached
        thread.frames.append(Frame(lean: slot, of: .passUnretained(self)))
        let outcome =
            isTooDeep
            ? .failure(slot.takeUnretainedValue().tooDeep(on: thread)) : makeClaimed(slot, boxType, on: thread)
        let result = conclude(slot, outcome, on: thread)
        if !isOutermost { return result }
        let failure = endSession(on: thread)
        endLean(on: thread)
        if case .success = result, let failure { return .failure(failure) }
        return result
    }

    private func makeClaimed(
        _ slot: Unmanaged<Slot>, _ boxType: AnyBox.Type?, on thread: ThreadRecord
    ) -> Result<AnyBox, LocatorError> {
        do {
            guard let recipe = slot._withUnsafeGuaranteedRef({ $0.recipe }) else {
                return .success(try makeWithoutRecipe(slot.takeUnretainedValue(), on: thread))
            }
            let plan = recipe._withUnsafeGuaranteedRef { $0.plan }
            var call = MakerCall(.passUnretained(self), thread, of: slot, plan: plan)
            if let boxType { return .success(try boxType.make(by: recipe, &call)) }
            return .success(try slot._withUnsafeGuaranteedRef { try $0.makeBox(call) })
        } catch {
            return .failure(Self.failure(of: slot, error))
        }
    }

    /// Makes an instance of a registration that the child has pushed, or of a decorator or an alias.
    @inline(never)
    private func makeWithoutRecipe(_ slot: Slot, on thread: ThreadRecord) throws -> AnyBox {
        if let inner = slot.inner { return try slot.wrap(try part(inner, on: thread), in: self, on: thread) }
        if case .instance(let box) = slot.record.production { return box }
        return try slot.makeBox(MakerCall(.passUnretained(self), thread, of: .passUnretained(slot)))
    }

    /// Returns the instance that a decorator or an alias stands on.
    private func part(_ slot: Slot, on thread: ThreadRecord) throws(LocatorError) -> AnyBox {
        switch claim(.passUnretained(slot), orPushed: ObjectIdentifier(slot.record.key.type), on: thread) {
        case .made(let box):
            return box.takeRetainedValue()
        case .claimed(let slot, let boxType):
            return try run(slot, boxType, isOutermost: false, on: thread).get()
        case .other:
            // This makes the child full.
            guard let session = thread.session(of: self) else { preconditionFailure("A request was lost") }
            return try session.obtain(locked { self.slot(like: slot) }, session.request, on: thread)
        }
    }

    /// Stores what was made in the lean child, or in the full child that it has become.
    @inline(__always)
    private func conclude(
        _ slot: Unmanaged<Slot>, _ outcome: Result<AnyBox, LocatorError>, on thread: ThreadRecord
    ) -> Result<AnyBox, LocatorError> {
        if keep(slot, outcome, on: thread) {
            thread.frames.removeLast()
            if case .failure = outcome { noteParameters(ofFailed: slot, on: thread) }
            return outcome
        }
        return concludeInFull(outcome, on: thread)
    }

    /// Stores what was made in the full child that the lean one has become.
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
            lean.runningCount -= 1
            guard case .success(let box) = outcome else {
                lean.remove(at: index, requestedFor: thread.leanSlot(of: self, without: 1))
                return true
            }
            lean.keep(.passRetained(box), at: index)
            slot._withUnsafeGuaranteedRef { slot in
                slot.noteBoxType(type(of: box))
                if !slot.record.disposals.isEmpty { lean.hasDisposals = true }
            }
            return true
        }
    }
}
