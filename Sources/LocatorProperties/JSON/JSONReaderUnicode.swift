extension JSONReader {
    /// Skips a scalar beyond ASCII, and checks that its UTF-8 is valid.
    mutating func skipScalar() throws(JSONFailure) {
        hasWideText = true
        let length: Int
        switch Self.decode(bytes + offset, count: count - offset) {
        case .scalar(_, let size): length = size
        case .invalid(let problem): throw failure(.invalidUTF8(problem))
        }
        offset += length
        lineStart += length - 1
    }

    enum DecodedScalar {
        case scalar(Unicode.Scalar, length: Int)
        case invalid(JSONSyntaxProblem.InvalidUTF8)
    }

    /// Decodes the first scalar of at least one byte.
    static func decode(_ bytes: UnsafePointer<UInt8>, count: Int) -> DecodedScalar {
        let first = bytes[0]
        let length: Int
        switch first {
        case 0x00...0x7f: return .scalar(Unicode.Scalar(first), length: 1)
        case 0x80...0xbf: return .invalid(.continuation(first))
        case 0xc0, 0xc1: return .invalid(.overlong(first))
        case 0xc2...0xdf: length = 2
        case 0xe0...0xef: length = 3
        case 0xf0...0xf4: length = 4
        default: return .invalid(.byte(first))
        }
        var code = UInt32(first) & (0x7f >> UInt32(length))
        for index in 1..<length {
            guard index < count, bytes[index] & 0xc0 == 0x80 else { return .invalid(.truncated(first)) }
            code = code << 6 | UInt32(bytes[index] & 0x3f)
            guard index == 1 else { continue }
            // The second byte determines whether a shorter sequence exists.
            switch (first, bytes[1]) {
            case (0xe0, ..<0xa0), (0xf0, ..<0x90): return .invalid(.overlong(first))
            case (0xed, 0xa0...): return .invalid(.surrogate(first))
            case (0xf4, 0x90...): return .invalid(.beyondUnicode(first))
            default: break
            }
        }
        // The checks above leave only scalar values.
        return .scalar(Unicode.Scalar(code) ?? "\u{fffd}", length: length)
    }

    /// Skips a UTF-8 byte order mark.
    ///
    /// Throws an error for text that is recognizably UTF-16 or UTF-32.
    mutating func checkEncoding() throws(JSONFailure) {
        guard count >= 2 else { return }
        let head = (bytes[0], bytes[1], count > 2 ? bytes[2] : 1, count > 3 ? bytes[3] : 1)
        switch head {
        case (0xef, 0xbb, 0xbf, _):
            // Columns start after it, as in editors.
            offset = 3
            lineStart = 3
        case (0xff, 0xfe, 0, 0), (0, 0, 0xfe, 0xff), (0, 0, 0, 1...), (1..., 0, 0, 0):
            throw failure(.otherEncoding("UTF-32"))
        case (0xff, 0xfe, _, _), (0xfe, 0xff, _, _), (0, 1..., _, _), (1..., 0, _, _):
            throw failure(.otherEncoding("UTF-16"))
        default: return
        }
    }
}
