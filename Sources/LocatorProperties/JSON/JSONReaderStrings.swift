extension JSONReader {
    /// Reads a string from its opening quote.
    ///
    /// Also returns the hash of its text, for keys.
    @inline(__always)
    mutating func readString() throws(JSONFailure) -> (text: String, hash: UInt32) {
        let start = offset + 1
        let end = plainEnd(from: start)
        guard end < count, bytes[end] == UInt8(ascii: "\"") else { return try readLongString(start: start, plain: end) }
        offset = end + 1
        let span = UnsafeBufferPointer(start: bytes + start, count: end - start)
        return (
            String(decoding: span, as: UTF8.self),
            JSONKeyHash.hash(UnsafeRawPointer(bytes + start), count: span.count)
        )
    }

    /// Returns the offset of the first byte from `start` that is not plain: a quote, a backslash, a control character,
    /// a byte beyond ASCII, or the end.
    ///
    /// Checks eight bytes at a time.
    @inline(__always)
    private func plainEnd(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        let raw = UnsafeRawPointer(bytes)
        var end = start
        while count - end >= 8 {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: end, as: UInt64.self))
            let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
            // A byte's top bit is set if the byte is zero after the exclusive or, below 0x20, or not ASCII. A borrow
            // can set only bits above the first such byte, and only the first byte matters.
            let found =
                ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash
                    | (word &- ones &* 0x20) | word) & tops
            if found != 0 { return end + found.trailingZeroBitCount >> 3 }
            end += 8
        }
        while end < count, Self.isPlain(bytes[end]) { end += 1 }
        return end
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Reads a string with escapes or characters beyond ASCII, or with an error.
    @inline(never)
    private mutating func readLongString(start: Int, plain: Int) throws(JSONFailure) -> (text: String, hash: UInt32) {
        let opening = JSONPosition(line: Int(line), column: start - lineStart)
        offset = plain
        var copied = start
        unescaped.removeAll(keepingCapacity: true)
        while true {
            offset = plainEnd(from: offset)
            guard offset < count else { throw failure(.unterminatedString(start: opening)) }
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                let rest = UnsafeBufferPointer(start: bytes + copied, count: offset - copied)
                offset += 1
                guard !unescaped.isEmpty else { return Self.text(of: rest) }
                unescaped.append(contentsOf: rest)
                return unescaped.withUnsafeBufferPointer { Self.text(of: $0) }
            case UInt8(ascii: "\\"):
                unescaped.append(contentsOf: UnsafeBufferPointer(start: bytes + copied, count: offset - copied))
                try readEscape()
                copied = offset
            case 0x80...:
                try skipScalar()
            default:
                throw failure(.controlCharacter(bytes[offset]))
            }
        }
    }

    private static func text(of span: UnsafeBufferPointer<UInt8>) -> (text: String, hash: UInt32) {
        let text = String(decoding: span, as: UTF8.self)
        guard let address = span.baseAddress else { return (text, JSONKeyHash.hash("")) }
        return (text, JSONKeyHash.hash(UnsafeRawPointer(address), count: span.count))
    }

    /// Reads one escape, or a surrogate pair of `\u` escapes, into `unescaped`.
    private mutating func readEscape() throws(JSONFailure) {
        guard offset + 1 < count else {
            offset = count
            throw failure(.escape(found: .end))
        }
        let byte = bytes[offset + 1]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0c)
        case UInt8(ascii: "n"): unescaped.append(0x0a)
        case UInt8(ascii: "r"): unescaped.append(0x0d)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"):
            try readUnicodeEscape()
            return
        default:
            offset += 1
            throw failure(.escape(found: character()))
        }
        offset += 2
    }

    /// Reads `\uXXXX`.
    ///
    /// If it is the first half of a surrogate pair, also reads the second half.
    private mutating func readUnicodeEscape() throws(JSONFailure) {
        let start = offset
        let unit = try readCodeUnit()
        if let scalar = Unicode.Scalar(unit) {
            append(scalar)
            return
        }
        let isHigh = unit < 0xdc00
        if isHigh, offset + 1 < count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u") {
            let partner = try readCodeUnit()
            if 0xdc00...0xdfff ~= partner {
                let code = 0x1_0000 + (UInt32(unit) - 0xd800) << 10 + (UInt32(partner) - 0xdc00)
                if let scalar = Unicode.Scalar(code) {
                    append(scalar)
                    return
                }
            }
        }
        offset = start
        throw failure(isHigh ? .unpairedHighSurrogate(unit) : .unpairedLowSurrogate(unit))
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if !scalar.isASCII { hasWideText = true }
        if let encoded = UTF8.encode(scalar) { unescaped.append(contentsOf: encoded) }
    }

    /// Reads `\u` and its four hexadecimal digits.
    private mutating func readCodeUnit() throws(JSONFailure) -> UInt16 {
        offset += 2
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard offset < count, let digit = Self.hexadecimalValue(of: bytes[offset]) else {
                throw failure(.hexadecimalDigits(found: character()))
            }
            unit = unit << 4 | digit
            offset += 1
        }
        return unit
    }

    private static func hexadecimalValue(of byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
