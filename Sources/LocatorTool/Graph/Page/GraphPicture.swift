import Locator

/// The drawing of a graph as SVG.
///
/// The page sets colors and highlighting. A drawing that is too large to be readable as a whole is arranged by module.
struct GraphPicture {
    private let graph: ContextGraph
    private let isInteractive: Bool
    private let arrangement: GroupedArrangement
    private let groups: NodeGroups
    private let colors: ScopeColors
    private let errors: Set<Int>
    private let warnings: Set<Int>

    /// The space around the drawing.
    private static let margin = 24.0
    private static let longestName = 34
    private static let longestCaption = 44

    /// The smallest scale at which texts are readable.
    private static let leastScale = 0.6
    /// The number of nodes up to which names are readable even if the drawing is small.
    private static let few = 40

    /// Draws a graph, for the page or as a static picture.
    init(_ graph: ContextGraph, isInteractive: Bool = true) {
        self.graph = graph
        self.isInteractive = isInteractive
        colors = ScopeColors(graph)
        errors = graph.nodes(withProblemsOf: .error).union(graph.missingNodes)
        warnings = graph.nodes(withProblemsOf: .warning)
        let boxes = graph.positions
        let diagram = Diagram(
            sizes: graph.nodes.map(Self.size),
            lines: graph.edges.map { edge in
                Diagram.Line(from: boxes[edge.from] ?? 0, to: boxes[edge.to] ?? 0, look: Look(edge.kind).rawValue)
            })
        var groups = NodeGroups(graph)
        groups.placeTheRest(graph)
        self.groups = groups
        let whole = LayeredLayout.arrange(diagram)
        if graph.nodes.count <= Self.few || whole.size.scaleOnScreen >= Self.leastScale || groups.groups.count < 2 {
            arrangement = GroupedArrangement(boxes: whole, frames: [], bundles: [])
        } else {
            arrangement = GroupedLayout.arrange(diagram, groups: groups.groupOfNode.map { $0 ?? 0 })
        }
    }

    /// The size of the drawing, including its margin.
    var size: Size {
        let size = arrangement.boxes.size
        return Size(width: size.width + 2 * Self.margin, height: size.height + 2 * Self.margin)
    }

    /// Returns the size of a node for its text, whose fonts have known widths.
    private static func size(of node: ContextGraph.Node) -> Size {
        let name = Double(min(node.name.count, longestName)) * 7.5
        let caption = Double(min(node.caption().count, longestCaption)) * 6
        return Size(width: (max(name, caption, 70) + 44).rounded(.up), height: 42)
    }

    // MARK: Lines

    /// The lines, one element each, in the order of the graph's edges.
    var lines: String {
        let faults = graph.edgesAtFault
        let positions = graph.positions
        func group(_ node: Int) -> Int? { positions[node].flatMap { groups.groupOfNode[$0] } }
        return zip(graph.edges, arrangement.boxes.ways).map { edge, way in
            let fault = faults.contains(edge) ? " fault" : ""
            let across = !arrangement.frames.isEmpty && group(edge.from) != group(edge.to) ? " across" : ""
            let path = edge.from == edge.to ? Self.loop(way) : Self.path(way)
            return "<path class=\"line \(Look(edge.kind).name)\(fault)\(across)\" d=\"\(path)\"/>"
        }.joined(separator: "\n")
    }

    /// Returns an arrowhead for each of the named colors.
    static func markers(_ colors: [String]) -> String {
        colors.map { name in
            """
            <marker id="tip-\(name)" viewBox="0 0 8 8" refX="3" refY="4" markerWidth="8" markerHeight="8" \
            markerUnits="userSpaceOnUse" orient="auto"><path class="tip \(name)" d="M0,0.5L7.5,4L0,7.5Z"/></marker>
            """
        }.joined()
    }

    // MARK: Groups

    /// The frames of the modules, one element each.
    ///
    /// Empty if the drawing is not arranged by module.
    var modules: String {
        zip(groups.groups, arrangement.frames).enumerated().map { number, entry in
            let (group, frame) = entry
            let ids = Set(group.members.map { graph.nodes[$0].id })
            let mark = !ids.isDisjoint(with: errors) ? " error" : !ids.isDisjoint(with: warnings) ? " warning" : ""
            let corner = Point(x: frame.corner.x + Self.margin, y: frame.corner.y + Self.margin)
            return """
                <g class="group\(mark)" data-group="\(number)" data-count="\(group.members.count)"><rect class="frame" \
                x="\(corner.x.short)" y="\(corner.y.short)" width="\(frame.size.width.short)" \
                height="\(frame.size.height.short)" rx="14"/><text class="group-name" x="\((corner.x + 20).short)" \
                y="\((corner.y + 29).short)">\(group.name.cut(to: Self.longestName).escapedForHTML)</text></g>
                """
        }.joined(separator: "\n")
    }

    /// The lines between modules.
    ///
    /// All lines from one module to another are drawn as one, which is wider if there are more.
    var modulesLines: String {
        arrangement.bundles.map { bundle in
            let width = min(5, bundle.count.bitWidth - bundle.count.leadingZeroBitCount)
            return """
                <path class="bundle width-\(width)" data-from="\(bundle.from)" data-to="\(bundle.to)" \
                d="\(Self.path(bundle.way))"><title>\(title(of: bundle).escapedForHTML)</title></path>
                """
        }.joined(separator: "\n")
    }

