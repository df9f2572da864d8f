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
}
