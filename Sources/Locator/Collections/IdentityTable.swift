/// Identities of types or of objects, each at a position.
///
/// The base of tables and sets by identity. Objects are not retained.
///
/// It hashes with one multiplication, and needs no conformance of its members. For the first dictionary with a key
/// type, the Swift runtime searches the conformances of all libraries in the program, which costs more than the rest of
/// loading a module.
struct IdentityIndex: Sendable {
    /// Up to this many members are searched without a table.
    private static let directCount = 8

    /// The members, in insertion order until one is removed.
    private(set) var members: [ObjectIdentifier] = []
    /// For each place of the table, the position of its member plus one; zero if the place is free.
    ///
    /// Empty while there are few members. Otherwise, at most half of the places are used, so a search always reaches a
    /// free one.
    private var places: [UInt32] = []

    func position(of member: ObjectIdentifier) -> Int? {
        if places.isEmpty {
            var position = 0
            while position < members.count {
                if members[position] == member { return position }
                position += 1
            }
            return nil
        }
        let found = places[place(of: member)]
        return found == 0 ? nil : Int(found) - 1
    }

    /// Adds a new member at the last position.
    mutating func append(_ member: ObjectIdentifier) {
        members.append(member)
        if members.count > Self.directCount, members.count * 2 > places.count {
            places = Array(repeating: 0, count: max(32, places.count * 2))
            for position in members.indices { places[place(of: members[position])] = UInt32(position) + 1 }
        } else if !places.isEmpty {
            places[place(of: member)] = UInt32(members.count)
        }
    }

    /// Removes the member at a position.
    ///
    /// The last member takes its position.
    mutating func remove(at position: Int) {
        let last = members.count - 1
        if !places.isEmpty {
            free(place(of: members[position]))
            if position != last { places[place(of: members[last])] = UInt32(position) + 1 }
        }
        members.swapAt(position, last)
        members.removeLast()
    }

    /// The place of a member, or the free place where it would be.
    private func place(of member: ObjectIdentifier) -> Int {
        let mask = places.count - 1
        var place = Self.firstPlace(of: member, mask)
        while places[place] != 0, members[Int(places[place]) - 1] != member { place = (place + 1) & mask }
        return place
    }

    private static func firstPlace(of member: ObjectIdentifier, _ mask: Int) -> Int {
        // The upper half of the product depends on every bit of the address.
        Int(truncatingIfNeeded: (UInt(bitPattern: member) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    }

    /// Frees a place, and moves forward the following ones that a search would miss.
    private mutating func free(_ place: Int) {
        let mask = places.count - 1
        var free = place
        var next = place
        places[free] = 0
        while true {
            next = (next + 1) & mask
            if places[next] == 0 { return }
            let first = Self.firstPlace(of: members[Int(places[next]) - 1], mask)
            // Whether its search begins at or before the free place, and would therefore end there.
            if (next - first) & mask >= (next - free) & mask {
                places[free] = places[next]
                places[next] = 0
                free = next
            }
        }
    }
}

/// A dictionary whose keys are identities.
///
/// See ``IdentityIndex``.
struct IdentityTable<Value>: ExpressibleByDictionaryLiteral, Sequence {
    private var index = IdentityIndex()
    /// The values, each at the position of its key.
    private(set) var values: [Value] = []

    init() {}

    init(dictionaryLiteral elements: (ObjectIdentifier, Value)...) {
        for (key, value) in elements { self[key] = value }
    }

    var isEmpty: Bool { values.isEmpty }
    var count: Int { values.count }
    var keys: [ObjectIdentifier] { index.members }

    func makeIterator() -> some IteratorProtocol<(key: ObjectIdentifier, value: Value)> {
        zip(index.members, values).lazy.map { (key: $0, value: $1) }.makeIterator()
    }

    subscript(key: ObjectIdentifier) -> Value? {
        get { index.position(of: key).map { values[$0] } }
        set {
            if let newValue { updateValue(newValue, forKey: key) } else { removeValue(forKey: key) }
        }
    }

    /// The value of a key.
    ///
    /// A missing key is added before its value is changed.
    subscript(key: ObjectIdentifier, default value: @autoclosure () -> Value) -> Value {
        get { self[key] ?? value() }
        _modify {
            if let position = index.position(of: key) {
                yield &values[position]
            } else {
                append(key, value())
                yield &values[values.count - 1]
            }
        }
    }

    /// Sets the value of a key and returns the previous one.
    @discardableResult
    mutating func updateValue(_ value: Value, forKey key: ObjectIdentifier) -> Value? {
        guard let position = index.position(of: key) else {
            append(key, value)
            return nil
        }
        defer { values[position] = value }
        return values[position]
    }

    /// Removes a key and returns its value.
    @discardableResult
    mutating func removeValue(forKey key: ObjectIdentifier) -> Value? {
        guard let position = index.position(of: key) else { return nil }
        index.remove(at: position)
        values.swapAt(position, values.count - 1)
        return values.removeLast()
    }

    /// Adds the entries of another table whose keys are missing in this one.
    mutating func formUnion(_ other: Self) {
        for (position, key) in other.keys.enumerated() where index.position(of: key) == nil {
            append(key, other.values[position])
        }
    }

    /// Adds a new key.
    private mutating func append(_ key: ObjectIdentifier, _ value: Value) {
        index.append(key)
        values.append(value)
    }
}

extension IdentityTable: Sendable where Value: Sendable {}

/// A set of identities.
///
/// See ``IdentityIndex``.
struct IdentitySet: ExpressibleByArrayLiteral, Sequence, Sendable {
    private var index = IdentityIndex()

    init() {}

    init(_ members: some Sequence<ObjectIdentifier>) {
        for member in members { insert(member) }
    }

    init(arrayLiteral members: ObjectIdentifier...) {
        self.init(members)
    }

    var isEmpty: Bool { index.members.isEmpty }

    var count: Int { index.members.count }

    func contains(_ member: ObjectIdentifier) -> Bool { index.position(of: member) != nil }

    /// Adds a member.
    ///
    /// `inserted` is true if it was missing.
    @discardableResult
    mutating func insert(_ member: ObjectIdentifier) -> (inserted: Bool, memberAfterInsert: ObjectIdentifier) {
        if contains(member) { return (false, member) }
        index.append(member)
        return (true, member)
    }

    func makeIterator() -> IndexingIterator<[ObjectIdentifier]> { index.members.makeIterator() }
}
