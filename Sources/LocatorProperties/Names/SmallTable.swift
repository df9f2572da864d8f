/// A dictionary whose type does not need to know that its keys are hashable, with its entries in the order of addition.
///
/// The first use of a dictionary of some type of key makes the Swift runtime look for its conformance in all libraries of
/// the program. That costs more memory and time than everything else in loading a few files.
struct SmallTable<Key, Value> {
    private static var directCount: Int { 16 }

    private(set) var entries: [(key: Key, value: Value)] = []
    /// For each place of the table, the position of its entry plus one; zero if the place is free.
    ///
    /// It is empty if there are few entries. Otherwise, at most half of the places are taken, so that a search always
    /// reaches a free one.
    private var places: [UInt32] = []
}

extension SmallTable where Key: Hashable {
    /// The value of a key.
    subscript(key: Key) -> Value? { position(of: key).map { entries[$0].value } }

    /// Sets the value of a key.
    mutating func set(_ value: Value, for key: Key) {
        if let position = position(of: key) { entries[position].value = value } else { append(value, for: key) }
    }

    /// Adds a key that is not in it; gives false where it is.
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

    /// The place of a key, or the free place for it.
    private func place(of key: Key) -> Int {
        var place = Int(UInt(bitPattern: key.hashValue) % UInt(places.count))
        while places[place] != 0, entries[Int(places[place]) - 1].key != key { place = (place + 1) % places.count }
        return place
    }
}

extension SmallTable: Sendable where Key: Sendable, Value: Sendable {}
