internal import Synchronization

extension ContextCore {
    /// Whether someone observes this context, or a relative of it.
    ///
    /// Read without the lock.
    var isObserved: Bool {
        // Relaxed suffices: an observer is told of what begins after `observe` has returned, and whoever knows of that
        // return is ordered behind it already.
        family.isObserved.load(ordering: .relaxed)
    }

    func observe(_ tell: @escaping @Sendable (ContextEvent) -> Void) -> ContextObservation {
        locked {
            let number = family.observers.add(self, tell)
            family.isObserved.store(true, ordering: .relaxed)
            // What is ready is given without being noticed. Children look whether anyone observes; see `mayAnswer`.
            forgetWarmAnswers()
            return ContextObservation(core: self, number: number)
        }
    }

    func endObservation(_ number: UInt) {
        endObservations { $0.number == number }
    }

    /// Forgets the observers of this context, which has ended.
    func endObservations() {
        endObservations { $0.core == ObjectIdentifier(self) }
    }

    private func endObservations(where isEnded: (Observers.Observer) -> Bool) {
        locked {
            discard(family.observers.remove(where: isEnded))
            if family.observers.all.isEmpty { family.isObserved.store(false, ordering: .relaxed) }
        }
    }

    /// Tells the observers of this context and of its parents; no lock is held.
    func tell(_ event: @autoclosure () -> ContextEvent) {
        if isObserved { tellObservers(event()) }
    }

    private func tellObservers(_ event: ContextEvent) {
        let thread = ThreadRecord.current
        // An observer is not told of what it does itself.
        if thread.isObserving { return }
        let observers = locked { () -> [Observers.Observer] in
            var cores: IdentitySet = [ObjectIdentifier(self)]
            var core = self
            while let parent = core.parentCore {
                core = parent
                cores.insert(ObjectIdentifier(core))
            }
            return family.observers.all.filter { cores.contains($0.core) }
        }
        if observers.isEmpty { return }
        thread.isObserving = true
        defer { thread.isObserving = false }
        thread.outsideOfMakings {
            for observer in observers { observer.tell(event) }
        }
    }

    /// Runs what makes an instance, and tells observers how long it took.
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

    /// Tells observers of a making, unless it is but an upcast, or decoding what nobody registered.
    func tellMade(_ slot: Slot, _ duration: Duration, own ownDuration: Duration) {
        if case .alias = slot.layer { return }
        tell(
            .made(
                .init(
                    key: slot.key, scope: slot.record.lifetime.description, location: slot.step.location,
                    duration: duration, ownDuration: ownDuration)))
    }
}
