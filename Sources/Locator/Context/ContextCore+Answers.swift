internal import LocatorProperties

/// The rules of lookup: how a state answers a request. The caller holds the lock everywhere.
extension ContextCore {
    /// The answer of `state` to the request of `cell`, cached if the state is the current one.
    func answer(of cell: Cell, in state: ContextState) -> Answer {
        let isCurrent = state === self.state
        if isCurrent, let answer = cell.answer { return answer }
        let answer = evaluate(cell, in: state)
        if isCurrent { cell.answer = answer }
        return answer
    }

    /// The answer of `state` for a dependency whose qualifier has this name.
    func answer(of dependency: DeclaredDependency, named name: String?, in state: ContextState) -> Answer {
        answer(of: node(of: dependency.type).cell(Cell.Query(dependency.shape, qualifier: name)), in: state)
    }

    private func evaluate(_ cell: Cell, in state: ContextState) -> Answer {
        let node = node(of: cell.type)
        switch cell.query.kind {
        case .single:
            return single(node, cell.query.qualifier, in: state)
        case .factory(let payload):
            return factory(node, payload, cell.query.qualifier, in: state)
        case .collection:
            return collection(of: node, cell.query.qualifier, in: state)
        case .namedCollection(let names):
            return .elements(of: offers(node, cell.query.qualifier, in: state) { names.contains($0.loaded.name) })
        case .firstCollection:
            return .elements(of: offers(node, cell.query.qualifier, in: state, ofFirst: true))
        case .offers:
            return .offers(offers(node, cell.query.qualifier, in: state))
        case .map:
            return map(node, in: state)
        case .presence(let payload):
            let answer =
                payload.map { factory(node, $0, cell.query.qualifier, in: state) }
                ?? single(node, cell.query.qualifier, in: state)
            if case .missing = answer { return answer }
            return .elements([])
        }
    }

    /// Answers a request for a single instance.
    ///
    /// The first module that has the key decides.
    ///
    /// A request without a qualifier looks in all modules for registrations without one. If there are none, it looks
    /// for any registration.
    private func single(_ node: TypeNode, _ qualifier: String?, in state: ContextState) -> Answer {
        let holders = state.holders(of: node.identity)
        if let found = holders.first(with: qualifier) ?? (qualifier == nil ? holders.first(\.candidates) : nil) {
            return choose(among: found.candidates, in: found.module, holders.decorating, state)
        }
        if qualifier == nil, let configuration = configuration(of: node) { return .slot(slot(of: configuration)) }
        let factories = holders.factories(qualifier: qualifier)
        return factories.isEmpty ? .missing : .undecided(factories, .payloadNeeded)
    }

    private func choose(
        among candidates: [Candidate], in module: Lineup.Entry, _ decorating: [Lineup.Holder], _ state: ContextState
    ) -> Answer {
        if candidates.count == 1 { return slot(of: candidates[0], in: module, decorating, state) }
        let primary = candidates.filter { $0.record.isPrimary }
        if primary.count == 1 { return slot(of: primary[0], in: module, decorating, state) }
        return .undecided(candidates, .ambiguous)
    }

    private func factory(
        _ node: TypeNode, _ payload: ObjectIdentifier, _ qualifier: String?, in state: ContextState
    ) -> Answer {
        let holders = state.holders(of: node.identity)
        let found =
            holders.first { $0.factories(of: payload, qualifier: qualifier) }
            ?? (qualifier == nil ? holders.first { $0.factories(of: payload) } : nil)
        guard let found else { return .missing }
        return choose(among: found.candidates, in: found.module, holders.decorating, state)
    }

    /// What every registration of the type, or of the type and the qualifier, adds to collections, in lookup and
    /// registration order.
    ///
    /// It includes the chosen modules, or only the first one that has any.
    private func offers(
        _ node: TypeNode, _ qualifier: String?, in state: ContextState, ofFirst: Bool = false,
        from isChosen: (Lineup.Entry) -> Bool = { _ in true }
    ) -> [Answer.Offer] {
        var offers: [Answer.Offer] = []
        let holders = state.holders(of: node.identity)
        let decorating = holders.decorating
        for holder in holders.all {
            if isChosen(holder.module) {
                let entry = holder.entry
                for candidate in qualifier == nil ? entry.candidates : entry.candidates(qualifier: qualifier) {
                    let answer = slot(of: candidate, in: holder.module, decorating, state)
                    offers.append(.init(answer: answer, qualifier: candidate.key.qualifier, module: holder.module))
                }
            }
            if holder.entry.replacesCollections || ofFirst && !offers.isEmpty { break }
        }
        return offers
    }

    /// The collection of a type, or of a type and a qualifier.
    func collection(of node: TypeNode, _ qualifier: String? = nil, in state: ContextState) -> Answer {
        .elements(of: offers(node, qualifier, in: state))
    }

