extension Lineup {
    /// The modules in force, in lookup order.
    var entries: [Entry] { table.standings.values.compactMap(\.entry).inOrder }

    /// The modules in force that have asynchronous factory closures, in lookup order.
    var asynchronousInForce: [Entry] { table.standings.modules(with: .asynchronous).compactMap(entry).inOrder }

    /// The custom scopes that modules name, in force or not.
    var scopes: Set<Scope> { Set(table.standings.values.lazy.flatMap(\.loaded.scopes)) }

    /// A custom scope as a module names it, in force or not; nil if no module names it.
    func known(_ scope: Scope) -> Scope? {
        let module = table.standings.latestModule(with: .init(naming: scope)) { $0.scopes.contains(scope) }
        return module?.scopes.first { $0 == scope }
    }

    /// The declarations of the inputs of a scope by modules in force, in lookup order.
    func inputs(of scope: Scope) -> [InputDeclaration] {
        table.standings.modules(with: .init(inputsOf: scope)).compactMap(entry).inOrder.flatMap(\.inputs)
            .filter { $0.scope == scope }
    }

    /// The declarations of all inputs by modules in force, in lookup order.
    var inputs: [InputDeclaration] { entries.flatMap(\.inputs) }

    /// The types whose collections the modules in force take.
    var takenCollections: IdentitySet {
        lazyTakenCollections.value {
            IdentitySet(table.standings.values.lazy.filter { $0.first != nil }.flatMap(\.loaded.takenCollections))
        }
    }

    /// A module in force, at its place.
    func entry(of loaded: LoadedModule) -> Entry? {
        table.standings[loaded.identity].flatMap { $0.loaded === loaded ? $0.entry : nil }
    }

    /// The module of a run in force, at its place.
    func entry(of run: Registry) -> Entry? {
        table.standings[run.module.identity].flatMap { $0.loaded.run === run ? $0.entry : nil }
    }

    /// The modules in force that register or change a type, in lookup order.
    func holders(of type: ObjectIdentifier) -> [Holder] { findHolders(of: type).all }

    private func sortHolders(of type: ObjectIdentifier) -> TypeHolders {
        var holders: [Holder] = []
        table.standings.forEachModule(with: .init(group: TypeGroups.group(of: type))) { loaded in
            if let holder = entry(of: loaded)?.holder(of: type) { holders.append(holder) }
        }
        holders.sort { $0.module.position < $1.module.position }
        return TypeHolders(holders)
    }

    /// The modules in force that register or change a type.
    ///
    /// If many modules may have the type, they are sorted only once for this lineup, its forks, and a few pushes after it.
    func findHolders(of type: ObjectIdentifier) -> TypeHolders {
        guard table.standings.hasMany(with: .init(group: TypeGroups.group(of: type))) else {
            return sortHolders(of: type)
        }
        // Unmanaged: each lineup retains the one from before a push.
        var earlier = Unmanaged.passUnretained(self)
        for _ in 0..<TypeHolders.moveCount {
            guard !earlier._withUnsafeGuaranteedRef({ $0.knownHolders.has(type) }),
                let (_, before) = earlier._withUnsafeGuaranteedRef({ $0.latestPush })
            else { break }
            earlier = before
        }
        let lineup = earlier.takeUnretainedValue()
        var found = lineup.knownHolders.find(type) { lineup.sortHolders(of: type) }
        if lineup !== self { found.move(differences(from: lineup), of: type) }
        return found
    }

    /// The modules of the types for which many were sorted.
    var knownHolders: TypeHolders.Table { sortedHolders.load() ?? sortedHolders.storeIfNil(.init()) }

    /// The modules that have come, gone, or moved since an earlier lineup.
    func differences(from earlier: Lineup) -> [(old: Entry?, new: Entry?)] {
        var moves: [(old: Entry?, new: Entry?)] = []
        forEachDifference(from: earlier) { moves.append(($0?.entry, $1?.entry)) }
        return moves
    }

