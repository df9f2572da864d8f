/// The cells of one type.
///
/// Guarded by the context's lock.
final class TypeNode {
    let type: any Any.Type
    let identity: ObjectIdentifier
    /// The cell of the request that names the type alone.
    @exclusivity(unchecked) private(set) var plain: Cell?
    /// The other cells for a single instance or a factory.
    ///
    /// A qualifier may come from outside of the program, so cells that nothing else retains are dropped, unless a
    /// registration answers them. Everything that depends on a cell retains it: recorded reads, the table of ready
    /// answers, a wrapper's site, a recipe, and a slot with a ready answer.
    @exclusivity(unchecked) private var others = UsedTable<Cell.Query, Cell>()
    /// The payloads of the factories among them.
    @exclusivity(unchecked) private var payloads = IdentitySet()
    /// The cells that depend on more than the registrations of one qualifier.
    ///
    /// Names of modules may come from outside, too.
    @exclusivity(unchecked) private var collections = UsedTable<Cell.Query, Cell>()
    /// The types that have an alias that forwards to this one.
    @exclusivity(unchecked) var aliasedBy = IdentitySet()
    private unowned let owner: ContextCore
    /// The registration for a `ConfigProperty` type that is not registered.
    @exclusivity(unchecked) var configuration: RegistrationRecord?

    init(_ type: any Any.Type, owner: ContextCore) {
        self.owner = owner
        self.type = type
        identity = ObjectIdentifier(type)
    }

    /// The cell of a query, created if there is none.
    func cell(_ query: Cell.Query) -> Cell {
        if let cell = known(query) { return cell }
        let cell = Cell(type: type, query: query, owner: owner)
        if query.isPlain {
            plain = cell
            return cell
        }
        if case .factory(let payload) = query.kind { payloads.insert(payload) }
        let dropped =
            query.isWide
            ? collections.insert(cell, for: query) { _ in false }
            : others.insert(cell, for: query) { if case .slot? = $0.answer { true } else { false } }
        if !dropped.isEmpty { owner.discard(dropped) }
        return cell
    }

    private func known(_ query: Cell.Query) -> Cell? {
        if query.isPlain { return plain }
        return query.isWide ? collections[query] : others[query]
    }

    /// The cells whose answers may change when a module with this entry comes or goes.
    func cells(touchedBy entry: TypeEntry) -> [Cell] {
        let decorated = entry.decorators.map(\.qualifier)
        if decorated.contains(nil) { return all }
        // A module that replaces collections changes only these.
        var cells = Array(collections.values)
        if let plain { cells.append(plain) }
        func add(_ kind: Cell.Query.Kind, _ qualifier: String?) {
            if let cell = others[Cell.Query(kind: kind, qualifier: qualifier)] { cells.append(cell) }
        }
        for candidate in entry.candidates { add(.single, candidate.key.qualifier) }
        for factory in entry.factories {
            guard let payload = factory.record.payload else { continue }
            let kind = Cell.Query.Kind.factory(payload: ObjectIdentifier(payload))
            add(kind, nil)
            add(kind, factory.key.qualifier)
            // This includes requests without a payload, because it is an error if only the factory is registered.
            add(.single, factory.key.qualifier)
        }
        for qualifier in decorated {
            add(.single, qualifier)
            for payload in payloads {
                // A factory with a qualifier may answer a request without one.
                add(.factory(payload: payload), nil)
                add(.factory(payload: payload), qualifier)
            }
        }
        return cells
    }

    /// Every cell of the type.
    var all: [Cell] {
        var cells: [Cell] = []
        forEachCell { cells.append($0) }
        return cells
    }

    func forEachCell(_ body: (Cell) -> Void) {
        if let plain { body(plain) }
        for cell in others.values { body(cell) }
        for cell in collections.values { body(cell) }
    }
}
