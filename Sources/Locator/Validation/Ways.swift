/// The shortest ways of needs from each node of a wiring to the nearest nodes of some kind.
///
/// They are found for all nodes at once, from the ends backward: the ways from a node begin with the ways from its
/// targets. A search from each node would follow a chain that many nodes need once for each of them.
struct Ways {
    /// A way, as its last node and the node after its first one.
    private typealias Step = (end: Int, next: Int)

    /// The ways from each node, the shortest first.
    ///
    /// Ways of equal length are in the order of their needs.
    private var steps: [[Step]]

    /// Finds the ways along needs for which `isFollowed` is true, to nodes for which `isEnd` is true, through nodes for
    /// which `isEntered` is true.
    init(
        in wiring: Wiring, along isFollowed: (Wiring.Need) -> Bool, into isEntered: (Int) -> Bool,
        to isEnd: (Int) -> Bool, atMost limit: Int
    ) {
        steps = Array(repeating: [], count: wiring.nodes.count)
        let ends = wiring.nodes.indices.filter(isEnd)
        if ends.isEmpty { return }
        var askers = [[(node: Int, position: Int)]](repeating: [], count: wiring.nodes.count)
        for (number, node) in wiring.nodes.enumerated() {
            let targets = node.needs.lazy.filter(isFollowed).flatMap(\.targets)
            for (position, target) in targets.enumerated() { askers[target].append((number, position)) }
        }
        // The ways of one length are extended to those that are one step longer.
        var found = ends.map { (start: $0, end: $0) }
        while !found.isEmpty {
            var longer: [(start: Int, position: Int, rank: Int, step: Step)] = []
            for (rank, way) in found.enumerated() {
                for asker in askers[way.start] {
                    longer.append((asker.node, asker.position, rank, (way.end, way.start)))
                }
            }
            longer.sort { ($0.start, $0.position, $0.rank) < ($1.start, $1.position, $1.rank) }
            found = []
            for (start, _, _, step) in longer where start != step.end && steps[start].count < limit {
                if steps[start].contains(where: { $0.end == step.end }) { continue }
                steps[start].append(step)
                if isEntered(start) { found.append((start, step.end)) }
            }
        }
    }

    /// The ways from a node, each with all of its nodes.
    subscript(start: Int) -> [[Int]] {
        steps[start].map { first in
            var way = [start, first.next]
            while let last = way.last, last != first.end, let step = steps[last].first(where: { $0.end == first.end }) {
                way.append(step.next)
            }
            return way
        }
    }
}
