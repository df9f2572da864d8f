/// A dictionary whose keys are identities of types or objects.
///
/// It does not retain objects, and each key has a position.
///
/// Hashing takes one multiplication. The keys need no conformance, because for the first dictionary with a key type,
/// the Swift runtime searches the conformances of all libraries of the program. That costs more than everything else in
/// loading a module.
struct IdentityTable<Value>: ExpressibleByDictionaryLiteral, Sequence {
    /// The number of members that are searched without a table.
    private static var directCount: Int { 8 }

    /// The keys and their values, in the order of insertion until the first removal.
    private var members: [(key: ObjectIdentifier, value: Value)] = []
    /// For each place of the table, the position of its member plus one; zero if the place is free.
    ///
    /// It is empty if there are few members. Otherwise, at most half of the places are taken, so that a search always
    /// reaches a free one.
    private var places: [UInt32] = []

    init() {}

    init(dictionaryLiteral elements: (ObjectIdentifier, Value)...) {
        for (key, value) in elements { self[key] = value }
    }

    var isEmpty: Bool { members.isEmpty }
    var count: Int { members.count }
    // These are closures, because the runtime creates a key path of a generic type again each time.
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

    /// The value of a key.
    ///
    /// If it is missing, it is added before it is changed.
    subscript(key: ObjectIdentifier, default value: @autoclosure () -> Value) -> Value {
        get { self[key] ?? value() }
        // Inlined: a coroutine that is called allocates a frame.
        @inline(__always) _modify {
            if let position = position(of: key) {
                yield &members[position].value
            } else {
                append(key, value())
                yield &members[members.count - 1].value
            }
        }
    }

    /// Sets the value of a key, and returns its earlier value.
    @discardableResult
    mutating func updateValue(_ value: Value, forKey key: ObjectIdentifier) -> Value? {
        guard let position = position(of: key) else {
            append(key, value)
            return nil
        }
        defer { members[position].value = value }
        return members[position].value
    }

    /// Removes a key, and returns its value.
    ///
    /// The last key takes its position.
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

    /// Adds the keys and values of another table for keys that this one lacks.
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

    /// Adds a missing key at the last position.
    fileprivate mutating func append(_ key: ObjectIdentifier, _ value: Value) {
        members.append((key, value))
        if members.count > Self.directCount, members.count * 2 > places.count {
            places = Array(repeating: 0, count: Swift.max(32, places.count * 2))
            for position in members.indices { places[place(of: members[position].key)] = UInt32(position) + 1 }
        } else if !places.isEmpty {
            places[place(of: key)] = UInt32(members.count)
        }
    }

    /// The place of a key, or the free place for it.
    private func place(of key: ObjectIdentifier) -> Int {
        let mask = places.count - 1
        var place = Self.firstPlace(of: key, mask)
        while places[place] != 0, members[Int(places[place]) - 1].key != key { place = (place + 1) & mask }
        return place
    }

    private static func firstPlace(of key: ObjectIdentifier, _ mask: Int) -> Int {
        // Every bit of the address affects the upper half of the product.
        Int(truncatingIfNeeded: (UInt(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    }

    /// Frees a place, and moves members after it forward if a search would otherwise miss them.
    private mutating func free(_ place: Int) {
        let mask = places.count - 1
        var free = place
        var next = place
        places[free] = 0
        while true {
            next = (next + 1) & mask
            if places[next] == 0 { return }
            let first = Self.firstPlace(of: members[Int(places[next]) - 1].key, mask)
            // If its search begins at or before the free place, the search would end there.
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

    /// Adds a member.
    ///
    /// `inserted` is true if it was missing.
    @discardableResult
    mutating func insert(_ member: ObjectIdentifier) -> (inserted: Bool, memberAfterInsert: ObjectIdentifier) {
        if contains(member) { return (false, member) }
        members.append(member, ())
        return (true, member)
    }

    func makeIterator() -> some IteratorProtocol<ObjectIdentifier> { members.keys.makeIterator() }
}
