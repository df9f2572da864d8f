/// A syntax problem with its position.
struct JSONFailure: Error {
    let problem: JSONSyntaxProblem
    let position: JSONPosition
}

extension JSONReader {
    /// Returns a problem at the current position.
    func failure(_ problem: JSONSyntaxProblem) -> JSONFailure {
        JSONFailure(problem: problem, position: JSONPosition(line: Int(line), column: offset - lineStart + 1))
    }

    /// Returns the problem that something else was found at the current position.
    func unexpected(_ expected: JSONSyntaxProblem.Expectation) -> JSONFailure {
        if offset == count, let frame = frames.last {
            let start = JSONPosition(line: Int(frame.line), column: Int(frame.column))
            return failure(.unclosed(expected, isObject: frame.isObject, start: start))
        }
        let found = token()
        switch found {
        case .invalid(let problem): return failure(.invalidUTF8(problem))
        case .character("/") where startsComment: return failure(.comment(expected))
        case .character("#"): return failure(.comment(expected))
        case .character("'"): return failure(.singleQuotes(expected))
        case .word, .number:
            return failure(.unexpected(expected, found: followsString(expected) ? .afterString : found))
        case .string:
            guard case .separator(let inObject) = expected, let end = previousEnd() else { fallthrough }
            return failure(.missingComma(inObject: inObject, after: end))
        case .end, .afterString, .character, .hidden: return failure(.unexpected(expected, found: found))
        }
    }

    /// Whether a string ends before the current position, so that this token may be the rest of its text.
    private func followsString(_ expected: JSONSyntaxProblem.Expectation) -> Bool {
        switch expected {
        case .separator, .end, .colon: previousByte() == UInt8(ascii: "\"")
        case .value, .valueOrEnd, .key, .keyOrEnd: false
        }
    }

    private var startsComment: Bool {
        guard offset + 1 < count else { return false }
        return bytes[offset + 1] == UInt8(ascii: "/") || bytes[offset + 1] == UInt8(ascii: "*")
    }

    /// Returns the problem at a position where a value should begin.
    func valueFailure() -> JSONFailure {
        let previous = previousByte()
        let isFirst = previous == UInt8(ascii: "[")
        guard offset < count else { return unexpected(isFirst ? .valueOrEnd : .value) }
        switch bytes[offset] {
        case UInt8(ascii: "]") where previous == UInt8(ascii: ","): return failure(.trailingComma(inObject: false))
        case UInt8(ascii: "+"): return failure(.plusSign)
        case UInt8(ascii: "."): return failure(.leadingPoint)
        case let byte where byte.isLetter:
            let word = word()
            switch word.lowercased() {
            case "nan", "inf", "infinity": return failure(.noSuchNumber(word))
            case "true", "false", "null": return failure(.miswritten(word, as: word.lowercased()))
            case "none", "nil", "undefined": return failure(.miswritten(word, as: "null"))
            case "yes", "on": return failure(.miswritten(word, as: "true"))
            case "no", "off": return failure(.miswritten(word, as: "false"))
            default: return unexpected(isFirst ? .valueOrEnd : .value)
            }
        default: return unexpected(isFirst ? .valueOrEnd : .value)
        }
    }

    /// Returns the problem at a position where a key should begin.
    func keyFailure(isFirst: Bool) -> JSONFailure {
        if !isFirst, offset < count, bytes[offset] == UInt8(ascii: "}") {
            return failure(.trailingComma(inObject: true))
        }
        return unexpected(isFirst ? .keyOrEnd : .key)
    }

    /// Returns the last byte before the current position that is not white space.
    private func previousByte() -> UInt8? { previousIndex().map { bytes[$0] } }

    private func previousIndex() -> Int? {
        (0..<offset).last { index in !" \t\n\r".utf8.contains(bytes[index]) }
    }

    /// Returns the position of the last character before the current position that is not white space.
    private func previousEnd() -> JSONPosition? {
        guard let last = previousIndex() else { return nil }
        func endsLine(_ index: Int) -> Bool {
            bytes[index] == UInt8(ascii: "\n")
                || bytes[index] == UInt8(ascii: "\r") && (index + 1 == count || bytes[index + 1] != UInt8(ascii: "\n"))
        }
        let start = (0..<last).last(where: endsLine).map { $0 + 1 } ?? 0
        // Each character has one byte that does not continue another.
        let column = (start...last).count { bytes[$0] & 0xC0 != 0x80 }
        let lines = (last..<offset).count(where: endsLine)
        return JSONPosition(line: Int(line) - lines, column: column)
    }

    func word() -> String {
        var end = offset
        while end < count, Self.isWordByte(bytes[end]) || bytes[end] == UInt8(ascii: "-") { end += 1 }
        return text(offset..<end)
    }

    /// Returns the character at the current position, for positions where no longer token makes sense.
    func character() -> JSONSyntaxProblem.Token {
        guard offset < count else { return .end }
        switch Self.decode(bytes + offset, count: count - offset) {
        case .scalar(let scalar, _): return .character(scalar)
        case .invalid(let problem): return .invalid(problem)
        }
    }

    func token() -> JSONSyntaxProblem.Token {
        guard offset < count else { return .end }
        switch bytes[offset] {
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(number())
        case let byte where byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$"):
            return .word(word())
        default: return character()
        }
    }

    private func number() -> String {
        var end = offset
        while end < count, Self.isWordByte(bytes[end]) || "+-.".utf8.contains(bytes[end]) { end += 1 }
        return text(offset..<end)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count), as: UTF8.self)
    }

    /// Returns the path of the open containers, which shows what an invalid token belongs to.
    func openPath() -> PropertyPath {
        var path = PropertyPath.root
        for (number, frame) in frames.enumerated() {
            let inner = frames[(number + 1)...].first { $0.isObject == frame.isObject }?.start
            if frame.isObject {
                let end = inner ?? entries.count
                if end > frame.start { path.steps.append(.key(entries[end - 1].key)) }
            } else {
                path.steps.append(.index((inner ?? elements.count) - frame.start))
            }
        }
        return path
    }
}
