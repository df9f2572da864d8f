/// What keeps a text from being JSON.
public enum JSONSyntaxProblem: Sendable, Hashable {
    /// There is nothing but white space.
    case empty

    /// The problem in words.
    var message: String {
        switch self {
        case .empty: "expected a value, found the end of the file"
        }
    }
}
