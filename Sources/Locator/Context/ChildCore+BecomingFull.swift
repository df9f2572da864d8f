internal import Synchronization

/// Becoming a full child.
extension ChildCore {
    /// Makes a lean child full.
    ///
    /// The child gets a state, cells, and slots for the instances that it has made or is making.
    ///
    /// The caller holds the lock.
    func becomeFull() {
        // Acquiring: the thread that ended the lean child did all its work before it cleared the flag.
        guard isLean.load(ordering: .acquiring), let parentCore, let (lean, layer) = endBeingLean(parentCore) else {
            return
        }
        discard(lean)
        let lent = state
        state = ContextState(
            revision: lent.revision, layer?.lineup(inFrontOf: lent.lineup) ?? lent.lineup, above: lent)
        discard(lent)
        family.add(self)
        if let layer {
            for slot in layer.slots { tables.slots[ObjectIdentifier(slot.record)] = slot }
            discard(layer)
        }
        for entry in lean.entries {
            guard let box = entry.box?.takeRetainedValue() else { continue }
            let slot = slot(of: entry)
            let instance = Instance(
                box, slot: slot, in: family, birth: state.lineup.latestSequence,
                reads: LentReads(of: slot, as: entry, in: lean, in: self, lent).reads)
            instance.status = .live
            slot.live = instance
            // A lean request that is running may be using it.
            instance.noteReady(at: lent.revision)
            register(instance)
        }
        var sessions: IdentityTable<Session> = [:]
        for entry in lean.entries where entry.box == nil {
            let slot = slot(of: entry)
            let thread = entry.thread.takeUnretainedValue()
            // The thread later sets what was requested.
            let session =
                sessions[ObjectIdentifier(thread)]
                ?? Session(in: self, state, Request(key: slot.key, location: SourcePlace()))
            sessions[ObjectIdentifier(thread)] = session
            let making = Making(slot: slot, session: session, thread: thread)
            making.lentSlot = entry.slot.takeUnretainedValue()
            making.recorder.reads = LentReads(of: slot, as: entry, in: lean, in: self, lent).reads
            // Now the request knows which instances it has been given.
            session.instancesBefore = 0
            for given in making.recorder.reads.instances { session.use(given, of: self.slot(like: given.slot)) }
            slot.makings.append(making)
            beginRecording()
        }
    }

    private func slot(of entry: LeanChild.Entry) -> Slot {
        entry.isLayer ? slot(like: entry.slot.takeUnretainedValue()) : slot(of: entry.record.takeUnretainedValue())
    }

    /// Takes the instances out of a lean child, and marks the child as no longer lean.
    ///
    /// Returns nil if it is not lean.
    private func endBeingLean(_ parent: ContextCore) -> (LeanChild, ChildLayer?)? {
        leanLock.withLock {
            guard isLean.load(ordering: .relaxed) else { return nil }
            if let overtaken = renewState(from: parent) { discard(overtaken) }
            // Sequentially consistent, and before anything else changes: see `lentAnswer`.
            isLean.store(false, ordering: .sequentiallyConsistent)
            let taken = (lean, layer)
            lean = LeanChild()
            layer = nil
            return taken
        }
    }
}

/// The reads of a lean making: the answers for its parameters and for its requests at run time, in the parent's state
/// at that time.
///
/// They include the reads of prototypes and of requests that have failed.
private struct LentReads {
    private let core: ChildCore
    /// The state of the parent in which the making began.
    private let lent: ContextState
    private let isRunning: Bool
    private(set) var reads = Reads()
    private var seen: IdentitySet = []
    /// The registrations whose dependencies have not been added yet.
    ///
    /// This is not recursive, because a chain of prototypes can be long.
    private var open: [RegistrationRecord] = []

    /// Finds the reads for a slot of the child, for which a lean child has made an instance or is making one.
    init(
        of slot: Slot, as entry: LeanChild.Entry, in lean: LeanChild, in child: ChildCore, _ lent: ContextState
    ) {
        core = child
        self.lent = lent
        isRunning = entry.box == nil
        // The parameters of a decorator are noted.
        if let inner = slot.inner { add(inner) } else { add(slot.record) }
        for (read, isGiven) in lean.noted(for: entry.slot) {
            switch read {
            case .cell(let cell):
                add(core.node(of: cell.type).cell(cell.query), isGiven: isGiven)
            case .setting(let path):
                addSetting(path)
            case .failure(let record, let position):
                reads.addFailure(of: core.slot(of: record))
                if let position { addParameters(of: record, upTo: position) }
            }
        }
        while let record = open.popLast() { addParameters(of: record) }
    }

