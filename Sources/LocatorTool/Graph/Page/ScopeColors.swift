import Locator

/// The colors of scopes in the style sheet.
struct ScopeColors {
    /// The scopes in the graph, each with the number of its color, in the order of the legend.
    let scopes: [(name: String, number: Int)]

    /// The color for nodes without a scope.
    static let none = 0
    private static let known = ["singleton", "always", "weak", "graph", "prototype"]
    /// The number of colors for custom scopes, which repeat if there are more scopes.
    private static let customCount = 4

    init(_ graph: ContextGraph) {
        let occurring = graph.nodes.compactMap(\.scope).withoutRepetitions
        let known = Self.known.enumerated().filter { occurring.contains($1) }.map { (name: $1, number: $0 + 1) }
        let custom = occurring.filter { !Self.known.contains($0) }.enumerated().map { index, scope in
            (name: scope, number: Self.known.count + 1 + index % Self.customCount)
        }
        scopes = known + custom
    }

    func number(of scope: String?) -> Int { scopes.first { $0.name == scope }?.number ?? Self.none }
}
