internal import LocatorProperties

/// Everything that answers depend on at one moment: the modules in lookup order and the settings.
///
/// Constant, except for the instances that it keeps for requests that use it longer than the context does.
final class ContextState: @unchecked Sendable {
    // Sendable: all fields except `strays` and `wideTypes` are constant or stored once. The lock of the context guards
    // these two.

    /// The number of changes in the family up to this state.
    ///
    /// The revision of a child that has followed its parent is therefore never smaller than the parent's. A child that
    /// has not changed since it was opened has the revision of its parent.
    let revision: UInt
    let lineup: Lineup

    /// What children can open in this state.
    let openings = LazyReference<Openings>()
    /// The lineup of forks.
    let lineupOfForks = LazyReference<Lineup>()

    /// Instances for requests that use this state after it was overtaken.
    ///
    /// Either these requests have made the instances, which are not valid in later states, or these requests use the
    /// instances, which have left the context.
    private var strays = IdentityTable<Instance>()

    /// The instances that are made for this state before the context takes it over; nil for a state that the context
    /// has or had.
    let preparation: Preparation?

    /// The state of the parent at that time; nil for a context without a parent, or if nothing uses it anymore.
    ///
    /// Weak, so that a child that follows later does not keep instances of its parent's requests. Each request of the
    /// child retains it.
    weak let above: ContextState?

    init(revision: UInt, _ lineup: Lineup, preparation: Preparation? = nil, above: ContextState? = nil) {
        self.revision = revision
        self.lineup = lineup
        self.above = above
        self.preparation = preparation
    }

    /// Keeps an instance for requests of this state.
    ///
    /// The caller holds the lock of the context.
    func keep(_ stray: Instance, for slot: Slot, of core: ContextCore) {
        // Nothing else may have the instance that this replaces, so it is released without the lock.
        if let replaced = strays.updateValue(stray, forKey: ObjectIdentifier(slot)) { core.discard(replaced) }
    }

    /// The instance that requests of this state use for a slot.
    ///
    /// The table does not retain the slots of a child, so another slot may have got the address of one by now.
    func stray(for slot: Slot) -> Instance? {
        strays[ObjectIdentifier(slot)].flatMap { $0.slot.isSame(as: slot) ? $0 : nil }
    }

    /// The lineup of forks.
    ///
    /// It is computed once, so that a fork only takes a pointer.
    func findLineupOfForks() -> Lineup {
        lineupOfForks.load() ?? lineupOfForks.storeIfNil(lineup.takenOverByFork)
    }

    /// The modules that register or change a type.
    ///
    /// If there are many, they are sorted only once, so that requests for a thousand qualifiers search a thousand
    /// modules once.
    ///
    /// The caller holds the lock of the context.
    func holders(of type: ObjectIdentifier) -> TypeHolders {
        if let known = wideTypes[type] { return known }
        let holders = lineup.findHolders(of: type)
        if holders.isKept { wideTypes[type] = holders }
        return holders
    }

    @exclusivity(unchecked) private var wideTypes = IdentityTable<TypeHolders>()

    /// Takes over the sorted modules from the previous state, and moves those whose places differ.
    ///
    /// In a stack of a thousand pushes of one type, a push therefore does not sort the modules of the type again. If
    /// many modules have moved, sorting again costs less.
    ///
    /// The caller holds the lock of the context.
    func takeHolders(from earlier: ContextState) {
        if earlier.wideTypes.isEmpty { return }
        let moves = lineup.differences(from: earlier.lineup)
        if moves.count > TypeHolders.moveCount { return }
        swap(&wideTypes, &earlier.wideTypes)
        var types = IdentitySet()
        for case let module? in moves.flatMap({ [$0.old, $0.new] }) {
            module.loaded.forEachType { if wideTypes.has($0) { types.insert($0) } }
        }
        for type in types { wideTypes[type]?.move(moves, of: type) }
    }

    /// The loaded settings with the settings of the modules over and under them.
    var properties: Properties { lineup.properties }

    /// The revision of the first state of a context.
    ///
    /// Revision 0 is for states that do not belong to the context, so that their answers are not taken for the
    /// context's answers.
    static var firstRevision: UInt { 1 }

    /// The state of an empty context.
    static func empty() -> ContextState { ContextState(revision: firstRevision, nothing.lineup) }

    /// The state of all contexts that have ended.
    ///
    /// No request begins in it, so it keeps no instances.
    static let nothing = ContextState(revision: 0, Lineup())
}
