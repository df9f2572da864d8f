/// Finds the candidates of a type, or of a type and a name, in a module: their numbers, in order.
///
/// One table and one list serve all types. A module with ten thousand registrations needs two blocks of memory and one
/// multiplication per registration, and one or two reads show that a module lacks a type.
struct TypeIndex {
    /// The search term for candidates.
    struct Term: Equatable {
        /// Zero for none.
        fileprivate var bits: UInt = 0

        fileprivate init() {}

        init(_ type: ObjectIdentifier) { bits = UInt(bitPattern: type) }

        /// A type and a name.
        ///
        /// Another pair can have the same key.
        init(_ type: ObjectIdentifier, named name: String) { bits = Key.hash(type, name) | 1 }
    }

    /// A slot of the table, with the first and the last candidate of its key.
    private struct Place {
        var key = Term()
        var first: UInt32 = 0
        var last: UInt32 = 0
    }

    /// Represents no number.
    ///
    /// There are always fewer candidates.
    private static let none = UInt32.max

    /// At most two thirds are used, so a search always reaches a free place.
    ///
    /// Empty if there are no keys.
    private var places: [Place] = []
    /// The next candidate of the same key, for each candidate.
    ///
    /// Empty if no key has two.
    private var following: [UInt32] = []
    private let candidateCount: Int

    /// Creates an index for at most this many keys, with candidates numbered below `candidateCount`.
    init(keyCount: Int, candidateCount: Int) {
        self.candidateCount = candidateCount
        if keyCount == 0 { return }
        var capacity = 2
        while capacity * 2 < keyCount * 3 { capacity *= 2 }
        places = Array(repeating: Place(), count: capacity)
    }

    /// Adds a candidate after those of the same key.
    mutating func add(_ number: Int, of key: Term) {
        let place = place(of: key)
        let number = UInt32(number)
        if places[place].key == Term() {
            places[place] = Place(key: key, first: number, last: number)
        } else {
            if following.isEmpty { following = Array(repeating: Self.none, count: candidateCount) }
            following[Int(places[place].last)] = number
            places[place].last = number
        }
    }

    func has(_ key: Term) -> Bool { !places.isEmpty && places[place(of: key)].key != Term() }

    /// The candidates of a key, in the order they were added; nil if it has none.
    func candidates(of key: Term) -> Numbers? {
        if places.isEmpty { return nil }
        let place = places[place(of: key)]
        return place.key == Term() ? nil : Numbers(following: following, number: place.first)
    }

    /// The first candidate of each key.
    var firsts: some Sequence<Int> { places.lazy.filter { $0.key != Term() }.map { Int($0.first) } }

    /// The place of a key, or the free place where it would be.
    private func place(of key: Term) -> Int {
        // The upper half of the product depends on every bit of the address.
        let product = key.bits &* 0x9E37_79B9_7F4A_7C15
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: product >> 32) & mask
        while places[place].key != Term(), places[place].key != key { place = (place + 1) & mask }
        return place
    }

    /// The numbers of the candidates of one key.
    struct Numbers: Sequence, IteratorProtocol {
        fileprivate let following: [UInt32]
        fileprivate var number: UInt32

        mutating func next() -> Int? {
            guard number != TypeIndex.none else { return nil }
            defer { number = following.isEmpty ? TypeIndex.none : following[Int(number)] }
            return Int(number)
        }
    }
}
