/// A fast hash of a key's UTF-8 bytes.
///
/// Swift's string hash costs several times as much, because it must respect canonical equivalence. JSON keys are equal
/// only if their code points are.
enum JSONKeyHash {
    /// The address at which the process was loaded: as random as the system makes it, and free to read.
    ///
    /// A file whose keys collide in one process does not in the next.
    private static var seed: UInt64 {
        @inline(__always) get { UInt64(UInt(bitPattern: ObjectIdentifier(JSONObjectStorage.self))) }
    }

    @inline(__always)
    private static func fold(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = first.multipliedFullWidth(by: second)
        return product.high ^ product.low
    }

    /// Returns the hash of bytes, which are read in words, but never beyond `count`.
    @inline(__always)
    static func hash(_ bytes: UnsafeRawPointer, count: Int) -> UInt32 {
        var state = seed &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(truncatingIfNeeded: count)
        var offset = 0
        while count - offset > 8 {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            state = fold(state ^ word, 0xa076_1d64_78bd_642f)
            offset += 8
        }
        let rest = count - offset
        let last: UInt64
        if rest >= 4 {
            let low = UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let high = UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
            last = high << 32 | low
        } else if rest > 0 {
            let first = UInt64(bytes.load(fromByteOffset: offset, as: UInt8.self))
            let middle = UInt64(bytes.load(fromByteOffset: offset + rest / 2, as: UInt8.self))
            let end = UInt64(bytes.load(fromByteOffset: count - 1, as: UInt8.self))
            last = first << 16 | middle << 8 | end
        } else {
            last = 0
        }
        state = fold(state ^ last, 0xe703_7ed1_a0b4_28db)
        return UInt32(truncatingIfNeeded: state ^ state >> 32)
    }

    /// Returns the hash of a string's UTF-8 bytes.
    @inline(never)
    static func hash(_ text: String) -> UInt32 {
        JSONText.withBytes(of: text) { hash($0.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!, count: $0.count) }
    }
}
