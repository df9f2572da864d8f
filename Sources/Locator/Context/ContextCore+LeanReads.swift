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
    /// Returns nil if the request has to be answered like any other. A request for a parameter need not be noted, because
    /// the registration tells what it reads.
    func readLean(
        _ type: any Any.Type, _ qualifier: Qualifier?, isNoted: Bool = true, on thread: ThreadRecord
    ) throws(LocatorError) -> LeanAnswer? {
        guard isLent(thread) else { return nil }
        var name = qualifier?.name
        if let path = qualifier?.path {
            guard case .success(let value?) = readLean(path, on: thread)?.lookup.result, let text = value.stringValue
            else { return nil }
            name = text
        }
        // If nothing can be found, `prepare` adds what is missing, and the second round finds it.
        for isPrepared in [false, true] {
            switch find(type, name, isNoted: isNoted, on: thread) {
            case .answer(let answer): return answer
            case .slot(let slot): return .box(try run(slot, on: thread).get())
            case nil:
                if isPrepared { return nil }
                let prepared = prepare(type, name, isOutermost: false, on: thread)
                if !isNoted, case .given(let box) = prepared { return .box(box) }
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
        guard isLent(thread) else { return nil }
        for isPrepared in [false, true] {
            let found = find(identity, isNoted: true, on: thread) { parent in
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

    /// Notes that the innermost shared instance that the thread makes has read a cell of the parent.
    ///
    /// Returns false if the child is not lean any longer, or cannot note more.
    func note(_ cell: Cell, on thread: ThreadRecord) -> Bool {
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
