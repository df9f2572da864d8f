/// A state of one context, and the states of the other contexts of its family at the same time.
///
/// The caller holds the lock everywhere.
struct Moment {
    private let core: ContextCore
    private let state: ContextState
    /// The latest root that counts; nil for the current states.
    private let sequence: UInt?
    /// The load that is undone in these states, if any.
    private let undone: TentativeLoad?
    private var others: IdentityTable<ContextState> = [:]
    /// Which instances are valid, as far as they have been checked.
    private var checked: IdentityTable<Bool> = [:]
    /// The instances that are being checked, and the instances that are valid if these are.
    private var open: [ObjectIdentifier] = []
    /// For each instance in `open`, the position there of the outermost instance on which it depends.
    private var dependsOn: IdentityTable<Int> = [:]
    /// The outermost instance on which the instance that is being checked depends.
    private var outermost = Int.max

    /// The checks of an instance, of one of its parts, and so on.
    private var checks: [Check] = []

    private struct Check {
        let instance: Instance
        /// Its position in `open`.
        let position: Int
        /// The value of `outermost` for the check before.
        let earlier: Int
        /// The parts that still have to be checked.
        var parts: ArraySlice<Instance>
    }

    /// Creates a moment from a state and the current states of the other contexts.
    init(of core: ContextCore, _ state: ContextState) {
        self.core = core
        self.state = state
        sequence = nil
        undone = nil
    }

    /// Creates a moment from the current states without what was loaded after `sequence`, and with the settings from before
    /// a load, if one is undone.
    ///
    /// `lineup` is that of the context.
    init(of core: ContextCore, upTo sequence: UInt, _ lineup: Lineup, undoing undone: TentativeLoad? = nil) {
        self.core = core
        state = core.state.with(lineup)
        self.sequence = sequence
        self.undone = undone
    }

    /// Whether everything that an instance was made from is the same.
    mutating func isValid(_ instance: Instance) -> Bool {
        // Not recursive, because a chain of instances may be long.
        var isValid = known(instance) ?? begin(instance)
        while !checks.isEmpty {
            if isValid, let part = checks[checks.count - 1].parts.popFirst() {
                isValid = part.hasEnded || core.keeps(part) || known(part) ?? begin(part)
            } else {
                end(checks.removeLast(), isValid)
            }
        }
        return isValid
    }

    /// Whether an instance is valid, or nil if that is neither known nor assumed.
    private mutating func known(_ instance: Instance) -> Bool? {
        if let known = checked[instance.identity] { return known }
        // Instances that were joined by injections read each other, so assume that this one is valid during the check.
        guard let position = dependsOn[instance.identity] else { return nil }
        outermost = min(outermost, position)
        return true
    }

    /// Begins the check of an instance, and returns whether it is valid if its parts are valid.
    private mutating func begin(_ instance: Instance) -> Bool {
        let check = Check(
            instance: instance, position: open.count, earlier: outermost, parts: instance.reads.instances[...])
        checks.append(check)
        open.append(instance.identity)
        dependsOn[instance.identity] = check.position
        outermost = check.position
        return ownReadsHold(of: instance)
    }

    private mutating func end(_ check: Check, _ isValid: Bool) {
        let (identity, position) = (check.instance.identity, check.position)
        if isValid, outermost < position {
            dependsOn[identity] = outermost
        } else {
            // Instances that were found to be valid under the assumption are valid, or have to be checked again.
            for identity in open[position...] {
                dependsOn[identity] = nil
                if isValid { checked[identity] = true }
            }
            open.removeSubrange(position...)
            if !isValid { checked[identity] = false }
        }
        outermost = min(check.earlier, outermost)
    }

    /// Whether the instance's registration is in force, and everything that the making itself read is the same.
    mutating func ownReadsHold(of instance: Instance) -> Bool {
        isInForce(instance.slot) && holds(instance.reads) && isNeeded(instance)
    }

    /// Whether a child cannot share its parent's instance instead of its own.
    private mutating func isNeeded(_ instance: Instance) -> Bool {
        let differences = instance.reads.differences
        guard !differences.isEmpty, let core = core.relative(instance.slot.owner) else { return true }
        for difference in differences where holds(difference) { return true }
        return !core.canShare(inPlaceOf: instance, in: state(of: core))
    }

    /// Whether these cells and settings have the same answers, each in its own context.
    mutating func holds(_ reads: Reads) -> Bool {
        if reads.isMixed { return false }
        for read in reads.cells where !core.isAlive(read.below) {
            // The answers of a context that has ended stay the same.
            guard let core = core.relative(read.cell.owner) else { continue }
            guard read.isSame(in: core.answer(of: read.cell, in: state(of: core))) else { return false }
        }
        for read in reads.properties where !core.isAlive(read.below) {
            guard let core = core.relative(read.cell.owner) else { continue }
            guard core.lookup(read.cell, in: state(of: core)).hasSameAnswer(as: read.lookup) else { return false }
        }
        return true
    }

    /// Whether the registration, decorators, and aliases of a slot are in force in its own context.
    private mutating func isInForce(_ slot: Slot) -> Bool {
        guard let core = core.relative(slot.owner) else { return true }
        return core.isInForce(slot, in: state(of: core))
    }

