import LocatorTool
import TestSupport
import Testing

@Suite("The layout by group")
struct GroupedLayoutTests {
    @Test(arguments: 0..<40) func randomDiagrams_keepTheirPromises(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...80, using: &generator),
            groupCount = Int.random(in: 1...min(count, 9), using: &generator)
        // Every group has a box.
        let groups = (0..<count).map { $0 < groupCount ? $0 : Int.random(in: 0..<groupCount, using: &generator) }
        let lines = (0..<Int.random(in: 0...150, using: &generator)).map { _ in
            Diagram.Line(
                from: Int.random(in: 0..<count, using: &generator), to: Int.random(in: 0..<count, using: &generator),
                look: 0)
        }
        let diagram = Diagram(
            sizes: (0..<count).map { _ in Size(width: Double(Int.random(in: 70...200, using: &generator)), height: 40)
            },
            lines: lines)
        let result = GroupedLayout.arrange(diagram, groups: groups)

        // A box is inside the frame of its group, and frames do not overlap.
        let boxes = (0..<count).map { Area(result.boxes.corners[$0], result.boxes.sizes[$0]) }
        let frames = result.frames.map { Area($0.corner, $0.size) }
        let whole = Area(Point(x: 0, y: 0), result.boxes.size)
        #expect(frames.count == groupCount)
        for (box, group) in zip(boxes, groups) { #expect(frames[group].contains(box)) }
        for (index, frame) in frames.enumerated() {
            #expect(whole.contains(frame))
            #expect(frames[..<index].allSatisfy { !$0.overlaps(frame) })
        }
        for (index, box) in boxes.enumerated() { #expect(boxes[..<index].allSatisfy { !$0.overlaps(box) }) }

        // Each line begins and ends at its boxes. Lines between the same two groups form one bundle.
        for (line, way) in zip(lines, result.boxes.ways) {
            #expect(boxes[line.from].touches(way[0]) && boxes[line.to].touches(way[way.count - 1]))
        }
        let across = lines.filter { groups[$0.from] != groups[$0.to] }
        #expect(result.bundles.reduce(0) { $0 + $1.count } == across.count)
        #expect(Set(result.bundles.map { [$0.from, $0.to] }) == Set(across.map { [groups[$0.from], groups[$0.to]] }))
        #expect(Set(result.bundles.map { [$0.from, $0.to] }).count == result.bundles.count)
        for bundle in result.bundles {
            #expect(frames[bundle.from].touches(bundle.way[0]))
            #expect(frames[bundle.to].touches(bundle.way[bundle.way.count - 1]))
        }
    }

    @Test func nothing_isArranged() {
        let result = GroupedLayout.arrange(Diagram(sizes: [], lines: []), groups: [])
        #expect(result.frames.isEmpty && result.bundles.isEmpty)
    }

    /// Groups of the same size fill the screen, whatever their number.
    @Test(arguments: [2, 5, 12, 21, 60]) func groups_haveTheShapeOfAScreen(count: Int) {
        let groups = (0..<count * 12).map { $0 / 12 }
        let diagram = Diagram(
            sizes: Array(repeating: Size(width: 150, height: 42), count: groups.count),
            lines: (1..<count).map { Diagram.Line(from: ($0 - 1) * 12, to: $0 * 12, look: 0) })
        let size = GroupedLayout.arrange(diagram, groups: groups).boxes.size
        #expect((0.7...2.7).contains(size.width / size.height))
    }
}

private struct Area {
    var left, top, right, bottom: Double

    init(_ corner: Point, _ size: Size) {
        (left, top) = (corner.x, corner.y)
        (right, bottom) = (corner.x + size.width, corner.y + size.height)
    }

    func contains(_ other: Area) -> Bool {
        left <= other.left && top <= other.top && right >= other.right - 0.01 && bottom >= other.bottom - 0.01
    }

    func overlaps(_ other: Area) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    /// Whether a point lies on the border.
    func touches(_ point: Point) -> Bool {
        point.x >= left - 0.01 && point.x <= right + 0.01 && point.y >= top - 0.01 && point.y <= bottom + 0.01
    }
}
