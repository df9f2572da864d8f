internal import Synchronization

extension ContextCore {
    /// Whether this context or one above it is observed.
    ///
    /// Read without the lock.
    var isObserved: Bool { family.isObserved && isObservedInLineage }

    @inline(never)
    private var isObservedInLineage: Bool {
        // Relaxed suffices: see `ContextFamily.isObserved`.
        hasObservers.load(ordering: .relaxed) || hasAbove { $0.hasObservers.load(ordering: .relaxed) }
    }

    /// The observers of this context and of those above it, those of the outermost one first.
    ///
    /// The caller holds the lock.
    var observers: [Observer] { lineage.reversed().flatMap { $0.knownTables?.pointee.observers ?? [] } }

    /// Adds observers of this context.
    ///
    /// The caller holds the lock.
    func add(_ observers: [Observer]) {
        if observers.isEmpty { return }
        tables.observers += observers
        noteObservers(observers.count)
    }

    /// Removes observers of this context.
    func endObservations(where isEnded: (Observer) -> Bool) {
        // Relaxed suffices: code that has an observation is ordered after its beginning.
        guard hasObservers.load(ordering: .relaxed) else { return }
        locked {
            // What they captured is released without the lock.
            let ended = tables.observers.filter(isEnded)
            discard(ended)
            tables.observers.removeAll(where: isEnded)
            noteObservers(-ended.count)
        }
    }

    private func noteObservers(_ difference: Int) {
        family.observerCount.wrappingAdd(difference, ordering: .relaxed)
        hasObservers.store(!tables.observers.isEmpty, ordering: .relaxed)
    }

    /// Reports an event to the observers of this context and its parents.
    ///
    /// The caller must not hold a lock.
    func tell(_ event: @autoclosure () -> ContextEvent) {
        if isObserved { tellObservers(event()) }
    }

    /// Reports that a request was resolved: immediately if it is for something that is being made, otherwise when the
    /// outermost request that contains it has ended.
    func tellResolved(_ key: @autoclosure () -> Key, _ location: SourcePlace) {
        if isObserved { tellObserversAfterRequest(.resolved(key(), location)) }
    }

    @inline(never)
    private func tellObserversAfterRequest(_ event: ContextEvent) {
        let thread = ThreadRecord.current
        let making = thread.frames.last { $0.isBarrier || $0.slot != nil }
        if making?.isBarrier ?? true, let session = thread.session(of: self) {
            session.resolved.append(event)
        } else {
            tellObservers(event)
        }
    }

    private func tellObservers(_ event: ContextEvent) {
        let thread = ThreadRecord.current
        // Events that an observer causes are not reported.
        if thread.isObserving { return }
        let observers = locked { self.observers }
        // The observation of a context that this one, or one above it, is a fork of.
        if observers.contains(where: \.hasEnded) { for core in lineage { core.endObservations(where: \.hasEnded) } }
        if observers.isEmpty { return }
        thread.isObserving = true
        defer { thread.isObserving = false }
        thread.outsideOfMakings {
            for observer in observers { observer.tell(event) }
        }
    }

    /// Runs the closure that makes an instance, and reports its duration to observers.
    func timing<Result>(
        _ slot: Slot, on thread: ThreadRecord, _ make: () throws(LocatorError) -> Result
    ) throws(LocatorError) -> Result {
        let before = thread.timeOfParts
        thread.timeOfParts = .zero
        let start = ContinuousClock.now
        defer { thread.timeOfParts = before + (ContinuousClock.now - start) }
        let result = try make()
        let duration = ContinuousClock.now - start
        tellMade(slot, duration, own: duration - thread.timeOfParts)
        return result
    }

    /// Reports an initialization to observers, unless it is only an upcast, or decodes a type that is not registered.
    func tellMade(_ slot: Slot, _ duration: Duration, own ownDuration: Duration) {
        if slot.isAlias { return }
        tell(
            .made(
                .init(
                    key: slot.key, scope: slot.record.lifetime.description, location: slot.step.location,
                    duration: duration, ownDuration: ownDuration)))
    }
}
