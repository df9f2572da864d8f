/// What is wrong with a value that was asked for.
public enum ValueProblem: Sendable, Hashable {
    /// Nothing has the path.
    case missing(expected: String)
    /// The value is of another kind, or the type asked for cannot hold it.
    case mismatch(expected: String, found: String)
    /// An override names the element of an array, which is replaced only as a whole.
    case indexInOverride

    /// The problem in words.
    var message: String {
        switch self {
        case .missing(let expected): "expected \(expected), found nothing"
        case .mismatch(let expected, let found): "expected \(expected), found \(found)"
        case .indexInOverride: "expected a path of keys, found an index; an array is overridden as a whole"
        }
    }
}
