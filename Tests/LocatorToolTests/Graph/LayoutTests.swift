import LocatorTool
import TestSupport
import Testing

@Suite("The layered layout")
struct LayoutTests {
    private static let box = Size(width: 100, height: 40)

    private func arrange(_ count: Int, _ lines: [(Int, Int)]) -> Arrangement {
        LayeredLayout.arrange(
            Diagram(
                sizes: Array(repeating: Self.box, count: count),
                lines: lines.map { Diagram.Line(from: $0, to: $1, look: 0) }))
    }

    @Test func nothing_isArranged() {
        #expect(arrange(0, []).size == Size(width: 0, height: 0))
    }

    @Test func chain_isALevelLine() {
        let result = arrange(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
        #expect(result.corners.map(\.x) == [0, 160, 320, 480])
        // The line that passes two boxes runs beside them, and they are at the same height.
        #expect(Set(result.corners[1...2].map(\.y)).count == 1)
    }

    @Test func cycle_leadsBackOnce() {
        let result = arrange(3, [(0, 1), (1, 2), (2, 0)])
        let isBackward = result.ways.map { $0[0].x > $0[$0.count - 1].x }
        #expect(isBackward == [false, false, true])
    }

    @Test func tree_hasNoCrossings() {
        // In an order of the boxes that would make all lines cross.
        let result = arrange(7, [(0, 2), (0, 1), (1, 6), (1, 5), (2, 4), (2, 3)])
        #expect(crossings(of: result.ways) == 0)
    }

    @Test func linesToOneBox_shareTheirWay() {
        let result = arrange(6, [(0, 1), (1, 2), (2, 3), (3, 4), (5, 1), (0, 4), (5, 4)])
        let (first, second) = (result.ways[5], result.ways[6])
        #expect(first.dropFirst() == second.dropFirst())
    }

    @Test(.oneThread, arguments: 0..<40) func randomDiagrams_keepTheirPromises(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...60, using: &generator)
        let lines = (0..<Int.random(in: 0...120, using: &generator)).map { _ in
            (Int.random(in: 0..<count, using: &generator), Int.random(in: 0..<count, using: &generator))
        }
        let result = arrange(count, lines)

        // Boxes do not overlap, and none is outside of the picture.
        for first in 0..<count {
            let (corner, size) = (result.corners[first], result.sizes[first])
            #expect(corner.x >= 0 && corner.x + size.width <= result.size.width + 0.01)
            #expect(corner.y >= -0.01 && corner.y + size.height <= result.size.height + 0.01)
            for second in 0..<first {
                let other = result.corners[second]
                let isApart =
                    corner.x >= other.x + result.sizes[second].width || other.x >= corner.x + size.width
                    || corner.y >= other.y + result.sizes[second].height || other.y >= corner.y + size.height
                #expect(isApart, "boxes \(first) and \(second)")
            }
        }
        // Lines begin and end at their boxes.
        for (line, way) in zip(lines, result.ways) where line.0 != line.1 {
            let isForward = way[0].x < way[way.count - 1].x
            let (left, right) = isForward ? (line.0, line.1) : (line.1, line.0)
            let (start, end) = isForward ? (way[0], way[way.count - 1]) : (way[way.count - 1], way[0])
            #expect(start.x == result.corners[left].x + result.sizes[left].width)
            // Lines in both directions run side by side.
            let height = isForward ? 20.0 : 27.0
            #expect(abs(start.y - result.corners[left].y - height) < 0.01)
            #expect(end.x == result.corners[right].x)
            #expect(abs(end.y - result.corners[right].y - height) < 0.01)
        }
        // The order is fixed.
        let again = arrange(count, lines)
        #expect(again.corners == result.corners && again.ways == result.ways)
    }

    /// The number of crossings between curves of the same columns.
    private func crossings(of ways: [[Point]]) -> Int {
        let curves = ways.flatMap { way in
            stride(from: 0, to: way.count - 1, by: 2).map { (way[$0], way[$0 + 1]) }
        }
        var count = 0
        for (index, first) in curves.enumerated() {
            for second in curves.prefix(index) where first.0.x == second.0.x {
                if (first.0.y - second.0.y) * (first.1.y - second.1.y) < 0 { count += 1 }
            }
        }
        return count
    }
}
