internal import LocatorProperties

/// Instances in groups, each of which can be found and changed without going through the others.
///
/// The instances that depend on a cell or a setting are grouped by the answer that they were given. A change of an answer
/// affects only the instances that were given the old answer or the new one. So a push does not check the instances that
/// a thousand other pushes of the type have set aside.
struct InstanceGroups {
    private var groups = IdentityTable<IdentityTable<Instance>>()

    var isEmpty: Bool { groups.isEmpty }

    /// All instances, whatever group they are in.
    var all: [Instance] { groups.values.flatMap(\.values) }

    /// The groups that are not empty.
    var keys: some Sequence<ObjectIdentifier> { groups.keys }

    subscript(group: ObjectIdentifier) -> [Instance] { groups[group].map { Array($0.values) } ?? [] }

    mutating func add(_ instance: Instance, to group: ObjectIdentifier) {
        groups[group, default: [:]][instance.identity] = instance
    }

    mutating func remove(_ instance: Instance, from group: ObjectIdentifier) {
        // This is done in place, because copying the table for each removed instance would have quadratic cost.
        groups[group, default: [:]][instance.identity] = nil
        if groups[group]?.isEmpty == true { groups[group] = nil }
    }

    /// The instances that may have been given one of two answers.
    func given(_ old: AnswerDigest, or new: AnswerDigest) -> [Instance] {
        var found = self[AnswerDigest.unknown.identity]
        if old != .unknown { found += self[old.identity] }
        if new != .unknown, new != old { found += self[new.identity] }
        return found
    }
}

/// A number that is the same for equal answers, and nearly always differs for other answers.
struct AnswerDigest: Equatable {
    private let number: UInt

    /// The digest of answers that may be the same as any other answer.
    static let unknown = AnswerDigest(number: 1)
    static let missing = AnswerDigest(number: 2)

    private init(number: UInt) { self.number = number }

    /// The digest of an answer that consists of these registrations.
    init(_ records: some Sequence<RegistrationRecord>) {
        var number: UInt = 0
        for record in records {
            number = (number ^ UInt(bitPattern: ObjectIdentifier(record))) &* 0x9E37_79B9_7F4A_7C15
        }
        self.number = number | 4
    }

    init(_ value: JSONValue) { number = UInt(bitPattern: value.hashValue) | 4 }

    /// The digest as the key of a table.
    var identity: ObjectIdentifier {
        // Unsafe: an identifier is a word that is never dereferenced, and the number is not zero.
        unsafeBitCast(number, to: ObjectIdentifier.self)
    }
}

extension Answer {
    var digest: AnswerDigest {
        switch self {
        case .missing: .missing
        case .slot(let slot): AnswerDigest(CollectionOfOne(slot.record))
        case .elements(let elements): AnswerDigest(elements.lazy.map(\.slot.record))
        case .undecided, .offers: .unknown
        }
    }
}

extension Reads.CellRead {
    /// The digest of the answer.
    ///
    /// A selection of modules may take the same elements from different answers.
    var digest: AnswerDigest { selected == nil ? answer.digest : .unknown }
}

extension PropertyLookup {
    var digest: AnswerDigest {
        switch result {
        case .success(let value?): AnswerDigest(value)
        case .success(nil): .missing
        case .failure: .unknown
        }
    }
}
