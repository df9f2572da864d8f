/// What every layer says about one path, the layer that wins first.
struct Trace {
    /// What one file, variable or tree of a module says about the path.
    struct Entry {
        let origin: PropertyOrigin
        let statement: Statement
        /// Whether it says something about single elements of an array that lies below.
        var isListPart = false
        /// The variable that chose the folder of the file.
        var folderVariable: String?
    }

    /// What can be said about a path.
    enum Statement {
        /// It has a value.
        case value(JSONValue)
        /// It, or something it would be a part of, is removed.
        case removal
        /// Something it would be a part of is a value without such parts.
        case noParts(JSONValue)
    }

    private(set) var entries: [Entry] = []
    private let path: PropertyPath

    init(_ path: PropertyPath, in layers: [Layer], baseIndex: Int? = nil) {
        self.path = path
        for (index, layer) in layers.enumerated() {
            if let baseIndex, index > baseIndex, case .found = TreeWalk(layer.tree, path.steps[...]) {
                addAdditions(of: layers[baseIndex])
            }
            for override in layer.overrides.reversed() {
                for assignment in override.assignments(relatedTo: path).reversed() { add(assignment) }
            }
            for source in layer.sources.reversed() {
                add(TreeWalk(source.tree, path.steps[...]), source.origin.source, source.folderVariable)
            }
        }
    }

    /// What decides: the value is this one, or has it as a part.
    var first: Entry? { entries.first }

    /// Overrides that matched no key of the files may match one of a layer below them.
    private mutating func addAdditions(of base: Layer) {
        for override in base.overrides.reversed() where !override.additions.isEmpty {
            guard let name = VariableName.name(of: path, prefix: ""), let assignment = override.additions[name],
                assignment.path != path, !entries.contains(where: { $0.origin.source == assignment.origin })
            else { continue }
            entries.append(Entry(origin: PropertyOrigin(assignment.origin), statement: .value(assignment.value)))
        }
    }

    private mutating func add(_ assignment: OverrideLayer.Assignment) {
        let source = assignment.origin
        if path.starts(with: assignment.path) {
            add(TreeWalk(assignment.value, path.steps[assignment.path.steps.count...]), source)
        } else if assignment.path.starts(with: path) {
            let part = PropertyPath(Array(assignment.path.steps[path.steps.count...]))
            let value = JSONValue.object(OverrideLayer.part(part, assignment.value))
            var isListPart = false
            if case .index? = part.steps.first { isListPart = true }
            entries.append(
                Entry(origin: PropertyOrigin(source), statement: .value(value), isListPart: isListPart))
        }
    }

    private mutating func add(_ walk: TreeWalk, _ source: PropertyOrigin.Source, _ folderVariable: String? = nil) {
        let node: JSONValue
        let statement: Statement
        switch walk {
        case .absent:
            return
        case .found(let value):
            node = value
            statement = value.isNull && path.isOutsideOfArrays ? .removal : .value(value)
        case .blocked(let value, _):
            node = value
            statement = value.isNull ? .removal : .noParts(value)
        }
        let origin = PropertyOrigin(source, position: node.position)
        entries.append(Entry(origin: origin, statement: statement, folderVariable: folderVariable))
    }
}

extension PropertiesStorage {
    /// Where the value at a path was written, nil if nothing has the path.
    func origin(of path: PropertyPath) -> PropertyOrigin? {
        Trace(path, in: layers, baseIndex: baseIndex).first?.origin
    }
}
