extension UInt8 {
    /// Whether the byte is a digit in ASCII.
    @inline(__always)
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// Whether the byte is a capital letter in ASCII.
    @inline(__always)
    var isCapital: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }

    /// Whether the byte is a letter in ASCII.
    @inline(__always)
    var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

    /// Whether the byte belongs to a word: a letter or digit in ASCII, or a part of any character beyond ASCII.
    @inline(__always)
    var isWordPart: Bool { isLetter || isDigit || self >= 0x80 }
}

extension [UInt8] {
    /// Returns the first place of a part, at a position or after it, or nil if there is none or the part is empty.
    func place(of part: String.UTF8View, from position: Int) -> Int? {
        guard let first = part.first else { return nil }
        return (position..<Swift.max(position, count - part.count + 1)).first { index in
            self[index] == first && self[index...].starts(with: part)
        }
    }
}
