/// Sorts the columns of a drawing to reduce the number of crossing lines.
enum CrossingReduction {
    /// Sorts the columns repeatedly, each by the mean position of its items' neighbors in the previous column, and then
    /// in the next one.
    ///
    /// Uses the best order found.
    static func sort(_ layers: inout Layers) {
        layers.columns = initialColumns(of: layers)
        var best = layers.columns
        var fewest = crossings(in: layers)
        var withoutGain = 0
        for round in 0..<40 where fewest > 0 && withoutGain < 8 {
            if round.isMultiple(of: 2) {
                for column in layers.columns.indices.dropFirst() { sortColumn(column, of: &layers, by: \.before) }
            } else {
                for column in layers.columns.indices.dropLast().reversed() {
                    sortColumn(column, of: &layers, by: \.behind)
                }
            }
            swapNeighbors(in: &layers)
            let count = crossings(in: layers)
            if count < fewest {
                fewest = count
                best = layers.columns
                withoutGain = 0
            } else {
                withoutGain += 1
            }
        }
        layers.columns = best
    }

    /// Returns the columns in the order in which a walk along the lines reaches their items, so that neighbors start
    /// together.
    private static func initialColumns(of layers: Layers) -> [[Int]] {
        var columns = [[Int]](repeating: [], count: layers.columns.count)
        var isSeen = [Bool](repeating: false, count: layers.items.count)
        for beginning in layers.columns.joined() where !isSeen[beginning] {
            var path = [beginning]
            isSeen[beginning] = true
            while let item = path.popLast() {
                columns[layers.items[item].column].append(item)
                let neighbors = layers.items[item].behind + layers.items[item].before
                for next in neighbors.reversed() where !isSeen[next] {
                    isSeen[next] = true
                    path.append(next)
                }
            }
        }
        return columns
    }

    private static func sortColumn(_ column: Int, of layers: inout Layers, by side: KeyPath<Layers.Item, [Int]>) {
        let positions = positions(in: layers)
        let items = layers.columns[column]
        // An item without neighbors on this side keeps its position.
        let middles = items.map { item in
            let neighbors = layers.items[item][keyPath: side]
            guard !neighbors.isEmpty else { return Double(positions[item]) }
            return neighbors.reduce(0.0) { $0 + Double(positions[$1]) } / Double(neighbors.count)
        }
        layers.columns[column] = items.indices
            .sorted { (middles[$0], $0) < (middles[$1], $1) }
            .map { items[$0] }
    }

    private static func positions(in layers: Layers) -> [Int] {
        var positions = [Int](repeating: 0, count: layers.items.count)
        for column in layers.columns {
            for (position, item) in column.enumerated() { positions[item] = position }
        }
        return positions
    }

    // MARK: Neighbors

    /// Swaps adjacent items of a column if that reduces the crossings.
    private static func swapNeighbors(in layers: inout Layers) {
        var positions = positions(in: layers)
        for column in layers.columns.indices {
            var items = layers.columns[column]
            for upper in items.indices.dropLast() {
                let (first, second) = (items[upper], items[upper + 1])
                let now = crossings(first, above: second, in: layers, positions)
                if now == 0 || now <= crossings(second, above: first, in: layers, positions) { continue }
                items.swapAt(upper, upper + 1)
                positions[first] = upper + 1
                positions[second] = upper
            }
            layers.columns[column] = items
        }
    }

    /// Returns how often the lines of an item cross those of the item right below it.
    private static func crossings(_ upper: Int, above lower: Int, in layers: Layers, _ positions: [Int]) -> Int {
        func count(_ side: KeyPath<Layers.Item, [Int]>) -> Int {
            let below = layers.items[lower][keyPath: side]
            return layers.items[upper][keyPath: side].reduce(0) { sum, neighbor in
                below.reduce(sum) { $0 + (positions[$1] < positions[neighbor] ? 1 : 0) }
            }
        }
        return count(\.before) + count(\.behind)
    }

    // MARK: Counting

    /// Returns the total number of crossings.
    static func crossings(in layers: Layers) -> Int {
        let positions = positions(in: layers)
        return layers.columns.dropFirst().reduce(0) { sum, column in
            let ends = column.flatMap { layers.items[$0].before.map { positions[$0] }.sorted() }
            return sum + inversions(in: ends)
        }
    }

    /// Returns the number of pairs in the wrong order, counted during a merge sort.
    private static func inversions(in numbers: [Int]) -> Int {
        var numbers = numbers
        var buffer = numbers
        var count = 0
        var width = 1
        while width < numbers.count {
            var start = 0
            while start < numbers.count {
                let middle = min(start + width, numbers.count)
                let end = min(start + 2 * width, numbers.count)
                var (left, right) = (start, middle)
                for index in start..<end {
                    if right >= end || (left < middle && numbers[left] <= numbers[right]) {
                        buffer[index] = numbers[left]
                        left += 1
                    } else {
                        buffer[index] = numbers[right]
                        right += 1
                        count += middle - left
                    }
                }
                start = end
            }
            swap(&numbers, &buffer)
            width *= 2
        }
        return count
    }
}
