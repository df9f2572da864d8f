/// Which of 256 groups of types a module has something for.
///
/// A lineup finds the modules for a type by its group. So to take in a module of ten thousand types costs as much as one
/// of some hundred.
struct TypeGroups: Sequence {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(of types: some Sequence<ObjectIdentifier>, _ others: [ObjectIdentifier]...) {
        for type in types { insert(Self.group(of: type)) }
        for type in others.joined() { insert(Self.group(of: type)) }
    }

    private mutating func insert(_ group: UInt) {
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
        // The upper bits of the product, in which every bit of the address has a part.
        UInt(truncatingIfNeeded: (UInt64(UInt(bitPattern: type)) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }

    func makeIterator() -> IndexingIterator<[UInt]> { groups.makeIterator() }

    private var groups: [UInt] {
        var groups: [UInt] = []
        for (word, bits) in [bits.0, bits.1, bits.2, bits.3].enumerated() {
            var rest = bits
            while rest != 0 {
                groups.append(UInt(word * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return groups
    }
}
