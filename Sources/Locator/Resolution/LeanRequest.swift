internal import Synchronization

/// An outermost request that takes no lock: it makes an unshared instance from ready answers.
///
/// It only costs a mark on its own thread. If it needs more, such as an instance that has not been made, the request
/// gets a ``Session`` and continues like any other request.
struct LeanRequest {
    /// The revision of the state that the request sees.
    var revision: UInt = 0
    private var type: (any Any.Type)?
    private var qualifier: String?
    private var location = SourcePlace()
    /// Whether ready answers of the parent are given here; see ``LeanChild``.
    private(set) var isLent = false
    /// The session; nil until the request needs one.
    var session: Session?
    /// The objects that the frames of a request with a session refer to.
    var kept: [AnyObject] = []

    mutating func begin(
        _ type: any Any.Type, _ qualifier: String?, _ location: SourcePlace, revision: UInt, isLent: Bool
    ) {
        self.revision = revision
        self.isLent = isLent
        if qualifier != nil || self.qualifier != nil { self.qualifier = qualifier }
        self.type = type
        self.location = location
    }

    /// The key that was requested first, and where.
    var request: Request? {
        type.map { Request(key: Key($0, qualifier: qualifier), location: location) }
    }
}

/// A lean request that has begun: the slot that it makes an instance of, and its thread, which is the current one.
@usableFromInline
struct LeanEntry {
    let slot: Unmanaged<Slot>
    let thread: ThreadRecord.Unretained
    /// Whether the context is already the current one for code that runs in the request.
    let isCurrent: Bool
}

extension ContextCore {
    /// Begins a lean request for the recipe that was looked up, and ends the lookup.
    ///
    /// ``make(_:payload:isKept:)`` ends the request.
    ///
    /// Returns nil if nothing can be made without a lock.
    func enter(
        _ lookup: WarmLookup, _ type: any Any.Type, _ qualifier: String?, _ location: SourcePlace
    ) -> LeanEntry? {
        ThreadRecord.Unretained.current(threadKey)._withUnsafeGuaranteedRef { thread in
            if thread.isInLeanRequest {
                lookup.read.end()
                return nil
            }
            let found = ContextStamp.Value(raw: lookup.stamp).revision
            thread.beginLeanRequest(of: family.number, branch, at: found)
            // Sequentially consistent, and after the mark: see `Limbo`. If the revision is the same as before the
            // lookup, the found answer belongs to this state.
            let revision = lookup.isLent ? asChild?.lentStamp?.nowInOrder.revision : stamp.nowInOrder.revision
            lookup.read.end()
            guard let revision, revision == found else {
                endLean(on: thread)
                return nil
            }
            // Relaxed suffices: see `isInUse`.
            if lookup.isLent, let child = asChild, !child.hasLentRecipes.load(ordering: .relaxed) {
                child.hasLentRecipes.store(true, ordering: .relaxed)
            }
            thread.lean.begin(type, qualifier, location, revision: revision, isLent: lookup.isLent)
            return LeanEntry(
                slot: lookup.recipe, thread: .passUnretained(thread), isCurrent: AppContext.isCurrent(self))
        }
    }

    /// Begins a lean request for a factory's product, if the answer is a ready recipe; otherwise returns nil.
    func enter(_ type: any Any.Type, payloadType: ObjectIdentifier, _ location: SourcePlace) -> LeanEntry? {
        let key = WarmKey(type, payload: payloadType)
        return beginLookup(key, taking: { $0.isRecipe ? $0.found : nil }).flatMap { enter($0, type, nil, location) }
    }

    /// Makes the instance for a lean request, of the type that it named, and ends the request.
    ///
    /// `isKept` means that the caller keeps the context alive.
    func make<Value>(
        _ entry: LeanEntry, payload: UnsafeRawPointer? = nil, isKept: Bool = false
    ) throws(LocatorError) -> Value {
        do {
            if entry.isCurrent { return try makeEntered(entry, payload) }
            // Code that runs in the request has this context as the current one.
            return try withExtendedLifetime(isKept ? nil : representative) {
                try AppContext.entering(contextOf: self) { try makeEntered(entry, payload) }
            }
        } catch let error as LocatorError {
            throw error
        } catch {
            preconditionFailure("A lean making throws what it has not wrapped: \(error)")
        }
    }

    @inline(__always)
    private func makeEntered<Value>(_ entry: LeanEntry, _ payload: UnsafeRawPointer?) throws -> Value {
        try entry.thread._withUnsafeGuaranteedRef { try make(entry.slot, payload: payload, on: $0) }
    }

    // It is not inlined because each way to enter the context uses it.
    @inline(never)
    private func make<Value>(
        _ slot: Unmanaged<Slot>, payload: UnsafeRawPointer?, on thread: ThreadRecord
    ) throws(LocatorError) -> Value {
        defer { endLean(on: thread) }
        do throws(LocatorError) {
            let value: Value = try Self.makeLean(slot, payload: payload, in: .passUnretained(self), on: thread)
            if thread.lean.session != nil, let failure = endSession(on: thread) { throw failure }
            return value
        } catch {
            _ = endSession(on: thread)
            throw error
        }
    }

