/// Chooses the heights of items in sorted columns, so that lines are as straight as the order allows.
///
/// Each item should be level with its neighbors. For a column, there is a single best solution: the heights with the
/// least sum of squared deviations that preserve the order and the distances.
struct Straightening {
    let layers: Layers

    /// Returns the height of each item's middle.
    func heights() -> [Double] {
        var heights = [Double](repeating: 0, count: layers.items.count)
        for column in layers.columns {
            var height = 0.0
            for (index, item) in column.enumerated() {
                if index > 0 { height += layers.distance(column[index - 1], item) }
                heights[item] = height
            }
            for item in column { heights[item] -= height / 2 }
        }
        for round in 0..<12 {
            // In the last rounds both sides count, so that neither is preferred.
            let isLast = round >= 8
            for column in layers.columns { settle(column, &heights, before: true, behind: isLast) }
            for column in layers.columns.reversed() { settle(column, &heights, before: isLast, behind: true) }
        }
        return heights
    }

    private func settle(_ column: [Int], _ heights: inout [Double], before: Bool, behind: Bool) {
        var wishes: [Double] = []
        var weights: [Double] = []
        var offsets: [Double] = []
        var offset = 0.0
        for (index, item) in column.enumerated() {
            if index > 0 { offset += layers.distance(column[index - 1], item) }
            var (sum, weight) = (0.0, 0.0)
            for neighbor in (before ? layers.items[item].before : []) + (behind ? layers.items[item].behind : []) {
                let strength = strength(item, neighbor)
                sum += heights[neighbor] * strength
                weight += strength
            }
            // An item without neighbors on this side stays, unless others need its place.
            wishes.append((weight > 0 ? sum / weight : heights[item]) - offset)
            weights.append(weight > 0 ? weight : 0.1)
            offsets.append(offset)
        }
        for (index, height) in Self.closestAscending(to: wishes, weights: weights).enumerated() {
            heights[column[index]] = height + offsets[index]
        }
    }

    /// Long lines are straightened with priority.
    private func strength(_ item: Int, _ neighbor: Int) -> Double {
        switch (layers.items[item].box, layers.items[neighbor].box) {
        case (nil, nil): 8
        case (nil, _?), (_?, nil): 2
        case (_?, _?): 1
        }
    }

    /// Returns the ascending numbers closest to the given ones.
    ///
    /// Adjacent numbers in the wrong order are replaced by their mean.
    static func closestAscending(to wishes: [Double], weights: [Double]) -> [Double] {
        var pools: [(mean: Double, weight: Double, count: Int)] = []
        for (wish, weight) in zip(wishes, weights) {
            var pool = (mean: wish, weight: weight, count: 1)
            while let last = pools.last, last.mean > pool.mean {
                let sum = last.weight + pool.weight
                pool = ((last.mean * last.weight + pool.mean * pool.weight) / sum, sum, last.count + pool.count)
                pools.removeLast()
            }
            pools.append(pool)
        }
        return pools.flatMap { Array(repeating: $0.mean, count: $0.count) }
    }
}
