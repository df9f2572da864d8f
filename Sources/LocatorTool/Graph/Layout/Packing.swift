/// Places the parts of a diagram in rows, large parts first, and boxes without lines in a block at the end.
struct Packing {
    private struct Block {
        var size: Size
        /// The boxes with their sizes, and their corners within the block.
        var boxes: [(box: Int, corner: Point, size: Size)]
        /// The lines with their paths within the block.
        var ways: [(line: Int, way: [Point])]
    }

    /// The space between two parts.
    private static let gap = 56.0
    /// The space between boxes without lines.
    private static let singleGap = Size(width: 24, height: 14)
    /// The intended ratio of width to height.
    private static let proportion = 1.5

    private let diagram: Diagram
    private var blocks: [Block] = []
    private var singles: [DiagramPart] = []

    init(_ diagram: Diagram) {
        self.diagram = diagram
    }

    /// Adds a part with its arrangement, or a single box, which may have lines to itself.
    mutating func add(_ part: DiagramPart, _ arrangement: Arrangement?) {
        guard let arrangement else { return singles.append(part) }
        blocks.append(
            Block(
                size: arrangement.size,
                boxes: part.boxes.indices.map { (part.boxes[$0], arrangement.corners[$0], arrangement.sizes[$0]) },
                ways: part.lines.indices.map { (part.lines[$0], arrangement.ways[$0]) }))
    }

    func arrangement() -> Arrangement {
        var result = Arrangement(of: diagram)
        // Parts of the same height keep their order.
        var blocks = blocks.enumerated()
            .sorted { (-$0.element.size.height, $0.offset) < (-$1.element.size.height, $1.offset) }
            .map(\.element)
        let room = blocks.reduce(0) { $0 + ($1.size.width + Self.gap) * ($1.size.height + Self.gap) }
        let widest = blocks.map(\.size.width).max() ?? 0
        let width = max(widest, (room * Self.proportion).squareRoot())
        if let block = singlesBlock(width: width) { blocks.append(block) }

        var corner = Point(x: 0, y: 0)
        var rowHeight = 0.0
        for block in blocks {
            if corner.x > 0, corner.x + block.size.width > width {
                corner = Point(x: 0, y: corner.y + rowHeight + Self.gap)
                rowHeight = 0
            }
            place(block, at: corner, in: &result)
            corner.x += block.size.width + Self.gap
            rowHeight = max(rowHeight, block.size.height)
        }
        return result
    }

    private func place(_ block: Block, at corner: Point, in result: inout Arrangement) {
        for (box, position, size) in block.boxes {
            result.corners[box] = position + corner
            result.sizes[box] = size
        }
        for (line, way) in block.ways { result.ways[line] = way.map { $0 + corner } }
        result.size.width = max(result.size.width, corner.x + block.size.width)
        result.size.height = max(result.size.height, corner.y + block.size.height)
    }

    /// Returns the boxes without lines to others, in columns of equal width.
    private func singlesBlock(width: Double) -> Block? {
        guard !singles.isEmpty else { return nil }
        let box = Size(
            width: singles.map { $0.diagram.sizes[0].width }.max() ?? 0,
            height: singles.map { $0.diagram.sizes[0].height }.max() ?? 0)
        let cell = Size(width: box.width + Self.singleGap.width, height: box.height + Self.singleGap.height)
        let square = (Double(singles.count) * cell.height * Self.proportion / cell.width).squareRoot().rounded(.up)
        let most = max(Int(square), min(singles.count, Int(width / cell.width)), 1)
        let rows = (singles.count + most - 1) / most
        let columns = (singles.count + rows - 1) / rows
        var block = Block(
            size: Size(
                width: Double(columns) * cell.width - Self.singleGap.width,
                height: Double(rows) * cell.height - Self.singleGap.height),
            boxes: [], ways: [])
        for (index, part) in singles.enumerated() {
            let corner = Point(x: Double(index / rows) * cell.width, y: Double(index % rows) * cell.height)
            let height = part.diagram.sizes[0].height
            block.boxes.append((part.boxes[0], corner, Size(width: box.width, height: height)))
            let side = Point(x: corner.x + box.width, y: corner.y + height / 2)
            block.ways += part.lines.map { ($0, Arrangement.loop(from: side, height: height)) }
        }
        return block
    }
}
