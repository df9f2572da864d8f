extension ContextGraph {
    /// The graph as a Mermaid flowchart.
    public var mermaid: String {
        var lines = ["flowchart LR"]
        let modules = Dictionary(grouping: nodes, by: \.module)
        var names: Set<String> = []
        for (number, module) in self.modules.enumerated() {
            // If several modules have the same name, the first one contains the nodes of all of them.
            guard names.insert(module.name).inserted, let members = modules[module.name] else { continue }
            lines.append("    subgraph m\(number)[\"\(Self.escaped(module.name))\"]")
            lines += members.map { "        \(shape(of: $0))" }
            lines.append("    end")
        }
        for node in nodes where !(node.module.map(names.contains) ?? false) { lines.append("    \(shape(of: node))") }
        lines += edges.map { "    n\($0.from) \($0.kind.arrow) n\($0.to)" }
        let faulty = Set(problems.lazy.filter { $0.severity == .error }.flatMap(\.nodes))
            .union(nodes.lazy.filter { $0.kind == .missing }.map(\.id))
        if !faulty.isEmpty {
            lines.append("    classDef problem stroke:#c00,stroke-width:2px")
            lines.append("    class \(faulty.sorted().map { "n\($0)" }.joined(separator: ",")) problem")
        }
        return lines.joined(separator: "\n").escapingHidden(exceptLineBreaks: true)
    }

    private func shape(of node: Node) -> String {
        var text = Self.escaped(node.title)
        if let scope = node.scope { text += "<br/>\(Self.escaped("\(Scope(scope))"))" }
        switch node.kind {
        case .registration, .instance: return "n\(node.id)[\"\(text)\"]"
        case .input: return "n\(node.id)>\"\(text)\"]"
        case .factory: return "n\(node.id)[/\"\(text)\"/]"
        case .alias: return "n\(node.id)([\"\(text)\"])"
        case .decorator: return "n\(node.id)[[\"\(text)\"]]"
        case .configuration, .property: return "n\(node.id)[(\"\(text)\")]"
        case .missing: return "n\(node.id){{\"\(text)\"}}"
        }
    }

    /// Returns the text, escaped so that Mermaid shows it unchanged.
    private static func escaped(_ text: String) -> String { text.map { escapes[$0] ?? String($0) }.joined() }

    private static let escapes: [Character: String] = [
        "\"": "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;", "&": "#amp;", "\n": " ", "\r": " ", "\r\n": " ",
    ]
}

extension ContextGraph.Edge.Kind {
    fileprivate var arrow: String {
        switch self {
        case .direct: "-->"
        case .optional: "-->|optional|"
        case .collection: "-->|each|"
        case .lazy: "-.->|lazy|"
        case .provider: "-.->|provider|"
        case .factory: "-.->|factory|"
        case .property: "-->|setting|"
        case .injection: "-.->|injected|"
        case .alias: "-->|alias|"
        case .decorator: "-->|around|"
        }
    }
}
