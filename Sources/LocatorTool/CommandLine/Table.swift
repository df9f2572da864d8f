import Locator

/// A table with aligned columns.
struct Table {
    /// A cell: a text without characters that a terminal would interpret, and its color.
    struct Cell {
        var text: String
        var color: Paint.Color?

        init(_ text: String, _ color: Paint.Color? = nil) {
            self.text = text.escapingHidden()
            self.color = color
        }
    }

    /// The maximum width of a column.
    ///
    /// A longer text shifts the rest of its row only, and not the whole column.
    private static let widest = 56

    private var rows: [[Cell]] = []

    mutating func add(_ cells: Cell...) {
        add(cells)
    }

    mutating func add(_ cells: [Cell]) {
        rows.append(cells)
    }

    /// Returns the lines, each ending with a line break.
    ///
    /// The last cell of a row has no trailing spaces.
    func text(_ paint: Paint) -> String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].text.count : 0 }.filter { $0 <= Self.widest }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let text = cell.color.map { paint(cell.text, $0) } ?? cell.text
                let isLast = column == row.count - 1
                return isLast ? text : text + String(repeating: " ", count: max(0, widths[column] - cell.text.count))
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }
}