    /// Adds the parameters of a registration.
    ///
    /// If one of them could not be provided, adds the parameters before it, and the answer for it.
    private mutating func addParameters(of record: RegistrationRecord, upTo failed: Int = .max) {
        for (position, dependency) in record.dependencies.enumerated() where position <= failed {
            if let cell = core.cell(of: dependency) { add(cell, isGiven: position < failed) }
        }
    }

    private mutating func add(_ record: RegistrationRecord) {
        if seen.insert(ObjectIdentifier(record)).inserted { open.append(record) }
    }

    private mutating func add(_ cell: Cell, isGiven: Bool) {
        let answer = core.answer(of: cell, in: core.state)
        reads.add(cell, answer)
        switch answer {
        case .slot(let slot): add(slot, isGiven: isGiven)
        case .elements(let elements): for element in elements { add(element.slot) }
        case .missing, .undecided, .offers: break
        }
    }

    private mutating func addSetting(_ path: String) {
        let cell = core.tables.properties.cell(of: path, owner: core)
        reads.add(cell, core.lookup(cell, in: core.state))
    }

    /// Adds the instance of a slot, or the parameters of a prototype.
    ///
    /// An instance that has failed was not given, and is noted. Only the instance that it wraps may have been made.
    private mutating func add(_ slot: Slot, isGiven: Bool = true) {
        if let own = slot.live {
            reads.add(own)
        } else if core.isOpened(slot) {
            if let inner = slot.inner { add(inner) }
        } else if isGiven {
            if slot.isShared { addLent(slot) } else { add(slot.record) }
        }
    }

    /// Adds the instance that the parent gave for a slot.
    private mutating func addLent(_ slot: Slot) {
        guard let parentCore = core.parentCore else { return }
        if lent === parentCore.state {
            guard let instance = core.sharedWithParent(slot),
                let shared = core.sharedReads(of: instance, in: core.state)
            else { return }
            reads.add(instance, sharedAs: shared)
        } else if let instance = given(likeSlot: slot, by: parentCore) {
            let shared = core.sharedReads(of: instance, in: core.state)
            // The child was not given anything that its own modules affect.
            if shared == nil, core.isLayered { return }
            if let shared { reads.add(instance, sharedAs: shared) } else { reads.add(instance) }
        } else {
            let gone = gone(likeSlot: slot, by: parentCore)
            if let gone {
                if core.isLayered, !core.shares(gone, in: core.state) { return }
            } else if isRunning {
                return
            }
            // Of a value that was decoded from a setting, only the setting counts; see `Reads.add(_:sharedAs:)`. Everything
            // else that was made from the instance is gone, too.
            if !slot.isLayer, let path = slot.record.configurationPath,
                parentCore.knownSlot(like: slot)?.readsMoreThanSetting == false
            {
                addSetting(path)
            } else {
                reads.add(gone ?? Instance(goneFrom: slot))
            }
        }
    }

    /// The instance that the parent gave in the earlier state for the slot that matches a child's slot, unless it is
    /// gone.
    ///
    /// It was ready then, and it is valid in that state. If it is gone, it may be kept for a child.
    private func given(likeSlot other: Slot, by parent: ContextCore) -> Instance? {
        guard let slot = parent.knownSlot(like: other) else { return nil }
        var moment = Moment(of: parent, lent)
        let kept = core.keptLoad?.instances(for: other).filter { $0.slot === slot } ?? []
        return (slot.instances + kept).first {
            $0.readySince.map { $0 <= lent.revision } == true && $0.box != nil && moment.isValid($0)
        }
    }

    /// The instance that is gone now, and that a running lean request may have been given.
    ///
    /// If there is none, the request has not been given one yet.
    private func gone(likeSlot other: Slot, by parent: ContextCore) -> Instance? {
        // An instance may have been set aside before that state, and have ended since.
        var moment = Moment(of: parent, lent)
        return parent.family.limbo.instances(like: other, of: parent.identity, in: lent).first {
            $0.readySince.map { $0 <= lent.revision } == true && moment.isValid($0)
        }
    }
}
