import Foundation

/// Runs `body` on new threads, and `meanwhile` on this one.
///
/// An error in any of them ends the program.
func withThreads(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Void, meanwhile: () throws -> Void
) throws {
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        let thread = Thread {
            do { try body(number) } catch { fatalError("A reader failed: \(error)") }
            group.leave()
        }
        thread.start()
    }
    defer { group.wait() }
    try meanwhile()
}

/// A value behind a lock.
final class Guarded<Value: Sendable>: @unchecked Sendable {
    // Sendable: `stored` is read and written with the lock held.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    var value: Value {
        get { lock.withLock { stored } }
        set {
            // Releasing objects may run deinits, so it does not happen while the lock is held.
            let old = lock.withLock {
                defer { stored = newValue }
                return stored
            }
            withExtendedLifetime(old) {}
        }
    }
}
