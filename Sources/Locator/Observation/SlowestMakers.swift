/// An observer that finds out which makers take longest.
///
/// ```swift
/// let makers = SlowestMakers()
/// let observation = AppContext.shared.observe(makers.note)
/// try await AppContext.shared.load(.shop).start()
/// observation.end()
/// print(makers)
/// ```
public final class SlowestMakers: Sendable, CustomStringConvertible {
    private let limit: Int
    private let makings = Guarded<[ContextEvent.Making]>([])

    /// Creates an observer that keeps the slowest makings.
    public init(limit: Int = 10) {
        self.limit = limit
    }

    /// Takes note of an event: what `observe` is given.
    public func note(_ event: ContextEvent) {
        guard case .made(let making) = event else { return }
        let limit = limit
        makings.change { makings in
            let place = makings.firstIndex { $0.ownDuration < making.ownDuration } ?? makings.endIndex
            guard place < limit else { return }
            makings.insert(making, at: place)
            if makings.count > limit { makings.removeLast() }
        }
    }

    /// The slowest makings so far, the slowest first, each without what was made for it.
    public var slowest: [ContextEvent.Making] { makings.value }

    /// One line for each of the slowest makings.
    ///
    /// ```text
    /// slowest makers
    ///     41.3 ms  Database (Shop/Shop.swift:12)
    ///      2.1 ms  any Catalog (Shop/Shop.swift:17)
    /// ```
    public var description: String {
        let makings = slowest
        if makings.isEmpty { return "nothing was made" }
        return
            (["slowest makers"]
            + makings.map { making in
                let time = ContextEvent.text(making.ownDuration)
                let padding = String(repeating: " ", count: max(0, 12 - time.count))
                return "\(padding)\(time)  \(making.key) (\(making.location))"
            }).joined(separator: "\n")
    }
}

/// A value behind a lock.
private final class Guarded<Value: Sendable>: @unchecked Sendable {
    // Sendable: `stored` is read and written with the lock held.
    private let lock = Lock()
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    var value: Value {
        lock.lock()
        defer { lock.unlock() }
        return stored
    }

    func change(_ body: (inout Value) -> Void) {
        lock.lock()
        defer { lock.unlock() }
        body(&stored)
    }
}