    private func title(of bundle: GroupedArrangement.Bundle) -> String {
        let count = "\(bundle.count) \(bundle.count == 1 ? "dependency" : "dependencies")"
        return "\(groups.groups[bundle.from].name) needs \(groups.groups[bundle.to].name): \(count)"
    }

    /// Returns a path of alternating curves and straight lines.
    private static func path(_ way: [Point]) -> String {
        guard let first = way.first, let last = way.last else { return "" }
        // The arrowhead, and not the end of the line, touches the box.
        let direction = last.x >= way[way.count - 2].x ? 1.0 : -1.0
        var points = way
        points[points.count - 1].x -= 5 * direction
        var path = "M\(text(first))"
        for (index, point) in points.enumerated().dropFirst() {
            let previous = points[index - 1]
            if index.isMultiple(of: 2) || abs(point.y - previous.y) < 0.5 {
                path += "L\(text(point))"
            } else {
                let middle = (previous.x + point.x) / 2
                path += "C\(text(Point(x: middle, y: previous.y))) \(text(Point(x: middle, y: point.y))) \(text(point))"
            }
        }
        return path
    }

    /// Returns a path from the right side of a box around its corner to its top.
    private static func loop(_ way: [Point]) -> String {
        guard let side = way.first, let top = way.last else { return "" }
        return "M\(text(side))C\(text(Point(x: side.x + 34, y: side.y)))"
            + " \(text(Point(x: top.x, y: top.y - 34))) \(text(Point(x: top.x, y: top.y - 5)))"
    }

    private static func text(_ point: Point) -> String {
        "\((point.x + margin).short),\((point.y + margin).short)"
    }

    // MARK: Nodes

    /// The nodes, one element each, in the order of the graph.
    var nodes: String {
        graph.nodes.indices.map { element(of: $0) }.joined(separator: "\n")
    }

    private func element(of index: Int) -> String {
        let node = graph.nodes[index]
        let (corner, size) = (arrangement.boxes.corners[index], arrangement.boxes.sizes[index])
        var classes = ["node", node.kind.rawValue, "scope-\(colors.number(of: node.scope))"]
        if let problem = problem(of: node) { classes.append(problem) }
        if node.isHidden { classes.append("hidden") }
        let place = "translate(\((corner.x + Self.margin).short) \((corner.y + Self.margin).short))"
        let radius = node.kind == .property ? size.height / 2 : 7
        var parts = [
            "<title>\(node.title.escapedForHTML)</title>",
            "<rect class=\"box\" width=\"\(size.width.short)\" height=\"\(size.height.short)\" rx=\"\(radius.short)\"/>",
        ]
        if node.kind != .property, node.kind != .missing {
            parts.append("<path class=\"stripe\" d=\"M7,0A7,7 0 0 0 0,7V35A7,7 0 0 0 7,42Z\"/>")
        }
        let caption = node.caption()
        let name = node.name.cut(to: Self.longestName).escapedForHTML
        parts.append("<text class=\"name\" x=\"17\" y=\"\(caption.isEmpty ? 25.5.short : "18")\">\(name)</text>")
        if !caption.isEmpty {
            let text = caption.cut(to: Self.longestCaption).escapedForHTML
            parts.append("<text class=\"caption\" x=\"17\" y=\"33\">\(text)</text>")
        }
        parts += marks(of: node, width: size.width)
        let group = groups.groupOfNode[index].map { " data-group=\"\($0)\"" } ?? ""
        let page = """
             id="n\(node.id)" data-node="\(node.id)"\(arrangement.frames.isEmpty ? "" : group) tabindex="-1" role="button" \
            aria-pressed="false" aria-label="\(spoken(node).escapedForHTML)"
            """
        return """
            <g class="\(classes.joined(separator: " "))"\(isInteractive ? page : "") transform="\(place)">\(parts.joined())</g>
            """
    }

    /// Returns the mark in the upper-right corner: a problem, or else whether an instance exists.
    private func marks(of node: ContextGraph.Node, width: Double) -> [String] {
        let x = (width - 14).short
        if problem(of: node) != nil {
            return [
                "<circle class=\"badge\" cx=\"\(x)\" cy=\"14\" r=\"7\"/>",
                "<text class=\"badge-text\" x=\"\(x)\" y=\"18\">!</text>",
            ]
        }
        switch node.state {
        case .made: return ["<circle class=\"state made\" cx=\"\(x)\" cy=\"13\" r=\"4\"/>"]
        case .setAside: return ["<circle class=\"state aside\" cx=\"\(x)\" cy=\"13\" r=\"3.5\"/>"]
        case .notMade, nil: return []
        }
    }

    /// Returns the text for a screen reader.
    private func spoken(_ node: ContextGraph.Node) -> String {
        var parts = [node.title, node.kind.word]
        if let scope = node.scope { parts.append(scope) }
        if let module = node.module { parts.append("module \(module)") }
        if node.isHidden { parts.append("hidden by another") }
        if let problem = problem(of: node) { parts.append(problem == "error" ? "has an error" : "has a warning") }
        return parts.joined(separator: ", ")
    }

    private func problem(of node: ContextGraph.Node) -> String? {
        errors.contains(node.id) ? "error" : warnings.contains(node.id) ? "warning" : nil
    }
}
