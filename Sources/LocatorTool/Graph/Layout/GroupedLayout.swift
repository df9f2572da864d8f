/// The positions of the boxes, lines, and groups of a diagram.
package struct GroupedArrangement: Sendable {
    /// The rectangle around a group.
    package struct Frame: Sendable {
        package var corner: Point
        package var size: Size
    }

    /// All lines from one group to another, drawn as one line.
    package struct Bundle: Sendable {
        package var from: Int
        package var to: Int
        package var count: Int
        package var way: [Point]
    }

    package var boxes: Arrangement
    /// The frame of each group.
    ///
    /// It contains only the group's boxes.
    package var frames: [Frame]
    package var bundles: [Bundle]
}

/// Arranges a diagram by groups.
///
/// The boxes of each group form a separate drawing, and the groups fill columns from left to right, so that the whole
/// has about the proportions of a screen. Groups that others need are to the right, like boxes. Lines within a group
/// are drawn as in any layered drawing, and a line between two groups is a single curve.
package enum GroupedLayout {
    /// The space within a frame beside and below the boxes.
    private static let padding = 26.0
    /// The space for a group's name: in the drawing, and on a screen that shows the whole drawing.
    private static let header = (least: 44.0, onScreen: 27.0)
    /// The distance of a line that leads around the right side of frames above each other.
    private static let detour = 40.0
    /// The space between frames, horizontally and vertically.
    private static let gap = Size(width: 110, height: 48)

    /// Each box has the number of its group, and no group is empty.
    package static func arrange(_ diagram: Diagram, groups: [Int]) -> GroupedArrangement {
        let parts = DiagramPart.parts(of: diagram, partOfBox: groups)
        let contents = parts.map { LayeredLayout.arrange($0.diagram) }
        let bundles = bundles(of: diagram, groups)
        let order = order(of: parts.count, bundles)
        // The name of a group has the same size on the screen, however small the drawing is.
        let scale = columns(of: contents, order, header: header.least).scale
        let header = max(header.least, header.onScreen / scale)
        var result = GroupedArrangement(
            boxes: Arrangement(of: diagram),
            frames: columns(of: contents, order, header: header).frames, bundles: bundles)
        for (group, part) in parts.enumerated() {
            let frame = result.frames[group]
            let origin = Point(x: frame.corner.x + padding, y: frame.corner.y + header)
            for (number, box) in part.boxes.enumerated() {
                result.boxes.corners[box] = contents[group].corners[number] + origin
                result.boxes.sizes[box] = contents[group].sizes[number]
            }
            for (number, line) in part.lines.enumerated() {
                result.boxes.ways[line] = contents[group].ways[number].map { $0 + origin }
            }
            result.boxes.size.width = max(result.boxes.size.width, frame.corner.x + frame.size.width + detour)
            result.boxes.size.height = max(result.boxes.size.height, frame.corner.y + frame.size.height)
        }
        for (number, line) in diagram.lines.enumerated() where groups[line.from] != groups[line.to] {
            func frame(_ box: Int) -> GroupedArrangement.Frame {
                GroupedArrangement.Frame(corner: result.boxes.corners[box], size: result.boxes.sizes[box])
            }
            result.boxes.ways[number] = way(from: frame(line.from), to: frame(line.to))
        }
        for (number, bundle) in bundles.enumerated() {
            result.bundles[number].way = way(from: result.frames[bundle.from], to: result.frames[bundle.to])
        }
        return result
    }

    // MARK: Groups

    /// Returns which groups need which others, in the order of the lines, still without positions.
    private static func bundles(of diagram: Diagram, _ groups: [Int]) -> [GroupedArrangement.Bundle] {
        var bundles: [GroupedArrangement.Bundle] = []
        var numbers: [[Int]: Int] = [:]
        for line in diagram.lines where groups[line.from] != groups[line.to] {
            let ends = [groups[line.from], groups[line.to]]
            let number = numbers[ends] ?? bundles.count
            if number == bundles.count {
                numbers[ends] = number
                bundles.append(.init(from: ends[0], to: ends[1], count: 0, way: []))
            }
            bundles[number].count += 1
        }
        return bundles
    }

    /// Returns the groups from left to right, those that need others first.
    private static func order(of count: Int, _ bundles: [GroupedArrangement.Bundle]) -> [Int] {
        let diagram = Diagram(
            sizes: Array(repeating: Size(width: 1, height: 1), count: count),
            lines: bundles.map { Diagram.Line(from: $0.from, to: $0.to, look: 0) })
        let columns = ColumnChoice(diagram, turned: CycleBreaking.linesToTurn(in: diagram)).columns()
        return (0..<count).sorted { (columns[$0], $0) < (columns[$1], $1) }
    }

    /// Returns the frames in columns, with the height that makes the whole as large as possible on a screen.
    private static func columns(
        of contents: [Arrangement], _ order: [Int], header: Double
    ) -> (frames: [GroupedArrangement.Frame], scale: Double) {
        let sizes = contents.map { content in
            Size(width: content.size.width + 2 * padding, height: content.size.height + header + padding)
        }
        let tallest = sizes.map(\.height).max() ?? 0
        let sum = sizes.reduce(0) { $0 + $1.height + gap.height }
        var best: (frames: [GroupedArrangement.Frame], scale: Double) = ([], 0)
        for step in 0..<40 {
            let (frames, size) = columns(of: sizes, order, height: tallest + (sum - tallest) * Double(step) / 39)
            let scale = size.scaleOnScreen
            if scale > best.scale { best = (frames, scale) }
        }
        return best
    }

    private static func columns(
        of sizes: [Size], _ order: [Int], height limit: Double
    ) -> (frames: [GroupedArrangement.Frame], size: Size) {
        var columns: [[Int]] = [[]]
        var height = 0.0
        for group in order {
            if height > 0, height + sizes[group].height > limit {
                columns.append([])
                height = 0
            }
            columns[columns.count - 1].append(group)
            height += sizes[group].height + gap.height
        }
        var frames = sizes.map { GroupedArrangement.Frame(corner: Point(x: 0, y: 0), size: $0) }
        var whole = Size(width: 0, height: 0)
        var left = 0.0
        for column in columns {
            let width = column.map { sizes[$0].width }.max() ?? 0
            var top = 0.0
            for group in column {
                // All frames in a column have the same width.
                frames[group] = .init(
                    corner: Point(x: left, y: top), size: Size(width: width, height: sizes[group].height))
                top += sizes[group].height + gap.height
            }
            whole = Size(width: left + width, height: max(whole.height, top - gap.height))
            left += width + gap.width
        }
        return (frames, whole)
    }

    // MARK: Lines

    /// Returns the path between two rectangles: from side to side, or around the right sides if one is above the other.
    private static func way(from start: GroupedArrangement.Frame, to end: GroupedArrangement.Frame) -> [Point] {
        // Lines to the left are a little lower, so that two boxes that need each other have separate lines.
        let share = start.corner.x > end.corner.x ? 0.56 : 0.44
        func side(_ frame: GroupedArrangement.Frame, right: Bool) -> Point {
            Point(x: frame.corner.x + (right ? frame.size.width : 0), y: frame.corner.y + frame.size.height * share)
        }
        if end.corner.x >= start.corner.x + start.size.width {
            return [side(start, right: true), side(end, right: false)]
        }
        if start.corner.x >= end.corner.x + end.size.width {
            return [side(start, right: false), side(end, right: true)]
        }
        let (first, last) = (side(start, right: true), side(end, right: true))
        let right = max(first.x, last.x) + detour
        return [first, Point(x: right, y: first.y), Point(x: right, y: last.y), last]
    }
}
