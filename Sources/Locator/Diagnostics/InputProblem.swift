/// A difference between the inputs that the opened scopes have and those that were handed in.
public struct InputProblem: Sendable, Hashable {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// It is declared and was not handed in.
        case missing
        /// It was handed in more than once.
        case doubled
        /// It was handed in and is not declared for a scope that was opened.
        case undeclared
    }

    /// The type and the qualifier of the input.
    public let key: Key

    /// What is wrong.
    public let kind: Kind

    /// Where the input is declared.
    public let location: SourcePlace?

    /// What came near, one line each.
    public let notes: [String]

    init(_ kind: Kind, _ key: Key, location: SourcePlace? = nil, notes: [String] = []) {
        self.kind = kind
        self.key = key
        self.location = location
        self.notes = notes
    }

    /// The lines of an error.
    var lines: [String] {
        let input = location.map { "\(key) (\($0))" } ?? "\(key)"
        switch kind {
        case .missing: return ["missing: \(input)"]
        case .doubled: return ["passed twice: \(input)"]
        case .undeclared: return ["not declared: \(input)"] + notes.map { "  \($0)" }
        }
    }
}
