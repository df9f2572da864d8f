/// A dictionary that keeps the order of its entries and needs no runtime search for conformances.
///
/// When a dictionary with a certain type of key is first used, the Swift runtime searches all libraries of the program
/// for the conformance to `Hashable`. That costs more memory and time than everything else in loading a few files.
struct SmallTable<Key, Value> {
    private static var directCount: Int { 16 }

    private(set) var entries: [(key: Key, value: Value)] = []
    /// The slots of the hash table.
    ///
    /// Each is the position of an entry plus one, or zero if it is free.
    ///
    /// Empty if there are few entries. Otherwise at most half of the slots are used, so that a search always reaches a
    /// free one.
    private var places: [UInt32] = []
}

extension SmallTable where Key: Hashable {
    subscript(key: Key) -> Value? { position(of: key).map { entries[$0].value } }

    mutating func set(_ value: Value, for key: Key) {
        if let position = position(of: key) { entries[position].value = value } else { append(value, for: key) }
    }

    /// Adds a key, or returns false if it exists.
    @discardableResult
    mutating func add(_ value: Value, for key: Key) -> Bool {
        if position(of: key) != nil { return false }
        append(value, for: key)
        return true
    }

    @inline(never)
    private mutating func append(_ value: Value, for key: Key) {
        entries.append((key, value))
        if entries.count > Self.directCount, entries.count * 2 > places.count {
            places = Array(repeating: 0, count: entries.count * 4)
            for position in entries.indices { places[place(of: entries[position].key)] = UInt32(position) + 1 }
        } else if !places.isEmpty {
            places[place(of: key)] = UInt32(entries.count)
        }
    }

    @inline(never)
    private func position(of key: Key) -> Int? {
        if places.isEmpty { return entries.firstIndex { $0.key == key } }
        let found = places[place(of: key)]
        return found == 0 ? nil : Int(found) - 1
    }

    /// Returns the slot of a key, or the free slot for it.
    private func place(of key: Key) -> Int {
        var place = Int(UInt(bitPattern: key.hashValue) % UInt(places.count))
        while places[place] != 0, entries[Int(places[place]) - 1].key != key { place = (place + 1) % places.count }
        return place
    }
}

extension SmallTable: Sendable where Key: Sendable, Value: Sendable {}
