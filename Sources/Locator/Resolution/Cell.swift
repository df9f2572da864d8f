/// What a context answers to one request; one per request that was ever made.
///
/// Guarded by the context's lock.
final class Cell: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the context.

    /// The request, within its type.
    struct Query: Hashable {
        enum Kind: Hashable {
            case single
            case collection
            case firstCollection
            case namedCollection(Set<String>)
            case map
            case factory(payload: ObjectIdentifier)
        }

        var kind: Kind
        var qualifier: String?
    }

    let type: any Any.Type
    let query: Query

    /// The answer of the current state, once it was asked for.
    var answer: Answer?

    /// The shared instances whose making read this cell.
    var dependents: [ObjectIdentifier: Instance] = [:]

    init(type: any Any.Type, query: Query) {
        self.type = type
        self.query = query
    }

    var key: Key { Key(type, qualifier: query.qualifier) }
}

/// The cells of one type.
///
/// Guarded by the context's lock.
final class TypeNode {
    let type: any Any.Type
    let identity: ObjectIdentifier
    /// The cell of the request that names the type alone.
    private(set) var plain: Cell?
    private var others: [Cell.Query: Cell] = [:]
    /// The cells that depend on more than the registrations of one qualifier.
    private var collections: [Cell] = []
    /// The types for which an alias forwards to this one.
    var aliasedBy: Set<ObjectIdentifier> = []
    /// What answers for a `ConfigProperty` type that nothing registers.
    var configuration: RegistrationRecord?

    init(_ type: any Any.Type) {
        self.type = type
        identity = ObjectIdentifier(type)
    }

    /// The cell of a query, made where there was none.
    func cell(_ query: Cell.Query) -> Cell {
        if query.kind == .single, query.qualifier == nil {
            if let plain { return plain }
            let cell = Cell(type: type, query: query)
            plain = cell
            return cell
        }
        if let cell = others[query] { return cell }
        let cell = Cell(type: type, query: query)
        others[query] = cell
        switch query.kind {
        case .single, .factory: break
        case .collection, .firstCollection, .namedCollection, .map: collections.append(cell)
        }
        return cell
    }

    /// The cells whose answer may differ once a module with this entry comes or goes.
    func cells(touchedBy entry: TypeEntry) -> [Cell] {
        if entry.replacesCollections || !entry.decorators.isEmpty { return all }
        var cells = collections
        if let plain { cells.append(plain) }
        for candidate in entry.candidates {
            guard let qualifier = candidate.key.qualifier else { continue }
            if let cell = others[Cell.Query(kind: .single, qualifier: qualifier)] { cells.append(cell) }
        }
        for factory in entry.factories {
            guard let payload = factory.payload else { continue }
            let kind = Cell.Query.Kind.factory(payload: ObjectIdentifier(payload))
            if let cell = others[Cell.Query(kind: kind, qualifier: factory.key.qualifier)] { cells.append(cell) }
            if let cell = others[Cell.Query(kind: kind, qualifier: nil)] { cells.append(cell) }
        }
        return cells
    }

    /// Every cell of the type.
    var all: [Cell] { (plain.map { [$0] } ?? []) + others.values }
}

/// The answer to a request: what would be made or given, not yet the instance.
enum Answer {
    case missing
    case slot(Slot)
    case ambiguous([Candidate])
    case elements([Element])

    /// One element of a collection.
    struct Element {
        let slot: Slot
        let qualifier: String?
        let module: ContextState.Entry
    }

    /// Whether two answers give the same: the same registrations, wrapped by the same decorators.
    func isSame(as other: Answer) -> Bool {
        switch (self, other) {
        case (.missing, .missing): true
        case (.slot(let left), .slot(let right)): left.isSame(as: right)
        case (.ambiguous(let left), .ambiguous(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.record === $1.record }
        case (.elements(let left), .elements(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { $0.slot.isSame(as: $1.slot) && $0.qualifier == $1.qualifier }
        case (.missing, _), (.slot, _), (.ambiguous, _), (.elements, _): false
        }
    }
}
