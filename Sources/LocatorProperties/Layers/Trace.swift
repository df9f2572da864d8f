/// What every layer says about one path, the layer that wins first.
struct Trace {
    /// What one file, variable or tree of a module says about the path.
    struct Entry {
        let origin: PropertyOrigin
        let statement: Statement
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
            for environment in layer.environments.reversed() {
                for assignment in environment.assignments(relatedTo: path).reversed() { add(assignment) }
            }
            for source in layer.sources.reversed() {
                add(TreeWalk(source.tree, path.steps[...]), source.origin.source)
            }
        }
    }

    /// What decides: the value is this one, or has it as a part.
    var first: Entry? { entries.first }

    /// Variables that matched no key of the files may match one of a layer below them.
    private mutating func addAdditions(of base: Layer) {
        for environment in base.environments.reversed() where !environment.additions.isEmpty {
            guard let name = VariableName.name(of: path, prefix: environment.request.overrides.prefix),
                let assignment = environment.additions[name], assignment.path != path,
                !entries.contains(where: { $0.origin.source == .environment(name) })
            else { continue }
            entries.append(Entry(origin: PropertyOrigin(.environment(name)), statement: .value(assignment.value)))
        }
    }

    private mutating func add(_ assignment: EnvironmentLayer.Assignment) {
        let source = PropertyOrigin.Source.environment(assignment.variable)
        if path.starts(with: assignment.path) {
            add(TreeWalk(assignment.value, path.steps[assignment.path.steps.count...]), source)
        } else if assignment.path.starts(with: path) {
            let part = PropertyPath(Array(assignment.path.steps[path.steps.count...]))
            let value = JSONValue.object(EnvironmentLayer.patch(part, assignment.value))
            entries.append(Entry(origin: PropertyOrigin(source), statement: .value(value)))
        }
    }

    private mutating func add(_ walk: TreeWalk, _ source: PropertyOrigin.Source) {
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
        entries.append(Entry(origin: PropertyOrigin(source, position: node.position), statement: statement))
    }
}

extension PropertiesStorage {
    /// Where the value at a path was written, nil where nothing has the path.
    func origin(of path: PropertyPath) -> PropertyOrigin? {
        Trace(path, in: layers, baseIndex: baseIndex).first?.origin
    }
}
