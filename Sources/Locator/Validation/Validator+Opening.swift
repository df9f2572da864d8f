/// Scopes that must be opened.
extension Validator {
    /// Finds instances that need others which exist only in children of the context that they live in.
    ///
    /// Resolving later does not help, because a `Lazy` or a `Provider` uses the context of the instance that holds it.
    mutating func checkOpening() {
        addNeeds(of: closedOutside) { $0.record.lifetime.isLasting || $0.record.lifetime == .weak }
        for depth in Set(subject.depths.values).sorted() {
            let open = Set(subject.depths.keys.filter { subject.depths[$0] == depth })
            // These are open only in children of the context in which the instances live.
            let inner = scopesToOpen.filter { scope in subject.depths[scope].map { $0 > depth } ?? false }
            addNeeds(of: unopened.union(inner), toldIfHeld: inner) { $0.isIn(open) }
        }
    }

    /// Finds inputs that were not passed when their scope was opened.
    mutating func checkInputs() {
        for (number, node) in wiring.nodes.enumerated() where node.record.isInput && !node.isHidden {
            guard let scope = node.record.lifetime.openableScope, let inputs = subject.inputs[scope],
                !node.slot.isLayer, !inputs.contains(where: { $0.answers(node.record.key) })
            else { continue }
            add(
                .missing, at: node.location,
                message: "\(node.name) is an input that was not passed when scope \(scope) was opened",
                keys: [node.key], notes: notesOnAskers(of: number), suggestion: Fix.passingInput)
        }
    }

    /// Finds instances that need others of scopes that are not open where they live.
    ///
    /// Instances that hold others of the scopes in `told` are left out: the check of lifetimes reports them.
    private mutating func addNeeds(
        of scopes: Set<Scope>, toldIfHeld told: Set<Scope> = [], by isMeant: (Wiring.Node) -> Bool
    ) {
        if scopes.isEmpty { return }
        func isEnd(_ number: Int) -> Bool {
            !wiring.nodes[number].slot.isAlias && wiring.nodes[number].isIn(scopes)
        }
        func isHeldForLong(_ node: Wiring.Node) -> Bool {
            node.record.lifetime != .weak && (node.record.lifetime.isLasting || isMeant(node))
        }
        // Ways through other instances that live as long are reported there.
        let ways = Ways(
            in: wiring, along: { _ in true },
            into: { number in
                let node = wiring.nodes[number]
                return !isHolder(node) || !isHeldForLong(node) && !node.isIn(scopes)
            }, to: isEnd, atMost: 10)
        let heldWays = Ways(in: wiring, along: \.dependency.isHeld, into: { _ in true }, to: isEnd, atMost: 10)
        for (number, node) in wiring.nodes.enumerated() where node.isReachable && isHolder(node) && isMeant(node) {
            // A weak instance that takes such an instance itself is made in the child, too.
            if node.record.lifetime == .weak, !heldWays[number].isEmpty { continue }
            for way in ways[number] {
                guard let needed = way.last.map({ wiring.nodes[$0] }) else { continue }
                if needed.isIn(told), heldWays[number].contains(where: { $0.last == way.last }) { continue }
                addUnopened(way, holder: node, needed)
            }
        }
    }

    private mutating func addUnopened(_ way: [Int], holder: Wiring.Node, _ needed: Wiring.Node) {
        let scope = needed.record.lifetime
        add(
            .unopened, at: holder.location,
            message: "\(holder.name) (\(holder.record.lifetime)) needs \(needed.name), "
                + "\(needed.record.isInput ? "an input" : "an instance") of scope \(scope), "
                + "which exists only in a child that opens the scope",
            keys: [holder.key, needed.key], notes: notes(leadingTo: needed, by: way),
            suggestion: Fix.openingWithHolder(holder.record.key, "\(scope)"))
    }

    /// The registrations whose scopes can be opened, with these scopes.
    private var openableRegistrations: [(RegistrationRecord, Scope)] {
        wiring.modules.filter { !$0.loaded.scopes.isEmpty }.flatMap(\.loaded.registrations).compactMap { record in
            record.lifetime.openableScope.map { (record, $0) }
        }
    }

