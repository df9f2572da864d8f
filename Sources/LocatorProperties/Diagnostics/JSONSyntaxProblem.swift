/// What keeps a text from being JSON.
public enum JSONSyntaxProblem: Sendable, Hashable {
    /// There is nothing but white space.
    case empty
    /// The text is in another encoding than UTF-8.
    case otherEncoding(String)
    /// Something stands where something else must.
    case unexpected(Expectation, found: Token)
    /// The text ends within an array or object.
    case unclosed(Expectation, isObject: Bool, start: JSONPosition)
    /// A comma stands before a closing bracket.
    case trailingComma(inObject: Bool)
    /// A comment.
    case comment(Expectation)
    /// A string in single quotes.
    case singleQuotes(Expectation)
    /// A word that other languages write for `true`, `false` or `null`.
    case miswritten(String, as: String)
    /// `NaN`, `Infinity` and the like.
    case noSuchNumber(String)
    /// A number with a plus sign.
    case plusSign
    /// A number that begins with its decimal point.
    case leadingPoint
    /// A number with zeros in front.
    case leadingZero(String)
    /// A minus sign without a digit.
    case integerDigits(found: Token)
    /// A decimal point without a digit behind it.
    case fractionDigits(found: Token)
    /// An exponent without a digit.
    case exponentDigits(found: Token)
    /// A number goes on with something that does not belong to it.
    case numberEnd(String, found: Token)
    /// The text ends within a string.
    case unterminatedString(start: JSONPosition)
    /// A line break, tab or other control character within a string.
    case controlCharacter(UInt8)
    /// A backslash before something that is no escape.
    case escape(found: Token)
    /// `\u` without four hexadecimal digits.
    case hexadecimalDigits(found: Token)
    /// The first half of a surrogate pair without the second.
    case unpairedHighSurrogate(UInt16)
    /// The second half of a surrogate pair without the first.
    case unpairedLowSurrogate(UInt16)
    /// Bytes that are not UTF-8.
    case invalidUTF8(InvalidUTF8)
    /// A key that the object has already.
    case duplicateKey(String, first: JSONPosition)
    /// A key that is the same text as one that the object has, in another Unicode form.
    case otherForm(String, of: String, first: JSONPosition)
    /// Arrays and objects are nested more deeply than is read.
    case tooDeep(limit: Int)
    /// The files and variables of a load have more values together than are read.
    case tooManyValues(limit: Int)

    /// What the grammar allows at a place.
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

    /// What stands at a place.
    ///
    /// Strings are not quoted, because they may be long or secret.
    public enum Token: Sendable, Hashable {
        /// The end of the text.
        case end
        /// A string.
        case string
        /// A word or number after a string, which is not shown: it may be the rest of a text that has a quote.
        case afterString
        /// A number, right or wrong.
        case number(String)
        /// A word that is not in quotes.
        case word(String)
        /// Any other character.
        case character(Unicode.Scalar)
        /// Bytes that are not UTF-8.
        case invalid(InvalidUTF8)
        /// A token that is not shown, because it stands at a secret key.
        case hidden
    }

    /// The ways in which bytes are not UTF-8, each with the first byte concerned.
    public enum InvalidUTF8: Sendable, Hashable {
        /// A byte that no sequence contains.
        case byte(UInt8)
        /// A continuation byte without a beginning.
        case continuation(UInt8)
        /// A sequence that breaks off.
        case truncated(UInt8)
        /// A sequence for which there is a shorter one.
        case overlong(UInt8)
        /// A sequence for a surrogate, which only UTF-16 has.
        case surrogate(UInt8)
        /// A sequence for a number beyond U+10FFFF.
        case beyondUnicode(UInt8)
    }
}
