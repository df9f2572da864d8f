extension ContextCore {
    /// Makes ready what answers a cell in the current state, if it can be given without a lock.
    ///
    /// The caller holds the lock.
    func makeAnswerReady(_ answer: Answer, of cell: Cell) {
        guard cell.isFindable, cell.isUnanswered, !isClosed, watch == nil, !isObserved,
            case .slot(let slot) = answer
        else { return }
        if slot.isShared {
            if let box = slot.live?.box { makeReady(cell, box, from: [slot]) }
        } else if slot.isRecipe {
            if !slot.hasRecipe { slot.addRecipe(cells: parameterCells(of: slot)) }
            if !cell.isInWarmTable { insert(cell) }
            cell.publish(recipe: slot)
        }
    }

    func parameterCells(of slot: Slot) -> [Cell?] {
        let parameterQualifiers = slot.record.parameterQualifiers
        return slot.record.parameters.enumerated().map { position, parameter in
            if wayToAsk(parameter) != nil { return nil }
            var name: String?
            if !parameterQualifiers.isEmpty {
                switch parameterQualifiers[position]?.content {
                case nil: break
                case .name(let text): name = text
                case .property: return nil
                }
            }
            return node(of: parameter).cell(Cell.Query(kind: .single, qualifier: name))
        }
    }
}

extension Slot {
    /// Whether an instance can be made from the registration alone, anywhere, with nothing to be done afterwards.
    fileprivate var isRecipe: Bool {
        guard case .registration = layer, case .synchronous = record.production else { return false }
        guard record.lifetime == .prototype, record.isolation == .none, record.injections.isEmpty else { return false }
        // What opens a session is not worth beginning without one.
        return record.parameters.allSatisfy { parameter in
            guard let way = wayToAsk(parameter) else { return true }
            switch way.dependency.kind {
            case .lazy, .provider, .factory, .resolver: return true
            // Who asks is known to a session.
            case .direct, .optional, .collection, .site: return false
            }
        }
    }
}
