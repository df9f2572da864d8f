/// What is wrong with properties: one problem or several, each with its place.
public struct PropertiesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems, in the order they were found; never empty.
    public let problems: [PropertiesProblem]

    /// Makes an error of one problem.
    public init(_ problem: PropertiesProblem) {
        problems = [problem]
    }

    /// Makes an error of several problems; nil where there are none.
    public init?(_ problems: [PropertiesProblem]) {
        guard !problems.isEmpty else { return nil }
        self.problems = problems
    }

    /// The problems, one a line.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
