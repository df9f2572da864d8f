/// The observers of a family's contexts.
struct Observers {
    /// One observer, and the context it observes.
    struct Observer {
        let number: UInt
        let core: ObjectIdentifier
        let tell: @Sendable (ContextEvent) -> Void
    }

    private(set) var all: [Observer] = []
    private var count: UInt = 0

    mutating func add(_ core: ContextCore, _ tell: @escaping @Sendable (ContextEvent) -> Void) -> UInt {
        count += 1
        all.append(Observer(number: count, core: core.identity, tell: tell))
        return count
    }

    /// Removes observers and returns them.
    ///
    /// The caller releases what they captured without the lock.
    mutating func remove(where isRemoved: (Observer) -> Bool) -> [Observer] {
        let removed = all.filter(isRemoved)
        all.removeAll(where: isRemoved)
        return removed
    }
}
