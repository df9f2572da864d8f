/// Assigns each box of a connected diagram without cycles to a column, to the right of all boxes that lead to it.
///
/// The number of boxes in a column is limited, so that the drawing has about the proportions of a screen.
struct ColumnChoice {
    private let count: Int
    private let limit: Int
    private var before: [[Int]]
    private var behind: [[Int]]

    /// Reversed lines count in the opposite direction.
    init(_ diagram: Diagram, turned: [Bool]) {
        count = diagram.sizes.count
        // A column is about five times as wide as a row is high, and a screen is 1.5 times as wide as it is high.
        limit = max(7, Int((Double(count) * 3.6).squareRoot().rounded(.up)))
        before = [[Int]](repeating: [], count: count)
        behind = [[Int]](repeating: [], count: count)
        for (line, isTurned) in zip(diagram.lines, turned) where line.from != line.to {
            let (from, to) = isTurned ? (line.to, line.from) : (line.from, line.to)
            behind[from].append(to)
            before[to].append(from)
        }
    }

    /// Returns the number of each box's column, none of which is empty.
    func columns() -> [Int] {
        var columns = earliestColumns()
        shorten(&columns)
        let used = Set(columns).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
        return columns.map { numbers[$0] ?? 0 }
    }

    /// Places boxes from left to right, those with the longest chains after them first.
    private func earliestColumns() -> [Int] {
        let chains = chainLengths()
        var waiting = before.map(\.count)
        var columns = [Int](repeating: 0, count: count)
        var ready = (0..<count).filter { waiting[$0] == 0 }
        var column = 0
        while !ready.isEmpty {
            ready.sort { (-chains[$0], $0) < (-chains[$1], $1) }
            let chosen = ready.prefix(limit)
            ready.removeFirst(chosen.count)
            for box in chosen {
                columns[box] = column
                for next in behind[box] {
                    waiting[next] -= 1
                    if waiting[next] == 0 { ready.append(next) }
                }
            }
            column += 1
        }
        return columns
    }

    /// Returns the length of the longest chain after each box.
    private func chainLengths() -> [Int] {
        var lengths = [Int](repeating: 0, count: count)
        var waiting = behind.map(\.count)
        var ready = (0..<count).filter { waiting[$0] == 0 }
        while let box = ready.popLast() {
            for previous in before[box] {
                lengths[previous] = max(lengths[previous], lengths[box] + 1)
                waiting[previous] -= 1
                if waiting[previous] == 0 { ready.append(previous) }
            }
        }
        return lengths
    }

    /// Moves boxes toward the side on which they have more lines, as far as the columns have room.
    private func shorten(_ columns: inout [Int]) {
        let last = columns.max() ?? 0
        var filled = [Int](repeating: 0, count: last + 1)
        for column in columns { filled[column] += 1 }
        for _ in 0..<8 {
            var isChanged = false
            for box in 0..<count {
                let first = before[box].map { columns[$0] + 1 }.max() ?? 0
                let final = behind[box].map { columns[$0] - 1 }.min() ?? last
                let pull = behind[box].count - before[box].count
                if pull == 0 || first >= final { continue }
                func hasRoom(_ column: Int) -> Bool { filled[column] < limit }
                let found =
                    pull > 0
                    ? (columns[box]...final).dropFirst().last(where: hasRoom)
                    : (first..<columns[box]).first(where: hasRoom)
                guard let column = found else { continue }
                filled[columns[box]] -= 1
                filled[column] += 1
                columns[box] = column
                isChanged = true
            }
            if !isChanged { return }
        }
    }
}
