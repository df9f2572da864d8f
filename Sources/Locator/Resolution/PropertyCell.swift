internal import LocatorProperties

/// The answer of a context for the path of a setting; there is one cell for each path that was ever read.
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

    /// The shared instances whose making read the setting.
    @exclusivity(unchecked) var dependents = IdentityTable<Instance>()

    init(path: String, owner: ObjectIdentifier) {
        self.path = path
        self.owner = owner
    }
}

/// The setting cells of a context, found by the paths on which their answers depend.
struct PropertyCells {
    private var cells = [String: PropertyCell]()
    /// The cells that depend on exactly this path.
    private var exact = [String: IdentityTable<PropertyCell>]()
    /// The cells that depend on this path or on one below it.
    private var atOrBelow = [String: IdentityTable<PropertyCell>]()

    /// The cell of a path, created if necessary.
    mutating func cell(of path: String, owner: ContextCore) -> PropertyCell {
        if let cell = cells[path] { return cell }
        let cell = PropertyCell(path: path, owner: ObjectIdentifier(owner))
        cells[path] = cell
        return cell
    }

    /// Remembers the paths that a cell's answer depends on: its own, and those that placeholders led to.
    mutating func watch(_ cell: PropertyCell, _ lookup: PropertyLookup) {
        let identity = ObjectIdentifier(cell)
        for path in [lookup.path] + lookup.consulted where exact[path]?[identity] == nil {
            exact[path, default: [:]][identity] = cell
            for prefix in Self.prefixes(of: path) { atOrBelow[prefix, default: [:]][identity] = cell }
        }
    }

    /// The cells whose answers may differ after the values at these paths have changed.
    func cells(touchedBy paths: [String]) -> [PropertyCell] {
        var touched = IdentityTable<PropertyCell>()
        for path in paths {
            touched.formUnion(atOrBelow[path] ?? [:])
            for prefix in Self.prefixes(of: path) {
                touched.formUnion(exact[prefix] ?? [:])
            }
        }
        return Array(touched.values)
    }

    var all: some Sequence<PropertyCell> { cells.values }

    /// The path and all paths above it.
    private static func prefixes(of path: String) -> [String] {
        guard let parsed = try? PropertyPath(parsing: path) else { return [path] }
        return parsed.steps.indices.map { PropertyPath(Array(parsed.steps[...$0])).text }
    }
}
