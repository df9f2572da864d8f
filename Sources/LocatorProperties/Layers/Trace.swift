/// What each layer says about a path, the winning layer first.
struct Trace {
    /// What one file, variable, or tree of a module says about the path.
    struct Entry {
        let origin: PropertyOrigin
        let statement: Statement
        /// Whether the entry sets single elements of an array in a lower layer.
        var isListPart = false
        /// Whether the entry above it is an override of the same layer, which may set a part of an array.
        var isBelowOverride = false
        /// The variable that chose the folder of the file.
        var folderVariable: String?
    }

    enum Statement {
        /// The path has a value.
        case value(JSONValue)
        /// The path, or an object above it, is removed.
        case removal
        /// A value above the path has no such parts.
        case noParts(JSONValue)
    }

    /// The entries; the first one, for the path itself or for a value that contains it, decides.
    private(set) var entries: [Entry] = []
    private let path: PropertyPath
    private var sources: Set<PropertyOrigin.Source> = []
    private var isBelowOverride = false

    init(_ path: PropertyPath, in layers: some Sequence<Layer>) {
        self.path = path
        for layer in layers {
            isBelowOverride = false
            for override in layer.overrides.reversed() {
                for assignment in override.assignments(relatedTo: path).reversed() { add(assignment) }
            }
            for source in layer.sources.reversed() {
                add(
                    TreeWalk(source.tree, path.steps[...]), source.origin.source, source.folderVariable,
                    isOverride: false)
            }
        }
    }

    private mutating func add(_ assignment: OverrideLayer.Assignment) {
        let source = assignment.origin
        // A text that adds a key may also override it in a lower layer.
        if sources.contains(source) { return }
        if path.starts(with: assignment.path) {
            add(TreeWalk(assignment.value, path.steps[assignment.path.steps.count...]), source, isOverride: true)
        } else if assignment.path.starts(with: path) {
            let part = PropertyPath(Array(assignment.path.steps[path.steps.count...]))
            let value = JSONValue.object(OverrideLayer.part(part, assignment.value))
            let isListPart = part.steps.first?.key == nil
            add(
                Entry(origin: PropertyOrigin(source), statement: .value(value), isListPart: isListPart),
                isOverride: true)
        }
    }

    private mutating func add(_ entry: Entry, isOverride: Bool) {
        var entry = entry
        entry.isBelowOverride = isBelowOverride
        entries.append(entry)
        sources.insert(entry.origin.source)
        isBelowOverride = isOverride
    }

    private mutating func add(
        _ walk: TreeWalk, _ source: PropertyOrigin.Source, _ folderVariable: String? = nil, isOverride: Bool
    ) {
        let node: JSONValue
        let statement: Statement
        switch walk {
        case .absent:
            return
        case .found(let value):
            node = value
            statement = value.isNull && path.isOutsideOfArrays ? .removal : .value(value)
        case .blocked(let value, let count):
            node = value
            statement = value.isNull && path.prefix(count).isOutsideOfArrays ? .removal : .noParts(value)
        }
        let origin = PropertyOrigin(source, position: node.position)
        add(Entry(origin: origin, statement: statement, folderVariable: folderVariable), isOverride: isOverride)
    }
}

extension PropertiesStorage {
    /// Returns the origin of the value at a path, or nil if there is no value.
    func origin(of path: PropertyPath) -> PropertyOrigin? {
        trace(path).entries.first?.origin
    }

    /// Returns what each layer says about a path.
    func trace(_ path: PropertyPath) -> Trace {
        Trace(path, in: layers(with: path.prefixHashes))
    }
}
