internal import LocatorProperties

/// The answer of a context for the path of a setting.
///
/// There is at most one cell for each path. It is kept while it is in use; see ``PropertyCells``.
///
/// Guarded by the context's lock.
final class PropertyCell: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the context. Its holder accesses one field at a time, so
    // the exclusivity need not be checked.

    let path: String
    /// The context that the cell belongs to.
    let owner: ObjectIdentifier

    /// What the current state has at the path, after the first read.
    @exclusivity(unchecked) var lookup: PropertyLookup?

    /// The paths that the answers in all states so far depend on.
    @exclusivity(unchecked) fileprivate var watched: Set<String> = []

    /// The shared instances whose making read the setting, by the digest of the answer that they were given.
    @exclusivity(unchecked) var dependents = InstanceGroups()

    init(path: String, owner: ObjectIdentifier) {
        self.path = path
        self.owner = owner
    }

    /// Whether there is a setting with this path, and the path is written in its canonical form.
    fileprivate var isOfSetting: Bool {
        guard let lookup, lookup.path == path, case .success(.some) = lookup.result else { return false }
        return true
    }
}

/// The setting cells of a context, found by the paths on which their answers depend.
///
/// A path may come from outside of the program, so cells that no instance and no running making has read are dropped,
/// unless there is a setting with this path. Recorded reads retain their cells.
struct PropertyCells {
    private var cells = UsedTable<String, PropertyCell>()
    private var watchers = PathWatchers<PropertyCell>()

    /// The cell of a path, created if necessary.
    mutating func cell(of path: String, owner: ContextCore) -> PropertyCell {
        if let cell = cells[path] { return cell }
        let cell = PropertyCell(path: path, owner: owner.identity)
        let dropped = cells.insert(cell, for: path) { $0.isOfSetting }
        for cell in dropped { watchers.remove(cell, at: cell.watched) }
        return cell
    }

    /// Remembers the paths that a cell's answer depends on.
    mutating func watch(_ cell: PropertyCell, _ lookup: PropertyLookup) {
        for path in lookup.watched where cell.watched.insert(path).inserted { watchers.add(cell, at: path) }
    }

    /// The cells whose answers may differ after the values at these paths have changed.
    func cells(touchedBy paths: [String]) -> [PropertyCell] { watchers.watchers(touchedBy: paths) }

    var all: some Sequence<PropertyCell> { cells.values }
}

extension PropertyLookup {
    /// The paths that the answer depends on: its own, and those that placeholders led to.
    var watched: [String] { [path] + consulted }
}

/// Objects that depend on settings, found by the paths of the settings.
///
/// It does not retain them, so each has to be removed before it is released.
struct PathWatchers<Watcher: AnyObject> {
    /// The objects that depend on exactly this path, or on an element of an array that is there.
    private var exact = [String: IdentityTable<Unmanaged<Watcher>>]()
    /// The objects that depend on this path or on one below it.
    private var atOrBelow = [String: IdentityTable<Unmanaged<Watcher>>]()

    mutating func add(_ watcher: Watcher, at path: String) {
        let prefixes = PropertyPath.prefixes(of: path)
        let identity = ObjectIdentifier(watcher)
        exact[prefixes.last ?? path, default: [:]][identity] = .passUnretained(watcher)
        for prefix in prefixes { atOrBelow[prefix, default: [:]][identity] = .passUnretained(watcher) }
    }

    mutating func remove(_ watcher: Watcher, at paths: Set<String>) {
        for path in paths {
            let prefixes = PropertyPath.prefixes(of: path)
            Self.remove(watcher, from: &exact[prefixes.last ?? path])
            for prefix in prefixes { Self.remove(watcher, from: &atOrBelow[prefix]) }
        }
    }

    private static func remove(_ watcher: Watcher, from table: inout IdentityTable<Unmanaged<Watcher>>?) {
        table?[ObjectIdentifier(watcher)] = nil
        if table?.isEmpty == true { table = nil }
    }

    /// The objects that may be affected after the values at these paths have changed.
    func watchers(touchedBy paths: [String]) -> [Watcher] {
        var touched = IdentityTable<Unmanaged<Watcher>>()
        for path in paths {
            let prefixes = PropertyPath.prefixes(of: path)
            touched.formUnion(atOrBelow[prefixes.last ?? path] ?? [:])
            for prefix in prefixes { touched.formUnion(exact[prefix] ?? [:]) }
        }
        return touched.values.map { $0.takeUnretainedValue() }
    }
}