    /// The answer for each qualifier of the type, in lookup and registration order.
    private func map(_ node: TypeNode, in state: ContextState) -> Answer {
        var elements: [Answer.Element] = []
        var seen: Set<String> = []
        let holders = state.holders(of: node.identity)
        let decorating = holders.decorating
        for holder in holders.all {
            for candidate in holder.entry.candidates {
                guard let qualifier = candidate.key.qualifier, seen.insert(qualifier).inserted else { continue }
                let candidates = holder.entry.candidates(qualifier: qualifier)
                let answer = choose(among: candidates, in: holder.module, decorating, state)
                guard case .slot(let slot) = answer else { return answer }
                elements.append(.init(slot: slot, qualifier: qualifier))
            }
            if holder.entry.replacesCollections { break }
        }
        return .elements(elements)
    }

    /// The slot of a candidate, with the decorators in its module and in the modules before it in lookup order.
    ///
    /// `decorating` are the modules that decorate its type.
    @inline(never)
    func slot(
        of candidate: Candidate, in module: Lineup.Entry, _ decorating: [Lineup.Holder], _ state: ContextState
    ) -> Answer {
        switch candidate {
        case .registration(let record):
            // A registration in force in the current state belongs to the context.
            let slot = slot(of: record, isKnown: state === self.state)
            return .slot(decorated(slot, key: record.key, in: module, decorating))
        case .alias(let alias):
            let target = alias.registration.key
            let targetNode = node(of: target.type)
            targetNode.aliasedBy.insert(ObjectIdentifier(alias.key.type))
            let payload = alias.registration.payload.map { ObjectIdentifier($0) }
            let inner: Slot
            if isFirst(module, with: target, payload: payload, in: state) {
                inner = decoratedSlot(of: alias.registration, in: module, state)
            } else {
                let answer =
                    payload.map { factory(targetNode, $0, target.qualifier, in: state) }
                    ?? single(targetNode, target.qualifier, in: state)
                guard case .slot(let winner) = answer else { return answer }
                inner = winner
            }
            let slot = outer(.alias(alias, of: inner))
            return .slot(decorated(slot, key: alias.key, in: module, decorating))
        }
    }

    /// Whether no earlier module in lookup order has the key.
    ///
    /// If a payload is given, only factories with that payload count.
    func isFirst(
        _ module: Lineup.Entry, with key: Key, payload: ObjectIdentifier? = nil, in state: ContextState
    ) -> Bool {
        let holders = state.holders(of: ObjectIdentifier(key.type))
        let first =
            if let payload {
                holders.first { $0.factories(of: payload, qualifier: key.qualifier) }
            } else {
                holders.first(with: key.qualifier)
            }
        return first.map { $0.module.position >= module.position } ?? true
    }

    private func decorated(_ slot: Slot, key: Key, in module: Lineup.Entry, _ decorating: [Lineup.Holder]) -> Slot {
        var slot = slot
        // Whether everything that the layers wrap belongs to the context. It is computed once, not for each layer.
        var isInnerLoaded: Bool?
        for holder in decorating.reversed() where holder.module.position <= module.position {
            for decorator in holder.entry.decorators
            where decorator.qualifier == nil || decorator.qualifier == key.qualifier {
                slot = outer(.decorator(decorator, around: slot), isInnerLoaded: &isInnerLoaded)
            }
        }
        return slot
    }

    /// The slot of a registration itself.
    ///
    /// `isKnown` means that it is known to belong to the context.
    func slot(of record: RegistrationRecord, isKnown: Bool = false) -> Slot {
        let identity = ObjectIdentifier(record)
        if let slot = tables.slots[identity] { return slot }
        let slot = tables.stranded.slots[identity] ?? Slot(record, owner: self)
        if isKnown || isLoaded(record.run) {
            rejoin(slot)
        } else {
            tables.stranded.slots[identity] = slot
        }
        return slot
    }

    /// The slot of a decorator or an alias.
    func outer(_ layer: Slot.Layer) -> Slot {
        var isInnerLoaded: Bool?
        return outer(layer, isInnerLoaded: &isInnerLoaded)
    }

