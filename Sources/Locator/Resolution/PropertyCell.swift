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
    /// The context the cell belongs to.
    let owner: ObjectIdentifier

    /// What the current state has at the path, after the first read.
    @exclusivity(unchecked) var lookup: PropertyLookup?

    /// The paths that the answers depend on: its own, and those that placeholders led to.
    @exclusivity(unchecked) fileprivate var watched: Set<String> = []

    /// The shared instances whose making read the setting.
    @exclusivity(unchecked) var dependents = Dependents()

    init(path: String, owner: ObjectIdentifier) {
        self.path = path
        self.owner = owner
    }

    /// Whether there is a setting with this path, in the one way it is written there.
    fileprivate var isOfSetting: Bool {
        guard let lookup, lookup.path == path, case .success(.some) = lookup.result else { return false }
        return true
    }
}

/// The setting cells of a context, found by the paths on which their answers depend.
///
/// A path may come from outside of the program, so cells that no instance and no running making has read are dropped,
/// unless there is a setting with this path. Whatever was read retains its cell.
struct PropertyCells {
    private var cells = UsedTable<String, PropertyCell>()
    /// The cells that depend on exactly this path, or on an element of an array that is there.
    ///
    /// Neither table retains them: they are removed before a cell is dropped.
    private var exact = [String: IdentityTable<Unmanaged<PropertyCell>>]()
    /// The cells that depend on this path or on one below it.
    private var atOrBelow = [String: IdentityTable<Unmanaged<PropertyCell>>]()

    /// The cell of a path, created if necessary.
    mutating func cell(of path: String, owner: ContextCore) -> PropertyCell {
        if let cell = cells[path] { return cell }
        let cell = PropertyCell(path: path, owner: owner.identity)
        let dropped = cells.insert(cell, for: path) { $0.isOfSetting }
        for cell in dropped { unwatch(cell) }
        return cell
    }

    /// Remembers the paths that a cell's answer depends on.
    mutating func watch(_ cell: PropertyCell, _ lookup: PropertyLookup) {
        let identity = ObjectIdentifier(cell)
        for path in [lookup.path] + lookup.consulted where cell.watched.insert(path).inserted {
            let prefixes = Self.prefixes(of: path)
            exact[prefixes.last ?? path, default: [:]][identity] = .passUnretained(cell)
            for prefix in prefixes { atOrBelow[prefix, default: [:]][identity] = .passUnretained(cell) }
        }
    }

    private mutating func unwatch(_ cell: PropertyCell) {
        for path in cell.watched {
            let prefixes = Self.prefixes(of: path)
            Self.remove(cell, from: &exact[prefixes.last ?? path])
            for prefix in prefixes { Self.remove(cell, from: &atOrBelow[prefix]) }
        }
    }

    private static func remove(_ cell: PropertyCell, from table: inout IdentityTable<Unmanaged<PropertyCell>>?) {
        table?[ObjectIdentifier(cell)] = nil
        if table?.isEmpty == true { table = nil }
    }

    /// The cells whose answers may differ after the values at these paths have changed.
    func cells(touchedBy paths: [String]) -> [PropertyCell] {
        var touched = IdentityTable<Unmanaged<PropertyCell>>()
        for path in paths {
            let prefixes = Self.prefixes(of: path)
            touched.formUnion(atOrBelow[prefixes.last ?? path] ?? [:])
            for prefix in prefixes { touched.formUnion(exact[prefix] ?? [:]) }
        }
        return touched.values.map { $0.takeUnretainedValue() }
    }

    var all: some Sequence<PropertyCell> { cells.values }

    /// All paths above a path, and at the end the path itself or the array that it is in.
    private static func prefixes(of path: String) -> [String] {
        guard let steps = (try? PropertyPath(parsing: path))?.stepsOutsideOfArrays else { return [path] }
        return steps.indices.map { PropertyPath(Array(steps[...$0])).text }
    }
}
