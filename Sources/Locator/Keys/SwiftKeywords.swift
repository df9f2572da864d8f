/// The words that Swift does not accept as names unless they are in backticks.
enum SwiftKeywords {
    private static let all = Set(
        """
        Any Protocol Self Type actor as associatedtype await break case catch class continue default defer deinit do else enum
        extension fallthrough false fileprivate for func guard if import in init inout internal is let nil operator
        precedencegroup private protocol public repeat rethrows return self static struct subscript super switch throw throws
        true try typealias var where while
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// A name as it is written in a declaration.
    static func escaped(_ name: String) -> String { all.contains(name) ? "`\(name)`" : name }
}
