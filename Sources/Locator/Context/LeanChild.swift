internal import Synchronization

/// What a child has that nothing was asked of but instances of the scopes it opened: these instances alone.
///
/// Such a child is cheap to open, to use and to end, as a server does it for every request. It has no state, no cells
/// and no slots of its own: what is ready in its parent is given here too, and what it makes itself is made from the
/// parent's registrations. What an instance of it was made from, which a change must know, follows from these. As soon
/// as anything else is asked of it, and before its parent changes, it becomes a full child, as if it had been one from
/// the start.
///
/// Guarded by the lock of the family.
struct LeanChild {
    struct Made {
        /// The parent's slot.
        let slot: Slot
        let box: AnyBox
        let order: UInt
    }

    struct Running {
        /// The parent's slot.
        let slot: Slot
        let thread: ThreadRecord
        /// What was asked for first, and where.
        let key: Key
        let location: SourceLocation
    }

    /// The context; it lives at least until it is closed, which takes the lock.
    // Unsafe: used with the lock held and before the context is closed.
    var handle: Unmanaged<AppContext>?
    var instances: [Made] = []
    var makings: [Running] = []
    /// Whether something runs when an instance ends.
    var hasHooks = false
}

/// Making instances in a lean child.
extension ContextCore {
    /// The instance of an opened scope that answers a request in a lean child.
    ///
    /// Gives nil where the request is to be answered like any other.
    func leanInstance(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourceLocation, of context: AppContext? = nil
    ) throws(LocatorError) -> AnyBox? {
        // Relaxed suffices: it is looked at again with the lock held.
        guard isLean.load(ordering: .relaxed) else { return nil }
        var name: String?
        switch qualifier?.content {
        case nil: break
        case .name(let text): name = text
        case .property: return nil
        }
        let thread = ThreadRecord.current
        let isOutermost = thread.frames.isEmpty
        if !isOutermost { guard thread.isInLentRequest(of: self) else { return nil } }
        let isBound = !isOutermost || AppContext.isCurrent(self)
        if !isBound, context == nil { return nil }
        let key = Key(type, qualifier: name)
        switch claim(key, location, isOutermost: isOutermost, on: thread) {
        case .other:
            return nil
        case .made(let box):
            return box
        case .claimed(let slot):
            guard !isBound, let context else { return try run(slot, isOutermost: isOutermost, on: thread).get() }
            return try AppContext.entering(context) { run(slot, isOutermost: isOutermost, on: thread) }.get()
        }
    }

    private enum Claim {
        /// Not to be answered here.
        case other
        /// Made before.
        case made(AnyBox)
        /// To be made by this thread, from the parent's slot.
        case claimed(Slot)
    }

    /// Finds the instance, or lays claim to its making, so that it is made once.
    private func claim(
        _ key: Key, _ location: SourceLocation, isOutermost: Bool, on thread: ThreadRecord
    ) -> Claim {
        family.lock.lock()
        defer { family.lock.unlock() }
        // Relaxed suffices: it is changed with the lock held.
        guard isLean.load(ordering: .relaxed), !isObserved, let parentCore,
            let slot = parentCore.leanSlot(of: key), isOpened(slot)
        else { return .other }
        for made in lean.instances where made.slot === slot { return .made(made.box) }
        // A circle, or another thread's making, needs more.
        for running in lean.makings where running.slot === slot { return .other }
        if isOutermost {
            // Sequentially consistent, and before a change can come, because the lock is held: see `Limbo`.
            thread.family.pointee.store(family.number, ordering: .sequentiallyConsistent)
            thread.lean.begin(key.type, key.qualifier, location, revision: state.revision, isLent: true)
        }
        lean.makings.append(.init(slot: slot, thread: thread, key: key, location: location))
        return .claimed(slot)
    }

    /// The slot that answers a request, where its shared instance can be made from ready answers alone.
    ///
    /// The caller holds the lock.
    private func leanSlot(of key: Key) -> Slot? {
        let cell = node(of: key.type).cell(Cell.Query(kind: .single, qualifier: key.qualifier))
        guard case .slot(let slot) = answer(of: cell, in: state), slot.canBeLean else { return nil }
        if slot.plan == nil { slot.planParameters(cells: parameterCells(of: slot)) }
        return slot
    }

