internal import Synchronization

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
        precondition(isChild, "Only a child is lean")
        // Sequentially consistent, before anything else changes: see `lentAnswer`.
        isLean.store(false, ordering: .sequentiallyConsistent)
        let lean = self.lean
        self.lean = LeanChild()
        state = ContextState(revision: state.revision, state.lineup)
        family.add(self)
        defer { lean.deallocate() }
        let entries = (0..<lean.count).map { lean[$0] }
        for entry in entries.sorted(by: { $0.order < $1.order }) {
            guard let box = entry.box?.takeRetainedValue() else { continue }
            let slot = slot(of: entry.slot.takeUnretainedValue().record)
            let instance = Instance(
                held: box, slot: slot, birth: state.lineup.latestSequence, order: entry.order,
                reads: reads(of: slot.record))
            instance.status = .live
            slot.live = instance
            register(instance)
        }
        var sessions: IdentityTable<Session> = [:]
        for entry in entries where entry.box == nil {
            let slot = slot(of: entry.slot.takeUnretainedValue().record)
            let thread = entry.thread.takeUnretainedValue()
            let session = sessions[ObjectIdentifier(thread)] ?? beginSession(of: slot)
            sessions[ObjectIdentifier(thread)] = session
            let making = Making(slot: slot, session: session, thread: thread)
            making.lentSlot = entry.slot.takeUnretainedValue()
            making.recorder.reads = reads(of: slot.record)
            slot.makings.append(making)
            // Those above know of it already.
            stamp.beginRecording()
        }
        joinTheQuiet()
    }

    /// A session for a lean request, whose thread will tell it what was asked for.
    private func beginSession(of slot: Slot) -> Session {
        enter(Session(core: self, state: state, request: Request(key: slot.key, location: SourceLocation())))
    }

    /// What a lean making has read: whatever answers its parameters, and those of the prototypes among these.
    private func reads(of record: RegistrationRecord) -> Reads {
        var reads = Reads()
        var seen: IdentitySet = []
        add(record, to: &reads, &seen)
        return reads
    }

    private func add(_ record: RegistrationRecord, to reads: inout Reads, _ seen: inout IdentitySet) {
        guard seen.insert(ObjectIdentifier(record)).inserted else { return }
        let taking = record.taking
        for (position, parameter) in record.parameters.enumerated() where wayToAsk(parameter) == nil {
            var name: String?
            switch taking.isEmpty ? nil : taking[position]?.content {
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
