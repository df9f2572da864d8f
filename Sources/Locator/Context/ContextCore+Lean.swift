internal import Synchronization

/// Making instances in a lean child.
extension ContextCore {
    /// The instance of an opened scope that answers a request in a lean child.
    ///
    /// Gives nil where the request is to be answered like any other.
    func leanInstance(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace, of context: AppContext? = nil
    ) throws(LocatorError) -> AnyBox? {
        // Relaxed suffices: it is looked at again with the lock held.
        guard isLean.load(ordering: .relaxed) else { return nil }
        var name: String?
        switch qualifier?.content {
        case nil: break
        case .name(let text): name = text
        case .property: return nil
        }
        return try ThreadRecord.Unretained.current(threadKey)._withUnsafeGuaranteedRef { thread in
            leanInstance(type, name, location, of: context, on: thread)
        }?.get()
    }

    private func leanInstance(
        _ type: any Any.Type, _ name: String?, _ location: SourcePlace, of context: AppContext?,
        on thread: ThreadRecord
    ) -> Result<AnyBox, LocatorError>? {
        let isOutermost = thread.frames.isEmpty
        if isOutermost {
            guard isNotedNowhere(on: thread) else { return nil }
        } else {
            guard thread.isInLentRequest(of: self) else { return nil }
        }
        let isBound = !isOutermost || AppContext.isCurrent(self)
        if !isBound, context == nil { return nil }
        switch claim(type, name, location, isOutermost: isOutermost, on: thread) {
        case .other:
            return nil
        case .made(let box):
            return .success(box.takeRetainedValue())
        case .claimed(let slot, let boxType):
            guard !isBound else { return run(slot, boxType, isOutermost: isOutermost, on: thread) }
            return AppContext.entering(contextOf: self) { run(slot, boxType, isOutermost: isOutermost, on: thread) }
        }
    }

    private enum Claim {
        /// Not to be answered here.
        case other
        /// Made before, and retained; see ``ShortLock``.
        case made(Unmanaged<AnyBox>)
        /// To be made by this thread, from the parent's slot, in a box of this type where it is known.
        case claimed(Unmanaged<Slot>, AnyBox.Type?)
    }

