/// Finds what a module has for a type, or for a type and a name: the numbers of its candidates, in order.
///
/// One table and one list for all types, so that a module of ten thousand registrations costs two blocks of memory and
/// one multiplication a registration, and a module that lacks a type is told by one or two reads.
struct TypeIndex {
    /// What candidates are found by.
    struct Term: Equatable {
        /// Zero for none.
        fileprivate var bits: UInt = 0

        fileprivate init() {}

        init(_ type: ObjectIdentifier) { bits = UInt(bitPattern: type) }

        /// A type and a name; another pair may have the same key.
        init(_ type: ObjectIdentifier, named name: String) { bits = Key.hash(type, name) | 1 }
    }

    /// A place of the table, and the first and the last candidate of its key.
    private struct Place {
        var key = Term()
        var first: UInt32 = 0
        var last: UInt32 = 0
    }

    /// Stands for no number: there are fewer candidates than this.
    private static let none = UInt32.max

    /// At most two thirds are taken, so that a search always comes to a free one; empty where there is no key.
    private var places: [Place] = []
    /// For each candidate, the next one of the same key; empty where no key has two.
    private var following: [UInt32] = []
    private let candidateCount: Int

    /// An index of so many keys at most, for candidates with numbers below `candidateCount`.
    init(keyCount: Int, candidateCount: Int) {
        self.candidateCount = candidateCount
        if keyCount == 0 { return }
        var capacity = 2
        while capacity * 2 < keyCount * 3 { capacity *= 2 }
        places = Array(repeating: Place(), count: capacity)
    }

    /// Adds a candidate behind those of its key.
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

    /// Whether no key has two candidates.
    var isUnique: Bool { following.isEmpty }

    func has(_ key: Term) -> Bool { !places.isEmpty && places[place(of: key)].key != Term() }

    /// The candidates of a key, in the order in which they were added; nil where it has none.
    func candidates(of key: Term) -> Numbers? {
        if places.isEmpty { return nil }
        let place = places[place(of: key)]
        return place.key == Term() ? nil : Numbers(following: following, number: place.first)
    }

    /// The first candidate of each key.
    var firsts: some Sequence<Int> { places.lazy.filter { $0.key != Term() }.map { Int($0.first) } }

    /// The place of a key, or the free one where it would be.
    private func place(of key: Term) -> Int {
        // The upper half of the product, in which every bit of the address has a part.
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
