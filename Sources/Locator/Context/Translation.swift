/// The reads of an instance of the parent, as cells and settings of a child.
///
/// If something differs in the child, ``include(_:)`` returns false, and ``reads`` contains only what differs.
struct Translation {
    private let core: ContextCore
    private let state: ContextState
    /// Whether reads that are the same are stored.
    ///
    /// Otherwise, instances that are known to be shared are not checked again.
    private let isCollecting: Bool
    private(set) var reads = Reads()
    private var seen: IdentitySet = []
    /// The instances that the child shares if it shares the one that was included first.
    private(set) var shared: [ObjectIdentifier] = []
    private var hasNeeded = false
    /// The instances that are left to include, the next one last.
    ///
    /// This is not recursive, because a chain of instances may be long.
    private var open: [(instance: Instance, isNeeded: Bool)] = []

    init(to child: ContextCore, _ state: ContextState, withReads isCollecting: Bool) {
        core = child
        self.state = state
        self.isCollecting = isCollecting
    }

    /// Adds everything that an instance of the parent was made from.
    mutating func include(_ instance: Instance) -> Bool {
        open.append((instance, isNeeded: false))
        return includeOpen()
    }

    /// Adds the reads of a making in a context above.
    mutating func include(_ all: Reads, of owner: ObjectIdentifier) -> Bool {
        includeOnly(all, of: owner, areNeeded: false) && includeOpen()
    }

    private mutating func includeOpen() -> Bool {
        while let (instance, isNeeded) = open.popLast() {
            if !includeOnly(instance, isNeeded: isNeeded) { return false }
        }
        return true
    }

    /// Adds the reads of an instance, and leaves its parts to be included next.
    ///
    /// - Parameter isNeeded: Whether something was made from the instance that the child cannot make.
    private mutating func includeOnly(_ instance: Instance, isNeeded: Bool) -> Bool {
        guard seen.insert(instance.identity).inserted else { return true }
        if isNeeded {
            // It is not known whether the child shares the instances that were reached in this way.
            hasNeeded = true
            shared = []
        } else {
            if !isCollecting, state === core.state, core.tables.shared.contains(instance.identity) { return true }
            if !hasNeeded { shared.append(instance.identity) }
        }
        if core.isOpened(instance.slot) {
            return differs()
        }
        if !isNeeded, let differences = core.differencesOfAnother(than: instance, in: state) {
            return differs(because: differences.last)
        }
        if isCollecting {
            if let scope = instance.slot.record.lifetime.openableScope {
                reads.add(Reads.ScopeRead(owner: core.identity, scope: scope))
            }
            // A weak instance may end before what was made from it. Its reads of other contexts then count as well.
            if instance.slot.record.lifetime == .weak {
                reads.join(instance.reads, withoutThoseOf: instance.slot.owner)
            }
        }
        let needsParts = isNeeded || instance.slot.record.isAsynchronous && core.keptLoadHere != nil
        return includeOnly(instance.reads, of: instance.slot.owner, areNeeded: needsParts)
    }

    /// Notes what differs, if that is known, and returns false.
    private mutating func differs(because difference: Reads? = nil) -> Bool {
        reads = difference ?? Reads()
        return false
    }

    private mutating func includeOnly(_ all: Reads, of owner: ObjectIdentifier, areNeeded: Bool) -> Bool {
        // Reads of another context, through a wrapper that belongs to it, would be the same from here.
        for read in all.cells where read.cell.owner == owner && !core.isAlive(read.below) {
            let cell = core.node(of: read.cell.type).cell(read.cell.query)
            let answer = core.answer(of: cell, in: state)
            guard read.isSame(in: answer) else {
                reads = Reads()
                reads.add(cell, answer, read.taken(of: answer) == nil ? nil : read.selected)
                return false
            }
            if isCollecting { reads.add(cell, answer, read.selected) }
        }
        for read in all.properties where read.cell.owner == owner && !core.isAlive(read.below) {
            let cell = core.tables.properties.cell(of: read.cell.path, owner: core)
            let lookup = core.lookup(cell, in: state)
            guard lookup.hasSameAnswer(as: read.lookup) else {
                reads = Reads()
                reads.add(cell, lookup)
                return false
            }
            if isCollecting { reads.add(cell, lookup) }
        }
        for read in all.scopes where read.owner == owner {
            if core.opened.contains(read.scope) { return differs() }
            if isCollecting { reads.add(Reads.ScopeRead(owner: core.identity, scope: read.scope)) }
        }
        // If it was given instances of other contexts, its own reads include what these were made from. But this context
        // may have its own instance instead of one that the parent shares.
        for part in all.instances.reversed()
        where part.slot.owner == owner || core.isBelow(part.slot.owner) && gives(part, in: all, of: owner) {
            open.append((part, isNeeded: areNeeded))
        }
        return true
    }

    /// Whether an instance was given as an answer of a context, and not through a wrapper of another one.
    private func gives(_ part: Instance, in all: Reads, of owner: ObjectIdentifier) -> Bool {
        all.cells.contains { read in
            guard read.cell.owner == owner else { return false }
            return switch read.taken(of: read.answer) {
            case .slot(let slot): slot.includes(part.slot)
            case .elements(let elements): elements.contains { $0.slot.includes(part.slot) }
            case .missing, .undecided, .offers, nil: false
            }
        }
    }
}
