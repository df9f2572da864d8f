/// An observer that finds the slowest initializations.
///
/// ```swift
/// let initializations = SlowestInitializations()
/// let observation = AppContext.shared.observe(initializations.record)
/// try await AppContext.shared.load(.shop).start()
/// observation.end()
/// print(initializations)
/// ```
public final class SlowestInitializations: @unchecked Sendable, CustomStringConvertible, OpaqueToReflection {
    // Sendable: `initializations` is read and written with the lock held. The other fields are constant.
    private let limit: Int
    private let lock = Lock()
    private var initializations: [ContextEvent.Initialization] = []

    /// Creates an observer that keeps the slowest initializations.
    public init(limit: Int = 10) {
        self.limit = limit
    }

    /// Records an event.
    ///
    /// Pass this function to `observe`.
    public func record(_ event: ContextEvent) {
        guard case .made(let initialization) = event else { return }
        lock.withLock {
            let place =
                initializations.firstIndex { $0.ownDuration < initialization.ownDuration } ?? initializations.endIndex
            guard place < limit else { return }
            initializations.insert(initialization, at: place)
            if initializations.count > limit { initializations.removeLast() }
        }
    }

    /// The slowest initializations so far, the slowest first, each without the time of its dependencies.
    public var slowest: [ContextEvent.Initialization] { lock.withLock { initializations } }

    /// One line for each of the slowest initializations.
    ///
    /// ```text
    /// slowest initializations
    ///     41.3 ms  Database (Shop/Shop.swift:12)
    ///      2.1 ms  any Catalog (Shop/Shop.swift:17)
    /// ```
    public var description: String {
        let initializations = slowest
        if initializations.isEmpty { return "nothing was made" }
        return
            (["slowest initializations"]
            + initializations.map { initialization in
                let time = ContextEvent.text(initialization.ownDuration)
                let padding = String(repeating: " ", count: max(0, 12 - time.count))
                return "\(padding)\(time)  \(initialization.key) (\(initialization.location))"
            }).joined(separator: "\n")
    }
}
