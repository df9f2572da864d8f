/// The modules that a `.where` predicate has selected, and its results for other modules.
///
/// The predicate is foreign code, and never runs while a lock is held. So it is evaluated for each module that
/// registers or changes the type of the collection, before that module can answer. If it was not evaluated for a
/// module, nothing is known about that module.
final class SelectedModules: @unchecked Sendable {
    // Sendable: until this object is part of an instance that is registered, only the thread that created it uses
    // `decided`. From then on, the lock of the family guards `decided`.

    /// The type of the elements.
    let type: ObjectIdentifier
    private let predicate: @Sendable (ModuleSelection.Candidate) -> Bool
    private var decided: [ModuleSelection.Candidate: Bool] = [:]

    /// Evaluates the predicate for modules.
    ///
    /// No lock is held.
    init(
        _ type: ObjectIdentifier, _ predicate: @escaping @Sendable (ModuleSelection.Candidate) -> Bool,
        of candidates: [ModuleSelection.Candidate]
    ) {
        self.type = type
        self.predicate = predicate
        note(ask(candidates))
    }

    /// The results of the predicate for modules.
    ///
    /// No lock is held.
    func ask(_ candidates: [ModuleSelection.Candidate]) -> [(ModuleSelection.Candidate, Bool)] {
        candidates.map { ($0, predicate($0)) }
    }

    /// The candidates for which the predicate was not evaluated.
    func undecided(of candidates: [ModuleSelection.Candidate]) -> [ModuleSelection.Candidate] {
        candidates.filter { decided[$0] == nil }
    }

    func note(_ answers: [(ModuleSelection.Candidate, Bool)]) {
        for (candidate, isSelected) in answers { decided[candidate] = isSelected }
    }

    /// The collection of the selected modules; nil if the result for one of the modules is not known.
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
    /// Evaluates a `.where` predicate for the modules of a state that register or change a type, and for those that a
    /// pop or a condition may turn on.
    ///
    /// No lock is held.
    func select(
        _ type: ObjectIdentifier, _ predicate: @escaping @Sendable (ModuleSelection.Candidate) -> Bool,
        in state: ContextState
    ) -> SelectedModules {
        let lineup = state.lineup
        let candidates = Set(lineup.modules(with: type).flatMap(lineup.candidates))
        return SelectedModules(type, predicate, of: Array(candidates))
    }

    /// Evaluates every `.where` predicate that an instance of the family has read for modules that are about to be
    /// added, and for all modules that these include, if they register or change its type.
    ///
    /// No lock is held.
    func askSelections(of modules: [Module], _ prepared: IdentityTable<LoadedModule>, at priority: Priority) {
        ask(
            locked {
                if family.selecting.isEmpty { return [] }
                var questions: [SelectionQuestion] = []
                var seen: IdentitySet = []
                var open = modules
                while let module = open.popLast() {
                    guard let loaded = prepared[module.identity] ?? state.lineup.known(module.identity),
                        seen.insert(module.identity).inserted
                    else { continue }
                    open += loaded.included
                    let candidate = ModuleSelection.Candidate(name: loaded.name, priority: priority)
                    questions += family.selecting.selections(touchedBy: loaded).map { ($0, [candidate]) }
                }
                return questions
            })
    }

    /// Evaluates every `.where` predicate that a wrapper has read for the modules of a state.
    ///
    /// No lock is held.
    func askSelections(in state: ContextState, _ reads: () -> [Reads]) {
        ask(
            locked {
                reads().flatMap { $0.cells.compactMap(\.selected) }.map {
                    ($0, state.holders(of: $0.type).candidates)
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

    /// Evaluates the `.where` predicates of an instance above that may be given for a slot here, for modules without a
    /// result.
    ///
    /// No lock is held.
    func askSelections(toShare slot: Slot, in state: ContextState) {
        // A context in between must first know which instance it gives.
        while case let questions = locked({ selectionQuestions(toShare: slot, in: state) }), !questions.isEmpty {
            ask(questions)
        }
    }
}

/// A `.where` predicate, and modules for which it has to be evaluated.
typealias SelectionQuestion = (selection: SelectedModules, candidates: [ModuleSelection.Candidate])

extension TypeHolders {
    /// The candidates that are passed to a `.where` predicate for these modules.
    var candidates: [ModuleSelection.Candidate] { all.map(\.module.candidate) }
}

extension Lineup {
    /// The candidates that are passed to a `.where` predicate for a module, one for each root that names or includes
    /// it.
    fileprivate func candidates(of loaded: LoadedModule) -> [ModuleSelection.Candidate] {
        let roots = table.standings[loaded.identity]?.roots ?? []
        return roots.map { .init(name: loaded.name, priority: $0.priority) }
    }
}

extension InstanceGroups {
    /// The selections for the types that a module registers or changes, if the groups are those types.
    fileprivate func selections(touchedBy loaded: LoadedModule) -> [SelectedModules] {
        keys.filter(loaded.has).flatMap { type in
            self[type].flatMap { $0.reads.cells.compactMap(\.selected) }.filter { $0.type == type }
        }
    }
}
