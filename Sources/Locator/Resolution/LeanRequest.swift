internal import Synchronization

/// An outermost request that takes no lock: it makes what is not shared, from what is ready.
///
/// It costs a mark on its own thread. Only where something in it needs more, such as an instance that is not made yet,
/// it gets a ``Session`` and goes on like any other request.
struct LeanRequest {
    /// The revision of the state that the request sees.
    var revision: UInt = 0
    private var type: (any Any.Type)?
    private var qualifier: String?
    private var location = SourceLocation()
    /// Whether what is ready in the parent is given here; see ``LeanChild``.
    private(set) var isLent = false
    /// The session, once something needed one.
    var session: Session?
    /// What the frames of a request with a session refer to.
    var kept: [AnyObject] = []

    mutating func begin(
        _ type: any Any.Type, _ qualifier: String?, _ location: SourceLocation, revision: UInt, isLent: Bool
    ) {
        self.revision = revision
        self.isLent = isLent
        if qualifier != nil || self.qualifier != nil { self.qualifier = qualifier }
        self.type = type
        self.location = location
    }

    /// What was asked for first, and where.
    var request: Request? {
        type.map { Request(key: Key($0, qualifier: qualifier), location: location) }
    }
}

extension ContextCore {
    /// Makes an instance of the recipe that was looked up, into memory for one.
    ///
    /// Gives false where it cannot be made without a lock; then nothing was made.
    func make(
        _ lookup: WarmLookup, _ type: any Any.Type, _ qualifier: String?, _ location: SourceLocation,
        into memory: UnsafeMutableRawPointer
    ) throws(LocatorError) -> Bool {
        try withThread { thread in
            guard enterLean(lookup, type, qualifier, location, on: thread) else { return false }
            return try makeEntered(lookup.recipe, type, payload: nil, into: memory, on: thread)
        }
    }

    /// Makes a factory's product without a lock, where the answer is a ready recipe, into memory for one.
    ///
    /// Gives false where it is not; then nothing was made.
    func make(
        _ type: any Any.Type, payloadType: ObjectIdentifier, payload: UnsafeRawPointer, _ location: SourceLocation,
        into memory: UnsafeMutableRawPointer
    ) throws(LocatorError) -> Bool {
        try withThread { thread in
            guard thread.frames.isEmpty else { return false }
            let identity = ObjectIdentifier(type)
            let read = WarmRead(begunOn: thread)
            let stamp = stamp.nowInOrder
            let answer = readyAnswer(WarmTable.hash(identity, payload: payloadType)) {
                $0.identity == identity && $0.payload == payloadType && !$0.isQualified
            }
            guard let answer, answer.recipe != nil, let found = answer.found else {
                read.end()
                return false
            }
            let lookup = WarmLookup(read: read.found(found), stamp: stamp.raw, isLent: false)
            guard enterLean(lookup, type, nil, location, on: thread) else { return false }
            return try makeEntered(lookup.recipe, type, payload: payload, into: memory, on: thread)
        }
    }

    /// Runs `body` with the record of this thread, which lives as long as the thread, and is not retained.
    @inline(__always)
    private func withThread(_ body: (ThreadRecord) throws -> Bool) throws(LocatorError) -> Bool {
        do {
            return try ThreadRecord.Unretained.current(threadKey)._withUnsafeGuaranteedRef(body)
        } catch let error as LocatorError {
            throw error
        } catch {
            preconditionFailure("A lean making throws what it has not wrapped: \(error)")
        }
    }

    /// Enters a lean request, and ends the reading of what it was found by.
    @inline(__always)
    private func enterLean(
        _ lookup: WarmLookup, _ type: any Any.Type, _ qualifier: String?, _ location: SourceLocation,
        on thread: ThreadRecord
    ) -> Bool {
        // Relaxed suffices: it is stored before the mark is taken off, which is releasing.
        thread.family.pointee.store(family.number, ordering: .relaxed)
        // Sequentially consistent, after the mark: see `Limbo`. The same as before the look-up: so what was found is of
        // this state.
        let revision = lookup.isLent ? lentStamp?.nowInOrder.revision : stamp.nowInOrder.revision
        lookup.read.end()
        // What it makes runs in this context; where that is not the current one, it has to be made so.
        guard let revision, revision == ContextStamp.Value(raw: lookup.stamp).revision, AppContext.isCurrent(self)
        else {
            thread.family.pointee.store(0, ordering: .releasing)
            return false
        }
        thread.lean.begin(type, qualifier, location, revision: revision, isLent: lookup.isLent)
        return true
    }

