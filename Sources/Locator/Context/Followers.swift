internal import LocatorProperties

/// A reader that follows a setting.
///
/// See ``PropertyValues``. Guarded by the lock of the family.
final class Follower: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the family. Its holder accesses one field at a time, so the
    // exclusivity need not be checked.

    let core: ContextCore
    /// Whether something has changed since the reader last looked.
    @exclusivity(unchecked) fileprivate(set) var isWoken = true
    /// The paths that the value depended on when the reader last looked.
    @exclusivity(unchecked) fileprivate var watched: Set<String> = []
    /// The continuations of the waiting reader.
    @exclusivity(unchecked) private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of core: ContextCore) {
        self.core = core
    }

    /// Records that the reader looks at the setting now.
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
/// A follower is in the table of its context and in the tables of all its parents, because a change does not visit
/// children. So a change looks up one table, and its cost depends only on the followers that it may concern.
struct Followers {
    private struct Table {
        var followers: IdentityTable<Follower> = [:]
        var watchers = PathWatchers<Follower>()
    }

    private var tables = IdentityTable<Table>()
    /// The continuations to resume after the lock is released.
    var woken: [CheckedContinuation<Void, Never>] = []

    var isEmpty: Bool { tables.isEmpty }

    mutating func add(_ follower: Follower) {
        for core in follower.core.lineage {
            tables[core.identity, default: Table()].followers[ObjectIdentifier(follower)] = follower
        }
    }

    /// Remembers the paths on which a follower's value depends.
    mutating func watch(_ follower: Follower, at paths: Set<String>) {
        // Another copy of the iterator may have ended it.
        let isFollowing = tables[follower.core.identity]?.followers[ObjectIdentifier(follower)] != nil
        guard isFollowing, paths != follower.watched else { return }
        for core in follower.core.lineage {
            tables[core.identity]?.watchers.remove(follower, at: follower.watched)
            for path in paths { tables[core.identity]?.watchers.add(follower, at: path) }
        }
        follower.watched = paths
    }

    mutating func remove(_ follower: Follower) {
        for identity in follower.core.lineage.map(\.identity) {
            tables[identity]?.watchers.remove(follower, at: follower.watched)
            tables[identity]?.followers[ObjectIdentifier(follower)] = nil
            if tables[identity]?.followers.isEmpty == true { tables[identity] = nil }
        }
    }

    /// Wakes the followers of a context and its children.
    mutating func wake(_ core: ContextCore) {
        guard let table = tables[core.identity] else { return }
        for follower in table.followers.values { woken += follower.wake() }
    }

    /// Wakes the followers of a context and its children if a change of the values at these paths may change theirs.
    mutating func wake(_ core: ContextCore, touchedBy paths: [String]) {
        guard !paths.isEmpty, let table = tables[core.identity] else { return }
        for follower in table.watchers.watchers(touchedBy: paths) { woken += follower.wake() }
    }

    /// Resumes continuations, with no lock held.
    // It is not inlined, because for the type of the array, the runtime looks for a conformance in all libraries of the
    // program.
    @inline(never)
    static func resume(_ woken: [CheckedContinuation<Void, Never>]) {
        for continuation in woken { continuation.resume() }
    }
}
