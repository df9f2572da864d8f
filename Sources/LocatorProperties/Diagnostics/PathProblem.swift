/// What is wrong with the text of a path, and where.
public struct PathProblem: Error, Hashable, Sendable {
    /// What a path needs where it is malformed.
    public enum Expectation: Hashable, Sendable {
        /// A key.
        case key
        /// The dot before a key, or a bracket.
        case dotOrBracket
        /// What stands in brackets.
        case indexOrQuotedKey
        /// An index that does not start with a zero.
        case indexWithoutLeadingZero
        /// An index that fits an `Int`.
        case smallerIndex
        /// The end of a bracket.
        case closingBracket
        /// The end of a quoted key.
        case closingQuote(Character)
        /// What may be escaped in a quoted key: a quote, a backslash, or a character by its number.
        case escapedQuoteOrBackslash
        /// Something that is not shown, because the text is secret.
        case hidden
    }

    /// The whole text of the path.
    public var text: String
    /// The column of the character at fault, counted in code points from 1; one more than the text has where it ends too early.
    public var column: Int
    /// What was expected there.
    public var expected: Expectation

    /// The character at fault, nil at the end.
    public var found: Character? {
        text.unicodeScalars.dropFirst(column - 1).first.map { Character($0) }
    }

    /// The problem in words.
    package var message: String {
        if expected == .hidden { return "malformed path, which is not shown, because it belongs to a secret" }
        let found = found.map { "found \"\($0)\"" } ?? "found the end"
        return "malformed path \"\(text)\": expected \(expectation) at column \(column), \(found)\(hint)"
    }

    private var expectation: String {
        switch expected {
        case .key: "a key"
        case .dotOrBracket: "\".\" or \"[\""
        case .indexOrQuotedKey: "an index or a quoted key"
        case .indexWithoutLeadingZero: "an index without a leading zero"
        case .smallerIndex: "a smaller index"
        case .closingBracket: "\"]\""
        case .closingQuote(let quote): "the closing quote \(quote)"
        case .escapedQuoteOrBackslash: "a quote, a backslash or u{…} after the backslash"
        case .hidden: "another text"
        }
    }

    /// A key with unusual characters is a frequent slip, and its remedy is not obvious.
    private var hint: String {
        switch expected {
        case .key, .dotOrBracket:
            guard let found, found != ".", found != "[", found != "]" else { return "" }
            let separator = found == "/" || found == ":" ? "keys are separated by dots, and " : ""
            return "; \(separator)a key that contains it is written ['…']"
        case .indexOrQuotedKey, .indexWithoutLeadingZero, .smallerIndex, .closingBracket, .closingQuote,
            .escapedQuoteOrBackslash, .hidden:
            return ""
        }
    }
}
