/// The modules that a `.where` has selected, and what it says of others.
///
/// The predicate is foreign code, which never runs with a lock held: it is asked of each module before that can answer.
/// Of a module that it was not asked of, nothing is known.
final class SelectedModules: @unchecked Sendable {
    // Sendable: `decided` is used by the thread that makes the object until it is part of an instance that is registered;
    // from then on it is guarded by the lock of the family.

    private let predicate: @Sendable (ModuleSelection.Candidate) -> Bool
    private var decided: [ModuleSelection.Candidate: Bool] = [:]

    /// Asks of all modules of a state.
    init(_ predicate: @escaping @Sendable (ModuleSelection.Candidate) -> Bool, in state: ContextState) {
        self.predicate = predicate
        note(ask(state.modules.map(\.candidate)))
    }

    /// What the predicate says of modules; no lock is held.
    func ask(_ candidates: [ModuleSelection.Candidate]) -> [(ModuleSelection.Candidate, Bool)] {
        candidates.map { ($0, predicate($0)) }
    }

    func note(_ answers: [(ModuleSelection.Candidate, Bool)]) {
        for (candidate, isSelected) in answers { decided[candidate] = isSelected }
    }

    /// The elements of the selected modules; nil where of one nothing is known.
    func elements(of elements: [Answer.Element]) -> [Answer.Element]? {
        var selected: [Answer.Element] = []
        for element in elements {
            guard let isSelected = decided[element.module.candidate] else { return nil }
            if isSelected { selected.append(element) }
        }
        return selected
    }
}

extension ContextState.Entry {
    fileprivate var candidate: ModuleSelection.Candidate { .init(name: loaded.name, priority: priority) }
}

extension ContextCore {
    /// Asks every `.where` that an instance of the family has read of modules that are about to come.
    ///
    /// No lock is held.
    func askSelections(of modules: [LoadedModule], at priority: Priority) {
        let selections = locked {
            family.selecting.values.flatMap { $0.reads.cells.compactMap(\.selected) }
        }
        if selections.isEmpty { return }
        let candidates = modules.map { ModuleSelection.Candidate(name: $0.name, priority: priority) }
        let answers = selections.map { $0.ask(candidates) }
        locked {
            for (selection, answers) in zip(selections, answers) { selection.note(answers) }
        }
    }
}
