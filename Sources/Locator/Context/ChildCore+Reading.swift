internal import LocatorProperties
internal import Synchronization

/// Reads collections and settings in a lean child, and notes what its factory closures read at run time.
///
/// If the child becomes full, notes count like parameters.
extension ChildCore {
    /// The answer to a request in a lean child.
    enum LeanAnswer {
        /// Nothing is registered.
        case missing
        case box(AnyBox)
        /// A prototype, which the recipe of this slot makes.
        ///
        /// The request keeps the slot.
        case recipe(Unmanaged<Slot>)
    }

    /// The box of the parent's collection of a type, for a request in a lean child.
    ///
    /// Returns nil if the request has to be answered like any other.
    func readLean<Element>(all type: Element.Type, on thread: ThreadRecord) -> AnyBox? {
        guard mayReadLean(on: thread) else { return nil }
        let isOutermost = thread.frames.isEmpty
        for isPrepared in [false, true] {
            let found = find(WarmKey(type, isCollection: true), isNoted: true, on: thread)
            if isOutermost { endLean(on: thread) }
            if case .answer(.box(let box)) = found { return box }
            if !isPrepared { parentCore?.makeCollectionReady(type) }
        }
        return nil
    }

    /// Reads a setting in a lean child, and notes its path for the factory closure that runs on the thread.
    ///
    /// Returns nil if the setting has to be read like any other.
    func readLean(_ path: String, on thread: ThreadRecord) -> PropertyReading? {
        guard mayReadLean(on: thread) else { return nil }
        let read = WarmRead(begunOn: thread)
        let isOutermost = beginLean(on: thread)
        read.end()
        defer { if isOutermost { endLean(on: thread) } }
        if isOutermost, lentStamp?.nowInOrder.revision != thread.lean.revision { return nil }
        let slot = thread.leanSlot(of: self)
        // While the child makes an instance of its own, it keeps the state of the request. Otherwise, it may have
        // followed its parent. A request that has the current state keeps that state afterward.
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

    /// The value of a setting in a lean child.
    ///
    /// Returns nil if the setting has to be read like any other. Outside of factory closures, this is also the case if
    /// it has a decoder, because a decoder is foreign code that runs in a request.
    func leanValue<Value: Decodable>(
        _ path: String, as type: Value.Type, default fallback: (() -> Value)?,
        inspecting inspect: ((PropertyLookup) -> Void)? = nil
    ) -> Value? {
        let thread = ThreadRecord.current
        // Relaxed suffices: the flag is read again with the lock held.
        if thread.frames.isEmpty, !isLean.load(ordering: .relaxed) || !ScalarTypes.contain(type) { return nil }
        guard let reading = readLean(path, on: thread) else { return nil }
        inspect?(reading.lookup)
        if let fallback, case .success(nil) = reading.lookup.result { return fallback() }
        return try? reading.value(as: type)
    }

    /// Notes that the innermost shared instance that the thread makes has read a cell of the parent.
    ///
    /// Returns false if the child is no longer lean, or cannot note more.
    func note(_ cell: Cell, on thread: ThreadRecord) -> Bool {
        // Otherwise, nothing shared is made from it.
        guard let slot = thread.leanSlot(of: self) else { return true }
        return leanLock.withLock {
            // Relaxed suffices: the flag is changed with the lock held.
            isLean.load(ordering: .relaxed) && lean.note(.cell(cell), for: slot)
        }
    }

    /// Notes a making that has failed in the last frame.
    ///
    /// The note is for the instance whose factory closure requested it, because that closure may catch the error.
    ///
    /// `position` is the position of the parameter that could not be provided, or the number of parameters.
    @inline(never)
    func noteFailure(of slot: Unmanaged<Slot>, at position: Int, isNoted: Bool = false, on thread: ThreadRecord) {
        guard let outer = thread.leanSlot(of: self, without: 1) else { return }
        let (record, isLayer) = slot._withUnsafeGuaranteedRef { ($0.record, $0.isLayer) }
        let isComplete = leanLock.withLock {
            // Relaxed suffices: the flag is changed with the lock held.
            guard isLean.load(ordering: .relaxed) else { return true }
            // The parameters of a decorator are noted.
            guard lean.note(.failure(record, position: isLayer ? nil : position), for: outer) else { return false }
            if isNoted { lean.noteFailure(of: slot, for: outer) }
            return true
        }
        // This makes the child full.
        if !isComplete { _ = thread.session(of: self) }
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
