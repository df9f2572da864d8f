internal import LocatorProperties

/// Explains how a context answers requests, without making an instance.
struct Explainer {
    let core: ContextCore

    /// Explains a request, which may be for an optional, a collection, or a `Lazy`.
    func explain(
        _ type: any Any.Type, _ qualifier: Qualifier?, from modules: ModuleSelection = .all, location: SourcePlace
    ) -> KeyExplanation {
        let asked = DeclaredDependency(type)
        let request = Request(key: Key(asked.type), location: location)
        if core.isClosed { return KeyExplanation(key: request.key, problem: core.goneError(request).description) }
        // The context makes these itself.
        if asked.kind == .resolver || asked.kind == .site { return KeyExplanation(key: request.key) }
        let key: Key
        do throws(LocatorError) {
            key = try core.key(asked.type, qualifier, request)
        } catch {
            return KeyExplanation(key: request.key, problem: error.description)
        }
        let kind = asked.isCollection ? modules.kind : Cell.Query(asked.shape, qualifier: nil).kind
        var (state, answer) = self.answer(to: kind, key)
        if case .offers(let offers) = answer, let predicate = modules.predicate {
            answer = .elements(of: offers.filter { predicate($0.module.candidate) })
        }
        var explanation = KeyExplanation(key: key)
        switch answer {
        case .missing:
            let request = Request(key: key, location: location)
            if case .factory(let payload) = asked.shape {
                explanation.problem = LocatorError.payloadMismatch(request, payload, .current, in: core).description
            } else {
                explanation.problem = LocatorError(.missing(key)).noting(near: request, in: core).description
            }
        case .undecided(let factories, .payloadNeeded):
            explanation.problem = LocatorError.payloadNeeded(key, by: factories) { LocatorError($0) }.description
        case .undecided(let candidates, .ambiguous):
            explanation.problem =
                LocatorError.ambiguous(key, candidates, for: .request) { LocatorError($0) }.description
        case .slot(let slot):
            explanation.answers = [self.answer(slot, in: state)]
            explanation.hidden = hidden(behind: slot, key, asked.shape, in: state)
        case .elements(let elements):
            explanation.answers = elements.map { self.answer($0.slot, in: state) }
            if explanation.answers.isEmpty {
                explanation.problem =
                    Fix.ofArray(of: asked.type).map {
                        LocatorError(.missing(key)).noting([], betterFix: $0).description
                    }
                    ?? (kind == .collection ? nil : emptySelection(of: key))
                    ?? "nothing is registered: the collection is empty"
            }
        case .offers:
            break
        }
        return key.hidesQualifier ? explanation.hidingQualifier : explanation
    }

    /// Why a collection from some modules is empty, if other modules have elements: a name may be misspelled.
    private func emptySelection(of key: Key) -> String? {
        guard case .offers(let offers) = answer(to: .offers, key).answer, !offers.isEmpty else { return nil }
        let names = Shortlist(offers.map(\.module.loaded.name).withoutRepetitions)
        return "no selected module registers it: the collection is empty; registered in \(names.quoted(by: ", "))"
    }

    /// The answer in the current state.
    private func answer(to kind: Cell.Query.Kind, _ key: Key) -> (state: ContextState, answer: Answer) {
        core.locked {
            let cell = core.cell(kind, of: key)
            return (core.state, core.answer(of: cell, in: core.state))
        }
    }

    private func answer(_ slot: Slot, in state: ContextState) -> KeyExplanation.Answer {
        let record = slot.record
        let module = record.run.flatMap(state.lineup.entry)
        let instances = core.locked { slot.layers.compactMap { core.given($0) } }
        let isMade = core.locked { core.given(slot) != nil } || isInstance(slot)
        let parts = isMade ? instances.flatMap { self.parts(of: $0, in: state) } : dependencies(of: slot)
        return KeyExplanation.Answer(
            registered: record.run == nil ? nil : Registered(.registration(record)),
            module: module?.loaded.name, priority: module?.priority, scope: record.lifetime.description,
            layers: slot.layers.dropLast().map(\.step), isInput: record.isInput, isMade: isMade,
            parts: parts.withoutRepetitions)
    }

