/// The modules that a `.where` predicate has selected, and its results for other modules.
///
/// The predicate is foreign code, and never runs under a lock. So it is evaluated for each module before that module
/// can answer. If it was not evaluated for a module, nothing is known about that module.
final class SelectedModules: @unchecked Sendable {
    // Sendable: until this object is part of an instance that is registered, only the thread that created it uses
    // `decided`. From then on, the lock of the family guards `decided`.

    private let predicate: @Sendable (ModuleSelection.Candidate) -> Bool
    private var decided: [ModuleSelection.Candidate: Bool] = [:]

    /// Evaluates the predicate for modules.
    ///
    /// No lock is held.
    init(
        _ predicate: @escaping @Sendable (ModuleSelection.Candidate) -> Bool, of candidates: [ModuleSelection.Candidate]
    ) {
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
    /// Evaluates a `.where` predicate for all modules of a state, and for those that a pop or a condition may turn on.
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

    /// Evaluates every `.where` predicate that an instance of the family has read for modules that are about to be
    /// added, and for all modules that these include.
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

    /// Evaluates every `.where` predicate that a wrapper has read for the modules of a state.
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

    /// Evaluates the `.where` predicates of an instance above that may be given for a slot here, for modules without a
    /// result.
    ///
    /// No lock is held.
    func askSelections(toShare slot: Slot, in state: ContextState) {
        while true {
            // A context in between must first know what is given there.
            let questions = locked { selectionQuestions(toShare: slot, in: state) }
            if questions.isEmpty { return }
            ask(questions)
        }
    }
}

/// A `.where` predicate, and modules for which it has to be evaluated.
struct SelectionQuestion {
    let selection: SelectedModules
    let candidates: [ModuleSelection.Candidate]
}
