internal import Synchronization

/// An observer of a context, its children, and the forks that were created from them since then.
final class Observer: Sendable {
    private let closure: @Sendable (ContextEvent) -> Void
    private let isEnded = Atomic(false)

    init(_ closure: @escaping @Sendable (ContextEvent) -> Void) { self.closure = closure }

    // Relaxed suffices: an event on another thread may still arrive.
    var hasEnded: Bool { isEnded.load(ordering: .relaxed) }

    func end() { isEnded.store(true, ordering: .relaxed) }

    /// Reports an event, unless the observation has ended.
    func tell(_ event: ContextEvent) { if !hasEnded { closure(event) } }
}
