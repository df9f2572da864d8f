extension PropertyPath {
    /// Parses a path: keys separated by dots, indexes in brackets, and keys with any characters in brackets and quotes.
    @inline(never)
    package init(parsing text: String) throws(PathProblem) {
        if let steps = Self.plainSteps(of: text) {
            self.init(steps)
            return
        }
        var parser = PathParser(text: text, rest: text[...].unicodeScalars)
        self.init(try parser.parse())
    }

    /// Returns the keys of a simple path such as `server.port`, or nil if the path is not simple.
    ///
    /// Most paths are.
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

/// Parses the text of a path from left to right.
///
/// It reads scalars and not characters, because a key may begin with a mark that would form one character with the
/// quote before it.
private struct PathParser {
    let text: String
    var rest: Substring.UnicodeScalarView

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
        let key = rest.prefix { $0.value >= 0x80 || PropertyPath.isPlain(UInt8($0.value)) }
        if key.isEmpty { throw failure(.key) }
        rest = rest[key.endIndex...]
        return String(key)
    }

    private mutating func parseBracket() throws(PathProblem) -> PropertyPath.Step {
        rest.removeFirst()
        let step: PropertyPath.Step
        switch rest.first {
        case "'"?, "\""?: step = .key(try parseQuotedKey())
        case let digit? where Self.isDigit(digit): step = .index(try parseIndex())
        default: throw failure(.indexOrQuotedKey)
        }
        if rest.first != "]" { throw failure(.closingBracket) }
        rest.removeFirst()
        return step
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

    private mutating func parseIndex() throws(PathProblem) -> Int {
        let digits = rest.prefix(while: Self.isDigit)
        if digits.first == "0" && digits.count > 1 { throw failure(.indexWithoutLeadingZero) }
        guard let index = Int(String(digits)) else { throw failure(.smallerIndex) }
        rest = rest[digits.endIndex...]
        return index
    }

    private mutating func parseQuotedKey() throws(PathProblem) -> String {
        let quote = rest.removeFirst()
        var key = String.UnicodeScalarView()
        while let scalar = rest.first, scalar != quote {
            rest.removeFirst()
            key.append(scalar == "\\" ? try parseEscape() : scalar)
        }
        if rest.isEmpty { throw failure(.closingQuote(Character(quote))) }
        rest.removeFirst()
        return String(key)
    }

    /// Parses the rest of an escape: a quote, another backslash, or the number of a character, `u{9B}`.
    private mutating func parseEscape() throws(PathProblem) -> Unicode.Scalar {
        switch rest.first {
        case "\\"?, "'"?, "\""?:
            return rest.removeFirst()
        case "u"?:
            let start = rest.index(after: rest.startIndex)
            guard start < rest.endIndex, rest[start] == "{" else { break }
            let digits = rest[start...].dropFirst().prefix { $0.properties.isASCIIHexDigit }
            guard digits.endIndex < rest.endIndex, rest[digits.endIndex] == "}",
                let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init)
            else { break }
            rest = rest[rest.index(after: digits.endIndex)...]
            return scalar
        default:
            break
        }
        throw failure(.escapedQuoteOrBackslash)
    }

    private func failure(_ expected: PathProblem.Expectation) -> PathProblem {
        let scalars = text.unicodeScalars
        let column = scalars.distance(from: scalars.startIndex, to: rest.startIndex) + 1
        return PathProblem(text: text, column: column, expected: expected)
    }
}
