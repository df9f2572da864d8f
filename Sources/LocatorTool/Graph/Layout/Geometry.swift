/// A point in a drawing.
///
/// x grows to the right, and y downward.
package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    static func + (point: Point, distance: Point) -> Point {
        Point(x: point.x + distance.x, y: point.y + distance.y)
    }
}

package struct Size: Hashable, Sendable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The largest scale at which a drawing of this size fits on a common screen.
    var scaleOnScreen: Double { min(900 / width, 670 / height) }
}

/// The boxes to draw, numbered from zero, and the lines between them.
package struct Diagram: Sendable {
    package struct Line: Hashable, Sendable {
        package var from: Int
        package var to: Int
        /// The look of the line.
        ///
        /// Lines with the same look to the same box share a part of their paths.
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

/// The positions of the boxes and lines of a diagram.
package struct Arrangement: Sendable {
    /// The upper-left corner of each box.
    package var corners: [Point]
    /// The size of each box, with one width for all boxes in a column.
    package var sizes: [Size]
    /// The points of each line.
    ///
    /// A curve leads from the first point to the second, a straight line to the third, and so on in turn, so that a
    /// line is level where it passes a column.
    package var ways: [[Point]]
    /// The size of the whole drawing.
    package var size: Size
}

extension Arrangement {
    /// Creates an arrangement in which nothing has its position yet.
    init(of diagram: Diagram) {
        corners = Array(repeating: Point(x: 0, y: 0), count: diagram.sizes.count)
        sizes = diagram.sizes
        ways = Array(repeating: [], count: diagram.lines.count)
        size = Size(width: 0, height: 0)
    }

    /// Returns the path of a line that leads back to its own box: from the middle of its right side to its top.
    static func loop(from side: Point, height: Double) -> [Point] {
        [side, Point(x: side.x - 24, y: side.y - height / 2)]
    }
}
