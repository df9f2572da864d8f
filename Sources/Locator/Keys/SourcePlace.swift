/// A place in the source: `#fileID` and `#line`.
public struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
    let file: StaticString

    /// The line, counted from one.
    public let line: Int

    /// The file, as `Module/File.swift`.
    public var fileID: String { "\(file)" }

    /// Creates a place.
    ///
    /// Without arguments, it is the place of the call.
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        self.file = fileID
        self.line = Int(line)
    }

    /// The place of types that are decoded from settings without a registration.
    static let properties = SourcePlace(fileID: "the properties", line: 0)

    /// Returns whether two places are the same line of the same file.
    public static func == (left: SourcePlace, right: SourcePlace) -> Bool {
        left.isIdentical(to: right) || left.line == right.line && left.fileID == right.fileID
    }

    /// Whether both come from one literal.
    ///
    /// Two literals with the same text may count as two places.
    func isIdentical(to other: SourcePlace) -> Bool {
        guard line == other.line, file.hasPointerRepresentation, other.file.hasPointerRepresentation else {
            return false
        }
        return file.utf8Start == other.file.utf8Start
    }

    /// Feeds the line to a hasher.
    ///
    /// The hash does not include the file, because few files have a place on the same line.
    public func hash(into hasher: inout Hasher) { hasher.combine(line) }

    /// The place as `Module/File.swift:12`.
    @inline(never)
    public var description: String { line == 0 ? "\(file)" : "\(file):\(line)" }
}
