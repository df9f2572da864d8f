internal import Synchronization

/// An approximate set of types: it stores for each type one of 256 groups, so it may contain more types than were
/// added.
///
/// A lineup finds the modules of a type by its group. Therefore, loading a module with ten thousand types costs as much
/// as loading one with a few hundred. Also, a child's push does not affect an instance if the types that the instance
/// was made from have no group in common with the types of the push.
struct TypeGroups: Sequence, IteratorProtocol {
    fileprivate typealias Words = (UInt64, UInt64, UInt64, UInt64)

    fileprivate var bits: Words = (0, 0, 0, 0)

    init() {}

    fileprivate init(bits: Words) { self.bits = bits }

    /// The set of all types.
    static var all: TypeGroups { TypeGroups(bits: (.max, .max, .max, .max)) }

    /// Whether the sets certainly have no type in common.
    ///
    /// If false, they may still have none in common.
    @inline(__always)
    func isDisjoint(with other: TypeGroups) -> Bool {
        bits.0 & other.bits.0 | bits.1 & other.bits.1 | bits.2 & other.bits.2 | bits.3 & other.bits.3 == 0
    }

    mutating func formUnion(_ other: TypeGroups) {
        bits.0 |= other.bits.0
        bits.1 |= other.bits.1
        bits.2 |= other.bits.2
        bits.3 |= other.bits.3
    }

    init(_ type: ObjectIdentifier) { insert(type) }

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

/// A set of types that is changed with a lock held and read without one.
struct AtomicTypeGroups: ~Copyable {
    private let first: Atomic<UInt64>
    private let second: Atomic<UInt64>
    private let third: Atomic<UInt64>
    private let fourth: Atomic<UInt64>

    init(_ groups: TypeGroups) {
        first = Atomic(groups.bits.0)
        second = Atomic(groups.bits.1)
        third = Atomic(groups.bits.2)
        fourth = Atomic(groups.bits.3)
    }

    /// The set, or a mixture of two sets if another one is stored at the same time.
    @inline(__always) var current: TypeGroups {
        // Acquiring: a reader that loads part of a new set sees everything that happened before it was stored.
        TypeGroups(
            bits: (
                first.load(ordering: .acquiring), second.load(ordering: .acquiring),
                third.load(ordering: .acquiring), fourth.load(ordering: .acquiring)
            ))
    }

    func store(_ groups: TypeGroups) {
        // Releasing: see `current`.
        first.store(groups.bits.0, ordering: .releasing)
        second.store(groups.bits.1, ordering: .releasing)
        third.store(groups.bits.2, ordering: .releasing)
        fourth.store(groups.bits.3, ordering: .releasing)
    }
}
