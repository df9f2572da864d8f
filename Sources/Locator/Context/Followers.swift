/// A reader that follows a setting.
///
/// See ``PropertyValues``. Guarded by the lock of the family.
final class Follower: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the family. Its holder accesses one field at a time, so the
    // exclusivity need not be checked.

    let core: ContextCore
    /// Whether something has changed since the reader last looked.
    @exclusivity(unchecked) fileprivate(set) var isWoken = true
    /// The continuations of the waiting reader.
    @exclusivity(unchecked) private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of core: ContextCore) {
        self.core = core
    }

    /// Records that the reader looks now.
    ///
    /// Later changes wake it.
    func beginLooking() { isWoken = false }

    /// Makes the reader wait, or returns the continuation if something has changed since it looked.
    func wait(with continuation: CheckedContinuation<Void, Never>) -> CheckedContinuation<Void, Never>? {
        if isWoken { return continuation }
        waiting.append(continuation)
        return nil
    }

    /// Wakes the reader.
    ///
    /// Returns the continuations to resume after the lock is released.
    func wake() -> [CheckedContinuation<Void, Never>] {
        isWoken = true
        return waiting.takeAll()
    }
}

/// The followers of a family's contexts.
///
/// A follower is in the table of its context and in those of all its parents, because a change does not visit children.
/// So a change looks up one table, and its cost depends only on the followers that it may concern.
struct Followers {
    private var tables = IdentityTable<IdentityTable<Follower>>()
    /// The continuations to resume after the lock is released.
    var woken: [CheckedContinuation<Void, Never>] = []

    var isEmpty: Bool { tables.isEmpty }

    mutating func add(_ follower: Follower) {
        for core in follower.core.lineage {
            tables[core.identity, default: [:]][ObjectIdentifier(follower)] = follower
        }
    }

    mutating func remove(_ follower: Follower) {
        for identity in follower.core.lineage.map(\.identity) {
            tables[identity]?[ObjectIdentifier(follower)] = nil
            if tables[identity]?.isEmpty == true { tables[identity] = nil }
        }
    }

    /// Wakes the followers of a context and its children.
    mutating func wake(_ core: ContextCore) {
        for follower in (tables[core.identity] ?? [:]).values { woken += follower.wake() }
    }

    /// Resumes continuations, with no lock held.
    // It is not inlined: for the type of the array, the runtime looks for a conformance in all libraries of the program.
    @inline(never)
    static func resume(_ woken: [CheckedContinuation<Void, Never>]) {
        for continuation in woken { continuation.resume() }
    }
}
