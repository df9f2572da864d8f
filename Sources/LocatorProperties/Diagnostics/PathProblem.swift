/// A problem with the text of a path, and its position.
public struct PathProblem: Error, Hashable, Sendable {
    /// What the path needs at the position of the problem.
    public enum Expectation: Hashable, Sendable {
        /// A key.
        case key
        /// The dot before a key, or a bracket.
        case dotOrBracket
        /// An index or a quoted key, within brackets.
        case indexOrQuotedKey
        /// An index that does not start with a zero.
        case indexWithoutLeadingZero
        /// An index that fits in an `Int`.
        case smallerIndex
        /// The closing bracket.
        case closingBracket
        /// The closing quote of a key.
        case closingQuote(Character)
        /// A valid escape in a quoted key: a quote, a backslash, or a character by its number.
        case escapedQuoteOrBackslash
        /// Not shown, because the text is secret.
        case hidden
    }

    /// The whole text of the path.
    public var text: String
    /// The column of the unexpected character, in code points from 1.
    ///
    /// If the text ends too early, the column is one past its end.
    public var column: Int
    /// What was expected at the column.
    public var expected: Expectation

    /// The unexpected character, or nil at the end of the text.
    public var found: Character? {
        text.unicodeScalars.dropFirst(column - 1).first.map { Character($0) }
    }

    package var message: String {
        if expected == .hidden { return "malformed path, which is not shown, because it belongs to a secret" }
        if text.isEmpty { return "the path is empty; write the keys of a setting, such as server.port" }
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

    /// What to write instead of a path with a default value: `server.host:localhost`.
    ///
    /// In `server:host`, the colon was probably meant to be a dot.
    private var fallback: String? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].contains("."), parts[0].unicodeScalars.count == column - 1,
            !parts[1].hasPrefix("//")
        else { return nil }
        let isLiteral = Double(parts[1]) != nil || Bool(String(parts[1])) != nil
        let value = isLiteral ? String(parts[1]) : "\"\(parts[1])\""
        return "; a path has no default value; write @PropertyValue(\"\(parts[0])\", default: \(value))"
    }

    /// The end of the message.
    ///
    /// Keys with unusual characters are a frequent mistake with a fix that is not obvious.
    private var hint: String {
        switch expected {
        case .key, .dotOrBracket:
            guard let found, found != ".", found != "[", found != "]" else { return "" }
            if text.hasPrefix("${") { return "; a path is written without ${ and }, which are for values" }
            if found == "$", text.contains("${") {
                return "; a path cannot contain a placeholder; only the default of a placeholder can"
            }
            if let fallback = self.fallback { return fallback }
            let separator = found == "/" || found == ":" ? "keys are separated by dots, and " : ""
            return "; \(separator)a key that contains it is written ['…']"
        case .indexOrQuotedKey, .indexWithoutLeadingZero, .smallerIndex, .closingBracket, .closingQuote,
            .escapedQuoteOrBackslash, .hidden:
            return ""
        }
    }
}