    /// Makes what was claimed.
    private func run(
        _ slot: Slot, isOutermost: Bool, on thread: ThreadRecord
    ) -> Result<AnyBox, LocatorError> {
        thread.frames.append(Frame(lean: .passUnretained(slot), of: self))
        let outcome = makeClaimed(slot, on: thread)
        let result = conclude(slot, outcome, on: thread)
        if !isOutermost { return result }
        let failure = endSessionOfLean(on: thread)
        endLean(on: thread)
        if case .success = result, let failure { return .failure(failure) }
        return result
    }

    private func makeClaimed(_ slot: Slot, on thread: ThreadRecord) -> Result<AnyBox, LocatorError> {
        do {
            return .success(try slot.makeBox(MakerCall(self, thread, plan: slot.plan)))
        } catch let error as LocatorError {
            return .failure(error)
        } catch {
            let request = Request(key: slot.key, location: SourceLocation())
            return .failure(LocatorError(.makerFailed(slot.key, error), request, thread))
        }
    }

    /// Keeps what was made, in the lean child, or in the full one that it has become.
    private func conclude(
        _ slot: Slot, _ outcome: Result<AnyBox, LocatorError>, on thread: ThreadRecord
    ) -> Result<AnyBox, LocatorError> {
        if keep(slot, outcome) {
            thread.frames.removeLast()
            return outcome
        }
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
    private func keep(_ slot: Slot, _ outcome: Result<AnyBox, LocatorError>) -> Bool {
        family.lock.lock()
        defer { family.lock.unlock() }
        // Relaxed suffices: it is changed with the lock held.
        guard isLean.load(ordering: .relaxed) else { return false }
        lean.makings.removeAll { $0.slot === slot }
        guard case .success(let box) = outcome else { return true }
        family.instanceCount += 1
        lean.instances.append(.init(slot: slot, box: box, order: family.instanceCount))
        if !slot.record.disposals.isEmpty || !slot.record.shutdowns.isEmpty { lean.hasHooks = true }
        return true
    }

    /// Ends a lean child; gives false where it has more to do than to let go of its instances.
    func closeLean() -> Bool {
        family.lock.lock()
        guard isLean.load(ordering: .relaxed), lean.makings.isEmpty, !lean.hasHooks, !isObserved else {
            family.lock.unlock()
            return false
        }
        isClosed = true
        // Relaxed suffices: nobody asks a context any more that ends, and what is asked through its shell takes the lock.
        isLean.store(false, ordering: .relaxed)
        parentCore?.children.remove(self)
        var instances = lean.instances
        lean = LeanChild()
        state = .ended
        let ended = parent
        parent = nil
        family.lock.unlock()
        ThreadRecord.current.outsideOfMakings {
            while let last = instances.popLast() { withExtendedLifetime(last) {} }
            withExtendedLifetime(ended) {}
        }
        return true
    }
}

/// What a lean child gives that is ready in its parent.
extension ContextCore {
    /// The stamp of the parent, whose answers a lean child gives.
    var lentStamp: ContextStamp? {
        // Sequentially consistent: a change of the child makes it full before it looks at the marks; see `Limbo`.
        isLean.load(ordering: .sequentiallyConsistent) ? parentCore?.stamp : nil
    }

    /// What is ready in the parent of a lean child, for a marked reader, and the stamp from before it was found.
    @inline(never)
    func lentAnswer(_ hash: UInt, where matches: (Cell) -> Bool) -> (Cell.Ready, ContextStamp.Value)? {
        guard let parentCore else { return nil }
        let stamp = parentCore.stamp.nowInOrder
        guard let answer = parentCore.readyAnswer(hash, where: matches), !answer.isScoped else { return nil }
        // The answer first: the child becomes full before anything changes in it or in its parent.
        return isLean.load(ordering: .sequentiallyConsistent) ? (answer, stamp) : nil
    }

