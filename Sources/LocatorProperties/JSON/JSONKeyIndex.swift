/// A hash table over the entries of an object.
///
/// Each slot is the number of an entry plus one, or 0 if it is free.
///
/// Small objects have no index (`slots` is empty), because comparing a few hashes in sequence is faster.
struct JSONKeyIndex {
    typealias Entry = JSONObjectStorage.Entry

    /// The number of entries up to which there is no index.
    static let linearLimit = 12

    private var slots: ContiguousArray<UInt32> = []

    init() {}

    /// Creates the index of entries without duplicate keys.
    init(of entries: ContiguousArray<Entry>) {
        _ = entries.withUnsafeBufferPointer { build(of: $0) }
    }

    /// Indexes entries, or returns false if a key appears twice.
    @inline(__always)
    mutating func build(of entries: UnsafeBufferPointer<Entry>) -> Bool {
        guard entries.count > Self.linearLimit else { return !Self.hasDuplicate(entries) }
        return rebuild(of: entries)
    }

    private mutating func rebuild(of entries: UnsafeBufferPointer<Entry>) -> Bool {
        // At most half full after growth and a quarter full now, so that most searches need a single slot.
        var size = 32
        while size < entries.count * 2 { size *= 2 }
        slots = ContiguousArray(repeating: 0, count: size)
        return slots.withUnsafeMutableBufferPointer { slots in
            let mask = slots.count - 1
            for number in entries.indices {
                let hash = entries[number].hash
                var slot = Int(hash) & mask
                while slots[slot] != 0 {
                    let other = Int(slots[slot]) - 1
                    if entries[other].hash == hash, JSONText.areIdentical(entries[other].key, entries[number].key) {
                        return false
                    }
                    slot = (slot + 1) & mask
                }
                slots[slot] = UInt32(truncatingIfNeeded: number + 1)
            }
            return true
        }
    }

    private static func hasDuplicate(_ entries: UnsafeBufferPointer<Entry>) -> Bool {
        for second in entries.indices {
            let hash = entries[second].hash
            for first in 0..<second where entries[first].hash == hash {
                if JSONText.areIdentical(entries[first].key, entries[second].key) { return true }
            }
        }
        return false
    }

    /// Returns the number of the entry with a key.
    @inline(never)
    func find(_ key: UnsafeRawBufferPointer, hash: UInt32, in entries: ContiguousArray<Entry>) -> Int? {
        guard !slots.isEmpty else {
            for number in entries.indices where entries[number].hash == hash {
                if JSONText.isIdentical(entries[number].key, to: key) { return number }
            }
            return nil
        }
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if entries[number].hash == hash, JSONText.isIdentical(entries[number].key, to: key) { return number }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Adds the last entry, which must have a new key.
    mutating func appendLast(of entries: ContiguousArray<Entry>) {
        guard entries.count > Self.linearLimit, let last = entries.last else { return }
        guard slots.count >= entries.count * 2 else {
            _ = entries.withUnsafeBufferPointer { rebuild(of: $0) }
            return
        }
        let mask = slots.count - 1
        var slot = Int(last.hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt32(truncatingIfNeeded: entries.count)
    }
}
