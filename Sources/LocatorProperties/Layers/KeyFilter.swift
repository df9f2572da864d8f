/// A set of keys that can quickly show, in nearly every case, that a key is not among them.
///
/// Each key has two of 64 bits, by its hash. The set has the bits of its keys.
struct KeyFilter {
    private var bits: UInt64 = 0

    /// The keys at the root of a tree.
    init(rootOf tree: JSONObject) {
        for entry in tree.storage.entries { insert(entry.hash) }
    }

    /// The first key of a path; empty if the path does not begin with a key.
    init(startOf path: PropertyPath) {
        if let key = path.steps.first?.key { insert(JSONKeyHash.hash(key)) }
    }

    /// The key with a hash.
    init(_ hash: UInt32) { insert(hash) }

    private mutating func insert(_ hash: UInt32) {
        bits |= 1 << UInt64(hash & 63) | 1 << UInt64(hash >> 6 & 63)
    }

    /// Whether all keys of another set may be in this one; false if one certainly is not.
    func mayContain(_ other: KeyFilter) -> Bool { bits & other.bits == other.bits }
}
