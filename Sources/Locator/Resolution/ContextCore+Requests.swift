internal import LocatorProperties

/// Answers requests: finds the answer, waits for a making, and makes instances.
extension ContextCore {
    /// Runs `body` in the request that this thread is answering, or in an outermost request of its own.
    ///
    /// A request that continues an earlier one, or that prepares a state, sees that state. The same is true of the
    /// requests of an asynchronous factory closure that prepares the state.
    ///
    /// With the lock held, `given` may return an existing result. Then no request begins. `given` is not called if a
    /// request of the family is running on this thread, or records what it reads.
    func inSession<Result>(
        _ request: Request, in earlier: ContextState? = nil, orGive given: () -> Result? = { nil },
        _ body: (Session, ThreadRecord) throws(LocatorError) -> Result
    ) throws(LocatorError) -> Result {
        var result: Result?
        try runInSession(
            request, in: earlier,
            unless: {
                result = given()
                return result != nil
            },
            { (session, thread) throws(LocatorError) in result = try body(session, thread) })
        guard let result else { preconditionFailure("A body that has not thrown has run") }
        return result
    }

    // Not generic, because the compiler would make a copy for each caller.
    private func runInSession(
        _ request: Request, in earlier: ContextState?, unless hasGiven: () -> Bool,
        _ body: (Session, ThreadRecord) throws(LocatorError) -> Void
    ) throws(LocatorError) {
        let thread = ThreadRecord.current
        let known = thread.session(of: self)
        if let known, known.hasEnded { throw goneError(request) }
        if let known, thread.frames[thread.frames.count - 1].isOf(self) { return try body(known, thread) }
        // The reads of this request count for an outer making, in this context or another one of the family.
        let outer = thread.recorder(in: family)
        let recorder = outer.flatMap { $0.core === self && known != nil ? nil : Recorder(core: self) }
        defer { if let outer, let recorder { outer.note(recorder) } }
        if let known {
            // Another context is making something in between.
            thread.frames.append(Frame(session: known, recorder: recorder))
            defer { thread.frames.removeLast() }
            return try bound { () throws(LocatorError) in try body(known, thread) }
        }
        let begun = try locked { () throws(LocatorError) -> (Session, mayUseAllBranches: Bool)? in
            if isClosed { throw goneError(request) }
            if thread.frames.isEmpty, outer == nil, hasGiven() { return nil }
            if let outer, isElsewhere(from: outer.core) { tables.isReadElsewhere = true }
            let prepared = outer.flatMap { $0.core === self ? $0.prepared : nil }
            // An instance of the outermost context is made from one of a child only if the child follows immediately.
            return (
                Session(in: self, earlier ?? prepared ?? state, request), !family.promptFollowers.isEmpty
            )
        }
        guard let (session, mayUseAllBranches) = begun else { return }
        session.outer = thread.session(in: family)
        if !thread.frames.isEmpty, isChild || mayUseAllBranches {
            thread.widenLeanRequest(unlessOf: isChild ? branch : nil)
        }
        thread.frames.append(Frame(session: session, recorder: recorder))
        defer { thread.frames.removeLast() }
        try bound { () throws(LocatorError) in
            do throws(LocatorError) {
                try body(session, thread)
            } catch {
                _ = session.end(on: thread)
                throw error
            }
            if let failure = session.end(on: thread) { throw failure }
        }
        for event in session.resolved { tell(event) }
    }

    /// Makes this context the current one, if it is not, while foreign code runs on its behalf.
    private func bound(_ body: () throws(LocatorError) -> Void) throws(LocatorError) {
        if AppContext.isCurrent(self) { return try body() }
        let result = withExtendedLifetime(representative) {
            AppContext.entering(contextOf: self) { Result(catching: body) }
        }
        return try result.get()
    }

    /// Resolves a request for one instance, or returns nil if nothing is registered.
    func find(_ request: Request) throws(LocatorError) -> AnyBox? {
        var found: Answer?
        return try inSession(
            request,
            orGive: {
                // The request is noted before it begins. After that, this context is always the current one, even for a
                // request that was made outside of it.
                let (cell, answer) = answer(.single, request, in: state)
                found = answer
                guard case .slot(let slot) = answer, slot.record.isolation != .makingAndAsking,
                    let instance = given(slot)
                else { return nil }
                makeReady(cell, instance, for: slot)
                return instance.box
            },
            { (session, thread) throws(LocatorError) in
                let answer = found ?? session.read(.single, request, on: thread)
                return try session.obtain(answer, request, on: thread)
            })
    }

    /// Finds the answer to a request in a state, and makes it ready if possible.
    ///
    /// The caller holds the lock.
    func answer(
        _ kind: Cell.Query.Kind, _ request: Request, in state: ContextState
    ) -> (cell: Cell, answer: Answer) {
        let cell = cell(kind, of: request.key)
        let answer = answer(of: cell, in: state)
        if state === self.state { makeAnswerReady(answer, of: cell) }
        watch?.note(answer, to: request)
        return (cell, answer)
    }

    /// The argument for a parameter, if it is an instance; nil if the parameter has to be resolved like any other
    /// request.
    func argument(
        _ type: any Any.Type, _ qualifier: Qualifier?, of slot: Unmanaged<Slot>?, on thread: ThreadRecord
    ) throws(LocatorError) -> AnyBox? {
        if let child = asChild {
            // Only a registration says what its parameters read, unless a setting names a qualifier. No request has the
            // place that is passed.
            let isNoted = qualifier?.path != nil || slot?._withUnsafeGuaranteedRef { $0.isLayer } ?? false
            if case .box(let box) = try child.readLean(type, qualifier, SourcePlace(), isNoted: isNoted) { return box }
        }
        return try nested(type, qualifier, thread.innermostLocation, on: thread)
    }

