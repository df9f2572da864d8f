import Locator

/// The colors of scopes in the style sheet.
struct ScopeColors {
    /// The scopes in the graph, each with the number of its color, in the order of the legend.
    let scopes: [(name: String, number: Int)]
    private let numbers: [String: Int]

    /// The color for nodes without a scope.
    static let none = 0
    private static let known = ["singleton", "always", "weak", "graph", "prototype"]
    /// The number of colors for custom scopes.
    ///
    /// They repeat if there are more scopes.
    private static let customCount = 4

    init(_ graph: ContextGraph) {
        let occurring = graph.nodes.compactMap(\.scope).withoutRepetitions
        let custom = occurring.filter { !Self.known.contains($0) }
        let shown = Self.known.filter(occurring.contains) + custom
        scopes = shown.map { scope in
            if let index = Self.known.firstIndex(of: scope) { return (scope, index + 1) }
            let index = custom.firstIndex(of: scope) ?? 0
            return (scope, Self.known.count + 1 + index % Self.customCount)
        }
        numbers = Dictionary(uniqueKeysWithValues: scopes.map { ($0.name, $0.number) })
    }

    func number(of scope: String?) -> Int { scope.flatMap { numbers[$0] } ?? Self.none }
}
