/// Compares registrations in a state of a child with those in its parent's state at that time, before their instances are
/// made.
struct ParentComparison {
    let core: ContextCore
    let state: ContextState
    let parent: ContextCore
    let above: ContextState
    private var seen: IdentitySet = []

    init(core: ContextCore, _ state: ContextState, parent: ContextCore, _ above: ContextState) {
        self.core = core
        self.state = state
        self.parent = parent
        self.above = above
    }

    /// Whether a registration and its dependencies are the same in both contexts.
    mutating func isSame(_ slot: Slot) -> Bool {
        guard seen.insert(ObjectIdentifier(slot)).inserted else { return true }
        // A making of such a chain throws an error.
        if ThreadRecord.current.stack.isReached { return false }
        guard !core.isOpened(slot), core.parentSlot(of: slot, in: above) != nil,
            core.differencesOfOwn(slot, in: state) == nil, core.kept(slot, in: state) == nil
        else {
            return false
        }
        if let inner = slot.inner, !isSame(inner) { return false }
        if case .registration = slot.layer, let path = slot.record.configurationPath, !isSame(property: path) {
            return false
        }
        return slot.dependencies.allSatisfy { !$0.isHeld || isSame($0) }
    }

    private mutating func isSame(_ dependency: DeclaredDependency) -> Bool {
        var name = dependency.qualifier?.name
        if let path = dependency.qualifier?.path {
            guard isSame(property: path), case .success(let value) = state.properties.lookup(path).result else {
                return false
            }
            name = value?.stringValue
        }
        let own = core.answer(of: dependency, named: name, in: state)
        guard own.isSame(as: parent.answer(of: dependency, named: name, in: above)) else { return false }
        switch own {
        case .missing, .undecided, .offers: return true
        case .slot(let slot): return isSame(slot)
        case .elements(let elements): return elements.allSatisfy { isSame($0.slot) }
        }
    }

    private func isSame(property path: String) -> Bool {
        above.properties.hasSameAnswer(as: state.properties, at: path)
    }
}
