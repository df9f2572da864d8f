import Locator

/// A graph in the language of Graphviz: `locator graph wiring.json --format dot | dot -Tpng`.
struct DotDrawing {
    let graph: ContextGraph

    var text: String {
        var lines = [
            "digraph wiring {",
            "  graph [rankdir=LR, fontname=\"Helvetica\", fontsize=11, ranksep=0.9, nodesep=0.2, tooltip=\" \"];",
            "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11, margin=\"0.14,0.07\"];",
            "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#57606a\", fontcolor=\"#57606a\", arrowsize=0.7];",
        ]
        let groups = NodeGroups(graph)
        for (number, group) in groups.groups.enumerated() {
            lines.append("  subgraph cluster_\(number) {")
            lines.append("    graph [label=\(quoted(group.name)), style=\"rounded\", color=\"#afb8c1\"];")
            lines += group.members.map { "    \(line(of: graph.nodes[$0]))" }
            lines.append("  }")
        }
        // Nodes that belong to no module.
        lines += zip(graph.nodes, groups.groupOfNode).filter { $0.1 == nil }.map { "  \(line(of: $0.0))" }
        let faults = graph.edgesAtFault
        lines += graph.edges.map { "  \(line(of: $0, isAtFault: faults.contains($0)))" }
        lines.append("}")
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Nodes

    private func line(of node: ContextGraph.Node) -> String {
        let problems = graph.problems.filter { $0.nodes.contains(node.id) && $0.severity != .note }
        var attributes = [
            "label=\(quoted([node.name, node.caption(withModule: false)].filter { !$0.isEmpty }.joined(separator: "\n")))",
            "fillcolor=\"\(Self.fill(of: node))\"",
        ]
        attributes += Self.shape(of: node)
        if node.kind == .missing || problems.contains(where: { $0.severity == .error }) {
            attributes += ["color=\"#cf222e\"", "fontcolor=\"#a40e26\"", "penwidth=2"]
        } else if !problems.isEmpty {
            attributes += ["color=\"#9a6700\"", "penwidth=2"]
        } else {
            attributes.append("color=\"#57606a\"")
        }
        let tooltip = problems.map(\.text) + [node.location].compactMap { $0 }
        attributes.append("tooltip=\(quoted(tooltip.isEmpty ? node.title : tooltip.joined(separator: "\n")))")
        return "n\(node.id) [\(attributes.joined(separator: ", "))];"
    }

    private static func shape(of node: ContextGraph.Node) -> [String] {
        switch node.kind {
        case .registration: []
        case .instance: ["peripheries=2"]
        case .input: ["shape=invhouse"]
        case .factory: ["shape=cds"]
        case .alias: ["style=\"rounded,filled,dashed\""]
        case .decorator: ["shape=component"]
        case .configuration: ["shape=folder"]
        case .property: ["shape=note"]
        case .missing: ["shape=octagon", "style=\"filled,dashed\""]
        }
    }

    private static func fill(of node: ContextGraph.Node) -> String {
        guard let scope = node.scope else { return node.kind == .missing ? "#ffebe9" : "#f6f8fa" }
        return switch scope {
        case "singleton": "#e7ecf4"
        case "always": "#efe3fd"
        case "weak": "#d9f2f0"
        case "graph": "#fdf0c4"
        case "prototype": "#dcf5e0"
        default: "#fce4f1"
        }
    }

    // MARK: Edges

    private func line(of edge: ContextGraph.Edge, isAtFault: Bool) -> String {
        var attributes: [String] = []
        switch edge.kind {
        case .direct: break
        case .optional: attributes.append("style=dashed")
        case .collection: attributes += ["penwidth=2", "arrowhead=crow"]
        case .lazy, .provider, .factory, .injection: attributes.append("style=dotted")
        case .property: attributes += ["arrowhead=open", "penwidth=0.7"]
        case .alias, .decorator: attributes.append("arrowhead=empty")
        }
        // An edge to a setting needs no label, because its target is recognizable.
        if edge.kind != .direct, edge.kind != .property { attributes.append("label=\"\(edge.kind.rawValue)\"") }
        if isAtFault { attributes += ["color=\"#cf222e\"", "fontcolor=\"#a40e26\""] }
        let suffix = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
        return "n\(edge.from) -> n\(edge.to)\(suffix);"
    }

    /// Returns a text in quotes.
    ///
    /// Line breaks become those of a label, and backslashes are escaped.
    private func quoted(_ text: String) -> String {
        let shown = text.escapingHidden(exceptLineBreaks: true)
        return "\"\(shown.unicodeScalars.map { Self.escapes[$0] ?? String($0) }.joined())\""
    }

    private static let escapes: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "\n": "\\n",
    ]
}
