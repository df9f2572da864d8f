internal import LocatorProperties

struct GraphBuilder {
    private let wiring: Wiring
    private let pushed: IdentitySet
    /// The nodes of registrations, aliases, and decorators by place.
    private let numbers: [SourcePlace: [Int]]
    private var nodes: [ContextGraph.Node] = []
    private var edges: [ContextGraph.Edge] = []
    private var seen: Set<ContextGraph.Edge> = []
    /// The nodes of settings by path, and of missing keys.
    private var properties: [String: Int] = [:]
    private var missing: [Key: Int] = [:]

    private init(wiring: Wiring, core: ContextCore, pushed: IdentitySet) {
        self.wiring = wiring
        self.pushed = pushed
        numbers = Dictionary(grouping: wiring.nodes.indices) { wiring.nodes[$0].location }
        let states = Self.states(of: wiring.nodes.map(\.slot), in: core)
        nodes = wiring.nodes.enumerated().map { node($0, $1, states[$0]) }
    }

    /// Builds the graph of a wiring and its findings.
    ///
    /// The core provides the states of the instances.
    static func graph(of wiring: Wiring, _ findings: [Finding], pushed: IdentitySet, in core: ContextCore)
        -> ContextGraph
    {
        var builder = GraphBuilder(wiring: wiring, core: core, pushed: pushed)
        builder.addEdges()
        return ContextGraph(
            profiles: wiring.properties.profiles, modules: builder.modules(), nodes: builder.nodes,
            edges: builder.edges, problems: findings.map(builder.problem))
    }

    private func modules() -> [ContextGraph.Module] {
        let lineup = wiring.state.lineup
        let active = wiring.modules.map { module($0.loaded.module, $0.priority, $0.loaded.collectionsThatMayBeEmpty) }
        let inactive = lineup.inactive.map(\.module).map { module in
            let condition = module.definition.condition?.text(in: wiring.properties)
            let priority = lineup.roots(naming: module.identity).first?.priority
            return self.module(module, priority ?? .normal, [], offUnless: condition)
        }
        return active + inactive
    }

    private func module(
        _ module: Module, _ priority: Priority, _ mayBeEmpty: [any Any.Type], offUnless: String? = nil
    ) -> ContextGraph.Module {
        ContextGraph.Module(
            name: module.name, priority: priority.value, isPushed: pushed.contains(module.identity),
            offUnless: offUnless, location: "\(module.location)",
            components: module.definition.components.map(qualifiedTypeName),
            mayBeEmpty: mayBeEmpty.isEmpty ? nil : mayBeEmpty.map(qualifiedTypeName))
    }

    private func node(_ number: Int, _ node: Wiring.Node, _ state: ContextGraph.Node.State?) -> ContextGraph.Node {
        let record = node.record
        let isRegistration = !node.slot.isLayer
        return ContextGraph.Node(
            id: number, kind: kind(of: node), name: typeName(node.key.type),
            qualifiedType: qualifiedTypeName(node.key.type), qualifier: node.key.qualifier,
            scope: node.isFactory || node.isConfiguration ? nil : record.lifetime.name,
            payload: record.payload.map(typeName), qualifiedPayload: record.payload.map(qualifiedTypeName),
            module: node.slot.run?.module.name,
            location: node.isConfiguration ? nil : "\(node.location)", state: state, isHidden: node.isHidden,
            isAsynchronous: record.isAsynchronous && (isRegistration || record.payload != nil),
            isPrimary: isRegistration && record.isPrimary,
            takesResolver: node.takesResolver)
    }

    private func kind(of node: Wiring.Node) -> ContextGraph.Node.Kind {
        switch node.slot.layer {
        case .alias: return .alias
        case .decorator: return .decorator
        case .registration:
            if node.isConfiguration { return .configuration }
            switch node.record.production {
            case .instance: return .instance
            case .input: return .input
            case .synchronous, .asynchronous: return node.record.payload == nil ? .registration : .factory
            }
        }
    }

