/// A dictionary whose keys are identities, of types or of objects that it does not retain, each at a position.
///
/// It hashes by one multiplication. And it needs no conformance of its keys: for the first dictionary of a type of key
/// the Swift runtime looks through the conformances of all libraries of the program, which costs more than everything
/// else that loading a module does.
struct IdentityTable<Value>: ExpressibleByDictionaryLiteral, Sequence {
    /// So many are looked through without a table.
    private static var directCount: Int { 8 }

    /// The keys and their values, in the order of insertion until one is removed.
    private var members: [(key: ObjectIdentifier, value: Value)] = []
    /// For each place of the table the position of its member, and one more; zero where it is free.
    ///
    /// Empty while the members are few; else at most half of the places are taken, so that a search always comes to a
    /// free one.
    private var places: [UInt32] = []

    init() {}

    init(dictionaryLiteral elements: (ObjectIdentifier, Value)...) {
        for (key, value) in elements { self[key] = value }
    }

    var isEmpty: Bool { members.isEmpty }
    var count: Int { members.count }
    // Closures, because a key path of a generic type is made anew by the runtime each time.
    var keys: some RandomAccessCollection<ObjectIdentifier> { members.lazy.map { $0.key } }
    var values: some RandomAccessCollection<Value> { members.lazy.map { $0.value } }

    func makeIterator() -> IndexingIterator<[(key: ObjectIdentifier, value: Value)]> { members.makeIterator() }

    func has(_ key: ObjectIdentifier) -> Bool { position(of: key) != nil }

    subscript(key: ObjectIdentifier) -> Value? {
        get { position(of: key).map { members[$0].value } }
        set {
            if let newValue { updateValue(newValue, forKey: key) } else { removeValue(forKey: key) }
        }
    }

    /// The value of a key, which is added first where it is missing and is to be changed.
    subscript(key: ObjectIdentifier, default value: @autoclosure () -> Value) -> Value {
        get { self[key] ?? value() }
        _modify {
            if let position = position(of: key) {
                yield &members[position].value
            } else {
                append(key, value())
                yield &members[members.count - 1].value
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
        defer { members[position].value = value }
        return members[position].value
    }

    /// Removes a key, whose position the last one takes, and gives the value that it had.
    @discardableResult
    mutating func removeValue(forKey key: ObjectIdentifier) -> Value? {
        guard let position = position(of: key) else { return nil }
        let last = members.count - 1
        if !places.isEmpty {
            free(place(of: key))
            if position != last { places[place(of: members[last].key)] = UInt32(position) + 1 }
        }
        members.swapAt(position, last)
        return members.removeLast().value
    }

    /// Adds what another table has under keys that this one lacks.
    mutating func formUnion(_ other: Self) {
        for (key, value) in other.members where position(of: key) == nil { append(key, value) }
    }

    private func position(of key: ObjectIdentifier) -> Int? {
        if places.isEmpty {
            var position = 0
            while position < members.count {
                if members[position].key == key { return position }
                position += 1
            }
            return nil
        }
        let found = places[place(of: key)]
        return found == 0 ? nil : Int(found) - 1
    }

    /// Adds a key that it lacks, at the last position.
    fileprivate mutating func append(_ key: ObjectIdentifier, _ value: Value) {
        members.append((key, value))
        if members.count > Self.directCount, members.count * 2 > places.count {
            places = Array(repeating: 0, count: Swift.max(32, places.count * 2))
            for position in members.indices { places[place(of: members[position].key)] = UInt32(position) + 1 }
        } else if !places.isEmpty {
            places[place(of: key)] = UInt32(members.count)
        }
    }

    /// The place of a key, or the free one where it would be.
    private func place(of key: ObjectIdentifier) -> Int {
        let mask = places.count - 1
        var place = Self.firstPlace(of: key, mask)
        while places[place] != 0, members[Int(places[place]) - 1].key != key { place = (place + 1) & mask }
        return place
    }

    private static func firstPlace(of key: ObjectIdentifier, _ mask: Int) -> Int {
        // The upper half of the product, in which every bit of the address has a part.
        Int(truncatingIfNeeded: (UInt(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    }

    /// Frees a place, and moves those behind it forward that a search would miss.
    private mutating func free(_ place: Int) {
        let mask = places.count - 1
        var free = place
        var next = place
        places[free] = 0
        while true {
            next = (next + 1) & mask
            if places[next] == 0 { return }
            let first = Self.firstPlace(of: members[Int(places[next]) - 1].key, mask)
            // Whether its search begins at or before the free place, and so would end there.
            if (next - first) & mask >= (next - free) & mask {
                places[free] = places[next]
                places[next] = 0
                free = next
            }
        }
    }
}

extension IdentityTable: Sendable where Value: Sendable {}

/// A set of identities; see ``IdentityTable``.
struct IdentitySet: ExpressibleByArrayLiteral, Sequence, Sendable {
    private var members = IdentityTable<Void>()

    init() {}

    init(_ members: some Sequence<ObjectIdentifier>) {
        for member in members { insert(member) }
    }

    init(arrayLiteral members: ObjectIdentifier...) {
        self.init(members)
    }

    var isEmpty: Bool { members.isEmpty }

    var count: Int { members.count }

    func contains(_ member: ObjectIdentifier) -> Bool { members.has(member) }

    /// Adds a member; `inserted` tells whether it was missing.
    @discardableResult
    mutating func insert(_ member: ObjectIdentifier) -> (inserted: Bool, memberAfterInsert: ObjectIdentifier) {
        if contains(member) { return (false, member) }
        members.append(member, ())
        return (true, member)
    }

    func makeIterator() -> some IteratorProtocol<ObjectIdentifier> { members.keys.makeIterator() }
}