    /// Ends the session of a lean request that got one, and returns the error of an injection.
    @inline(never)
    func endSession(on thread: ThreadRecord) -> LocatorError? {
        guard let session = thread.lean.session else { return nil }
        thread.lean.session = nil
        let kept = thread.lean.kept
        thread.lean.kept = []
        thread.frames.append(Frame(session: session))
        let failure = session.end(on: thread)
        thread.frames.removeLast()
        withExtendedLifetime((session, kept)) {}
        return failure
    }

    @inline(__always)
    func endLean(on thread: ThreadRecord) {
        // A lean child stays lean, because the outermost context has nothing to follow.
        if thread.endLeanRequest() { outermost.locked { family.tidyLimbo() } }
    }

    /// Makes an instance of a recipe in a lean request.
    ///
    /// `isNoted` means that the request for it was noted.
    @inline(__always)
    static func makeLean<Value>(
        _ slot: Unmanaged<Slot>, payload: UnsafeRawPointer? = nil, in core: Unmanaged<ContextCore>,
        isNoted: Bool = false, on thread: ThreadRecord
    ) throws(LocatorError) -> Value {
        if thread.isCycle(slot, isFactory: payload != nil) { throw slot.takeUnretainedValue().cycle(on: thread) }
        if thread.stack.isReached { throw slot.takeUnretainedValue().tooDeep(on: thread) }
        thread.frames.append(Frame(lean: slot, of: core))
        defer { thread.frames.removeLast() }
        guard let recipe = slot._withUnsafeGuaranteedRef({ $0.recipe }) else {
            preconditionFailure("What is published to be made has a recipe")
        }
        let plan = recipe._withUnsafeGuaranteedRef { $0.plan }
        var call = MakerCall(core, thread, of: slot, payload: payload, plan: plan)
        do {
            return try recipe._withUnsafeGuaranteedRef { try $0.make(&call) }
        } catch {
            let position = call.position
            core._withUnsafeGuaranteedRef {
                $0.asChild?.noteFailure(of: slot, at: position, isNoted: isNoted, on: thread)
            }
            throw failure(of: slot, error)
        }
    }

    /// The error that a factory closure has thrown, as a `LocatorError`.
    @inline(never)
    static func failure(of slot: Unmanaged<Slot>, _ error: any Error) -> LocatorError {
        let slot = slot.takeUnretainedValue()
        return Session.failure(of: slot, error, Request(key: slot.key, location: SourcePlace()), .current)
    }

    /// Creates a session for a lean request.
    ///
    /// It sees the state in which the request began.
    func session(of lean: LeanRequest) -> Session {
        let request = lean.request ?? Request(key: Key(Never.self), location: SourcePlace())
        return locked {
            let overtaken = state.revision == lean.revision && !isEmptied ? nil : overtakenState(of: lean)
            let session = Session(in: self, overtaken ?? state, request)
            session.hasEnded = isEmptied && overtaken == nil
            // It is not known which instances were made since the request began.
            if overtaken != nil { session.instancesBefore = 0 }
            return session
        }
    }

    /// The overtaken state in which a lean request began.
    ///
    /// The caller holds the lock.
    private func overtakenState(of lean: LeanRequest) -> ContextState? {
        let own = family.overtaken(self, lean.revision)
        // A lean child had the state of its parent.
        guard lean.isLent, let parentCore, let above = family.overtaken(parentCore, lean.revision) else { return own }
        return ContextState(revision: above.revision, (own ?? above).lineup, above: above)
    }
}

extension Slot {
    // These are not inlined because they are rare and used in functions that nest.
    @inline(never)
    fileprivate func cycle(on thread: ThreadRecord) -> LocatorError {
        thread.cycleError(to: self, Request(key: key, location: SourcePlace()))
    }

    @inline(never)
    func tooDeep(on thread: ThreadRecord) -> LocatorError {
        LocatorError(tooDeep: self, Request(key: key, location: SourcePlace()), thread)
    }
}

extension ContextCore {
    /// The ready value for a parameter, if the state is still the one in which the lean request began.
    ///
    /// The value stays alive until the request has ended.
    @inline(__always)
    func readyArgument(_ cell: Unmanaged<Cell>, on thread: ThreadRecord) -> UnsafeRawPointer? {
        let ready = cell._withUnsafeGuaranteedRef { $0.ready }
        if thread.lean.isLent, let child = asUnmanagedChild {
            return child._withUnsafeGuaranteedRef { $0.lentArgument(cell, ready, on: thread) }
        }
        // The answer is read first: a change invalidates it before it advances the stamp, and another answer can only
        // be published after that.
        // Relaxed suffices: see `ContextFamily.isObserved`. The factory closure may have begun an observation.
        let isObserved = hasObservers.load(ordering: .relaxed)
        return stamp.nowInOrder.revision == thread.lean.revision && !isObserved ? ready.found : nil
    }
}
