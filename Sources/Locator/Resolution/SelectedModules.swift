/// The modules that a `.where` has selected, and what it says of others.
///
/// The predicate is foreign code, which never runs with a lock held: it is asked of each module that has something for the
/// type of the collection, before that module can answer. Of a module that it was not asked of, nothing is known.
final class SelectedModules: @unchecked Sendable {
    // Sendable: `decided` is used by the thread that makes the object until it is part of an instance that is registered;
    // from then on it is guarded by the lock of the family.

    /// The type of the elements.
    let type: ObjectIdentifier
    private let predicate: @Sendable (ModuleSelection.Candidate) -> Bool
    private var decided: [ModuleSelection.Candidate: Bool] = [:]

    /// Asks of modules; no lock is held.
    init(
        _ type: ObjectIdentifier, _ predicate: @escaping @Sendable (ModuleSelection.Candidate) -> Bool,
        of candidates: [ModuleSelection.Candidate]
    ) {
        self.type = type
        self.predicate = predicate
        note(ask(candidates))
    }

    /// What the predicate says of modules; no lock is held.
    func ask(_ candidates: [ModuleSelection.Candidate]) -> [(ModuleSelection.Candidate, Bool)] {
        candidates.map { ($0, predicate($0)) }
    }

    /// Those of the candidates that the predicate was not asked of.
    func undecided(of candidates: [ModuleSelection.Candidate]) -> [ModuleSelection.Candidate] {
        candidates.filter { decided[$0] == nil }
    }

    func note(_ answers: [(ModuleSelection.Candidate, Bool)]) {
        for (candidate, isSelected) in answers { decided[candidate] = isSelected }
    }

    /// The collection that the selected modules offer; nil where of one nothing is known.
    func collection(from offers: [Answer.Offer]) -> Answer? {
        var selected: [Answer.Offer] = []
        for offer in offers {
            guard let isSelected = decided[offer.module.candidate] else { return nil }
            if isSelected { selected.append(offer) }
        }
        return .elements(of: selected)
    }
}

extension Lineup.Entry {
    var candidate: ModuleSelection.Candidate { .init(name: loaded.name, priority: priority) }
}

extension ContextCore {
    /// What a `.where` says of the modules of a state that have something for a type, and of those that may come into force
    /// by a pop or a condition.
    ///
    /// No lock is held.
    func select(
        _ type: ObjectIdentifier, _ predicate: @escaping @Sendable (ModuleSelection.Candidate) -> Bool,
        in state: ContextState
    ) -> SelectedModules {
        let candidates = locked { () -> Set<ModuleSelection.Candidate> in
            let lineup = state.lineup
            let holders = state.holders(of: type).all.map(\.module.loaded)
            let others = lineup.conditionalWithIncluded.filter { $0.has(type) }
            return Set((holders + others).flatMap(lineup.candidates))
        }
        return SelectedModules(type, predicate, of: Array(candidates))
    }

    /// Asks every `.where` that an instance of the family has read of modules that are about to come, and of all that
    /// these include, as far as they have something for its type.
    ///
    /// No lock is held.
    func askSelections(of modules: [Module], _ prepared: IdentityTable<LoadedModule>, at priority: Priority) {
        ask(
            locked {
                var questions: [SelectionQuestion] = []
                var seen: IdentitySet = []
                var open = modules
                while let module = open.popLast() {
                    guard let loaded = prepared[module.identity] ?? state.lineup.known(module.identity),
                        seen.insert(module.identity).inserted
                    else { continue }
                    open += loaded.included
                    let candidate = ModuleSelection.Candidate(name: loaded.name, priority: priority)
                    for selection in family.selecting.selections(touchedBy: loaded) {
                        questions.append(.init(selection: selection, candidates: [candidate]))
                    }
                }
                return questions
            })
    }

    /// Asks every `.where` among what a wrapper has read of the modules of a state.
    ///
    /// No lock is held.
    func askSelections(in state: ContextState, _ reads: () -> [Reads]) {
        ask(
            locked {
                reads().flatMap { $0.cells.compactMap(\.selected) }.map {
                    SelectionQuestion(selection: $0, candidates: state.holders(of: $0.type).candidates)
                }
            })
    }

    private func ask(_ questions: [SelectionQuestion]) {
        if questions.isEmpty { return }
        let answers = questions.map { $0.selection.ask($0.candidates) }
        locked {
            for (question, answers) in zip(questions, answers) { question.selection.note(answers) }
        }
    }

    /// Asks every `.where` that an instance of a context above has read, which may be given for a slot here, of the modules
    /// that it was not asked of.
    ///
    /// No lock is held.
    func askSelections(toShare slot: Slot, in state: ContextState) {
        while true {
            // A context in between has to know first what is given there.
            let questions = locked { selectionQuestions(toShare: slot, in: state) }
            if questions.isEmpty { return }
            ask(questions)
        }
    }
}

/// A `.where`, and modules that it has to be asked of.
struct SelectionQuestion {
    let selection: SelectedModules
    let candidates: [ModuleSelection.Candidate]
}

extension TypeHolders {
    /// What a `.where` is told of them.
    var candidates: [ModuleSelection.Candidate] { all.map(\.module.candidate) }
}

extension Lineup {
    /// What a `.where` is told of a module: at each place that the roots which name or include it may give it.
    fileprivate func candidates(of loaded: LoadedModule) -> [ModuleSelection.Candidate] {
        var candidates: [ModuleSelection.Candidate] = []
        var next = modules[loaded.identity]
        while let standing = next {
            candidates.append(.init(name: loaded.name, priority: standing.root.priority))
            next = standing.previous
        }
        return candidates
    }
}

/// The instances whose making read a `.where`, by the types of the collections.
///
/// So a module that comes asks only those for a type that it has.
struct SelectingInstances {
    private var instances = IdentityTable<IdentityTable<Instance>>()

    var isEmpty: Bool { instances.isEmpty }

    mutating func add(_ instance: Instance, reading type: ObjectIdentifier) {
        instances[type, default: [:]][instance.identity] = instance
    }

    mutating func remove(_ instance: Instance, reading type: ObjectIdentifier) {
        // In place: a copy of the table for each that is removed would cost their square.
        instances[type, default: [:]][instance.identity] = nil
        if instances[type]?.isEmpty == true { instances[type] = nil }
    }

    /// What was selected of the types that a module has something for.
    func selections(touchedBy loaded: LoadedModule) -> [SelectedModules] {
        instances.flatMap { type, instances in
            loaded.has(type)
                ? instances.values.flatMap { $0.reads.cells.compactMap(\.selected) }.filter { $0.type == type } : []
        }
    }
}
