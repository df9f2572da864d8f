internal import LocatorProperties
internal import Synchronization

/// Requests that the factory closures of a lean child make at run time.
///
/// Each is noted, because the instance depends on the answer. If the child becomes full, notes count like parameters.
extension ContextCore {
    /// The answer to such a request.
    enum LeanAnswer {
        /// Nothing is registered.
        case missing
        case box(AnyBox)
        /// A prototype, which the recipe of this slot makes; the request keeps the slot.
        case recipe(Unmanaged<Slot>)
    }

    /// Answers a request of the factory closure that runs on the thread, and notes it.
    ///
    /// Returns nil if the request has to be answered like any other.
    func readLean(
        _ type: any Any.Type, _ qualifier: Qualifier?, on thread: ThreadRecord
    ) throws(LocatorError) -> LeanAnswer? {
        guard isLent(thread), !(isLayered && hasPushed(ObjectIdentifier(type))) else { return nil }
        var name = qualifier?.name
        if let path = qualifier?.path {
            guard case .success(let value?) = readLean(path, on: thread)?.lookup.result, let text = value.stringValue
            else { return nil }
            name = text
        }
        // If nothing can be found, `prepare` adds what is missing, and the second round finds it.
        for isPrepared in [false, true] {
            switch find(on: thread, in: { $0.warmCell(of: type, named: name) }) {
            case .answer(let answer):
                return answer
            case .slot(let slot):
                switch claim(slot, orPushed: ObjectIdentifier(type), on: thread) {
                case .other: return nil
                case .made(let box): return .box(box.takeRetainedValue())
                case .claimed(let slot, let boxType):
                    return .box(try run(slot, boxType, isOutermost: false, on: thread).get())
                }
            case nil:
                guard !isPrepared, let parent = unmanagedParentCore else { return nil }
                prepare(type, name, in: parent, isOutermost: false, on: thread)
            }
        }
        return nil
    }

    /// The elements of the parent's collection of a type, for a request of the factory closure that runs on the thread,
    /// which is noted.
    ///
    /// Returns nil if the request has to be answered like any other.
    func readLean<Element>(all type: Element.Type, on thread: ThreadRecord) -> [Element]? {
        let identity = ObjectIdentifier(type)
        guard isLent(thread), !(isLayered && hasPushed(identity)) else { return nil }
        for isPrepared in [false, true] {
            let found = find(on: thread) { parent in
                parent.warmCell(WarmTable.hash(identity, isCollection: true)) { $0.isPlainCollection(of: identity) }
            }
            if case .answer(.box(let box)) = found { return box.value(as: [Element].self) }
            if !isPrepared { parentCore?.makeCollectionReady(type) }
        }
        return nil
    }

    /// Reads a setting for the factory closure that runs on the thread, and notes its path.
    ///
    /// Returns nil if it has to be read like any other.
    func readLean(_ path: String, on thread: ThreadRecord) -> PropertyReading? {
        guard isLent(thread) else { return nil }
        let slot = thread.leanSlot(of: self)
        // While the child makes an instance of its own, it keeps the state of the request. While it makes a prototype, it may
        // have followed its parent. A request that has the current state keeps it after that.
        let state = leanLock.withLock { () -> Unmanaged<ContextState>? in
            // Relaxed suffices: the flag is changed with the lock held.
            guard isLean.load(ordering: .relaxed), followed.load(ordering: .relaxed) == thread.lean.revision,
                slot.map({ lean.note(.setting(path), for: $0) }) ?? true
            else { return nil }
            return .passUnretained(self.state)
        }
        return state?._withUnsafeGuaranteedRef {
            PropertyReading(lookup: $0.properties.lookup(path), properties: $0.properties)
        }
    }

    /// Whether the factory closure that runs on the thread belongs to this context while it is lean.
    private func isLent(_ thread: ThreadRecord) -> Bool {
        isChild && thread.isInLentRequest(of: self) && !isObserved
    }

    private enum Found {
        /// The parent's answer.
        case answer(LeanAnswer)
        /// The parent's slot of which the child has or makes its own instance.
        case slot(Unmanaged<Slot>)
    }

    /// Finds the answer of a cell of the parent without a lock, and notes the cell.
    ///
    /// Returns nil if nothing is found, or if the child or the parent has changed.
    private func find(on thread: ThreadRecord, in cellOf: (ContextCore) -> Unmanaged<Cell>?) -> Found? {
        guard let parent = unmanagedParentCore else { return nil }
        return parent._withUnsafeGuaranteedRef { parent -> Found? in
            let read = WarmRead(begunOn: thread)
            guard let cell = cellOf(parent), let found = found(in: cell, parent),
                // The answer is read first: a change takes it back before it advances the stamp.
                parent.stamp.nowInOrder.revision == thread.lean.revision
            else {
                read.end()
                return nil
            }
            retainLent(cell.toOpaque())
            read.end()
            return note(cell.takeRetainedValue(), on: thread) ? found : nil
        }
    }

    /// What a cell of the parent has for the child, for a marked reader in a lean request.
    private func found(in cell: Unmanaged<Cell>, _ parent: ContextCore) -> Found? {
        let answer = cell._withUnsafeGuaranteedRef { $0.ready }
        if let found = answer.found ?? answer.box, !answer.isScoped, isUnaffected(cell) {
            if answer.isRecipe { return .answer(.recipe(Cell.Ready.recipe(found))) }
            if found == Cell.missing { return .answer(.missing) }
            retainLent(found)
            return .answer(.box(Unmanaged<AnyBox>.fromOpaque(found).takeRetainedValue()))
        }
        guard let slot = cell._withUnsafeGuaranteedRef({ $0.lentSlot }) else { return nil }
        // A making must record what it reads from the contexts above.
        parent.recordingHold.take(parent.stamp)
        return .slot(slot)
    }

    /// Notes that the innermost shared instance that the thread makes has read a cell of the parent.
    ///
    /// Returns false if the child is not lean any longer, or cannot note more.
    private func note(_ cell: Cell, on thread: ThreadRecord) -> Bool {
        // Otherwise, nothing shared is made from it.
        guard let slot = thread.leanSlot(of: self) else { return true }
        return leanLock.withLock {
            // Relaxed suffices: the flag is changed with the lock held.
            isLean.load(ordering: .relaxed) && lean.note(.cell(cell), for: slot)
        }
    }

    /// Notes the parameters of a making that has failed for the instance whose factory closure requested it, because that
    /// may catch the error.
    @inline(never)
    func noteParameters(ofFailed slot: Unmanaged<Slot>, on thread: ThreadRecord) {
        guard thread.leanSlot(of: self) != nil else { return }
        slot._withUnsafeGuaranteedRef { slot in
            slot.recipe?._withUnsafeGuaranteedRef { recipe in
                recipe.forEachCell { _ = note($0.takeUnretainedValue(), on: thread) }
            }
        }
    }
}

extension ThreadRecord {
    /// Whether this thread makes something in a lean child, and has not needed a session yet.
    func isInLentRequest(of core: ContextCore) -> Bool {
        guard lean.isLent, lean.session == nil, let last = frames.last else { return false }
        return last.isLean && last.isOf(core)
    }

    /// The slot of the innermost shared instance that this thread makes in a lean child, without the last frames.
    func leanSlot(of core: ContextCore, without count: Int = 0) -> Unmanaged<Slot>? {
        var index = frames.count - count
        while index > 0 {
            index -= 1
            guard frames[index].isLean, frames[index].isOf(core) else { return nil }
            if let slot = frames[index].slot, slot.isShared { return .passUnretained(slot) }
        }
        return nil
    }
}
