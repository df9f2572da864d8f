/// Registrations that depend on each other.
extension Validator {
    mutating func checkCycles() {
        let hard = wiring.nodes.map { $0.needs.filter(\.dependency.isNeededWhileMaking).flatMap(\.targets) }
        var known: [Set<Int>] = []
        let cycles = Cycles(hard)
        for members in cycles.components() {
            known.append(Set(members))
            addCycle(cycles.shortest(within: members), of: members, in: cycles)
        }
        // Injections break a cycle, unless each of its instances is made for one dependent instance.
        let unshared = wiring.nodes.map { node in
            node.isUnshared
                ? node.needs.filter(\.dependency.isHeld).flatMap(\.targets)
                    .filter { wiring.nodes[$0].isUnshared } : []
        }
        let endless = Cycles(unshared)
        for members in endless.components() where !known.contains(where: { $0.isSuperset(of: members) }) {
            addCycle(endless.shortest(within: members), of: members, in: endless, isEndless: true)
        }
        // Injections do not break a cycle of asynchronous registrations: `start()` gives an instance to others only after
        // its injections.
        let held = Cycles(wiring.nodes.map { $0.needs.filter(\.dependency.isHeld).flatMap(\.targets) })
        for members in held.components() where !known.contains(where: { !$0.isDisjoint(with: members) }) {
            let asynchronous = members.filter { isMadeByStart(wiring.nodes[$0]) }
            let needsItself = asynchronous.contains { !Set(hard[$0]).isDisjoint(with: members) }
            guard asynchronous.count > 1 || needsItself else { continue }
            addCycle(held.shortest(within: members, through: asynchronous), of: members, in: held)
        }
    }

    func isMadeByStart(_ node: Wiring.Node) -> Bool {
        node.record.isAsynchronous && !node.isFactory && !node.slot.isLayer
    }

    private mutating func addCycle(_ cycle: [Int], of members: [Int], in cycles: Cycles, isEndless: Bool = false) {
        guard let first = cycle.first else { return }
        let closed = cycle + [first]
        let path = closed.map { wiring.nodes[$0].name }.joined(separator: " → ")
        let headline =
            isEndless
            ? "making \(wiring.nodes[first].name) never ends, because each of these is made anew"
            : "\(wiring.nodes[first].name) depends on itself"
        let message = cycle.count == 1 && !isEndless ? headline : "\(headline): \(path)"
        var finding = Finding(
            kind: .circularDependency, location: wiring.nodes[first].location, message: message,
            keys: cycle.map { wiring.nodes[$0].key }, notes: cycle.count > 1 ? notes(along: closed) : [],
            suggestion: isEndless ? Fix.sharingInCycle : fix(closing: cycle))
        let entangled = Set(members.map { ObjectIdentifier(wiring.nodes[$0].record) }).count
        let inCycle = Set(cycle.map { ObjectIdentifier(wiring.nodes[$0].record) }).count
        if entangled > inCycle {
            finding.notes.append(
                .init(text: "\(entangled) registrations depend on each other; this is their shortest cycle"))
            finding.notes += notesOnCuts(closed, members, cycles)
        }
        if !members.contains(where: { wiring.nodes[$0].isReachable }) { finding.severity = .warning }
        add(finding)
    }

    /// Returns the fix for a cycle.
    ///
    /// A registration that needs itself cannot resolve itself lazily: its `Lazy` would be the same instance.
    private func fix(closing cycle: [Int]) -> String {
        let nodes = cycle.map { wiring.nodes[$0] }.filter { !$0.slot.isAlias }
        if let own = nodes.first, nodes.allSatisfy({ $0.slot.isDecorator && $0.key == own.key }) {
            return Fix.usingWrapped(own.key)
        }
        guard nodes.count == 1, let own = nodes.first, !own.slot.isLayer else {
            if nodes.contains(where: isMadeByStart) { return Fix.closingCycleOfStart }
            return nodes.allSatisfy(\.isUnshared) ? Fix.resolvingLazily : Fix.closingCycle
        }
        let needs = own.needs.filter { need in
            need.dependency.isNeededWhileMaking && need.targets.contains(where: cycle.contains)
        }
        let takesParts = !needs.isEmpty && needs.allSatisfy(\.dependency.isCollection)
        return takesParts ? Fix.takingParts(of: own.key) : Fix.wrapping(own.key)
    }

    /// Finds shared instances, and their decorators, that take themselves as a `Lazy` or a `Provider`.
    ///
    /// A class may do so and use it later, so this is only a warning. Usually it is a wrapper that has been registered
    /// with the key of the instance that it wraps, and that calls itself endlessly. An array is not reported, because a
    /// service that lists all others often lists itself.
    mutating func checkOwnInstances() {
        for (number, node) in wiring.nodes.enumerated()
        where node.record.lifetime.isShared && !node.slot.isAlias && !node.isFactory {
            for need in node.needs where need.dependency.phase == .making && !need.dependency.isCollection {
                guard need.dependency.kind == .lazy || need.dependency.kind == .provider,
                    need.targets.contains(where: { isOwn($0, of: number) })
                else { continue }
                let fix =
                    node.slot.isDecorator ? Fix.usingWrapped(node.key) : Fix.wrapping(node.key, otherwise: "use self")
                add(
                    .circularDependency, .warning, at: node.location,
                    message: "\(node.name) takes a \(typeName(need.dependency.parameter)) that resolves to itself",
                    keys: [node.key], suggestion: fix)
            }
        }
    }

    /// Whether a request that leads to a node gets the instance of another node, or this instance with more decorators
    /// around it.
    private func isOwn(_ target: Int, of number: Int) -> Bool {
        let own = wiring.nodes[number].slot
        guard let found = registration(behind: target) else { return false }
        return found == number
            || own.isDecorator && sequence(first: wiring.nodes[found].slot, next: \.inner).contains { $0 === own }
    }

    /// The node that a chain of aliases leads to.
    private func registration(behind number: Int) -> Int? {
        var number = number
        var seen: Set<Int> = []
        while wiring.nodes[number].slot.isAlias {
            guard seen.insert(number).inserted, let next = wiring.nodes[number].needs.first?.targets.first else {
                return nil
            }
            number = next
        }
        return number
    }

    /// Notes about the steps of a cycle that are part of all cycles of its set, if the set is small enough to search.
    private func notesOnCuts(_ closed: [Int], _ members: [Int], _ cycles: Cycles) -> [Finding.Note] {
        guard members.count <= 1000 else { return [] }
        let cuts = zip(closed, closed.dropFirst()).filter { cycles.isCut($0, $1, within: members) }
        if cuts.isEmpty { return [.init(text: "no single lazy dependency breaks all of their cycles")] }
        return cuts.map { from, to in
            Finding.Note(
                location: wiring.nodes[from].location,
                text: "all of their cycles break if \(wiring.nodes[from].name) "
                    + "resolves \(wiring.nodes[to].name) lazily")
        }
    }
}