    /// The modules that register or change a type, in force or not.
    func modules(with type: ObjectIdentifier) -> [LoadedModule] {
        table.standings.modules(with: .init(group: TypeGroups.group(of: type))).filter { $0.has(type) }
    }

    /// A module that a root names or includes, in force or not.
    func known(_ identity: ObjectIdentifier) -> LoadedModule? { table.standings[identity]?.loaded }

    /// A module that a root names or includes, and whether a root that is not a push names it.
    func find(_ identity: ObjectIdentifier) -> (loaded: LoadedModule, isLoaded: Bool)? {
        table.standings[identity].map { ($0.loaded, $0.isLoaded || $0.firstPush <= takenOver) }
    }

    /// The roots that name a module, in lookup order.
    func roots(naming identity: ObjectIdentifier) -> [Root] {
        (table.standings[identity]?.roots ?? []).filter { $0.loaded.identity == identity }.inOrder
    }

    /// Whether the registrations of this run of a module's closure are in force.
    func has(_ run: Registry) -> Bool { entry(of: run) != nil }

    /// Whether the lineup has the registrations of this run of a module's closure, in force or not.
    func knows(_ run: Registry) -> Bool { table.standings[run.module.identity]?.loaded.run === run }

    /// Whether a module is in force regardless of conditions, so that conditions read its settings.
    func isUnconditional(_ loaded: LoadedModule) -> Bool { table.unconditionalPosition(of: loaded) != nil }

    /// The modules that are loaded but not in force, because their condition does not hold.
    var inactive: [LoadedModule] {
        var found: [LoadedModule] = []
        var seen: IdentitySet = []
        for root in roots.inOrder {
            var open = [root.loaded.identity]
            while let identity = open.popLast() {
                guard seen.insert(identity).inserted, let standing = table.standings[identity] else { continue }
                if standing.first == nil {
                    found.append(standing.loaded)
                } else {
                    open += standing.loaded.included.reversed().map(\.identity)
                }
            }
        }
        return found
    }

    /// Runs `body` for each module whose place differs from that in an earlier lineup, or that only one of the two has.
    ///
    /// The cost is proportional to what was changed from one to the other.
    func forEachDifference(from old: Lineup, _ body: (_ old: Standing?, _ new: Standing?) -> Void) {
        Standings.forEachDifference(old.table.standings, table.standings) { left, right in
            if let left, let right, left.loaded === right.loaded, left.first == right.first { return }
            body(left, right)
        }
    }

    /// The modules that are in force here and not in another lineup, in lookup order.
    func modulesInForce(butNotIn other: Lineup) -> [LoadedModule] {
        var found: [Entry] = []
        forEachDifference(from: other) { old, new in
            guard let entry = new?.entry else { return }
            if old?.loaded !== entry.loaded || old?.first == nil { found.append(entry) }
        }
        return found.inOrder.map(\.loaded)
    }
}

extension Lineup {
    /// The declaration of an input, by a module in force.
    struct InputDeclaration {
        let module: Entry
        let record: RegistrationRecord
        let scope: Scope

        var registered: Registered { Registered(key: record.key, location: record.location) }
    }
}

extension Lineup.Entry {
    fileprivate var inputs: [Lineup.InputDeclaration] {
        loaded.inputs.compactMap { record in
            record.lifetime.openableScope.map { .init(module: self, record: record, scope: $0) }
        }
    }

    /// The module with what it registers or changes for a type; nil if that is nothing.
    func holder(of type: ObjectIdentifier) -> Lineup.Holder? {
        loaded.entry(for: type).map { Lineup.Holder(module: self, entry: $0) }
    }
}

extension [Lineup.Entry] {
    var inOrder: [Lineup.Entry] { sorted { $0.position < $1.position } }
}

extension [Lineup.Root] {
    var inOrder: [Lineup.Root] { sorted { $0.position < $1.position } }
}