    private func isInstance(_ slot: Slot) -> Bool {
        if slot.isLayer { return false }
        switch slot.record.production {
        case .instance: return true
        case .input: return core.locked { core.handedIn(slot.record) } != nil
        case .synchronous, .asynchronous: return false
        }
    }

    /// Returns descriptions of what was read while an instance was made.
    private func parts(of instance: Instance, in state: ContextState) -> [String] {
        let (cells, properties) = core.locked { (instance.reads.cells, instance.reads.properties) }
        let paths = properties.map(\.cell.path)
        // A qualifier may be the value of a secret setting.
        let secrets = properties.compactMap { $0.lookup.isMasked ? $0.lookup.text : nil }
        func shown(_ key: Key) -> Key { key.qualifier.map(secrets.contains) ?? false ? key.hidingQualifier : key }
        func shown(_ step: Step) -> Step { Step(key: shown(step.key), location: step.location, role: step.role) }
        let keys = cells.flatMap { read -> [String] in
            switch read.answer {
            case .missing: ["\(shown(read.cell.key)), which is not registered"]
            case .undecided: []
            case .offers(let offers):
                offers.compactMap { if case .slot(let slot) = $0.answer { "\(shown(slot.step))" } else { nil } }
            case .slot(let slot): slot.isDecoded ? ["\(slot.key)"] : ["\(shown(slot.step))"]
            case .elements(let elements): elements.map { "\(shown($0.slot.step))" }
            }
        }
        return keys
            + paths.map { path in
                let origin = state.properties.explain(path, searchesNear: false).origin
                return "setting \"\(path)\"" + (origin.map { " (\($0))" } ?? ", which is missing")
            }
    }

    /// The dependencies of a slot and of the slots it wraps, as text.
    private func dependencies(of slot: Slot) -> [String] {
        slot.layers.flatMap { layer -> [String] in
            if !layer.isLayer, layer.isDecoded, let path = layer.record.configurationPath {
                return ["setting \"\(path)\""]
            }
            return layer.dependencies.map { typeName($0.parameter) + ($0.qualifier.map { " \($0)" } ?? "") }
        }
    }

    /// The registrations of a key, or its factories with a payload, that a slot hides.
    private func hidden(
        behind slot: Slot, _ key: Key, _ shape: DeclaredDependency.Shape, in state: ContextState
    ) -> [KeyExplanation.Hidden] {
        // A request without a qualifier is answered with a registration that has one only if all of them have.
        let isAnyQualifier = key.qualifier == nil && slot.key.qualifier != nil
        return state.lineup.holders(of: ObjectIdentifier(key.type)).flatMap { holder -> [KeyExplanation.Hidden] in
            let entry = holder.entry
            var candidates = entry.candidates
            if case .factory(let payload) = shape { candidates = entry.factories(of: ObjectIdentifier(payload)) }
            return candidates.filter { candidate in
                (isAnyQualifier || candidate.key.qualifier == key.qualifier) && !slot.isMade(by: candidate)
            }.map {
                .init(registered: Registered($0), module: holder.module.loaded.name, priority: holder.module.priority)
            }
        }
    }
}

extension KeyExplanation {
    /// The explanation with a masked qualifier, in its key and in the registrations that have the same qualifier.
    fileprivate var hidingQualifier: KeyExplanation {
        var explanation = self
        for index in answers.indices {
            explanation.answers[index].registered = answers[index].registered?.hidingQualifier(of: key)
            explanation.answers[index].layers = answers[index].layers.map { $0.hidingQualifier(of: key) }
        }
        for index in hidden.indices {
            explanation.hidden[index].registered = hidden[index].registered.hidingQualifier(of: key)
        }
        return explanation
    }
}

extension Slot {
    /// The slot and the slots it wraps, outermost first.
    fileprivate var layers: [Slot] { Array(sequence(first: self, next: \.inner)) }

    /// Whether a registration makes the slot's instance, or an alias forwards to it.
    fileprivate func isMade(by candidate: Candidate) -> Bool {
        candidate.record === record
            || layers.contains {
                if case .alias(let alias, _) = $0.layer, case .alias(let other) = candidate {
                    alias === other
                } else {
                    false
                }
            }
    }
}