    /// The instance for a request of a running factory closure.
    ///
    /// Returns nil if the innermost frame of the thread belongs to another context, or if there is no such instance.
    /// Then the caller resolves the request like any other. Factory closures nest, so the path to the next one is
    /// short, and rare parts of it are not inlined.
    func nested(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace, on thread: ThreadRecord
    ) throws(LocatorError) -> AnyBox? {
        guard let last = thread.frames.last, last.isOf(self), let session = thread.session(of: self) else { return nil }
        let request = try request(type, qualifier, location)
        if session.hasEnded { throw goneError(request) }
        guard let slot = slot(answering: request, in: session, on: thread) else { return nil }
        let box = try session.obtain(slot, request, on: thread)
        tellResolved(request.key, request.location)
        return box
    }

    @inline(never)
    private func slot(answering request: Request, in session: Session, on thread: ThreadRecord) -> Slot? {
        guard case .slot(let slot) = session.read(.single, request, on: thread) else { return nil }
        return slot
    }

    /// Resolves a collection, in lookup order, or the instances with a qualifier, one for each qualifier.
    ///
    /// `isSelected` is the predicate of a selection of modules.
    func findAll(
        _ request: Request, _ kind: Cell.Query.Kind,
        where isSelected: (@Sendable (ModuleSelection.Candidate) -> Bool)? = nil
    ) throws(LocatorError) -> [(box: AnyBox, qualifier: String?)] {
        try inSession(request) { (session, thread) throws(LocatorError) in
            let selected = isSelected.map { select(ObjectIdentifier(request.key.type), $0, in: session.state) }
            let elements = try session.elements(kind, request, selected, on: thread)
            if elements.isEmpty, let fix = Fix.ofArray(of: request.key.type) {
                throw LocatorError(.missing(request.key), request, thread).noting([], betterFix: fix)
            }
            return try session.obtain(elements, request, on: thread)
        }
    }

    /// Throws if a requested factory could not make anything.
    func checkFactory(
        of type: any Any.Type, _ payloadType: any Any.Type, isAwaited: Bool, _ request: Request
    ) throws(LocatorError) {
        let key = Key(type, qualifier: request.key.qualifier, hidesQualifier: request.key.hidesQualifier)
        let product = Request(key: key, location: request.location, qualifierPath: request.qualifierPath)
        try inSession(product) { (session, thread) throws(LocatorError) in
            _ = try session.factory(payloadType, isAwaited: isAwaited, product, on: thread)
        }
    }

    /// Creates the product of a factory.
    ///
    /// Only if `isAwaited` is true may the factory be asynchronous.
    func produce<Payload>(
        from payload: Payload, _ request: Request, isAwaited: Bool
    ) throws(LocatorError) -> Product {
        try withPointer(to: payload) { (pointer) throws(LocatorError) in
            try produce(Payload.self, at: pointer, request, isAwaited: isAwaited)
        }
    }

    private func produce(
        _ payloadType: any Any.Type, at payload: UnsafeRawPointer, _ request: Request, isAwaited: Bool
    ) throws(LocatorError) -> Product {
        try inSession(request) { (session, thread) throws(LocatorError) in
            let slot = try session.factory(payloadType, isAwaited: isAwaited, request, on: thread)
            if slot.record.isAsynchronous {
                return .begun(try AwaitedProduct.begin(slot, payload: payload, request, in: session, on: thread))
            }
            return .made(try session.obtain(slot, payload: payload, request, on: thread))
        }
    }

    /// The instance that a request would give, if it exists.
    ///
    /// Nothing is made.
    func existing(_ request: Request) -> AnyBox? {
        let slot = locked { () -> Slot? in
            guard case .slot(let slot) = answer(of: cell(.single, of: request.key), in: state) else { return nil }
            return slot
        }
        guard let slot, slot.record.isolation != .makingAndAsking || MainActorCheck.isOnMainActor,
            let existing = existing(slot)
        else { return nil }
        locked { watch?.note(slot, request) }
        return existing
    }

    /// The existing instance of a slot.
    ///
    /// An instance that was registered as an object always exists. An alias exists if its target does.
    private func existing(_ slot: Slot) -> AnyBox? {
        if isChild { askSelections(toShare: slot, in: locked { state }) }
        if let box = locked({ given(slot)?.box }) { return box }
        switch slot.layer {
        case .decorator: return nil
        case .alias(let alias, let inner): return existing(inner).map(alias.convert)
        case .registration:
            switch slot.record.production {
            case .instance(let box): return box
            case .input: return locked { handedIn(slot.record) }
            case .synchronous, .asynchronous: return nil
            }
        }
    }
}

extension ModuleSelection {
    /// The kind of collection to read for the selection.
    var kind: Cell.Query.Kind {
        switch rule {
        case .all: .collection
        case .matching: .offers
        case .first: .firstCollection
        case .named(let names): .namedCollection(names)
        }
    }

    /// The predicate of a `.where`; nil for any other selection.
    var predicate: (@Sendable (ModuleSelection.Candidate) -> Bool)? {
        if case .matching(let predicate) = rule { predicate } else { nil }
    }
}
