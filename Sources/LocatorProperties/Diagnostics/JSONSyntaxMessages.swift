extension JSONSyntaxProblem {
    var message: String {
        switch self {
        case .empty:
            "expected a value, found an empty text"
        case .otherEncoding(let name):
            "expected UTF-8, found \(name); save the file as UTF-8"
        case .unexpected(let expected, let found):
            "expected \(expected.words), found \(found.words)\(expected.hint(found: found))"
        case .unclosed(let expected, let isObject, let start):
            "expected \(expected.words), found the end of the text; "
                + "the \(isObject ? "object" : "array") from \(start) is not closed"
        case .missingComma(let inObject, let end):
            "expected \(Expectation.separator(inObject: inObject).words), found a string; "
                + "is a comma missing after \(end)?"
        case .trailingComma(let inObject):
            "expected another \(inObject ? "key" : "element") after ',', found '\(inObject ? "}" : "]")'; "
                + "JSON has no trailing commas"
        case .comment(let expected):
            "expected \(expected.words), found a comment; JSON does not allow comments"
        case .singleQuotes(let expected):
            "expected \(expected.words), found a single quote; JSON has double quotes only"
        case .miswritten(let word, let correct):
            "expected a value, found \(DiagnosticText.shortened(word)); write \(correct)"
        case .noSuchNumber(let word):
            "expected a value, found \(DiagnosticText.shortened(word)); JSON has no such number"
        case .plusSign:
            "expected a value, found '+'; a number in JSON has no plus sign"
        case .leadingPoint:
            "expected a value, found '.'; a number in JSON begins with a digit"
        case .leadingZero(let text):
            "expected a number, found \(DiagnosticText.shortened(text)); a number in JSON has no leading zeros"
        case .integerDigits(let found):
            "expected a digit after '-', found \(found.words)"
        case .fractionDigits(let found):
            "expected a digit after '.', found \(found.words)"
        case .exponentDigits(let found):
            "expected a digit in the exponent, found \(found.words)"
        case .numberEnd(let number, let found):
            "expected the number \(DiagnosticText.shortened(number)) to end, found \(found.words)"
        case .unterminatedString(let start):
            "expected '\"', found the end of the text; the string from \(start) is not closed"
        case .controlCharacter(let byte):
            "expected '\"', found \(Self.name(ofControl: byte)) within a string; "
                + "write it as \(Self.escape(ofControl: byte))"
        case .escape(let found):
            "expected one of \" \\ / b f n r t u after '\\', found \(found.words)\(Self.backslash(found))"
        case .hexadecimalDigits(let found):
            "expected four hexadecimal digits after '\\u', found \(found.words)\(Self.backslash(found))"
        case .unpairedHighSurrogate(let unit):
            "expected a surrogate pair, found \\u\(DiagnosticText.hexadecimal(unit, width: 4)) without its second half"
        case .unpairedLowSurrogate(let unit):
            "expected a surrogate pair, found \\u\(DiagnosticText.hexadecimal(unit, width: 4)) without its first half"
        case .invalidUTF8(let problem):
            "expected UTF-8, found \(problem.words); "
                + (problem.isOtherEncoding ? "the file is in another encoding, Latin-1 perhaps: " : "")
                + "save it as UTF-8"
        case .duplicateKey(let key, let first):
            "expected a new key, found \(DiagnosticText.quoted(key)) again; it is first at \(first)"
        case .otherForm(let key, let other, let first):
            "expected a new key, found \(DiagnosticText.quoted(key)) again in another Unicode form "
                + "(\(KeyForms.difference(of: key, from: other))); it is first at \(first)"
        case .tooDeep(let limit):
            "expected at most \(limit) levels of arrays and objects, found another"
        case .tooManyValues(let limit):
            "expected at most \(limit) values in all files and variables together, found another"
        }
    }

    /// The same problem without the text of the invalid token, for a position that belongs to a secret.
    var redacted: JSONSyntaxProblem {
        switch self {
        case .unexpected(let expected, .word), .unexpected(let expected, .number),
            .unexpected(let expected, .character):
            .unexpected(expected, found: .hidden)
        case .miswritten, .noSuchNumber, .leadingZero, .numberEnd:
            .unexpected(.value, found: .hidden)
        case .integerDigits: .integerDigits(found: .hidden)
        case .fractionDigits: .fractionDigits(found: .hidden)
        case .exponentDigits: .exponentDigits(found: .hidden)
        case .escape: .escape(found: .hidden)
        case .hexadecimalDigits: .hexadecimalDigits(found: .hidden)
        case .empty, .otherEncoding, .unexpected, .unclosed, .missingComma, .trailingComma, .comment,
            .singleQuotes, .plusSign, .leadingPoint, .unterminatedString, .controlCharacter, .unpairedHighSurrogate,
            .unpairedLowSurrogate, .invalidUTF8, .duplicateKey, .otherForm, .tooDeep, .tooManyValues:
            self
        }
    }

    /// Returns how to write a backslash that begins no escape, as in a path of Windows.
    private static func backslash(_ found: Token) -> String {
        found == .end ? "" : "; write \\\\ for a backslash"
    }

    private static func name(ofControl byte: UInt8) -> String {
        switch byte {
        case 0x09: "a tab"
        case 0x0a, 0x0d: "a line break"
        default: "the control character U+\(DiagnosticText.hexadecimal(byte, width: 4))"
        }
    }

    private static func escape(ofControl byte: UInt8) -> String {
        switch byte {
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0a: "\\n"
        case 0x0c: "\\f"
        case 0x0d: "\\r"
        default: "\\u\(DiagnosticText.hexadecimal(byte, width: 4))"
        }
    }
}

