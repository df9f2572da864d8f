extension ContextCore {
    /// Publishes the answer of a cell in the current state, if it can be given without a lock.
    ///
    /// The caller holds the lock.
    func makeAnswerReady(_ answer: Answer, of cell: Cell) {
        guard cell.isFindable, cell.isUnanswered, !isClosed, watch == nil, !isObserved,
            case .slot(let slot) = answer
        else { return }
        if slot.isShared {
            if case .held = slot.record.lifetime, let box = slot.live?.box { makeReady(cell, box, from: [slot]) }
        } else if slot.isRecipe {
            addRecipe(to: slot)
            insert(cell)
            cell.publish(recipe: slot)
        }
    }

    /// Adds the recipe of a slot that has no injections, unless it has one.
    func addRecipe(to slot: Slot) {
        if slot.recipe == nil { slot.addRecipe(cells: slot.record.dependencies.map(cell)) }
    }

    /// The cell of a dependency on one instance, unless a setting names its qualifier.
    func cell(of dependency: DeclaredDependency) -> Cell? {
        guard dependency.kind == .direct, dependency.qualifier?.path == nil else { return nil }
        return node(of: dependency.type).cell(Cell.Query(kind: .single, qualifier: dependency.qualifier?.name))
    }
}

extension Slot {
    /// Whether the registration alone is enough to make an instance on any thread, without further steps afterward.
    fileprivate var isRecipe: Bool {
        guard case .registration = layer, case .synchronous = record.production else { return false }
        guard record.lifetime == .prototype, record.isolation == .none, record.injections.isEmpty else { return false }
        // If a dependency needs a session anyway, it is not worth beginning a request without one.
        return record.dependencies.allSatisfy { dependency in
            switch dependency.kind {
            case .direct, .lazy, .provider, .factory, .resolver: true
            // These depend on the origin of the request, which only a session knows.
            case .optional, .collection, .site: false
            }
        }
    }
}
