/// The entries of an object in order, with a hash index once there are more than a few.
///
/// Sendable without a check, because it is changed only through the `inout JSONObject` that holds the one reference to
/// it, and by `deinit`, when no reference exists.
final class JSONObjectStorage: @unchecked Sendable {
    struct Entry {
        let key: String
        let keyLine: UInt32
        let keyColumn: UInt32
        var value: JSONValue
        // Stands last, because it fits into the padding behind the value.
        let hash: UInt32

        @inline(__always)
        init(key: String, keyLine: UInt32, keyColumn: UInt32, value: JSONValue, hash: UInt32) {
            self.key = key
            self.keyLine = keyLine
            self.keyColumn = keyColumn
            self.value = value
            self.hash = hash
        }
    }

    /// Up to this many entries a look-up compares hashes one after the other, which no index beats.
    static let linearLimit = 12

    private(set) var entries: ContiguousArray<Entry>
    /// Entry numbers plus one at the place of their hash; 0 is free. Empty while the object is small.
    private var slots: ContiguousArray<UInt32>
    /// The levels below and including this one, at most.
    private(set) var height: UInt32

    init() {
        entries = []
        slots = []
        height = 1
    }

    /// For the reader, which knows the height and has seen to it that no key appears twice.
    init(entries: ContiguousArray<Entry>, slots: ContiguousArray<UInt32>, height: UInt32) {
        self.entries = entries
        self.slots = slots
        self.height = height
    }

    init(copying other: JSONObjectStorage) {
        entries = other.entries
        slots = other.slots
        height = other.height
    }

    deinit {
        if height > JSONTeardown.recursionLimit {
            var pending = takeValues()
            JSONTeardown.free(&pending)
        }
    }

    /// Moves the values out; for a caller that holds the only reference and is about to drop it.
    func takeValues() -> [JSONValue] {
        var taken: ContiguousArray<Entry> = []
        swap(&taken, &entries)
        var values: [JSONValue] = []
        values.reserveCapacity(taken.count)
        for index in taken.indices {
            values.append(taken[index].value)
            taken[index].value = .null
        }
        return values
    }

    @inline(__always)
    func find(_ key: String, hash: UInt32) -> Int? {
        if slots.isEmpty {
            for index in entries.indices where entries[index].hash == hash {
                if JSONText.areIdentical(entries[index].key, key) { return index }
            }
            return nil
        }
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if entries[index].hash == hash, JSONText.areIdentical(entries[index].key, key) { return index }
            slot = (slot + 1) & mask
        }
        return nil
    }

    func setValue(_ value: JSONValue, at index: Int) {
        height = max(height, value.height + 1)
        entries[index].value = value
    }

    func withValue<Result, Failure: Error>(
        at index: Int, _ body: (inout JSONValue) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { height = max(height, entries[index].value.height + 1) }
        return try body(&entries[index].value)
    }

    func append(_ entry: Entry) {
        height = max(height, entry.value.height + 1)
        entries.append(entry)
        guard entries.count > Self.linearLimit else { return }
        if slots.count < entries.count * 2 {
            slots = Self.index(of: entries)
        } else {
            Self.insert(entries.count - 1, hash: entry.hash, into: &slots)
        }
    }

    func remove(at index: Int) {
        entries.remove(at: index)
        slots = entries.count > Self.linearLimit ? Self.index(of: entries) : []
    }

    func removeAll(where isRemoved: (Entry) -> Bool) {
        let count = entries.count
        entries.removeAll(where: isRemoved)
        guard entries.count != count else { return }
        slots = entries.count > Self.linearLimit ? Self.index(of: entries) : []
    }

    func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
    }

    /// A hash index of entries, at most half full.
    static func index(of entries: ContiguousArray<Entry>) -> ContiguousArray<UInt32> {
        var size = 32
        while size < entries.count * 4 { size *= 2 }
        var slots = ContiguousArray<UInt32>(repeating: 0, count: size)
        for index in entries.indices {
            insert(index, hash: entries[index].hash, into: &slots)
        }
        return slots
    }

    @inline(__always)
    private static func insert(_ index: Int, hash: UInt32, into slots: inout ContiguousArray<UInt32>) {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    }
}
