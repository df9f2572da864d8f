/// The groups of types, out of 256, that a module has entries for.
///
/// A lineup finds the modules of a type by its group. So loading a module with ten thousand types costs as much as
/// loading one with a few hundred.
struct TypeGroups: Sequence, IteratorProtocol {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    mutating func insert(_ type: ObjectIdentifier) {
        let group = Self.group(of: type)
        let bit: UInt64 = 1 << UInt64(group & 63)
        switch group >> 6 {
        case 0: bits.0 |= bit
        case 1: bits.1 |= bit
        case 2: bits.2 |= bit
        default: bits.3 |= bit
        }
    }

    /// The group of a type.
    static func group(of type: ObjectIdentifier) -> UInt {
        // The upper bits of the product depend on every bit of the address.
        UInt(truncatingIfNeeded: (UInt64(UInt(bitPattern: type)) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }

    /// Removes and returns the next group.
    mutating func next() -> UInt? {
        Self.takeFirst(of: &bits.0, 0) ?? Self.takeFirst(of: &bits.1, 64) ?? Self.takeFirst(of: &bits.2, 128)
            ?? Self.takeFirst(of: &bits.3, 192)
    }

    private static func takeFirst(of word: inout UInt64, _ first: UInt) -> UInt? {
        if word == 0 { return nil }
        defer { word &= word - 1 }
        return first + UInt(word.trailingZeroBitCount)
    }
}
