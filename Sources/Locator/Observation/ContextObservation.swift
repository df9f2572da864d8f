// Not `Observation`: a type of that name would hide the module, whose names `@Observable` expands to.

/// An observation of a context's events, which `observe` returns.
///
/// To end the observation, call ``end()``. Otherwise, it lasts as long as its context and the forks that were created
/// during the observation.
public final class ContextObservation: Sendable, OpaqueToReflection {
    private let core: ContextCore
    private let observer: Observer

    init(core: ContextCore, _ observer: Observer) {
        self.core = core
        self.observer = observer
    }

    /// Ends the observation.
    ///
    /// An event that is being delivered on another thread may still arrive.
    public func end() {
        observer.end()
        core.endObservations { $0 === observer }
    }
}

extension AppContext {
    /// Reports all events in the context, its children, and the forks that are created later to an observer.
    ///
    /// ```swift
    /// let observation = context.observe { event in print(event) }
    /// defer { observation.end() }
    /// ```
    ///
    /// The observer runs on the thread of the event, without a lock, and may use and change the context. Events that it
    /// causes itself are not reported. Without observers, events cost nothing.
    ///
    /// The event ``ContextEvent/made(_:)`` is sent while the request for the instance is running. The observer cannot
    /// resolve the instance itself, or wait for another thread that does.
    @discardableResult
    public func observe(_ observer: @escaping @Sendable (ContextEvent) -> Void) -> ContextObservation {
        core.locked {
            let added = Observer(observer)
            // Ready answers are not returned while there is an observer. See `mayAnswerReady`.
            core.add([added])
            return ContextObservation(core: core, added)
        }
    }
}