    /// Finds the instance, or lays claim to its making, so that it is made once.
    private func claim(
        _ type: any Any.Type, _ name: String?, _ location: SourcePlace, isOutermost: Bool, on thread: ThreadRecord
    ) -> Claim {
        guard !isObserved, let parent = unmanagedParentCore else { return .other }
        if isLayered, hasPushed(ObjectIdentifier(type)) {
            // What is pushed for a child has no names. If the parent has changed, that is to be followed first.
            guard name == nil, find(in: parent, isOutermost: isOutermost, on: thread, { _ in true }) != nil else {
                return .other
            }
            let claim = claim(on: thread) {
                layer?.slot(of: ObjectIdentifier(type), in: self).map(Unmanaged.passUnretained)
            }
            return begin(claim, type, name, location, isOutermost: isOutermost, on: thread)
        }
        // Once, and again after what was missing was made up for.
        for _ in 0..<2 {
            if let slot = findLentSlot(type, name, in: parent, isOutermost: isOutermost, on: thread) {
                let claim = claim(slot, on: thread)
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

    /// Goes on with what was claimed in the request that was begun, which ends if there is nothing to be made.
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

    /// Whether the child has pushed something for a type, as long as it is lean.
    // Not inlined: most children push nothing.
    @inline(never)
    private func hasPushed(_ type: ObjectIdentifier) -> Bool {
        if pushedTypes.isDisjoint(with: TypeGroups(type)) { return false }
        return leanLock.withLock { layer?.has(type) ?? false }
    }

    /// Whether what is ready for a cell of the parent was made from nothing that the child pushes.
    @inline(__always)
    private func isUnaffected(_ cell: Unmanaged<Cell>) -> Bool {
        !isLayered || cell._withUnsafeGuaranteedRef { pushedTypes.isDisjoint(with: $0.typeGroups.current) }
    }

    /// Whether an instance of the parent was made from nothing that the child pushes.
    ///
    /// Groups of types can be the same by chance: then it is looked up. The caller holds the lock of the family.
    private func isUnaffected(_ instance: Instance) -> Bool {
        // Relaxed suffices: a child that has become full or has ended in between has nothing to compare with.
        !isLayered || instance.wasMade(without: pushedTypes, hasPushed) && isLean.load(ordering: .relaxed)
    }

    /// The parent's slot that answers a request, without a lock, where it is known; it is kept for as long as the request
    /// runs, which begins by this.
    @inline(__always)
    private func findLentSlot(
        _ type: any Any.Type, _ name: String?, in parent: Unmanaged<ContextCore>, isOutermost: Bool,
        on thread: ThreadRecord
    ) -> Unmanaged<Slot>? {
        find(in: parent, isOutermost: isOutermost, on: thread) { parent in
            parent.warmCell(of: type, named: name)?._withUnsafeGuaranteedRef { $0.lentSlot }
        }
    }

    /// What is found in the parent without a lock, where the parent has not changed; a request begins by this.
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
            if isOutermost { thread.beginLeanRequest(of: family.number, at: thread.lean.revision) }
            // What the making reads of the contexts above has to be noted; the wrappers of this one always ask.
            parent.recordingHold.take(parent.stamp)
            // The slot first: a change takes it back before it moves the stamp on, and looks at the marks after that.
            let isOfNow = parent.stamp.nowInOrder.revision == thread.lean.revision
            read.end()
            if isOfNow { return found }
            if isOutermost { endLean(on: thread) }
            return nil
        }
    }

    /// Lays claim to the making of an instance of the parent's slot, or gives the one that was made.
    @inline(__always)
    private func claim(_ slot: Unmanaged<Slot>, on thread: ThreadRecord) -> Claim {
        guard slot._withUnsafeGuaranteedRef(isOpened) else { return .other }
        return claim(on: thread) { slot }
    }

    /// Lays claim to the making of an instance, or gives the one that was made; `slot` is called with the lock held.
    @inline(__always)
    private func claim(on thread: ThreadRecord, _ slot: () -> Unmanaged<Slot>?) -> Claim {
        leanLock.withLock {
            // Relaxed suffices, twice: they are changed with the lock held. Everything it makes is of one state.
            guard isLean.load(ordering: .relaxed), followed.load(ordering: .relaxed) == thread.lean.revision,
                let slot = slot()
            else { return .other }
            if let index = lean.index(of: slot) {
                // A circle, or another thread's making, needs more.
                return lean.give(index).map(Claim.made) ?? .other
            }
            // An input that is not among the instances was not handed in.
            if lean.isCrowded || slot._withUnsafeGuaranteedRef({ $0.record.isInput }) { return .other }
            let record = slot._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.record) }
            lean.append(.init(slot: slot, record: record, box: nil, thread: .passUnretained(thread)))
            lean.runningCount += 1
            return .claimed(slot, slot._withUnsafeGuaranteedRef { $0.boxType })
        }
    }

    /// What a lean child has for a parameter in a lean request: what was handed in, or made before.
    @inline(never)
    func lentInstance(_ cell: Unmanaged<Cell>, on thread: ThreadRecord) -> AnyBox? {
        guard thread.lean.session == nil, !isObserved, let parent = unmanagedParentCore else { return nil }
        let type = cell._withUnsafeGuaranteedRef { $0.identity }
        if isLayered, hasPushed(type) {
            if cell._withUnsafeGuaranteedRef({ $0.isQualified }) { return nil }
            return lentInstance(in: parent, on: thread) {
                layer?.slot(of: type, in: self).map(Unmanaged.passUnretained)
            }
        }
        // The slot first: a change takes it back before it moves the stamp on. So it is that of the instances here.
        guard let slot = cell._withUnsafeGuaranteedRef({ $0.lentSlot }) else { return nil }
        return lentInstance(in: parent, on: thread) { slot }
    }

    /// The instance of a slot that was handed in or made before; `slot` is called with the lock held.
    @inline(__always)
    private func lentInstance(
        in parent: Unmanaged<ContextCore>, on thread: ThreadRecord, _ slot: () -> Unmanaged<Slot>?
    ) -> AnyBox? {
        guard parent._withUnsafeGuaranteedRef({ $0.stamp.nowInOrder.revision }) == thread.lean.revision else {
            return nil
        }
        let box = leanLock.withLock { () -> Unmanaged<AnyBox>? in
            // Relaxed suffices, twice: see `claim`.
            guard isLean.load(ordering: .relaxed), followed.load(ordering: .relaxed) == thread.lean.revision,
                let slot = slot()
            else { return nil }
            return lean.index(of: slot).flatMap { lean.give($0) }
        }
        return box?.takeRetainedValue()
    }

    private enum Prepared {
        /// A slot that can be found now.
        case found
        /// An instance of the parent.
        case given(AnyBox)
        case nothing
    }

    /// Makes up for what is missing to answer a request in a lean child.
    @inline(never)
    private func prepare(
        _ type: any Any.Type, _ name: String?, in parent: Unmanaged<ContextCore>, isOutermost: Bool,
        on thread: ThreadRecord
    ) -> Prepared {
        var overtaken: ContextState?
        family.lock.lock()
        defer {
            family.lock.unlock()
            withExtendedLifetime(overtaken) {}
        }
        return parent._withUnsafeGuaranteedRef { parent in
            if isOutermost {
                guard renewLean(from: parent, &overtaken) else { return .nothing }
            } else if parent.state.revision != thread.lean.revision {
                return .nothing
            }
            if parent.addLentSlot(type, name) { return .found }
            return parent.boxToLend(type, name, isUnaffected).map(Prepared.given) ?? .nothing
        }
    }

    /// Takes over the state of the parent for a lean child that has made nothing.
    ///
    /// Gives false where that cannot be done. The caller holds the lock of the family, and lets go of the state before
    /// without it.
    private func renewLean(from parent: ContextCore, _ overtaken: inout ContextState?) -> Bool {
        leanLock.withLock {
            guard isLean.load(ordering: .relaxed) else { return false }
            if state === parent.state { return true }
            // What is pushed in front of one state may not be in front of another.
            if lean.count > 0 || layer != nil || parent.isClosed || !mayTakeOver(parent.state) { return false }
            overtaken = state
            takeOver(parent.state)
            return true
        }
    }

    /// Takes over a state of the parent; the caller holds both locks.
    func takeOver(_ state: ContextState) {
        self.state = state
        stamp.advance(to: state.revision)
        noteFollowed()
    }

    /// Lets children find the slot that answers a request without a lock, where they can make instances of it from what is
    /// ready here.
    ///
    /// The caller holds the lock.
    private func addLentSlot(_ type: any Any.Type, _ name: String?) -> Bool {
        let cell = node(of: type).cell(Cell.Query(kind: .single, qualifier: name))
        guard case .slot(let slot) = answer(of: cell, in: state), slot.canBeLean else { return false }
        if !slot.hasRecipe { slot.addRecipe(cells: parameterCells(of: slot)) }
        if !cell.isInWarmTable { insert(cell) }
        cell.lend(slot)
        return true
    }

    /// The instance that is given to children, where it is made; other answers are made ready, for the next child.
    ///
    /// The caller holds the lock.
    @inline(never)
    private func boxToLend(
        _ type: any Any.Type, _ name: String?, _ isUnaffected: (Instance) -> Bool
    ) -> AnyBox? {
        let cell = node(of: type).cell(Cell.Query(kind: .single, qualifier: name))
        let answer = answer(of: cell, in: state)
        makeAnswerReady(answer, of: cell)
        // What is ready the parent can tell later, when it has changed; see `given(likeSlot:in:)`.
        guard case .slot(let slot) = answer, cell.ready.box != nil, let instance = slot.live, !instance.isScoped,
            isUnaffected(instance)
        else { return nil }
        return instance.box
    }

    /// Makes what was claimed.
    private func run(
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
        guard let recipe = slot._withUnsafeGuaranteedRef({ $0.recipe }) else {
            return makePushed(slot.takeUnretainedValue(), on: thread)
        }
        let plan = recipe._withUnsafeGuaranteedRef { $0.plan }
        var call = MakerCall(.passUnretained(self), thread, of: slot, plan: plan)
        do {
            if let boxType { return .success(try boxType.make(by: recipe, &call)) }
            return .success(try slot._withUnsafeGuaranteedRef { try $0.makeBox(call) })
        } catch let error as LocatorError {
            return .failure(error)
        } catch {
            return .failure(Self.failure(of: slot, error))
        }
    }

    /// Makes what the child has pushed.
    @inline(never)
    private func makePushed(_ slot: Slot, on thread: ThreadRecord) -> Result<AnyBox, LocatorError> {
        if case .instance(let box) = slot.record.production { return .success(box) }
        do {
            return .success(try slot.makeBox(MakerCall(.passUnretained(self), thread, of: .passUnretained(slot))))
        } catch let error as LocatorError {
            return .failure(error)
        } catch {
            return .failure(Self.failure(of: .passUnretained(slot), error))
        }
    }

    /// Keeps what was made, in the lean child, or in the full one that it has become.
    @inline(__always)
    private func conclude(
        _ slot: Unmanaged<Slot>, _ outcome: Result<AnyBox, LocatorError>, on thread: ThreadRecord
    ) -> Result<AnyBox, LocatorError> {
        if keep(slot, outcome) {
            thread.frames.removeLast()
            return outcome
        }
        return concludeInFull(outcome, on: thread)
    }

    /// Keeps what was made in the full child that the lean one has become.
    @inline(never)
    private func concludeInFull(
        _ outcome: Result<AnyBox, LocatorError>, on thread: ThreadRecord
    ) -> Result<AnyBox, LocatorError> {
        // The frame gets its making.
        _ = thread.session(of: self)
        guard let making = thread.frames.last?.making else { preconditionFailure("A lean making was lost") }
        endRecording()
        thread.frames.removeLast()
        do throws(LocatorError) {
            return .success(try conclude(making, with: outcome, noting: thread.recorder(of: self)))
        } catch {
            return .failure(error)
        }
    }

    /// Gives false where the child is a full one.
    private func keep(_ slot: Unmanaged<Slot>, _ outcome: Result<AnyBox, LocatorError>) -> Bool {
        leanLock.withLock {
            // Relaxed suffices: it is changed with the lock held.
            guard isLean.load(ordering: .relaxed) else { return false }
            guard let index = lean.index(of: slot) else { preconditionFailure("A lean making was lost") }
            lean.runningCount -= 1
            guard case .success(let box) = outcome else {
                lean.remove(at: index)
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

/// What a lean child gives that is ready in its parent.
extension ContextCore {
    /// The stamp of the parent, whose answers a lean child gives.
    var lentStamp: ContextStamp? {
        // Sequentially consistent: the child becomes full before it changes; see `Limbo`.
        isLean.load(ordering: .sequentiallyConsistent) ? parentCore?.stamp : nil
    }

    /// What is ready in the parent of a lean child, for a marked reader, and the stamp from before it was found.
    @inline(never)
    func lentAnswer(_ hash: UInt, where matches: (Cell) -> Bool) -> (Cell.Ready, ContextStamp.Value)? {
        unmanagedParentCore?._withUnsafeGuaranteedRef { parent in
            let stamp = parent.stamp.nowInOrder
            guard followed.load(ordering: .sequentiallyConsistent) == stamp.revision, !isObserved,
                let cell = parent.warmCell(hash, where: matches)
            else { return nil }
            let answer = cell._withUnsafeGuaranteedRef { $0.ready }
            // The stamp again, after what the answer was made from: see `Cell.typeGroups`.
            guard !answer.isScoped, isUnaffected(cell),
                !isLayered || parent.stamp.nowInOrder.revision == stamp.revision
            else { return nil }
            // The answer first: the child becomes full before anything changes in it.
            return isLean.load(ordering: .sequentiallyConsistent) ? (answer, stamp) : nil
        }
    }

    /// What is ready for a request by type and name in the parent of a lean child.
    func lentValue<Value>(_ type: Value.Type, _ qualifier: Qualifier?) -> Value? {
        let read: WarmRead?
        switch qualifier?.content {
        case nil: read = beginWarmRead(type)
        case .name(let name): read = beginWarmRead(type, qualifier: name)
        case .property: read = nil
        }
        return read?.takeIfRegistered(as: type)
    }

    /// What is ready for a parameter in a lean request that the parent's answers serve.
    func lentArgument(
        _ cell: Unmanaged<Cell>, _ ready: Cell.Ready, on thread: ThreadRecord
    ) -> UnsafeRawPointer? {
        if ready.isScoped || thread.lean.session != nil || !isUnaffected(cell) { return nil }
        let stamp = unmanagedParentCore?._withUnsafeGuaranteedRef { $0.stamp.nowInOrder }
        return stamp?.revision == thread.lean.revision ? ready.found : nil
    }
}

extension ThreadRecord {
    /// Whether this thread makes something in a lean child, and needed no session yet.
    fileprivate func isInLentRequest(of core: ContextCore) -> Bool {
        guard lean.isLent, lean.session == nil, let last = frames.last else { return false }
        return last.isLean && last.isOf(core)
    }
}

extension Slot {
    /// Whether it is of a scope that a child may open, and an instance can be made from ready answers alone, with
    /// nothing to be done afterwards.
    fileprivate var canBeLean: Bool {
        guard case .registration = layer, record.lifetime.openableScope != nil else { return false }
        switch record.production {
        case .synchronous: return record.isolation == .none && record.injections.isEmpty
        case .input: return true
        case .asynchronous, .instance: return false
        }
    }
}
