extension PropertyPath {
    /// Reads a path: keys separated by dots, indexes in brackets, and keys of any characters in brackets and quotes.
    package init(parsing text: String) throws(PathProblem) {
        if let steps = Self.plainSteps(of: text) {
            self.init(steps)
            return
        }
        var parser = PathParser(text: text)
        self.init(try parser.parse())
    }

    /// The keys of a path such as `server.port`, which most are; nil where there is more to read.
    private static func plainSteps(of text: String) -> [Step]? {
        JSONText.withBytes(of: text) { bytes in
            var steps: [Step] = []
            var start = 0
            for position in 0...bytes.count {
                if position < bytes.count, bytes[position] < 0x80, isPlain(bytes[position]) { continue }
                guard position > start, position == bytes.count || bytes[position] == UInt8(ascii: ".") else {
                    return nil
                }
                let key = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
                steps.append(.key(String(decoding: key, as: UTF8.self)))
                start = position + 1
            }
            return steps
        }
    }
}

/// Reads the text of one path from left to right.
private struct PathParser {
    private let text: String
    private var rest: Substring

    init(text: String) {
        self.text = text
        self.rest = text[...]
    }

    mutating func parse() throws(PathProblem) -> [PropertyPath.Step] {
        var steps: [PropertyPath.Step] = []
        repeat {
            if rest.first == "[" {
                steps.append(try parseBracket())
                continue
            }
            if !steps.isEmpty {
                guard rest.first == "." else { throw failure(.dotOrBracket) }
                rest.removeFirst()
            }
            steps.append(.key(try parsePlainKey()))
        } while !rest.isEmpty
        return steps
    }

    private mutating func parsePlainKey() throws(PathProblem) -> String {
        let key = rest.utf8.prefix(while: PropertyPath.isPlain)
        if key.isEmpty { throw failure(.key) }
        defer { rest = rest[key.endIndex...] }
        return String(Substring(key))
    }

    private mutating func parseBracket() throws(PathProblem) -> PropertyPath.Step {
        rest.removeFirst()
        switch rest.first {
        case "'"?, "\""?:
            let key = try parseQuotedKey()
            try parseClosingBracket()
            return .key(key)
        case let digit? where digit.isASCII && digit.isWholeNumber:
            let index = try parseIndex()
            try parseClosingBracket()
            return .index(index)
        default:
            throw failure(.indexOrQuotedKey)
        }
    }

    private mutating func parseIndex() throws(PathProblem) -> Int {
        let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
        if digits.first == "0" && digits.count > 1 { throw failure(.indexWithoutLeadingZero) }
        guard let index = Int(digits) else { throw failure(.smallerIndex) }
        rest = rest[digits.endIndex...]
        return index
    }

    private mutating func parseQuotedKey() throws(PathProblem) -> String {
        let quote = rest.removeFirst()
        var key = ""
        while let character = rest.first, character != quote {
            rest.removeFirst()
            guard character == "\\" else {
                key.append(character)
                continue
            }
            guard let escaped = rest.first, escaped == "\\" || escaped == "'" || escaped == "\"" else {
                throw failure(.escapedQuoteOrBackslash)
            }
            key.append(escaped)
            rest.removeFirst()
        }
        if rest.isEmpty { throw failure(.closingQuote(quote)) }
        rest.removeFirst()
        return key
    }

    private mutating func parseClosingBracket() throws(PathProblem) {
        if rest.first != "]" { throw failure(.closingBracket) }
        rest.removeFirst()
    }

    private func failure(_ expected: PathProblem.Expectation) -> PathProblem {
        let column = text.distance(from: text.startIndex, to: rest.startIndex) + 1
        return PathProblem(text: text, column: column, expected: expected)
    }
}
