/// A difference between the inputs that were passed and the inputs that the opened scopes declare.
public struct InputProblem: Sendable, Hashable {
    /// The kinds of differences.
    public enum Kind: Sendable, Hashable {
        /// A declared input was not passed.
        case missing
        /// An input was passed more than once.
        case doubled
        /// An input was passed that no opened scope declares.
        case undeclared
    }

    /// The type and the qualifier of the input.
    public let key: Key

    /// The kind of difference.
    public let kind: Kind

    /// The place where the input is declared.
    public let location: SourcePlace?

    /// Similar inputs, one line each.
    public let notes: [String]

    init(_ kind: Kind, _ key: Key, location: SourcePlace? = nil, notes: [String] = []) {
        self.kind = kind
        self.key = key
        self.location = location
        self.notes = notes
    }

    var lines: [String] {
        let input = location.map { "\(key) (\($0))" } ?? "\(key)"
        switch kind {
        case .missing: return ["missing: \(input)"]
        case .doubled: return ["passed twice: \(input)"]
        case .undeclared: return ["not declared: \(input)"] + notes.map { "  \($0)" }
        }
    }
}
