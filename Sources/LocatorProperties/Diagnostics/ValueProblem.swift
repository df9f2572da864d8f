/// What is wrong with a value that was asked for.
public enum ValueProblem: Sendable, Hashable {
    /// Nothing has the path.
    case missing(expected: String)
    /// The value is of another kind, or the type asked for cannot hold it.
    case mismatch(expected: String, found: String)

    /// The problem in words.
    var message: String {
        switch self {
        case .missing(let expected): "expected \(expected), found nothing"
        case .mismatch(let expected, let found): "expected \(expected), found \(found)"
        }
    }
}
