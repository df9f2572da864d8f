/// Scopes that must be opened.
extension Validator {
    /// Finds instances that need others which exist only in children of the context that they live in.
    ///
    /// Resolving later does not help, because a `Lazy` or a `Provider` uses the context of the instance that holds it.
    mutating func checkOpening() {
        for depth in Set(homes).sorted() { addNeeds(at: depth, of: scopesClosed(at: depth)) }
    }

    /// The scopes that have to be opened for their instances to exist in the context at a depth.
    func scopesClosed(at depth: Int) -> Set<Scope> {
        scopesToOpen.filter { scope in subject.firstDepths[scope].map { $0 > depth } ?? true }
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

    /// Finds instances that live at a depth and need others of scopes that are closed there.
    private mutating func addNeeds(at depth: Int, of closed: Set<Scope>) {
        if closed.isEmpty { return }
        /// A context has nothing of the modules of its children.
        func isKnown(_ number: Int) -> Bool { subject.depth(of: wiring.nodes[number]) <= depth }
        func isEnd(_ number: Int) -> Bool {
            let node = wiring.nodes[number]
            return !node.slot.isAlias && node.isIn(closed) && isKnown(number)
        }
        func isHeldForLong(_ node: Wiring.Node) -> Bool {
            node.record.lifetime.openableScope.map { subject.depths[$0] == depth } ?? node.record.lifetime.isLasting
        }
        // Ways through other instances that live as long are reported there.
        let ways = Ways(
            in: wiring, along: { _ in true },
            into: { number in
                let node = wiring.nodes[number]
                return isKnown(number) && (!isHolder(node) || !isHeldForLong(node) && !node.isIn(closed))
            }, to: isEnd, atMost: 10)
        let heldWays = Ways(in: wiring, along: \.dependency.isHeld, into: isKnown, to: isEnd, atMost: 10)
        for (number, node) in wiring.nodes.enumerated()
        where node.isReachable && isHolder(node) && homes[number] == depth && !node.isIn(unopened) {
            // A weak instance that takes such an instance itself is made in the child, too.
            if node.record.lifetime == .weak, !heldWays[number].isEmpty { continue }
            let scope = node.record.lifetime.openableScope
            for way in ways[number] {
                guard let last = way.last else { continue }
                let needed = wiring.nodes[last]
                if let scope {
                    let isHeld = heldWays[number].contains { $0.last == last }
                    // A child may open both. The check of lifetimes reports instances that are open and held.
                    if needed.isIn(unopened) ? subject.depths[scope] == nil : isHeld { continue }
                }
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
            // It requires opening if one of the two does, so that no instance outlives its request.
            let requiresOpening = scope.requiresOpening || other.lifetime.openableScope?.requiresOpening ?? false
            add(
                .misspelledScope, at: own.location,
                message: "\(own.key) has scope \(scope), whose name is similar to \(Scope(near))",
                keys: [own.key, other.key],
                notes: [.init(location: other.location, text: "\(other.key) has scope \(Scope(near))")],
                suggestion: "correct the name, and declare each scope once: "
                    + Scope(near, requiresOpening: requiresOpening).declaration)
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
        let relation = scope.name == meant ? ", not the predefined" : " with a name similar to"
        add(
            .misspelledScope, at: record.location,
            message: "\(record.key) has scope \(scope), which is a custom scope\(relation) .\(meant)",
            keys: [record.key],
            suggestion: "write `scope: .\(meant)`, or give the custom scope another name")
    }
}

extension Validator.Subject {
    /// The depth of the innermost context that has loaded or pushed the module of a node.
    func depth(of node: Wiring.Node) -> Int { node.slot.run.flatMap { moduleDepths[$0.module.identity] } ?? 0 }

    /// For each node, the depth of the context in which its instances live.
    ///
    /// They live in the child that has opened their scope, or otherwise in the outermost context. A child makes its own if
    /// it changes or has opened something that they hold. It may also change what they resolve with a ``Resolver``. An
    /// instance of a scope that has to be opened does not count, because to hold it outside of the child is a mistake.
    func homes(in wiring: Wiring, _ scopesToOpen: Set<Scope>) -> [Int] {
        let innermost = moduleDepths.values.max() ?? 0
        let opened = wiring.nodes.map { $0.record.lifetime.openableScope.flatMap { depths[$0] } ?? 0 }
        var homes = zip(wiring.nodes, opened).map { node, opened in
            max(
                node.changedDepth, node.takesResolver ? innermost : depth(of: node),
                node.isIn(scopesToOpen) ? 0 : opened)
        }
        var open = homes.indices.filter { homes[$0] > 0 }
        var holders = [[Int]](repeating: [], count: open.isEmpty ? 0 : homes.count)
        for (number, node) in wiring.nodes.enumerated() where !open.isEmpty {
            for need in node.needs where need.dependency.isHeld {
                for target in need.targets { holders[target].append(number) }
            }
        }
        while let number = open.popLast() {
            for holder in holders[number] where homes[holder] < homes[number] {
                homes[holder] = homes[number]
                open.append(holder)
            }
        }
        return zip(homes, opened).map { max($0, $1) }
    }
}
