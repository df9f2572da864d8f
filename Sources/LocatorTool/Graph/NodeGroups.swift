import Locator

/// The nodes of a graph, grouped by the module that registers them.
///
/// Settings are a separate group.
struct NodeGroups {
    /// A group of nodes, in the order of the graph.
    struct Group {
        var name: String
        /// The positions of the nodes in the graph.
        var members: [Int]
    }

    /// The groups, in the order in which they appear in the graph.
    private(set) var groups: [Group] = []
    /// The group of each node, or nil for a node that belongs to no module.
    private(set) var groupOfNode: [Int?] = []

    static let settings = "Settings"

    /// Groups the nodes by module.
    ///
    /// Settings, and types that are decoded from them without being registered, form one group.
    init(_ graph: ContextGraph) {
        var numbers: [String?: Int] = [:]
        for (position, node) in graph.nodes.enumerated() {
            let isSetting = node.module == nil && (node.kind == .property || node.kind == .configuration)
            guard node.module != nil || isSetting else {
                groupOfNode.append(nil)
                continue
            }
            // The group of settings has no module's number, because a module may also be named "Settings".
            let number = numbers[node.module] ?? groups.count
            if number == groups.count {
                numbers[node.module] = number
                groups.append(Group(name: node.module ?? Self.settings, members: []))
            }
            groups[number].members.append(position)
            groupOfNode.append(number)
        }
    }

    /// Adds each node that belongs to no module, such as a missing key, to the group of the first node that needs it.
    mutating func placeTheRest(_ graph: ContextGraph) {
        let positions = graph.positions
        for edge in graph.edges {
            guard let from = positions[edge.from], let to = positions[edge.to] else { continue }
            if groupOfNode[to] == nil, let group = groupOfNode[from] { place(to, in: group) }
        }
        let rest = groupOfNode.indices.filter { groupOfNode[$0] == nil }
        guard !rest.isEmpty else { return }
        groups.append(Group(name: "No module", members: []))
        for node in rest { place(node, in: groups.count - 1) }
    }

    private mutating func place(_ node: Int, in group: Int) {
        groupOfNode[node] = group
        groups[group].members.append(node)
    }
}
