internal import Synchronization

/// The observers of a family's contexts.
struct Observers {
    private(set) var all: [(core: ObjectIdentifier, observer: Observer)] = []

    /// The observers of some contexts.
    func observers(of cores: some Sequence<ContextCore>) -> [Observer] {
        all.filter { entry in cores.contains { $0.identity == entry.core } }.map(\.observer)
    }

    mutating func add(_ observer: Observer, of core: ContextCore) { all.append((core.identity, observer)) }

    /// Removes observers and returns them.
    ///
    /// The caller releases what they captured without the lock.
    mutating func remove(where isRemoved: ((core: ObjectIdentifier, observer: Observer)) -> Bool) -> [Observer] {
        let removed = all.filter(isRemoved)
        all.removeAll(where: isRemoved)
        return removed.map(\.observer)
    }
}

/// An observer of a context, its children, and the forks that were created from them since.
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
