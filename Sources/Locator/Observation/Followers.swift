/// One reader that follows a setting; see ``PropertyValues``.
///
/// Guarded by the lock of the family.
final class Follower: @unchecked Sendable {
    // Sendable: the fields are guarded by the lock of the family, whose holder accesses one field at a time: hence the
    // unchecked exclusivity.

    /// Whether something has changed since the reader last looked.
    @exclusivity(unchecked) fileprivate(set) var isWoken = true
    /// What the reader waits with.
    @exclusivity(unchecked) private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Notes that the reader looks now: it is woken by what changes from here on.
    func beginLooking() { isWoken = false }

    /// Lets the reader wait, or gives the continuation back where something has changed since it looked.
    func wait(with continuation: CheckedContinuation<Void, Never>) -> CheckedContinuation<Void, Never>? {
        if isWoken { return continuation }
        waiting.append(continuation)
        return nil
    }

    /// Lets the reader look again; gives what to resume once the lock has been given back.
    func wake() -> [CheckedContinuation<Void, Never>] {
        isWoken = true
        defer { waiting = [] }
        return waiting
    }
}

/// The followers of a family's contexts.
///
/// A follower is in the table of its context and in those of all contexts above, because a change visits no children. So
/// a change looks up one table, and takes time for the followers that it may concern.
struct Followers {
    private var tables = IdentityTable<IdentityTable<Follower>>()
    /// What is resumed once the lock has been given back.
    private var woken: [CheckedContinuation<Void, Never>] = []

    var isEmpty: Bool { tables.isEmpty }

    mutating func add(_ follower: Follower, of core: ContextCore) {
        forEach(from: core) { tables[$0, default: [:]][ObjectIdentifier(follower)] = follower }
    }

    mutating func remove(_ follower: Follower, of core: ContextCore) {
        forEach(from: core) { identity in
            tables[identity]?[ObjectIdentifier(follower)] = nil
            if tables[identity]?.isEmpty == true { tables[identity] = nil }
        }
    }

    /// Wakes the followers of a context and of those below it.
    mutating func wake(_ core: ContextCore) {
        for follower in (tables[ObjectIdentifier(core)] ?? [:]).values { woken += follower.wake() }
    }

    /// Whether there is anything to resume.
    var hasWoken: Bool { !woken.isEmpty }

    /// Takes out what is to be resumed.
    mutating func takeWoken() -> [CheckedContinuation<Void, Never>] {
        if woken.isEmpty { return [] }
        defer { woken = [] }
        return woken
    }

    private func forEach(from core: ContextCore, _ body: (ObjectIdentifier) -> Void) {
        var next: ContextCore? = core
        while let core = next {
            body(ObjectIdentifier(core))
            next = core.parentCore
        }
    }
}
