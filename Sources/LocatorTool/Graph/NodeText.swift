import Locator

extension ContextGraph.Node {
    /// Returns the text below the name: `"file" · singleton · Shop`.
    ///
    /// The module is omitted if it is shown elsewhere.
    func caption(withModule: Bool = true) -> String {
        let module = withModule ? module : nil
        var parts = [
            qualifier.map { "\"\($0)\"" }, kind == .registration ? nil : kind.word, scope,
            isHidden ? "hidden" : nil,
        ]
        switch kind {
        case .property: parts.append(location)
        case .factory: parts.append(payload.map { "from \($0)" } ?? module)
        case .registration, .instance, .input, .alias, .decorator, .configuration, .missing: parts.append(module)
        }
        return parts.compactMap { $0 }.joined(separator: " · ")
    }
}

extension ContextGraph.Node.Kind {
    /// The name of the kind in drawings.
    var word: String { self == .property ? "setting" : rawValue }
}

extension ContextGraph {
    /// The positions of the nodes by their numbers.
    var positions: [Int: Int] { Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) }) }

    func nodes(withProblemsOf severity: Finding.Severity) -> Set<Int> {
        Set(problems.filter { $0.severity == severity }.flatMap(\.nodes))
    }

    /// The edges that lead to something missing or are part of a reported cycle.
    var edgesAtFault: Set<Edge> {
        let missing = missingNodes
        let cycles = problems.filter { $0.kind == .circularDependency }.map { Set($0.nodes) }
        return Set(
            edges.filter { edge in
                missing.contains(edge.to) || cycles.contains { $0.contains(edge.from) && $0.contains(edge.to) }
            })
    }

    /// The numbers of the nodes for keys that are not registered.
    var missingNodes: Set<Int> { Set(nodes.filter { $0.kind == .missing }.map(\.id)) }
}