    private mutating func addEdges() {
        for (number, node) in wiring.nodes.enumerated() {
            for need in node.needs {
                if let path = need.dependency.qualifier?.path { connect(number, to: property(path), .property) }
                let kind = edgeKind(of: need, from: node)
                switch need.outcome {
                case .found(let targets):
                    for target in targets { connect(number, to: target, kind) }
                case .missing where !need.dependency.isOptional, .onlyInChild, .payloadNeeded:
                    connect(number, to: missing(need.key), kind)
                case .ambiguous(let candidates), .unclearAlias(_, let candidates):
                    for target in numbers(of: candidates) { connect(number, to: target, kind) }
                case .missing, .noQualifier, .unknown:
                    break
                }
            }
            guard node.isConfiguration, let path = node.record.configurationPath else { continue }
            connect(number, to: property(path), .property)
        }
    }

    private mutating func connect(_ from: Int, to target: Int, _ kind: ContextGraph.Edge.Kind) {
        let edge = ContextGraph.Edge(from: from, to: target, kind: kind)
        if seen.insert(edge).inserted { edges.append(edge) }
    }

    private func edgeKind(of need: Wiring.Need, from node: Wiring.Node) -> ContextGraph.Edge.Kind {
        switch need.dependency.phase {
        case .injection: return .injection
        case .layer: return node.slot.isAlias ? .alias : .decorator
        case .making:
            switch need.dependency.kind {
            case .direct, .resolver, .site: return .direct
            case .optional: return .optional
            case .collection: return .collection
            case .lazy: return .lazy
            case .provider: return .provider
            case .factory: return .factory
            }
        }
    }

    private func numbers(of candidates: [Candidate]) -> [Int] {
        candidates.flatMap { candidate in
            numbers[candidate.record.location, default: []].filter { number in
                let slot = wiring.nodes[number].slot
                return slot.record === candidate.record && !slot.isLayer
            }
        }
    }

    private mutating func property(_ path: String) -> Int {
        if let number = properties[path] { return number }
        let origin = wiring.properties.explain(path, searchesNear: false).origin
        let number = add(kind: .property, name: path, location: origin.map { "\($0)" })
        properties[path] = number
        return number
    }

    private mutating func missing(_ key: Key) -> Int {
        if let number = missing[key] { return number }
        let number = add(
            kind: .missing, name: typeName(key.type), qualifiedType: qualifiedTypeName(key.type),
            qualifier: key.shownQualifier)
        missing[key] = number
        return number
    }

    private mutating func add(
        kind: ContextGraph.Node.Kind, name: String, qualifiedType: String? = nil, qualifier: String? = nil,
        location: String? = nil
    ) -> Int {
        nodes.append(
            ContextGraph.Node(
                id: nodes.count, kind: kind, name: name, qualifiedType: qualifiedType, qualifier: qualifier,
                location: location, isHidden: false, isAsynchronous: false, isPrimary: false, takesResolver: false))
        return nodes.count - 1
    }

    /// Returns a finding as a problem, with the nodes at its places that have its keys, and the missing keys.
    private func problem(_ finding: Finding) -> ContextGraph.Problem {
        let places = Set([finding.location].compactMap { $0 } + finding.notes.compactMap(\.location))
        let keys = Set(finding.keys)
        let there = places.flatMap { self.numbers[$0] ?? [] }.sorted()
        var numbers = there.filter { keys.contains(wiring.nodes[$0].key) }
        numbers += finding.keys.compactMap { missing[$0] }
        return ContextGraph.Problem(
            severity: finding.severity, kind: finding.kind, text: finding.description, nodes: numbers)
    }

    /// The states of the instances of registrations, in a context and its parents; nil for other kinds.
    private static func states(of slots: [Slot], in core: ContextCore) -> [ContextGraph.Node.State?] {
        core.locked {
            slots.map { slot in
                guard !slot.isLayer, slot.record.lifetime.isShared, slot.record.payload == nil,
                    slot.record.configurationPath == nil
                else { return nil }
                if slot.record.isInput { return core.handedIn(slot.record) == nil ? .notMade : .made }
                let own = core.lineage.compactMap { $0.tables.slots[ObjectIdentifier(slot.record)] }
                if case .instance = slot.record.production { return .made }
                if own.contains(where: { $0.live?.box != nil }) { return .made }
                return own.contains { !$0.aside.isEmpty } ? .setAside : .notMade
            }
        }
    }
}
