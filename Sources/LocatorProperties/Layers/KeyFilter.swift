/// A set of keys that can quickly show, in nearly every case, that a key is not among them.
///
/// Each key has two of 64 bits, by its hash. The set has the bits of its keys.
struct KeyFilter {
    private var bits: UInt64 = 0

    /// The keys at the root of a tree.
    init(rootOf tree: JSONObject) {
        for entry in tree.storage.entries { insert(entry.hash) }
    }

    private mutating func insert(_ hash: UInt32) { bits |= Self.bits(of: hash) }

    private static func bits(of hash: UInt32) -> UInt64 { 1 << UInt64(hash & 63) | 1 << UInt64(hash >> 6 & 63) }

    /// Whether the key with this hash may be in the set; false if it certainly is not.
    func mayContain(_ hash: UInt32) -> Bool {
        let own = Self.bits(of: hash)
        return bits & own == own
    }
}
