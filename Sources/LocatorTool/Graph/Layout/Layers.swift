/// A diagram whose boxes have columns.
///
/// A column contains boxes, and bends where long lines pass it. Long lines with the same look and target share their
/// bends. If many boxes need the same box, their lines join into one, instead of covering the drawing.
struct Layers {
    /// A box, or a bend of a line.
    struct Item {
        /// The number of the box, or nil for a bend.
        var box: Int?
        var column: Int
        var height: Double
        /// The connected items in the previous column.
        var before: [Int] = []
        /// The connected items in the next column.
        var behind: [Int] = []
    }

    /// The boxes, numbered as in the diagram, followed by the bends.
    private(set) var items: [Item]
    /// The items of each column from top to bottom.
    var columns: [[Int]]
    /// The items on each line's path, from left to right.
    ///
    /// Empty for a line that leads back to its own box.
    private let visits: [[Int]]
    private let turned: [Bool]

    /// The space between two boxes in a column.
    private static let boxGap = 14.0
    /// The space beside a bend.
    private static let bendGap = 10.0
    /// How far below the middle of its boxes a line from right to left starts and ends.
    private static let turnedShift = 7.0
    /// The space between two columns: the minimum, the addition per line, and the maximum for all lines.
    private static let columnGap = (least: 56.0, perLine: 2.0, mostForLines: 110.0)

    private struct Bend: Hashable {
        var target: Int
        var look: Int
        var column: Int
        /// The line, if it must not share its bends because it is reversed.
        var line: Int?
    }

    init(_ diagram: Diagram, turned: [Bool], columns columnOfBox: [Int]) {
        var items = diagram.sizes.enumerated().map { box, size in
            Item(box: box, column: columnOfBox[box], height: size.height)
        }
        var bends: [Bend: Int] = [:]
        var connections: Set<[Int]> = []
        var visits: [[Int]] = []
        for (number, line) in diagram.lines.enumerated() {
            guard line.from != line.to else {
                visits.append([])
                continue
            }
            let (from, to) = turned[number] ? (line.to, line.from) : (line.from, line.to)
            var visited = [from]
            for column in (columnOfBox[from] + 1)..<max(columnOfBox[from] + 1, columnOfBox[to]) {
                let bend = Bend(target: to, look: line.look, column: column, line: turned[number] ? number : nil)
                let item = bends[bend] ?? items.count
                if item == items.count {
                    bends[bend] = item
                    items.append(Item(box: nil, column: column, height: 2))
                }
                visited.append(item)
            }
            visited.append(to)
            for (before, behind) in zip(visited, visited.dropFirst())
            where connections.insert([before, behind]).inserted {
                items[before].behind.append(behind)
                items[behind].before.append(before)
            }
            visits.append(visited)
        }
        self.items = items
        self.visits = visits
        self.turned = turned
        columns = [[Int]](repeating: [], count: (columnOfBox.max() ?? 0) + 1)
        for item in items.indices { columns[items[item].column].append(item) }
    }

    /// Returns the minimum distance between the middles of an item and the item below it.
    func distance(_ upper: Int, _ lower: Int) -> Double {
        let gap = items[upper].box != nil && items[lower].box != nil ? Self.boxGap : Self.bendGap
        return (items[upper].height + items[lower].height) / 2 + gap
    }

    /// Returns the arrangement for given heights of the items' middles.
    func arrangement(of diagram: Diagram, heights: [Double]) -> Arrangement {
        let top = items.indices.map { heights[$0] - items[$0].height / 2 }.min() ?? 0
        let bottom = items.indices.map { heights[$0] + items[$0].height / 2 }.max() ?? 0
        var lefts: [Double] = []
        var widths: [Double] = []
        var left = 0.0
        for column in columns {
            let width = column.compactMap { items[$0].box }.map { diagram.sizes[$0].width }.max() ?? 0
            lefts.append(left)
            widths.append(width)
            // Many lines need enough space to be distinguishable.
            let lines = column.reduce(0) { $0 + items[$1].behind.count }
            let gap = Self.columnGap
            left += width + gap.least + min(gap.mostForLines, Double(lines) * gap.perLine)
        }

        func side(_ item: Int, right: Bool) -> Point {
            let column = items[item].column
            return Point(x: lefts[column] + (right ? widths[column] : 0), y: heights[item] - top)
        }
        let ways = visits.enumerated().map { number, visited -> [Point] in
            guard let first = visited.first, let last = visited.last else {
                let box = diagram.lines[number].from
                return Arrangement.loop(from: side(box, right: true), height: diagram.sizes[box].height)
            }
            let bends = visited.dropFirst().dropLast().flatMap { [side($0, right: false), side($0, right: true)] }
            var way = [side(first, right: true)] + bends + [side(last, right: false)]
            guard turned[number] else { return way }
            // Next to the line in the opposite direction.
            way[0].y += Self.turnedShift
            way[way.count - 1].y += Self.turnedShift
            return way.reversed()
        }
        let boxes = items.filter { $0.box != nil }
        return Arrangement(
            corners: boxes.indices.map {
                Point(x: lefts[items[$0].column], y: heights[$0] - top - items[$0].height / 2)
            },
            sizes: boxes.indices.map { Size(width: widths[items[$0].column], height: items[$0].height) },
            ways: ways,
            size: Size(width: (lefts.last ?? 0) + (widths.last ?? 0), height: bottom - top))
    }
}
