/// The modules that a `.where` has selected, and what it says of others.
///
/// The predicate is foreign code, which never runs with a lock held: it is asked of each module before that can answer.
/// Of a module that it was not asked of, nothing is known.
final class SelectedModules: @unchecked Sendable {
    // Sendable: `decided` is used by the thread that makes the object until it is part of an instance that is registered;
    // from then on it is guarded by the lock of the family.

    private let predicate: @Sendable (ModuleSelection.Candidate) -> Bool
    private var decided: [ModuleSelection.Candidate: Bool] = [:]

    /// Asks of modules; no lock is held.
    init(
        _ predicate: @escaping @Sendable (ModuleSelection.Candidate) -> Bool, of candidates: [ModuleSelection.Candidate]
    ) {
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
    /// What a `.where` says of all modules of a state, and of those that may come into force by a pop or a condition.
    ///
    /// No lock is held.
    func select(
        _ predicate: @escaping @Sendable (ModuleSelection.Candidate) -> Bool, in state: ContextState
    ) -> SelectedModules {
        let others = locked {
            state.lineup.roots.flatMap { root in
                state.lineup.reached(from: root.loaded).map {
                    ModuleSelection.Candidate(name: $0.name, priority: root.priority)
                }
            }
        }
        return SelectedModules(predicate, of: Array(Set(state.lineup.entries.map(\.candidate) + others)))
    }

    /// Asks every `.where` that an instance of the family has read of modules that are about to come, and of all that
    /// these include.
    ///
    /// No lock is held.
    func askSelections(of modules: [Module], _ prepared: IdentityTable<LoadedModule>, at priority: Priority) {
        let (selections, included) = locked { () -> ([SelectedModules], [LoadedModule]) in
            let selections = family.selecting.values.flatMap { $0.reads.cells.compactMap(\.selected) }
            if selections.isEmpty { return ([], []) }
            var found: IdentityTable<LoadedModule> = [:]
            var open = modules
            while let module = open.popLast() {
                guard found[module.identity] == nil,
                    let loaded = prepared[module.identity] ?? state.lineup.known(module.identity)
                else { continue }
                found[module.identity] = loaded
                open += loaded.included
            }
            return (selections, Array(found.values))
        }
        ask(selections, of: included.map { ModuleSelection.Candidate(name: $0.name, priority: priority) })
    }

    /// Asks every `.where` among what a wrapper has read of the modules of a state.
    ///
    /// No lock is held.
    func askSelections(in state: ContextState, _ reads: () -> [Reads]) {
        let selections = locked { reads().flatMap { $0.cells.compactMap(\.selected) } }
        ask(selections, of: state.lineup.entries.map(\.candidate))
    }

    private func ask(_ selections: [SelectedModules], of candidates: @autoclosure () -> [ModuleSelection.Candidate]) {
        if selections.isEmpty { return }
        let candidates = candidates()
        ask(selections.map { SelectionQuestion(selection: $0, candidates: candidates) })
    }

    private func ask(_ questions: [SelectionQuestion]) {
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