    /// The slot of a decorator or an alias.
    ///
    /// `isInnerLoaded` says whether everything that the layer wraps belongs to the context; nil if that is not known.
    /// Afterward, it says the same about the returned slot.
    private func outer(_ layer: Slot.Layer, isInnerLoaded: inout Bool?) -> Slot {
        guard let inner = layer.inner, let identity = layer.identity else {
            preconditionFailure("A registration stands on no slot")
        }
        let key = StrandedSlots.LayerKey(inner: ObjectIdentifier(inner), layer: identity)
        if let slot = inner.outer[identity] ?? tables.stranded.layers[key] {
            if inner.outer[identity] == nil, isLoaded(slot) { rejoin(slot) }
            isInnerLoaded = nil
            return slot
        }
        let slot = Slot(inner.record, layer: layer, owner: self)
        let isLoaded = isLoaded(layer.run) && (isInnerLoaded ?? isLoaded(inner))
        isInnerLoaded = isLoaded
        if isLoaded {
            inner.outer[identity] = slot
            tables.layered[identity, default: [:]][ObjectIdentifier(inner)] = inner
        } else {
            tables.stranded.layers[key] = slot
        }
        return slot
    }

    /// Takes over a slot again that was cut off, because its registration and everything that it wraps belong to the
    /// context again.
    ///
    /// In a child, a module is cut off while the parent has pushed the same one. Returns false if another slot has
    /// taken the place.
    @discardableResult
    func rejoin(_ slot: Slot) -> Bool {
        guard let inner = slot.inner, let identity = slot.layer.identity else {
            let identity = ObjectIdentifier(slot.record)
            if let known = tables.slots[identity] { return known === slot }
            tables.stranded.slots[identity] = nil
            tables.slots[identity] = slot
            return true
        }
        guard rejoin(inner) else { return false }
        if let known = inner.outer[identity] { return known === slot }
        tables.stranded.layers[.init(inner: ObjectIdentifier(inner), layer: identity)] = nil
        inner.outer[identity] = slot
        tables.layered[identity, default: [:]][ObjectIdentifier(inner)] = inner
        return true
    }

    /// Whether the registrations of this run belong to the context, whether they are in force or not.
    func isLoaded(_ run: Registry?) -> Bool {
        run.map(state.lineup.knows) ?? true
    }

    /// Whether the registration and the layers of a slot belong to the context, whether they are in force or not.
    func isLoaded(_ slot: Slot) -> Bool { isKnown(slot, in: state.lineup) }

    /// Whether the registration and the layers of a slot belong to a lineup, whether they are in force or not.
    func isKnown(_ slot: Slot, in lineup: Lineup) -> Bool { slot.runs(lineup.knows) }

    /// Whether the registration and the layers of a slot are in force in `state`.
    func isInForce(_ slot: Slot, in state: ContextState) -> Bool { slot.runs(state.lineup.has) }

    /// The slot of a registration with its decorators, in a module of `state`.
    func decoratedSlot(of record: RegistrationRecord, in module: Lineup.Entry, _ state: ContextState) -> Slot {
        let decorating = state.holders(of: ObjectIdentifier(record.key.type)).decorating
        return decorated(slot(of: record), key: record.key, in: module, decorating)
    }

    /// The registration for a `ConfigProperty` type that is not registered: it decodes the type.
    private func configuration(of node: TypeNode) -> RegistrationRecord? {
        if let record = node.configuration { return record }
        guard let type = node.type as? any ConfigProperty.Type else { return nil }
        if let parent {
            node.configuration = parent.core.configuration(of: parent.core.node(of: node.type))
            return node.configuration
        }
        let record = RegistrationRecord(
            key: Key(node.type), lifetime: .held(.singleton), location: .properties,
            production: .synchronous(Resolver.configuration(type)), run: nil)
        record.detailed().configurationPath = type.path
        node.configuration = record
        return record
    }
}

extension Answer {
    /// The collection of these offers.
    static func elements(of offers: some Sequence<Offer>) -> Answer {
        var elements: [Element] = []
        var seen: Set<SharedInstance> = []
        for offer in offers {
            // An alias may forward to a key with several possible registrations. It never chooses one of them.
            guard case .slot(let slot) = offer.answer else { return offer.answer }
            // Two aliases that forward to one replacement result in one element.
            guard seen.insert(SharedInstance(of: slot)).inserted else { continue }
            elements.append(.init(slot: slot, qualifier: offer.qualifier))
        }
        return .elements(elements)
    }
}

extension Slot {
    /// Whether `isTrue` holds for the runs that registered the slot and everything that it wraps.
    fileprivate func runs(_ isTrue: (Registry) -> Bool) -> Bool {
        guard let inner else { return record.run.map(isTrue) ?? true }
        return layer.run.map(isTrue) ?? true && inner.runs(isTrue)
    }
}

/// What slots have in common if they return one instance under several types.
private struct SharedInstance: Hashable {
    private var registration: ObjectIdentifier
    private var decorators: [ObjectIdentifier] = []

    init(of slot: Slot) {
        var slot = slot
        while let inner = slot.inner {
            if case .decorator(let decorator, _) = slot.layer { decorators.append(ObjectIdentifier(decorator)) }
            slot = inner
        }
        registration = ObjectIdentifier(slot)
    }
}
