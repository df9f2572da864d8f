import Foundation

/// The floor of changes: a dictionary of closures and instances behind a lock.
final class LockedTable: @unchecked Sendable {
    // Sendable: both dictionaries are used with the lock held.

    private let lock = NSLock()
    private var makers: [ObjectIdentifier: () -> AnyObject] = [:]
    private var instances: [ObjectIdentifier: AnyObject] = [:]

    /// Registers a closure.
    func insert(_ type: any Any.Type, _ make: @escaping () -> AnyObject) {
        lock.lock()
        makers[ObjectIdentifier(type)] = make
        lock.unlock()
    }

    /// Removes a closure and what it made.
    func remove(_ type: any Any.Type) {
        lock.lock()
        makers[ObjectIdentifier(type)] = nil
        instances[ObjectIdentifier(type)] = nil
        lock.unlock()
    }

    /// Looks up a closure, runs it, and keeps what it made.
    func resolve(_ type: any Any.Type) -> AnyObject? {
        let key = ObjectIdentifier(type)
        lock.lock()
        let (instance, make) = (instances[key], makers[key])
        lock.unlock()
        if let instance { return instance }
        guard let made = make?() else { return nil }
        lock.lock()
        instances[key] = made
        lock.unlock()
        return made
    }
}