    @inline(__always)
    private func makeEntered(
        _ slot: Unmanaged<Slot>, _ type: any Any.Type, payload: UnsafeRawPointer?,
        into memory: UnsafeMutableRawPointer, on thread: ThreadRecord
    ) throws(LocatorError) -> Bool {
        defer { endLean(on: thread) }
        var failure: LocatorError?
        do throws(LocatorError) {
            try makeLean(slot, payload: payload, into: memory, on: thread)
        } catch {
            failure = error
        }
        if thread.lean.session == nil {
            if let failure { throw failure }
            return true
        }
        return try endAsSession(failure, on: thread, type, memory)
    }

    /// Ends a lean request that became one like any other.
    private func endAsSession(
        _ failure: LocatorError?, on thread: ThreadRecord, _ type: any Any.Type, _ memory: UnsafeMutableRawPointer
    ) throws(LocatorError) -> Bool {
        let injectionFailure = endSessionOfLean(on: thread)
        if let failure { throw failure }
        if let injectionFailure {
            func end<Value>(_: Value.Type) { memory.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
            _openExistential(type, do: end)
            throw injectionFailure
        }
        return true
    }

    /// Ends the session of a lean request that needed one; gives the error of an injection.
    func endSessionOfLean(on thread: ThreadRecord) -> LocatorError? {
        guard let session = thread.lean.session else { return nil }
        thread.lean.session = nil
        let kept = thread.lean.kept
        thread.lean.kept = []
        thread.frames.append(Frame(session: session))
        let failure = end(session, on: thread)
        thread.frames.removeLast()
        withExtendedLifetime((session, kept)) {}
        return failure
    }

    @inline(__always)
    func endLean(on thread: ThreadRecord) {
        // Releasing: whatever the request has used it has used before.
        thread.family.pointee.store(0, ordering: .releasing)
        // Relaxed suffices: what is missed is seen at the next request's end, or at the next change.
        if family.hasLimbo.load(ordering: .relaxed) { locked { family.tidyLimbo() } }
    }

    /// Makes an instance of a recipe in a lean request.
    @inline(__always)
    func makeLean(
        _ slot: Unmanaged<Slot>, payload: UnsafeRawPointer? = nil, into memory: UnsafeMutableRawPointer,
        on thread: ThreadRecord
    ) throws(LocatorError) {
        if thread.isTooDeep(slot, isFactory: payload != nil) { throw slot.takeUnretainedValue().circle(on: thread) }
        thread.frames.append(Frame(lean: slot, of: self))
        defer { thread.frames.removeLast() }
        do {
            try slot._withUnsafeGuaranteedRef { slot in
                try slot.make(MakerCall(self, thread, payload: payload, plan: slot.plan, result: memory))
            }
        } catch let error as LocatorError {
            throw error
        } catch {
            let slot = slot.takeUnretainedValue()
            let request = Request(key: slot.key, location: SourceLocation())
            throw LocatorError(.makerFailed(slot.key, error), request, thread)
        }
    }

    /// A session for a lean request: it sees the state that the request began in.
    func session(of lean: LeanRequest) -> Session {
        let request = lean.request ?? Request(key: Key(Never.self), location: SourceLocation())
        let state = locked {
            sessionCount += 1
            let current = self.state
            return current.revision == lean.revision
                ? current : family.overtaken(self, lean.revision) ?? current
        }
        return Session(core: self, state: state, request: request)
    }
}

extension Slot {
    fileprivate func circle(on thread: ThreadRecord) -> LocatorError {
        LocatorError(.circle(thread.circle(to: self)), Request(key: key, location: SourceLocation()), thread)
    }
}

extension ContextCore {
    /// Makes an argument of a recipe in a lean request.
    func makeLeanArgument<Value>(
        _ recipe: Unmanaged<Slot>, _ type: Value.Type, on thread: ThreadRecord
    ) throws -> Value {
        let place = thread.scratch.take(for: type)
        defer { thread.scratch.giveBack(place) }
        try makeLean(recipe, into: place.memory, on: thread)
        return place.memory.assumingMemoryBound(to: type).move()
    }
}

extension ContextCore {
    /// What is ready for a parameter, if the state is still the one that the lean request began in.
    ///
    /// What it was stays alive until the request has ended.
    @inline(__always)
    func readyArgument(_ cell: Unmanaged<Cell>, on thread: ThreadRecord) -> UnsafeRawPointer? {
        let ready = cell._withUnsafeGuaranteedRef { $0.ready }
        if thread.lean.isLent { return lentArgument(ready, on: thread) }
        // The answer first: a change takes it back before it moves the stamp on, and only after that there can be
        // another one.
        return stamp.nowInOrder.revision == thread.lean.revision ? ready.found : nil
    }
}
