internal import LocatorProperties

/// Whether what an instance's making read would be the same now.
///
/// The caller holds the lock everywhere.
extension ContextCore {
    /// Whether the instance's registration is in force in `state`, and everything that the making itself read is the
    /// same there.
    func ownReadsHold(of instance: Instance, in state: ContextState) -> Bool {
        isInForce(instance.slot, in: state) && holds(instance.reads, in: state)
    }

    /// Whether these cells and settings have the same answers in `state`, and in the current states of other contexts.
    func holds(_ reads: Reads, in state: ContextState) -> Bool {
        var moment = Moment(of: self, state)
        return holds(reads, at: &moment)
    }

    /// Whether these cells and settings have the same answers, each in its own context.
    private func holds(_ reads: Reads, at moment: inout Moment) -> Bool {
        if reads.isMixed { return false }
        for read in reads.cells {
            // The answers of a context that has ended stay the same.
            guard let core = core(read.cell.owner) else { continue }
            guard read.isSame(in: core.answer(of: read.cell, in: moment.state(of: core))) else { return false }
        }
        for read in reads.properties {
            guard let core = core(read.cell.owner) else { continue }
            guard core.lookup(read.cell, in: moment.state(of: core)).hasSameAnswer(as: read.lookup) else {
                return false
            }
        }
        return true
    }

    /// Whether the registration, decorators, and aliases of a slot are in force in its own context.
    private func isInForce(_ slot: Slot, at moment: inout Moment) -> Bool {
        guard let core = core(slot.owner) else { return true }
        return core.isInForce(slot, in: moment.state(of: core))
    }

    /// This context, or another context of the family that has not ended.
    private func core(_ owner: ObjectIdentifier) -> ContextCore? {
        owner == ObjectIdentifier(self) ? self : family.core(owner)
    }

    /// Whether an answer with these reads is current in `state`.
    ///
    /// It never is if `state` has been overtaken.
    func isCurrent(_ reads: Reads, in state: ContextState) -> Bool {
        !isClosed && state === self.state && partsAreLive(reads) && holds(reads, in: state)
    }

    /// Whether the instances among these reads are live.
    ///
    /// For an instance that has ended, what it read counts instead, except what was made after it: only injections read
    /// that, and it may have read the instance.
    private func partsAreLive(_ reads: Reads, madeBefore order: UInt = .max) -> Bool {
        reads.instances.allSatisfy { part in
            if part.order >= order { return true }
            if part.hasEnded {
                return partsAreLive(part.reads, madeBefore: part.order) && holds(part.reads, in: state)
            }
            return (part.status == .live || keeps(part)) && part.box != nil
        }
    }

    /// Whether an answer with these reads is the answer of `state`, which may have been overtaken.
    func isAnswer(_ reads: Reads, in state: ContextState) -> Bool {
        if isClosed { return false }
        if state === self.state { return isCurrent(reads, in: state) }
        var moment = Moment(of: self, state)
        return reads.instances.allSatisfy { instance in
            switch instance.status {
            case .live, .aside: instance.box != nil && isValid(instance, at: &moment)
            case .stray:
                state.strays[ObjectIdentifier(instance.slot)] === instance && mayUse(instance, in: state)
            case .gone: keeps(instance)
            case .pending: false
            }
        } && holds(reads, at: &moment)
    }

    /// The current state without what was loaded after `sequence`.
    fileprivate func state(upTo sequence: UInt) -> ContextState {
        let earlier = state.lineup.restricted(to: sequence)
        return earlier === state.lineup ? state : ContextState(revision: state.revision, earlier)
    }

    /// What `state` has at the path of a setting, cached if the state is the current one.
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
            // It was held weakly, and has ended.
            discard(live)
            slot.live = nil
            forgetIfEnded(live)
            return nil
        }
        // A stray that no request uses anymore has been disposed of.
        if let stray = state.strays[ObjectIdentifier(slot)], stray.userCount > 0, mayUse(stray, in: state) {
            return stray
        }
        var moment = Moment(of: self, state)
        let instances =
            slot.instances + family.limbo.instances(of: slot) + keptForChildren(of: slot, in: state)
        return instances.first { $0.box != nil && mayUse($0, in: state) && isValid($0, at: &moment) }
    }

    /// Whether the context could take over an instance with `state`, if that is prepared.
    ///
    /// It cannot if the instance, or something that it was made from, has ended since. In an overtaken state, such instances
    /// are given as before.
    private func mayUse(_ instance: Instance, in state: ContextState) -> Bool {
        if state.preparation == nil { return true }
        var seen: IdentitySet = []
        var open = [instance]
        while let next = open.popLast() {
            if next.hasEnded { continue }
            if next.status == .gone, !keeps(next) { return false }
            // What is in the context was made from what is there, too.
            if next.status == .stray, seen.insert(next.identity).inserted { open += next.reads.instances }
        }
        return true
    }

    /// Whether everything that an instance was made from is the same.
    @inline(never)
    func isValid(_ instance: Instance, at moment: inout Moment) -> Bool {
        if let known = moment.checked[instance.identity] { return known }
        // Instances that were joined by injections read each other, so assume that this one is valid during the check.
        moment.checked[instance.identity] = true
        let holds =
            isInForce(instance.slot, at: &moment) && holds(instance.reads, at: &moment)
            && instance.reads.instances.allSatisfy { $0.hasEnded || keeps($0) || isValid($0, at: &moment) }
        moment.checked[instance.identity] = holds
        return holds
    }
}

/// A state of one context, and the states of the other contexts of its family at the same time.
struct Moment {
    private let core: ContextCore
    private let state: ContextState
    /// The latest root that counts; nil for the current states.
    private let sequence: UInt?
    private var others: IdentityTable<ContextState> = [:]
    /// Which instances are valid, as far as they have been checked.
    fileprivate var checked: IdentityTable<Bool> = [:]

    /// Creates a moment from a state and the current states of the other contexts.
    init(of core: ContextCore, _ state: ContextState) {
        self.core = core
        self.state = state
        sequence = nil
    }

    /// Creates a moment from the current states without what was loaded after `sequence`.
    init(of core: ContextCore, upTo sequence: UInt) {
        self.core = core
        state = core.state(upTo: sequence)
        self.sequence = sequence
    }

    fileprivate mutating func state(of other: ContextCore) -> ContextState {
        if other === core { return state }
        guard let sequence else { return other.state }
        if let known = others[ObjectIdentifier(other)] { return known }
        let state = other.state(upTo: sequence)
        others[ObjectIdentifier(other)] = state
        return state
    }
}
