/// Cycles in a graph of numbered nodes.
struct Cycles {
    private let successors: [[Int]]

    /// Creates a graph in which `successors[node]` are the nodes that a node needs.
    init(_ successors: [[Int]]) { self.successors = successors }

    /// Returns the sets of nodes that all need each other, each in ascending order.
    ///
    /// The result contains no sets without a cycle. The sets are in the order of their lowest nodes. This is Tarjan's
    /// algorithm with its own stack, so that a long chain does not overflow the stack of the thread.
    func components() -> [[Int]] {
        var index = [Int](repeating: -1, count: successors.count)
        var low = index
        var isOnStack = [Bool](repeating: false, count: successors.count)
        var stack: [Int] = []
        var found: [[Int]] = []
        var visits: [(node: Int, next: Int)] = []
        var count = 0
        func enter(_ node: Int) {
            index[node] = count
            low[node] = count
            count += 1
            stack.append(node)
            isOnStack[node] = true
            visits.append((node, 0))
        }
        for root in successors.indices where index[root] < 0 {
            enter(root)
            while let (node, next) = visits.last {
                if next < successors[node].count {
                    visits[visits.count - 1].next += 1
                    let target = successors[node][next]
                    if index[target] < 0 {
                        enter(target)
                    } else if isOnStack[target] {
                        low[node] = min(low[node], index[target])
                    }
                    continue
                }
                visits.removeLast()
                if let outer = visits.last?.node { low[outer] = min(low[outer], low[node]) }
                guard low[node] == index[node], let start = stack.lastIndex(of: node) else { continue }
                let members = stack[start...].sorted()
                for member in members { isOnStack[member] = false }
                stack.removeSubrange(start...)
                if members.count > 1 || successors[node].contains(node) { found.append(members) }
            }
        }
        return found.sorted { $0[0] < $1[0] }
    }

    /// Returns the shortest cycle within a set of nodes that all need each other, starting with its lowest node.
    ///
    /// With `starts`, the cycle contains one of these nodes. The search starts from each node, and goes no deeper than
    /// the best cycle so far. If a set is so large and sparse that the search would take long, it ends with the best
    /// cycle found.
    func shortest(within members: [Int], through starts: [Int]? = nil) -> [Int] {
        let inside = Set(members)
        var best: [Int] = []
        var budget = 4_000_000
        for start in starts ?? members {
            if budget < 0, !best.isEmpty { break }
            if let cycle = shortest(through: start, inside, shorterThan: best.count, &budget) { best = cycle }
            if best.count == 1 { break }
        }
        guard let least = best.indices.min(by: { best[$0] < best[$1] }) else { return [] }
        return Array(best[least...] + best[..<least])
    }

    private func shortest(
        through start: Int, _ inside: Set<Int>, shorterThan limit: Int, _ budget: inout Int
    ) -> [Int]? {
        var previous: [Int: Int] = [:]
        var level = [start]
        var depth = 1
        while !level.isEmpty, limit == 0 || depth < limit {
            var next: [Int] = []
            for node in level {
                for target in successors[node] where inside.contains(target) {
                    budget -= 1
                    if target == start { return sequence(first: node) { previous[$0] }.reversed() }
                    if previous[target] != nil { continue }
                    previous[target] = node
                    next.append(target)
                }
            }
            level = next
            depth += 1
        }
        return nil
    }

    /// Returns whether no cycle is left within a set of nodes if `node` no longer needs `target`.
    func isCut(_ node: Int, _ target: Int, within members: [Int]) -> Bool {
        let numbers = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1, $0) })
        let remaining = members.map { member in
            successors[member].compactMap { member == node && $0 == target ? nil : numbers[$0] }
        }
        return Cycles(remaining).components().isEmpty
    }
}
