extension JSONReader {
    /// Reads a number from its first digit or minus sign.
    ///
    /// Integers of up to 18 digits are calculated while reading. All other numbers keep their text.
    @inline(__always)
    mutating func readNumber() throws(JSONFailure) -> JSONValue.Storage {
        let start = offset
        let isNegative = bytes[offset] == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        let digits = offset
        var magnitude: Int64 = 0
        while offset < count, let digit = Self.digit(bytes[offset]) {
            magnitude = magnitude &* 10 &+ digit
            offset += 1
        }
        let length = offset - digits
        guard length > 0 else { throw missingIntegerDigits(start: start) }
        if bytes[digits] == UInt8(ascii: "0") {
            guard length == 1 else { throw leadingZero(at: start) }
            // An integer zero has no sign, so "-0" keeps its text.
            if isNegative { return try readFraction(start: start) }
        }
        if offset < count, Self.continuesNumber(bytes[offset]) { return try readFraction(start: start) }
        guard length <= 18 else { return .decimal(text(start..<offset)) }
        return .integer(isNegative ? -magnitude : magnitude)
    }

    /// Reads what can follow the integer part of a number that begins at `start`.
    private mutating func readFraction(start: Int) throws(JSONFailure) -> JSONValue.Storage {
        if offset < count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            guard skipDigits() else { throw failure(.fractionDigits(found: character())) }
        }
        if offset < count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") { offset += 1 }
            guard skipDigits() else { throw failure(.exponentDigits(found: character())) }
        }
        if offset < count, Self.continuesNumber(bytes[offset]) {
            throw failure(.numberEnd(text(start..<offset), found: character()))
        }
        return .decimal(text(start..<offset))
    }

    private mutating func skipDigits() -> Bool {
        let start = offset
        while offset < count, Self.digit(bytes[offset]) != nil { offset += 1 }
        return offset > start
    }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> Int64? {
        let value = byte &- UInt8(ascii: "0")
        return value <= 9 ? Int64(value) : nil
    }

    /// Whether a byte after a number belongs to it, validly or not.
    @inline(__always)
    private static func continuesNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: " "), UInt8(ascii: "\n"): false
        case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"): true
        default: isWordByte(byte)
        }
    }

    private mutating func leadingZero(at start: Int) -> JSONFailure {
        offset = start
        return failure(.leadingZero(word()))
    }

    private mutating func missingIntegerDigits(start: Int) -> JSONFailure {
        let found = failure(.integerDigits(found: character()))
        offset = start
        let word = word()
        switch word.lowercased() {
        case "-nan", "-inf", "-infinity": return failure(.noSuchNumber(word))
        default: return found
        }
    }
}
