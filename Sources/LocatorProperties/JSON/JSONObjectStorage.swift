/// The entries of an object in order, with a hash index if there are more than a few.
///
/// Unchecked `Sendable` is safe, because the storage changes only through the `inout JSONObject` that holds the only
/// reference to it, and when its last reference is dropped.
final class JSONObjectStorage: @unchecked Sendable {
    struct Entry {
        let key: String
        let keyLine: UInt32
        let keyColumn: UInt32
        var value: JSONValue
        // The last field, because it fits into the padding behind the value.
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

    // Without exclusivity checks, which take a third of the time of a lookup. This is safe, because no closure captures
    // `self`, and changes happen only if the only reference is held `inout`, which the compiler checks in the holder.
    @exclusivity(unchecked) private(set) var entries: ContiguousArray<Entry>
    @exclusivity(unchecked) private var index: JSONKeyIndex
    /// An upper bound of the number of levels, including this one.
    private(set) var height: UInt32

    init() {
        entries = []
        index = JSONKeyIndex()
        height = 1
    }

    /// Creates storage for the reader, which knows the height and has checked that no key appears twice.
    init(entries: ContiguousArray<Entry>, index: JSONKeyIndex, height: UInt32) {
        self.entries = entries
        self.index = index
        self.height = height
    }

    init(copying other: JSONObjectStorage) {
        entries = other.entries
        index = other.index
        height = other.height
    }

    deinit {
        if height > JSONTeardown.recursionLimit {
            var pending = takeValues()
            JSONTeardown.free(&pending)
        }
    }

    /// Moves the values out, for a caller that holds the only reference and is about to drop it.
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

    @inline(never)
    func find(_ key: String, hash: UInt32) -> Int? {
        JSONText.withBytes(of: key) { index.find($0, hash: hash, in: entries) }
    }

    @inline(__always)
    func find(_ key: UnsafeRawBufferPointer, hash: UInt32) -> Int? {
        index.find(key, hash: hash, in: entries)
    }

    func setValue(_ value: JSONValue, at index: Int) {
        height = max(height, value.height + 1)
        entries[index].value = value
    }

    func updateValue(at index: Int, _ body: (inout JSONValue) -> Void) {
        body(&entries[index].value)
        height = max(height, entries[index].value.height + 1)
    }

    func append(_ entry: Entry) {
        height = max(height, entry.value.height + 1)
        entries.append(entry)
        index.appendLast(of: entries)
    }

    func remove(at indexes: [Int]) {
        var kept = ContiguousArray<Entry>()
        kept.reserveCapacity(entries.count - indexes.count)
        var removed = indexes.sorted()[...]
        for index in entries.indices {
            if index == removed.first { removed.removeFirst() } else { kept.append(entries[index]) }
        }
        entries = kept
        index = JSONKeyIndex(of: entries)
    }

    func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
    }
}
