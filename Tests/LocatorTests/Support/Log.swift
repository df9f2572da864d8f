import Foundation

/// What happened, in order; tests compare it whole.
final class Log: @unchecked Sendable {
    // Sendable: `list` is guarded by `lock`.
    private let lock = NSLock()
    private var list: [String] = []

    func callAsFunction(_ entry: String) {
        lock.withLock { list.append(entry) }
    }

    var entries: [String] { lock.withLock { list } }

    /// Returns and removes the entries so far.
    func take() -> [String] {
        lock.withLock {
            defer { list = [] }
            return list
        }
    }
}