    /// Finds scopes that must be opened according to some registrations, but not according to others.
    mutating func checkScopes() {
        var first: [Scope: RegistrationRecord] = [:]
        var told: Set<Scope> = []
        for (record, scope) in openableRegistrations {
            guard let other = first[scope] else {
                first[scope] = record
                continue
            }
            guard scope.requiresOpening != other.lifetime.openableScope?.requiresOpening, told.insert(scope).inserted
            else { continue }
            let (open, opened) = scope.requiresOpening ? (other, record) : (record, other)
            add(
                .scopeConflict, at: open.location,
                message: "\(open.key) has scope \(scope) without `requiresOpening`, "
                    + "but another registration has it with `requiresOpening`",
                keys: [open.key, opened.key],
                notes: [.init(location: opened.location, text: "\(opened.key) is registered here")],
                suggestion: "declare the scope once: " + Scope(scope.name, requiresOpening: true).declaration)
        }
    }

    /// Finds scopes whose name is similar to that of another one.
    ///
    /// Opening or resetting the other scope does not affect their instances. The scope with fewer registrations counts
    /// as the misspelled one. If both have the same number, the later one does.
    mutating func checkScopeNames() {
        var records: [Scope: [RegistrationRecord]] = [:]
        var scopes: [Scope] = []
        for (record, scope) in openableRegistrations {
            if records[scope] == nil { scopes.append(scope) }
            records[scope, default: []].append(record)
        }
        // The index makes the order stable, because the sort is not.
        let byUse = scopes.enumerated().sorted {
            let uses = (records[$0.element, default: []].count, records[$1.element, default: []].count)
            if uses.0 != uses.1 { return uses.0 > uses.1 }
            // The misspelling is probably the one that was declared with less care.
            if $0.element.requiresOpening != $1.element.requiresOpening { return $0.element.requiresOpening }
            return $0.offset < $1.offset
        }.map(\.element)
        var names = NearNames([])
        for scope in byUse {
            defer { names.append(scope.name) }
            guard subject.depths[scope] == nil, let own = records[scope]?.first else { continue }
            if let meant = Self.libraryScope(near: scope.name) {
                addLibraryScope(meant, insteadOf: scope, of: own)
                continue
            }
            guard let near = names.nearest(to: scope.name).first, let other = records[Scope(near)]?.first
            else { continue }
            add(
                .misspelledScope, at: own.location,
                message: "\(own.key) has scope \(scope), whose name is similar to \(Scope(near))",
                keys: [own.key, other.key],
                notes: [.init(location: other.location, text: "\(other.key) has scope \(Scope(near))")],
                suggestion: "correct the name, and declare each scope once: "
                    + Self.declaration(of: other.lifetime.openableScope ?? scope, or: scope))
        }
    }

    /// The predefined scope that a name probably refers to; nil if there is none.
    private static func libraryScope(near name: String) -> String? {
        let lowercased = name.lowercased()
        if let same = ["singleton", "always", "weak", "graph", "prototype"].first(where: { $0 == lowercased }) {
            return same
        }
        // The other names are so short that many words are similar to them.
        return NearNames.nearest(to: name, among: ["singleton", "always", "prototype"]).first
    }

    private mutating func addLibraryScope(_ meant: String, insteadOf scope: Scope, of record: RegistrationRecord) {
        let difference =
            scope.name == meant
            ? "a custom scope, not the predefined .\(meant)"
            : "a custom scope with a name similar to .\(meant)"
        add(
            .misspelledScope, at: record.location,
            message: "\(record.key) has scope \(scope), which is \(difference)", keys: [record.key],
            suggestion: "write `scope: .\(meant)`, or give the custom scope another name")
    }

    /// The declaration of a scope.
    ///
    /// It requires opening if the other scope does, so that no instance outlives its request.
    private static func declaration(of scope: Scope, or other: Scope) -> String {
        Scope(scope.name, requiresOpening: scope.requiresOpening || other.requiresOpening).declaration
    }
}