extension JSONSyntaxProblem.Expectation {
    fileprivate var words: String {
        switch self {
        case .value: "a value"
        case .valueOrEnd: "a value or ']'"
        case .key: "a key in double quotes"
        case .keyOrEnd: "a key in double quotes or '}'"
        case .colon: "':' after the key"
        case .separator(let inObject): inObject ? "',' or '}'" : "',' or ']'"
        case .end: "the end of the text"
        }
    }

    /// A suggestion at the end of a message.
    fileprivate func hint(found: JSONSyntaxProblem.Token) -> String {
        switch (self, found) {
        case (.value, .character(",")), (.valueOrEnd, .character(",")):
            "; a value is missing before it, or the comma is one too many"
        case (.key, .character(",")), (.keyOrEnd, .character(",")):
            "; the comma is one too many"
        case (.value, .word(let word)), (.valueOrEnd, .word(let word)):
            Self.literal(near: word).map { "; did you mean \($0)?" } ?? "; write text in double quotes"
        case (.key, .word(let text)), (.keyOrEnd, .word(let text)), (.key, .number(let text)),
            (.keyOrEnd, .number(let text)):
            "; did you mean \(DiagnosticText.quoted(text))?"
        case (.value, .character(let scalar)), (.valueOrEnd, .character(let scalar)), (.key, .character(let scalar)),
            (.keyOrEnd, .character(let scalar)):
            ("\u{201C}"..."\u{201F}").contains(scalar) ? "; JSON has straight quotes only: \"" : ""
        case (.colon, .afterString):
            ""
        case (_, .afterString):
            "; write \\\" for a quote within it"
        default:
            ""
        }
    }

    /// Returns the literal that a word was probably meant to be.
    private static func literal(near word: String) -> String? {
        let literals = ["true", "false", "null"]
        return literals.first { word.utf8.count > 1 && $0.hasPrefix(word) }
            ?? NearNames.nearest(to: word, among: literals, limit: 1).first
    }
}

extension JSONSyntaxProblem.Token {
    fileprivate var words: String {
        switch self {
        case .end: "the end of the text"
        case .string: "a string"
        case .afterString: "something else after a string"
        case .number(let text): "the number \(DiagnosticText.shortened(text))"
        case .word(let text): "the word \(DiagnosticText.shortened(text))"
        case .character(let scalar): DiagnosticText.character(scalar)
        case .invalid(let problem): problem.words
        case .hidden: "something else (not shown, it belongs to a secret)"
        }
    }
}

extension JSONSyntaxProblem.InvalidUTF8 {
    fileprivate var words: String {
        switch self {
        case .byte(let byte): "the byte \(Self.name(byte)), which UTF-8 never contains"
        case .continuation(let byte): "the byte \(Self.name(byte)), which continues a character that has not begun"
        case .truncated(let byte): "a character that begins with \(Self.name(byte)) and breaks off"
        case .overlong(let byte): "a character that begins with \(Self.name(byte)) and is longer than necessary"
        case .surrogate(let byte): "a surrogate that begins with \(Self.name(byte))"
        case .beyondUnicode(let byte): "a character that begins with \(Self.name(byte)) and is beyond U+10FFFF"
        }
    }

    /// Whether the bytes look like text in another encoding, and not like damaged UTF-8.
    fileprivate var isOtherEncoding: Bool {
        switch self {
        case .byte, .continuation, .truncated: true
        case .overlong, .surrogate, .beyondUnicode: false
        }
    }

    private static func name(_ byte: UInt8) -> String {
        "0x\(DiagnosticText.hexadecimal(byte, width: 2))"
    }
}