    /// What is ready for a parameter in a lean request that the parent's answers serve.
    func lentArgument(_ ready: Cell.Ready, on thread: ThreadRecord) -> UnsafeRawPointer? {
        if ready.isScoped || thread.lean.session != nil { return nil }
        return parentCore?.stamp.nowInOrder.revision == thread.lean.revision ? ready.found : nil
    }
}

/// Becoming a full child.
extension ContextCore {
    /// Makes the children full, and theirs, before a change.
    ///
    /// The caller holds the lock.
    func makeChildrenFull() {
        if children.isEmpty { return }
        for child in children.all {
            if child.isLean.load(ordering: .relaxed) { child.becomeFull() }
            child.makeChildrenFull()
        }
    }

    /// Becomes a child that has a state, cells and slots, in which what was made and what is being made has its place.
    ///
    /// The caller holds the lock.
    func becomeFull() {
        guard let parentCore else { preconditionFailure("Only a child is lean") }
        // Sequentially consistent, before anything else changes: see `lentAnswer`.
        isLean.store(false, ordering: .sequentiallyConsistent)
        let lean = self.lean
        self.lean = LeanChild()
        handle = lean.handle?.takeUnretainedValue()
        known = parentCore.known
        state = ContextState(inheritedFrom: state)
        for made in lean.instances {
            let slot = slot(of: made.slot.record)
            let instance = Instance(
                held: made.box, slot: slot, birth: state.latestSequence, order: made.order, reads: reads(of: slot.record))
            instance.status = .live
            slot.live = instance
            register(instance)
        }
        var sessions: [ObjectIdentifier: Session] = [:]
        for running in lean.makings {
            let thread = ObjectIdentifier(running.thread)
            let session = sessions[thread] ?? beginSession(Request(key: running.key, location: running.location))
            sessions[thread] = session
            let making = Making(slot: slot(of: running.slot.record), session: session, thread: running.thread)
            making.recorder.reads = reads(of: running.slot.record)
            making.slot.makings.append(making)
            beginRecording()
        }
    }

    private func beginSession(_ request: Request) -> Session {
        sessionCount += 1
        return Session(core: self, state: state, request: request)
    }

    /// What a lean making has read: whatever answers its parameters, and those of the prototypes among these.
    private func reads(of record: RegistrationRecord) -> Reads {
        var reads = Reads()
        var seen: Set<ObjectIdentifier> = []
        add(record, to: &reads, &seen)
        return reads
    }

    private func add(_ record: RegistrationRecord, to reads: inout Reads, _ seen: inout Set<ObjectIdentifier>) {
        guard seen.insert(ObjectIdentifier(record)).inserted else { return }
        for (position, parameter) in record.parameters().enumerated() where wayToAsk(parameter) == nil {
            var name: String?
            switch record.taking.isEmpty ? nil : record.taking[position]?.content {
            case nil: break
            case .name(let text): name = text
            case .property: continue
            }
            let cell = node(of: parameter).cell(Cell.Query(kind: .single, qualifier: name))
            let answer = answer(of: cell, in: state)
            reads.add(cell, answer)
            guard case .slot(let slot) = answer else { continue }
            if let own = slot.live {
                reads.add(own)
            } else if !slot.isShared {
                add(slot.record, to: &reads, &seen)
            } else if let (instance, shared) = sharedWithParent(slot) {
                reads.add(instance)
                reads.add(shared)
            }
        }
    }
}

/// What was lean.
extension ContextCore {
    /// The child's own slots for those of a lean request, and what is being made of them.
    func join(_ slots: [Slot], on thread: ThreadRecord) -> [(slot: Slot, making: Making?)] {
        if !isChild { return slots.map { ($0, nil) } }
        return locked {
            slots.map { lent in
                let slot = lent.owner == ObjectIdentifier(self) ? lent : slot(of: lent.record)
                return (slot, slot.isShared ? slot.makings.first { $0.thread === thread } : nil)
            }
        }
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
    /// Whether a shared instance can be made from ready answers alone, with nothing to be done afterwards.
    fileprivate var canBeLean: Bool {
        guard case .registration = layer, case .synchronous = record.maker, case .held = record.lifetime else {
            return false
        }
        return record.run != nil && record.isolation == .none && record.injections.isEmpty
    }
}
