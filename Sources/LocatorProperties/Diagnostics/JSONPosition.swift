/// A position in a JSON text.
///
/// A column counts Unicode scalars, as most editors do except for combined characters.
public struct JSONPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int

    /// Creates a position from a line and a column, both counted from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The position as `line:column`.
    public var description: String { "\(line):\(column)" }
}
