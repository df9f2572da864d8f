/// A dictionary whose keys are identities: of types, and of objects that it need not retain.
///
/// It hashes by one multiplication. And its storage needs no conformance of the key: for the first dictionary of a type of
/// key the Swift runtime looks through the conformances of all libraries of the program, which costs more than everything
/// else that loading a module does. It is iterated in the order of insertion, until something is removed.
struct IdentityTable<Value>: ExpressibleByDictionaryLiteral, Sequence {
    typealias Element = (key: ObjectIdentifier, value: Value)

    /// So many are looked through without a table.
    private static var directCount: Int { 8 }

    private var entries: [Element] = []
    /// For each place of the table the position of its entry, and one more; zero where it is free.
    ///
    /// Empty while the entries are few; else at most half of the places are taken, so that a search always comes to a
    /// free one.
    private var places: [UInt32] = []

    init() {}

    init(dictionaryLiteral elements: (ObjectIdentifier, Value)...) {
        for (key, value) in elements { self[key] = value }
    }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    // Closures: in generic code the runtime would build a key path anew each time.
    var keys: some Sequence<ObjectIdentifier> { entries.lazy.map { $0.key } }
    var values: some Collection<Value> { entries.lazy.map { $0.value } }
    func makeIterator() -> IndexingIterator<[Element]> { entries.makeIterator() }

    subscript(key: ObjectIdentifier) -> Value? {
        get { position(of: key).map { entries[$0].value } }
        set {
            if let newValue { updateValue(newValue, forKey: key) } else { removeValue(forKey: key) }
        }
    }

    /// The value of a key, which is added first where it is missing and is to be changed.
    subscript(key: ObjectIdentifier, default value: @autoclosure () -> Value) -> Value {
        get { self[key] ?? value() }
        _modify {
            if let position = position(of: key) {
                yield &entries[position].value
            } else {
                append(key, value())
                yield &entries[entries.count - 1].value
            }
        }
    }

    /// Sets the value of a key, and gives the one that it had.
    @discardableResult
    mutating func updateValue(_ value: Value, forKey key: ObjectIdentifier) -> Value? {
        guard let position = position(of: key) else {
            append(key, value)
            return nil
        }
        defer { entries[position].value = value }
        return entries[position].value
    }

    /// Removes a key, and gives the value that it had.
    @discardableResult
    mutating func removeValue(forKey key: ObjectIdentifier) -> Value? {
        guard let position = position(of: key) else { return nil }
        free(place(of: key))
        let last = entries.count - 1
        if position != last {
            // The last entry takes its position.
            if !places.isEmpty { places[place(of: entries[last].key)] = UInt32(position) + 1 }
            entries.swapAt(position, last)
        }
        return entries.removeLast().value
    }

    /// Adds what another table has under keys that this one lacks.
    mutating func formUnion(_ other: Self) {
        for (key, value) in other where position(of: key) == nil { append(key, value) }
    }

    private func position(of key: ObjectIdentifier) -> Int? {
        if places.isEmpty { return entries.firstIndex { $0.key == key } }
        let found = places[place(of: key)]
        return found == 0 ? nil : Int(found) - 1
    }

    /// The place of a key, or the free one where it would be.
    private func place(of key: ObjectIdentifier) -> Int {
        if places.isEmpty { return 0 }
        let mask = places.count - 1
        var place = Self.firstPlace(of: key, mask)
        while places[place] != 0, entries[Int(places[place]) - 1].key != key { place = (place + 1) & mask }
        return place
    }

    private static func firstPlace(of key: ObjectIdentifier, _ mask: Int) -> Int {
        // The upper half of the product, in which every bit of the address has a part.
        Int(truncatingIfNeeded: (UInt(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    }

    /// Adds a key that it lacks.
    private mutating func append(_ key: ObjectIdentifier, _ value: Value) {
        entries.append((key, value))
        if entries.count * 2 > places.count, entries.count > Self.directCount {
            places = Array(repeating: 0, count: Swift.max(32, places.count * 2))
            for position in entries.indices { places[place(of: entries[position].key)] = UInt32(position) + 1 }
        } else if !places.isEmpty {
            places[place(of: key)] = UInt32(entries.count)
        }
    }

    /// Frees a place, and moves those behind it forward that a search would miss.
    private mutating func free(_ place: Int) {
        if places.isEmpty { return }
        let mask = places.count - 1
        var free = place
        var next = place
        places[free] = 0
        while true {
            next = (next + 1) & mask
            if places[next] == 0 { return }
            let first = Self.firstPlace(of: entries[Int(places[next]) - 1].key, mask)
            // Whether its search begins at or before the free place, and so would end there.
            if (next - first) & mask >= (next - free) & mask {
                places[free] = places[next]
                places[next] = 0
                free = next
            }
        }
    }
}

/// A set of identities; see ``IdentityTable``.
struct IdentitySet: ExpressibleByArrayLiteral, Sequence, Sendable {
    private var table = IdentityTable<Void>()

    init() {}

    init(_ members: some Sequence<ObjectIdentifier>) {
        for member in members { insert(member) }
    }

    init(arrayLiteral members: ObjectIdentifier...) {
        self.init(members)
    }

    var isEmpty: Bool { table.isEmpty }

    func contains(_ member: ObjectIdentifier) -> Bool { table[member] != nil }

    /// Adds a member; `inserted` tells whether it was missing.
    @discardableResult
    mutating func insert(_ member: ObjectIdentifier) -> (inserted: Bool, memberAfterInsert: ObjectIdentifier) {
        (table.updateValue((), forKey: member) == nil, member)
    }

    func makeIterator() -> some IteratorProtocol<ObjectIdentifier> { table.keys.makeIterator() }
}

extension IdentityTable: Sendable where Value: Sendable {}
