extension ContextGraph {
    /// The graph as a tree for a terminal.
    ///
    /// The roots are the nodes that no other node needs.
    ///
    /// A node that was already shown is not expanded again, and is marked with `↑`.
    ///
    /// ```text
    /// any Orders .singleton, made (Shop/Shop.swift:20)
    /// ├─ any Catalog .singleton (Shop/Shop.swift:17)
    /// │  └─ setting server.url (application-prod.json:4:12)
    /// └─ lazily any Messages .singleton (Shop/Shop.swift:22)
    /// ```
    public var text: String {
        var tree = TextTree(self)
        return tree.text
    }
}

private struct TextTree {
    private let nodes: [Int: ContextGraph.Node]
    private let order: [Int]
    private let needs: [Int: [ContextGraph.Edge]]
    private let needed: Set<Int>
    private var shown: Set<Int> = []
    private var lines: [String] = []

    init(_ graph: ContextGraph) {
        nodes = Dictionary(graph.nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        order = graph.nodes.map(\.id)
        needs = Dictionary(grouping: graph.edges, by: \.from)
        needed = Set(graph.edges.lazy.filter { $0.from != $0.to }.map(\.to))
    }

    var text: String {
        mutating get {
            for id in order where !needed.contains(id) { add(id) }
            // The remaining nodes are needed only by each other: they form cycles.
            for id in order where !shown.contains(id) { add(id) }
            return lines.joined(separator: "\n")
        }
    }

    private mutating func add(_ root: Int) {
        var open = [(id: root, prefix: "", branch: "", words: "")]
        while let line = open.popLast() {
            guard let node = nodes[line.id] else { continue }
            let edges = needs[line.id] ?? []
            let isFirst = shown.insert(line.id).inserted
            let mark = isFirst || edges.isEmpty ? "" : " ↑"
            lines.append(line.prefix + line.branch + line.words + node.line.escapingHidden() + mark)
            guard isFirst else { continue }
            let inner = line.prefix + (line.branch.isEmpty ? "" : line.branch == "├─ " ? "│  " : "   ")
            for (position, edge) in edges.enumerated().reversed() {
                let branch = position == edges.count - 1 ? "└─ " : "├─ "
                open.append((edge.to, inner, branch, edge.kind.words))
            }
        }
    }
}

extension ContextGraph.Edge.Kind {
    /// The description of the kind of dependency in a line of the tree.
    fileprivate var words: String {
        switch self {
        case .direct, .property: ""
        case .optional: "optionally "
        case .collection: "each "
        case .lazy: "lazily "
        case .provider: "provider of "
        case .factory: "factory of "
        case .injection: "injected "
        case .alias: "alias of "
        case .decorator: "around "
        }
    }
}

extension ContextGraph.Node {
    /// The name with its qualifier, as in errors: `any Logger "file"`.
    package var title: String {
        qualifier.map { "\(name) \"\($0)\"" } ?? name
    }

    fileprivate var line: String {
        let place = location.map { " (\($0))" } ?? ""
        switch kind {
        case .property: return "setting \(name)\(place)"
        case .missing: return "\(title), which is not registered"
        case .configuration: return "\(title), decoded"
        case .decorator: return "decorator of \(title)\(place)"
        case .factory: return "\(title) from \(payload ?? "a payload")\(place)"
        case .registration, .instance, .input, .alias:
            var words = [scope.map { "\(Scope($0))" }]
            if kind == .instance || kind == .input { words.append(kind.rawValue) }
            switch state {
            case .made where kind == .input: words.append("passed in")
            case .made where kind != .instance: words.append("made")
            case .setAside: words.append("set aside")
            case .made, .notMade, nil: break
            }
            if isHidden { words.append("hidden") }
            let description = words.compactMap { $0 }.joined(separator: ", ")
            return description.isEmpty ? "\(title)\(place)" : "\(title) \(description)\(place)"
        }
    }
}
