internal import LocatorProperties

/// Resolves the parameters of all registrations without making an instance.
///
/// It works on a private fork, so that it does not change the context.
struct WiringBuilder {
    private let core: ContextCore
    private let subject: Validator.Subject
    private let state: ContextState
    /// The states of the contexts above and of the context itself, the outermost first.
    private let states: [ContextState]
    private var wiring: Wiring
    /// The number of the node of each slot.
    private var numbers: IdentityTable<Int> = [:]
    /// The first module that has each key.
    private var firstModules: [Candidate.FullKey: Int] = [:]
    /// The nodes that requests, or instances that are made at load, lead to directly.
    private var roots: [Int] = []
    /// The nodes whose needs are not yet known.
    private var open: [Int] = []
    /// The number of nodes whose later needs are known.
    private var finished = 0

    /// Builds the wiring of a private fork of a context in its current state.
    static func wiring(of core: ContextCore, _ subject: Validator.Subject) -> Wiring {
        core.locked {
            var builder = WiringBuilder(core, subject)
            builder.build()
            return builder.wiring
        }
    }

    private init(_ core: ContextCore, _ subject: Validator.Subject) {
        self.core = core
        self.subject = subject
        let state = core.state
        self.state = state
        states = (0...subject.depth).map { depth in
            let below = state.lineup.roots.filter { $0.level - core.level + subject.depth > depth }
            return below.isEmpty ? state : ContextState(revision: 0, state.lineup.removing(below))
        }
        wiring = Wiring(
            state: state, properties: state.properties.sharingNearSearch, modules: state.lineup.entries, nodes: [],
            unclearAliases: [])
    }

    private mutating func build() {
        for (index, module) in wiring.modules.enumerated() {
            for record in module.loaded.registrations {
                for candidate in record.candidates { add(candidate, moduleAt: index) }
            }
        }
        repeat {
            while let number = open.popLast() { findNeeds(of: number) }
            findLaterNeeds()
        } while !open.isEmpty
        markReachable()
    }

    /// Finds what instances of the contexts above resolve later, because these contexts provide it.
    private mutating func findLaterNeeds() {
        if states.count == 1 { return }
        let scopesToOpen = wiring.scopesToOpen
        let homes = subject.homes(in: wiring, scopesToOpen)
        let unopened = scopesToOpen.subtracting(subject.depths.keys)
        for number in finished..<homes.count where states[homes[number]] !== state {
            let node = wiring.nodes[number]
            // A weak instance may live in the child, because of what it holds.
            guard case .held = node.record.lifetime, !node.isIn(unopened) else { continue }
            for (position, need) in node.needs.enumerated() where !need.dependency.isHeld {
                wiring.nodes[number].needs[position] = find(need.dependency, in: states[homes[number]], insteadOf: need)
            }
        }
        finished = homes.count
    }

    private mutating func find(
        _ dependency: DeclaredDependency, in above: ContextState, insteadOf own: Wiring.Need
    ) -> Wiring.Need {
        let need = find(dependency, in: above)
        switch (own.outcome, need.outcome) {
        case (.found(let targets), .missing) where !targets.isEmpty:
            let outcome: Wiring.Need.Outcome = dependency.isOptional ? .found([]) : .onlyInChild(targets[0])
            return Wiring.Need(dependency: dependency, key: need.key, outcome: outcome)
        // Without elements, the finding would be about the modules of the child.
        case (_, .found([])): return own
        default: return need
        }
    }

    /// Adds the slot that a candidate resolves to, or would resolve to without the modules before it.
    private mutating func add(_ candidate: Candidate, moduleAt index: Int) {
        let first = firstModules[candidate.fullKey] ?? index
        firstModules[candidate.fullKey] = first
        let isHidden = first < index
        let decorating = state.holders(of: ObjectIdentifier(candidate.key.type)).decorating
        switch core.slot(of: candidate, in: wiring.modules[index], decorating, state) {
        case .slot(let slot):
            let number = number(of: slot)
            if isHidden { wiring.nodes[number].isHidden = true }
            // If the scope of an element is not open here, the start of a child makes it.
            let isRoot =
                !isHidden || slot.isMadeAtLoad
                || slot.record.isAsynchronous && core.isNeededElement(slot.base, in: state)
            if isRoot { roots.append(number) }
        case .undecided(let candidates, .ambiguous):
            guard case .alias(let alias) = candidate, !isHidden else { return }
            wiring.unclearAliases.append((alias, candidates))
        case .missing, .elements, .undecided(_, .payloadNeeded), .offers:
            break
        }
    }

