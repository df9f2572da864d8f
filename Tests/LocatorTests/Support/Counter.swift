import Foundation

/// Counts, from any thread.
final class Counter: @unchecked Sendable {
    // Sendable: `number` is guarded by `lock`.
    private let lock = NSLock()
    private var number = 0

    /// Adds one and returns the sum.
    @discardableResult
    func next() -> Int {
        lock.withLock {
            number += 1
            return number
        }
    }

    var value: Int { lock.withLock { number } }
}
