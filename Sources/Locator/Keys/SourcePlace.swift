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
        left.line == right.line && left.fileID == right.fileID
    }

    /// Feeds the file and the line to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(fileID)
        hasher.combine(line)
    }

    /// The place as `Module/File.swift:12`.
    @inline(never)
    public var description: String { line == 0 ? "\(file)" : "\(file):\(line)" }
}
