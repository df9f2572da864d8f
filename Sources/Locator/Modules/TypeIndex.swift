/// Finds what a module has for a type: the numbers of its candidates, in order.
///
/// One table and one list for all types, so that a module of ten thousand registrations costs two blocks of memory and
/// one multiplication a registration, and a module that lacks a type is told by one or two reads.
struct TypeIndex {
    /// A place of the table, and the first and the last candidate of its type.
    private struct Place {
        var type: ObjectIdentifier?
        var first: UInt32 = 0
        var last: UInt32 = 0
    }

    /// Stands for no number: there are fewer candidates than this.
    private static let none = UInt32.max

    /// At most two thirds are taken, so that a search always comes to a free one.
    private var places: [Place]
    /// For each candidate, the next one of the same type.
    private var following: [UInt32]
    private let mask: Int

    init(candidateCount: Int) {
        var capacity = 4
        while capacity * 2 < candidateCount * 3 { capacity *= 2 }
        mask = capacity - 1
        places = Array(repeating: Place(), count: capacity)
        following = Array(repeating: Self.none, count: candidateCount)
    }

    /// Adds a candidate behind those of its type.
    mutating func add(_ number: Int, of type: ObjectIdentifier) {
        let place = place(of: type)
        let number = UInt32(number)
        if places[place].type == nil {
            places[place] = Place(type: type, first: number, last: number)
        } else {
            following[Int(places[place].last)] = number
            places[place].last = number
        }
    }

    /// The candidates of a type, in the order in which they were added; nil where it has none.
    func candidates(of type: ObjectIdentifier) -> Numbers? {
        let place = places[place(of: type)]
        return place.type == nil ? nil : Numbers(following: following, number: place.first)
    }

    /// The types that have candidates.
    var types: some Sequence<ObjectIdentifier> { places.lazy.compactMap(\.type) }

    /// The place of a type, or the free one where it would be.
    private func place(of type: ObjectIdentifier) -> Int {
        // The upper half of the product, in which every bit of the address has a part.
        let product = UInt(bitPattern: type) &* 0x9E37_79B9_7F4A_7C15
        var place = Int(truncatingIfNeeded: product >> 32) & mask
        while let found = places[place].type, found != type { place = (place + 1) & mask }
        return place
    }

    /// The numbers of the candidates of one type.
    struct Numbers: Sequence, IteratorProtocol {
        fileprivate let following: [UInt32]
        fileprivate var number: UInt32

        mutating func next() -> Int? {
            guard number != TypeIndex.none else { return nil }
            defer { number = following[Int(number)] }
            return Int(number)
        }
    }
}
