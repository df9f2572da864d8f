/// A place in a drawing: x grows to the right, y downwards.
package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// How much room something takes in a drawing.
package struct Size: Hashable, Sendable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// What is to be drawn: boxes, numbered from zero, and lines between them.
package struct Diagram: Sendable {
    /// A line from a box to another.
    package struct Line: Hashable, Sendable {
        package var from: Int
        package var to: Int
        /// Lines that look alike and lead to the same box share a way there.
        package var look: Int

        package init(from: Int, to: Int, look: Int) {
            self.from = from
            self.to = to
            self.look = look
        }
    }

    package var sizes: [Size]
    package var lines: [Line]

    package init(sizes: [Size], lines: [Line]) {
        self.sizes = sizes
        self.lines = lines
    }
}

/// Where the boxes and lines of a diagram are.
package struct Arrangement: Sendable {
    /// The upper left corner of each box.
    package var corners: [Point]
    /// The size of each box; those in one column are equally wide.
    package var sizes: [Size]
    /// The way of each line: a curve leads from the first point to the second, a straight line to the third, and so on
    /// in turns, so that a line runs level where it passes a column.
    package var ways: [[Point]]
    /// The size of the whole.
    package var size: Size
}

extension Arrangement {
    /// The arrangement of a diagram before anything has its place.
    init(of diagram: Diagram) {
        corners = Array(repeating: Point(x: 0, y: 0), count: diagram.sizes.count)
        sizes = diagram.sizes
        ways = Array(repeating: [], count: diagram.lines.count)
        size = Size(width: 0, height: 0)
    }
}
