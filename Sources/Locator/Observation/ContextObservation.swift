// Not `Observation`: a type of that name hides the module, and `@Observable` expands to names in it.

/// What `observe` gives: the way to end it.
///
/// An observation that nobody ends lasts as long as its context.
public final class ContextObservation: Sendable {
    private let core: ContextCore
    private let number: UInt

    init(core: ContextCore, number: UInt) {
        self.core = core
        self.number = number
    }

    /// Ends the observation; an event that is being delivered on another thread may still arrive.
    public func end() { core.endObservation(number) }
}

extension AppContext {
    /// Tells an observer of everything that happens in the context and its children.
    ///
    /// ```swift
    /// let observation = context.observe { event in print(event) }
    /// defer { observation.end() }
    /// ```
    ///
    /// The observer runs on the thread where the event happens, without any lock, and may use and change the context;
    /// of what it causes itself it is told nothing. While nobody observes, nothing is paid.
    @discardableResult
    public func observe(_ observer: @escaping @Sendable (ContextEvent) -> Void) -> ContextObservation {
        core.observe(observer)
    }
}