    private mutating func state(of other: ContextCore) -> ContextState {
        if other === core { return state }
        if sequence == nil, state === core.state || !core.isBelow(other.identity) { return other.state }
        if let known = others[ObjectIdentifier(other)] { return known }
        let found = sequence.map { currentState(of: other, upTo: $0) } ?? overtakenState(of: other)
        others[ObjectIdentifier(other)] = found
        return found
    }

    /// The current state of a context without what was loaded after `sequence`, and with the settings from before the load.
    private func currentState(of other: ContextCore, upTo sequence: UInt) -> ContextState {
        other.state.with(Self.lineup(of: other, undoing: undone).restricted(to: sequence))
    }

    /// The current lineup of a context with the settings from before a load, unless the context keeps its settings anyway.
    fileprivate static func lineup(of core: ContextCore, undoing undone: TentativeLoad?) -> Lineup {
        guard let undone, core.keptLoadHere == nil else { return core.state.lineup }
        return core.state.lineup.replacingBase(undone.before, revision: undone.numberBefore)
    }

    /// The state of a context above that a request in an overtaken state sees: its state at that time.
    private func overtakenState(of other: ContextCore) -> ContextState {
        let below = core.lineage.prefix { $0 !== other }
        let lineup = below.reduce(state.lineup) { $0.removing($1.ownRoots(in: $0)) }
        return ContextState(revision: state.revision, lineup)
    }
}

extension ContextState {
    /// This state with an earlier lineup.
    fileprivate func with(_ earlier: Lineup) -> ContextState {
        earlier === lineup ? self : ContextState(revision: revision, earlier)
    }
}

/// The current state of a context, and the states that become current again if the latest loads are undone.
///
/// This includes loads of the settings that may still be undone.
///
/// The caller holds the lock everywhere.
struct Returns {
    private let core: ContextCore
    private let undone: TentativeLoad?
    private var current: Moment
    private var earlier: [UInt: Moment] = [:]
    /// The lineups without the latest roots, the first one with all of them, and the number of the last root in each.
    ///
    /// Each is made from the one before it, so all of them together cost as much as removing each root once.
    private var lineups: [(lineup: Lineup, latest: UInt)]
    /// The states that become current if a load fails.
    private var beforeLoads: [Returns]

    init(of core: ContextCore) {
        self.init(of: core, Moment(of: core, core.state), core.state.lineup)
        if core.keptLoadHere == nil {
            beforeLoads = core.outermost.tentativeLoads.map { load in
                let lineup = Moment.lineup(of: core, undoing: load)
                return Returns(of: core, Moment(of: core, upTo: .max, lineup, undoing: load), lineup, undoing: load)
            }
        }
    }

    /// Creates the states with the settings that children keep.
    init(of core: ContextCore, keeping load: KeptLoad) {
        let undone = TentativeLoad(number: 0, before: load.settings, numberBefore: load.revision)
        let lineup = Moment.lineup(of: core, undoing: undone)
        self.init(of: core, Moment(of: core, upTo: .max, lineup, undoing: undone), lineup, undoing: undone)
    }

    private init(of core: ContextCore, _ current: Moment, _ lineup: Lineup, undoing undone: TentativeLoad? = nil) {
        self.core = core
        self.undone = undone
        self.current = current
        lineups = [(lineup, lineup.latestSequence)]
        beforeLoads = []
    }

    /// The lineup without what was loaded after a number.
    private mutating func lineup(upTo sequence: UInt) -> Lineup {
        while let last = lineups.last, last.latest > sequence {
            let lineup = last.lineup.restricted(to: last.latest - 1)
            lineups.append((lineup, lineup.latestSequence))
        }
        var range = 0..<lineups.count - 1
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = lineups[middle].latest > sequence ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return lineups[range.lowerBound].lineup
    }

    /// Whether an instance is valid in one of these states.
    mutating func include(_ instance: Instance) -> Bool {
        if isValidSomewhere(instance) { return true }
        for index in beforeLoads.indices where beforeLoads[index].isValidSomewhere(instance) { return true }
        return false
    }

    private mutating func isValidSomewhere(_ instance: Instance) -> Bool {
        if current.isValid(instance) {
            note(instance, validUpTo: max(instance.birth, core.state.lineup.latestSequence))
            return true
        }
        if isValid(instance, upTo: instance.birth) { return true }
        var states = [core.state]
        if instance.reads.isJoined { states += instance.reads.owners.compactMap { core.family.core($0)?.state } }
        let sequences = Set(states.lazy.flatMap { $0.lineup.roots(after: instance.birth) }.map(\.sequence))
        return sequences.sorted().contains { isValid(instance, upTo: $0) }
    }

    /// Whether an instance is valid in the state without what was loaded after a number.
    private mutating func isValid(_ instance: Instance, upTo sequence: UInt) -> Bool {
        // Constants, because the default is found while `earlier` is changed.
        let (core, lineup, undone) = (core, lineup(upTo: sequence), undone)
        guard
            earlier[sequence, default: Moment(of: core, upTo: sequence, lineup, undoing: undone)].isValid(instance)
        else { return false }
        note(instance, validUpTo: sequence)
        return true
    }

    /// Notes where an instance is valid, unless it is valid only if a load fails.
    private func note(_ instance: Instance, validUpTo sequence: UInt) {
        if undone == nil { instance.validUpTo = sequence }
    }
}
