internal import LocatorProperties

/// Whether what an instance's making read would come out the same. The caller holds the lock everywhere.
extension ContextCore {
    /// Whether the instance's registration is in force in `state`, and the cells and properties that the making read
    /// itself answer the same there.
    func ownReadsHold(of instance: Instance, in state: ContextState) -> Bool {
        isInForce(instance.slot, in: state) && holds(instance.reads, in: state)
    }

    /// Whether these cells and properties answer the same in `state`.
    func holds(_ reads: Reads, in state: ContextState) -> Bool {
        for read in reads.cells {
            guard read.isSame(in: answer(of: own(read.cell), in: state)) else { return false }
        }
        for read in reads.properties {
            guard lookup(own(read.cell), in: state).hasSameAnswer(as: read.lookup) else { return false }
        }
        return true
    }

    /// The cell of this context for the same request: an instance of a parent has read the parent's.
    private func own(_ cell: Cell) -> Cell {
        cell.owner == ObjectIdentifier(self) ? cell : node(of: cell.type).cell(cell.query)
    }

    private func own(_ cell: PropertyCell) -> PropertyCell {
        cell.owner == ObjectIdentifier(self) ? cell : properties.cell(of: cell.path, owner: self)
    }

    /// Whether an answer that depends on these reads is the answer of `state`, which must be the current one for it.
    func isCurrent(_ reads: Reads, in state: ContextState) -> Bool {
        !isClosed && state === self.state && partsAreLive(reads) && holds(reads, in: state)
    }

    /// Whether the instances among these reads are live; of those that have ended, what they read counts.
    private func partsAreLive(_ reads: Reads) -> Bool {
        reads.instances.allSatisfy { part in
            if part.hasEnded { return partsAreLive(part.reads) && holds(part.reads, in: state) }
            return part.status == .live && part.box != nil
        }
    }

    /// Whether an answer that depends on these reads is the answer of `state`, which may have been overtaken.
    func isAnswer(_ reads: Reads, in state: ContextState) -> Bool {
        if isClosed { return false }
        if state === self.state { return isCurrent(reads, in: state) }
        var checked: IdentityTable<Bool> = [:]
        return reads.instances.allSatisfy { instance in
            switch instance.status {
            case .live, .aside: instance.box != nil && isValid(instance, in: state, &checked)
            case .stray: state.strays[ObjectIdentifier(instance.slot)] === instance
            case .pending, .gone: false
            }
        } && holds(reads, in: state)
    }

    /// Whether the context has ended.
    var isGone: Bool { locked { isClosed } }

    /// What `state` has at a property path, remembered while the state is the current one.
    func lookup(_ cell: PropertyCell, in state: ContextState) -> PropertyLookup {
        let isCurrent = state === self.state
        if isCurrent, let lookup = cell.lookup { return lookup }
        let lookup = state.properties.lookup(cell.path)
        properties.watch(cell, lookup)
        if isCurrent { cell.lookup = lookup }
        return lookup
    }

    /// The instance of a slot that is valid in `state`, which may have been overtaken.
    func valid(_ slot: Slot, in state: ContextState) -> Instance? {
        if state === self.state {
            guard let live = slot.live else { return nil }
            if live.box != nil { return live }
            // Held weakly, and ended.
            discard(live)
            slot.live = nil
            forgetIfEnded(live)
            return nil
        }
        // One that no request uses any more has been disposed of.
        if let stray = state.strays[ObjectIdentifier(slot)], stray.userCount > 0 { return stray }
        var checked: IdentityTable<Bool> = [:]
        let instances = slot.instances + family.limbo.instances(of: slot)
        return instances.first { $0.box != nil && isValid($0, in: state, &checked) }
    }

    func isValid(
        _ instance: Instance, in state: ContextState, _ checked: inout IdentityTable<Bool>
    ) -> Bool {
        if let known = checked[instance.identity] { return known }
        // Instances that were joined by injections read each other: assumed to hold while they are being checked.
        checked[instance.identity] = true
        let holds =
            ownReadsHold(of: instance, in: state)
            && instance.reads.instances.allSatisfy { $0.hasEnded || isValid($0, in: state, &checked) }
        checked[instance.identity] = holds
        return holds
    }
}
