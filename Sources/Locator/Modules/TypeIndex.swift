/// An index of a module's candidates, by type and by type and name.
///
/// It stores the candidates' numbers, in order, in one table for all types and names. Therefore, a module of ten
/// thousand registrations costs one or two blocks of memory and one multiplication for each registration, and one or
/// two reads show that a module lacks a type.
struct TypeIndex: ~Copyable {
    /// A key that candidates are found by.
    struct Term: Equatable {
        /// Zero for none.
        ///
        /// The lowest bit is set if there is a name. It is free in the address of a type.
        fileprivate var bits: UInt = 0

        fileprivate init() {}

        init(_ type: ObjectIdentifier) { bits = UInt(bitPattern: type) }

        /// Creates a key for a type and a name.
        ///
        /// Another pair may have the same key.
        init(_ type: ObjectIdentifier, named name: String) { bits = Key.hash(type, name) | 1 }

        fileprivate var isNamed: Bool { bits & 1 == 1 }
    }

    /// A place of the table, with the first and the last candidate of its key.
    private struct Place {
        var key = Term()
        var first: UInt32 = 0
        var last: UInt32 = 0
    }

    /// The value for no number.
    ///
    /// There are always fewer candidates than this.
    fileprivate static let none = UInt32.max

    // Both are unsafe: the struct cannot be copied, and frees them. A reader of an index retains the module that it
    // belongs to.
    /// The places of the table; nil if there is at most one key.
    ///
    /// At most two thirds are taken, so that a search always reaches a free place.
    private var places: UnsafeMutableBufferPointer<Place>?
    /// For each candidate, the next one of its type, and after those, of its type and name; nil if no key has two
    /// candidates.
    private var following: UnsafeMutablePointer<UInt32>?
    private let candidateCount: Int
    private var keyCount = 0
    /// The place of the only key.
    private var only = Place()

    /// Creates an index for candidates with numbers below `candidateCount`.
    init(candidateCount: Int) {
        self.candidateCount = candidateCount
        if candidateCount < 2 { return }
        var capacity = 2
        while capacity * 2 < candidateCount * 3 { capacity *= 2 }
        places = Self.places(capacity)
    }

    deinit {
        places?.deallocate()
        following?.deallocate()
    }

    private static func places(_ capacity: Int) -> UnsafeMutableBufferPointer<Place> {
        let places = UnsafeMutableBufferPointer<Place>.allocate(capacity: capacity)
        places.initialize(repeating: Place())
        return places
    }

    /// Adds a candidate after those of its type, and after those of its type and name.
    ///
    /// Adds the group of its type.
    mutating func add(_ number: Int, _ key: Key, _ groups: inout TypeGroups) {
        let type = ObjectIdentifier(key.type)
        groups.insert(type)
        add(number, of: Term(type))
        if let name = key.qualifier { add(number, of: Term(type, named: name)) }
    }

    /// Adds a candidate after those of its key.
    private mutating func add(_ number: Int, of key: Term) {
        let number = UInt32(key.isNamed ? candidateCount + number : number)
        let new = Place(key: key, first: number, last: number)
        if let places {
            let place = Self.place(of: key, in: places)
            if places[place].key == key {
                let following = following ?? makeFollowing()
                following[Int(places[place].last)] = number
                places[place].last = number
                return
            }
            if (keyCount + 1) * 3 <= places.count * 2 {
                places[place] = new
            } else {
                // Names add more keys than expected.
                self.places = Self.places(places.count * 2)
                for place in places where place.key != Term() { set(place) }
                places.deallocate()
                set(new)
            }
        } else if keyCount == 0 {
            only = new
        } else {
            // The only candidate has a name.
            self.places = Self.places(4)
            set(only)
            set(new)
        }
        keyCount += 1
    }

    /// Stores a key in its free place.
    private func set(_ place: Place) {
        if let places { places[Self.place(of: place.key, in: places)] = place }
    }

    private mutating func makeFollowing() -> UnsafeMutablePointer<UInt32> {
        let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: candidateCount * 2)
        memory.initialize(repeating: Self.none, count: candidateCount * 2)
        following = memory
        return memory
    }

    /// Whether no key has two candidates.
    var isUnique: Bool { following == nil }

    func has(_ key: Term) -> Bool { first(of: key) != nil }

    /// The first candidate of a key.
    func first(of key: Term) -> Int? { place(of: key).map { candidate($0.first, of: key) } }

    /// Runs `body` for each candidate of a key, in the order in which they were added.
    func forEachCandidate(of key: Term, _ body: (Int) -> Void) {
        guard let place = place(of: key) else { return }
        var number = place.first
        while number != Self.none {
            body(candidate(number, of: key))
            number = following?[Int(number)] ?? Self.none
        }
    }

    private func candidate(_ number: UInt32, of key: Term) -> Int {
        key.isNamed ? Int(number) - candidateCount : Int(number)
    }

    /// Runs `body` for each type that has candidates.
    func forEachType(_ body: (ObjectIdentifier) -> Void) {
        func run(_ place: Place) {
            if place.key == Term() || place.key.isNamed { return }
            // Unsafe: an identity is one word, and this one was taken from the identity of a type.
            body(unsafeBitCast(place.key.bits, to: ObjectIdentifier.self))
        }
        guard let places else { return run(only) }
        for place in places { run(place) }
    }

    /// The place of a key; nil if it has no candidates.
    private func place(of key: Term) -> Place? {
        let place = if let places { places[Self.place(of: key, in: places)] } else { only }
        return place.key == key ? place : nil
    }

    /// The place of a key, or the free place for it.
    private static func place(of key: Term, in places: UnsafeMutableBufferPointer<Place>) -> Int {
        // Every bit of the address affects the upper half of the product.
        let product = key.bits &* 0x9E37_79B9_7F4A_7C15
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: product >> 32) & mask
        while places[place].key != Term(), places[place].key != key { place = (place + 1) & mask }
        return place
    }
}