    /// Returns the number of a slot's node, and adds the node if necessary.
    private mutating func number(of slot: Slot) -> Int {
        let identity = ObjectIdentifier(slot)
        if let number = numbers[identity] { return number }
        let number = wiring.nodes.count
        numbers[identity] = number
        wiring.nodes.append(.init(slot: slot))
        open.append(number)
        return number
    }

    private mutating func findNeeds(of number: Int) {
        let slot = wiring.nodes[number].slot
        var needs: [Wiring.Need] = []
        if let inner = slot.inner {
            let target = self.number(of: inner)
            // An alias may forward to what another module registers.
            if wiring.nodes[number].isHidden, !slot.isAlias { wiring.nodes[target].isHidden = true }
            needs.append(
                Wiring.Need(
                    dependency: DeclaredDependency(inner.key.type, phase: .layer), key: inner.key,
                    outcome: .found([target])))
        }
        for dependency in slot.dependencies { needs.append(find(dependency, in: state)) }
        wiring.nodes[number].needs = needs
        wiring.nodes[number].changedDepth = states.indices.last { $0 > 0 && isChanged(slot, at: $0) } ?? 0
    }

    /// Whether a slot is off in the context above, or takes something else there.
    private func isChanged(_ slot: Slot, at depth: Int) -> Bool {
        let (own, above) = (states[depth], states[depth - 1])
        if own === above { return false }
        if core.isInForce(slot, in: own), !core.isInForce(slot, in: above) { return true }
        func isSame(_ path: String) -> Bool { own.properties.hasSameAnswer(as: above.properties, at: path) }
        if let path = slot.record.configurationPath, !isSame(path) { return true }
        return slot.dependencies.contains { dependency in
            if !dependency.isHeld { return false }
            let path = dependency.qualifier?.path
            if let path, !isSame(path) { return true }
            let name = path.map { own.properties.lookup($0).text } ?? dependency.qualifier?.name
            let answer = core.answer(of: dependency, named: name, in: own)
            return !answer.isSame(as: core.answer(of: dependency, named: name, in: above))
        }
    }

    private mutating func find(_ dependency: DeclaredDependency, in state: ContextState) -> Wiring.Need {
        let properties = state === self.state ? wiring.properties : state.properties
        var name = dependency.qualifier?.name
        var hidesQualifier = false
        var outcome: Wiring.Need.Outcome?
        if let path = dependency.qualifier?.path {
            do throws(PropertiesError) {
                name = try properties.value(path, as: String.self)
                hidesQualifier = properties.lookup(path).isMasked
            } catch {
                outcome = .noQualifier(path: path, error)
            }
        }
        let found = outcome ?? find(dependency, qualifier: name, in: state)
        let key = Key(dependency.type, qualifier: name, hidesQualifier: hidesQualifier)
        return Wiring.Need(dependency: dependency, key: key, outcome: found)
    }

    private mutating func find(
        _ dependency: DeclaredDependency, qualifier: String?, in state: ContextState
    ) -> Wiring.Need.Outcome {
        switch dependency.kind {
        case .resolver: return .unknown
        case .site: return .found([])
        case .direct, .optional, .collection, .lazy, .provider, .factory: break
        }
        switch core.answer(of: dependency, named: qualifier, in: state) {
        case .missing, .offers:
            return .missing
        case .undecided(let factories, .payloadNeeded):
            return .payloadNeeded(factories)
        case .slot(let slot):
            return .found([number(of: slot)])
        case .elements(let elements):
            return .found(elements.map { number(of: $0.slot) })
        case .undecided(let candidates, .ambiguous):
            if let key = candidates.first?.key, key.type != dependency.type { return .unclearAlias(key, candidates) }
            return .ambiguous(candidates)
        }
    }

    /// Marks the nodes that the roots lead to.
    private mutating func markReachable() {
        while let number = roots.popLast() {
            if wiring.nodes[number].isReachable { continue }
            wiring.nodes[number].isReachable = true
            for need in wiring.nodes[number].needs { roots += need.targets }
        }
    }
}

extension RegistrationRecord {
    /// The registration itself and its aliases.
    fileprivate var candidates: [Candidate] { [.registration(self)] + aliases.map(Candidate.alias) }
}
