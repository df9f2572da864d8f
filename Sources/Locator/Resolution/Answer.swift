/// The answer to a request: the slots or elements to make or give, but not the instances themselves.
enum Answer {
    case missing
    case slot(Slot)
    /// There are candidates, but none of them answers the request.
    case undecided([Candidate], Reason)
    case elements([Element])
    case offers([Offer])

    /// Why no candidate answers the request.
    ///
    /// It also prevents the other payloads from using bits of their pointers for the case, which leak checkers would
    /// not follow.
    enum Reason {
        /// There are several.
        case ambiguous
        /// They are factories, which need a payload.
        case payloadNeeded
    }

    /// One element of a collection.
    struct Element {
        let slot: Slot
        let qualifier: String?
    }

    /// The element that a registration or an alias adds to a collection that includes its module.
    struct Offer {
        let answer: Answer
        let qualifier: String?
        let module: Lineup.Entry
    }

    /// Runs `body` for the types that decide the answer, apart from the type of the request: an alias resolves to the
    /// answer for its target.
    ///
    /// Returns false if they are not known.
    func forEachType(_ body: (ObjectIdentifier) -> Void) -> Bool {
        switch self {
        case .missing: break
        case .slot(let slot): slot.forEachType(body)
        case .elements(let elements): for element in elements { element.slot.forEachType(body) }
        case .offers(let offers):
            for offer in offers where !offer.answer.forEachType(body) { return false }
        case .undecided: return false
        }
        return true
    }

    /// Whether two answers are the same: the same registrations, wrapped by the same decorators.
    func isSame(as other: Answer) -> Bool {
        switch (self, other) {
        case (.missing, .missing): true
        case (.slot(let left), .slot(let right)): left.isSame(as: right)
        case (.undecided(let left, let reason), .undecided(let right, let otherReason)):
            // The module of a recorded candidate may be gone.
            reason == otherReason && left.map(\.identity) == right.map(\.identity)
        case (.elements(let left), .elements(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { $0.slot.isSame(as: $1.slot) && $0.qualifier == $1.qualifier }
        case (.offers(let left), .offers(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { $0.answer.isSame(as: $1.answer) && $0.qualifier == $1.qualifier }
        case (.missing, _), (.slot, _), (.undecided, _), (.elements, _), (.offers, _): false
        }
    }
}
