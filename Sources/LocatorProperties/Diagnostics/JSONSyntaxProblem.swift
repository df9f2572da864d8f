/// The reason why a text is not valid JSON.
public enum JSONSyntaxProblem: Sendable, Hashable {
    /// The text is empty, or has only white space.
    case empty
    /// The text has an encoding other than UTF-8.
    case otherEncoding(String)
    /// A token was found where the grammar expects another.
    case unexpected(Expectation, found: Token)
    /// The text ends within an array or object.
    case unclosed(Expectation, isObject: Bool, start: JSONPosition)
    /// A string after a value that ends at this position. A comma is probably missing between them.
    case missingComma(inObject: Bool, after: JSONPosition)
    /// A comma before a closing bracket.
    case trailingComma(inObject: Bool)
    /// A comment.
    case comment(Expectation)
    /// A string in single quotes.
    case singleQuotes(Expectation)
    /// A word that other languages use for `true`, `false`, or `null`.
    case miswritten(String, as: String)
    /// `NaN`, `Infinity`, or a similar word.
    case noSuchNumber(String)
    /// A number with a plus sign.
    case plusSign
    /// A number that begins with its decimal point.
    case leadingPoint
    /// A number with leading zeros.
    case leadingZero(String)
    /// A minus sign without a digit.
    case integerDigits(found: Token)
    /// A decimal point without a digit after it.
    case fractionDigits(found: Token)
    /// An exponent without a digit.
    case exponentDigits(found: Token)
    /// A number is followed by something that does not belong to it.
    case numberEnd(String, found: Token)
    /// The text ends within a string.
    case unterminatedString(start: JSONPosition)
    /// A line break, tab, or other control character within a string.
    case controlCharacter(UInt8)
    /// A backslash before something that is not an escape.
    case escape(found: Token)
    /// `\u` without four hexadecimal digits.
    case hexadecimalDigits(found: Token)
    /// The first half of a surrogate pair without the second.
    case unpairedHighSurrogate(UInt16)
    /// The second half of a surrogate pair without the first.
    case unpairedLowSurrogate(UInt16)
    /// Bytes that are not UTF-8.
    case invalidUTF8(InvalidUTF8)
    /// A key that the object already has.
    case duplicateKey(String, first: JSONPosition)
    /// A key that the object already has in another Unicode form.
    case otherForm(String, of: String, first: JSONPosition)
    /// Arrays and objects are nested more deeply than the limit.
    case tooDeep(limit: Int)
    /// All files and variables of a load together have more values than the limit.
    case tooManyValues(limit: Int)

    /// What the grammar allows at a position.
    public enum Expectation: Sendable, Hashable {
        /// A value.
        case value
        /// The first element of an array, or its end.
        case valueOrEnd
        /// A further key of an object.
        case key
        /// The first key of an object, or its end.
        case keyOrEnd
        /// The colon between key and value.
        case colon
        /// A comma, or the end of the array or object.
        case separator(inObject: Bool)
        /// The end of the text.
        case end
    }

    /// What was found at a position.
    ///
    /// Strings are not quoted, because they may be long or secret.
    public enum Token: Sendable, Hashable {
        /// The end of the text.
        case end
        /// A string.
        case string
        /// A word or number after a string. It is not shown, because it may be the rest of a text with an unescaped
        /// quote, or the value of a key without its closing quote.
        case afterString
        /// A number, valid or not.
        case number(String)
        /// A word that is not in quotes.
        case word(String)
        /// Any other character.
        case character(Unicode.Scalar)
        /// Bytes that are not UTF-8.
        case invalid(InvalidUTF8)
        /// A token that is not shown, because it belongs to a secret key.
        case hidden
    }

    /// The ways in which bytes can be invalid UTF-8, each with the first invalid byte.
    public enum InvalidUTF8: Sendable, Hashable {
        /// A byte that never occurs in UTF-8.
        case byte(UInt8)
        /// A continuation byte without a leading byte.
        case continuation(UInt8)
        /// A truncated sequence.
        case truncated(UInt8)
        /// A sequence that is longer than necessary.
        case overlong(UInt8)
        /// A sequence for a surrogate, which only UTF-16 uses.
        case surrogate(UInt8)
        /// A sequence for a number beyond U+10FFFF.
        case beyondUnicode(UInt8)
    }
}
