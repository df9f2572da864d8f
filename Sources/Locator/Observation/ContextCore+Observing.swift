internal import Synchronization

extension ContextCore {
    /// Whether this context or a related one is observed.
    ///
    /// Read without the lock.
    var isObserved: Bool {
        // Relaxed suffices: an observer receives what begins after `observe` has returned, and code that relies on this
        // return is already ordered after it.
        family.isObserved.load(ordering: .relaxed)
    }

    func observe(_ tell: @escaping @Sendable (ContextEvent) -> Void) -> ContextObservation {
        locked {
            let observer = Observer(tell)
            add([observer])
            // Ready answers are returned without an event, so they are dropped. Children check for observers
            // themselves. See `mayAnswer`.
            forgetWarmAnswers()
            return ContextObservation(core: self, observer)
        }
    }

    /// Adds observers of this context.
    ///
    /// The caller holds the lock.
    func add(_ observers: [Observer]) {
        if observers.isEmpty { return }
        for observer in observers { family.observers.add(observer, of: self) }
        family.isObserved.store(true, ordering: .relaxed)
    }

    /// Removes the observers of this context, which has ended.
    func endObservations() {
        endObservations { $0.core == self.identity }
    }

    func endObservations(where isEnded: ((core: ObjectIdentifier, observer: Observer)) -> Bool) {
        // Code that has an observation is ordered after its beginning.
        guard isObserved else { return }
        locked {
            discard(family.observers.remove(where: isEnded))
            if family.observers.all.isEmpty { family.isObserved.store(false, ordering: .relaxed) }
        }
    }

    /// Reports an event to the observers of this context and its parents.
    ///
    /// The caller must not hold a lock.
    func tell(_ event: @autoclosure () -> ContextEvent) {
        if isObserved { tellObservers(event()) }
    }

    private func tellObservers(_ event: ContextEvent) {
        let thread = ThreadRecord.current
        // Events that an observer causes are not reported.
        if thread.isObserving { return }
        let observers = locked { family.observers.observers(of: lineage) }
        // The observation of a context that this one, or one above it, is a fork of.
        if observers.contains(where: \.hasEnded) { endObservations { $0.observer.hasEnded } }
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
