/// The cells and slots of a context, and everything that it knows about them.
///
/// A context gets them when it is used for the first time. A lean child and an unused fork have none, so they are cheap
/// to create and end.
///
/// Guarded by the lock of the family, whose holder accesses one field at a time.
struct ContextTables {
    var nodes = IdentityTable<TypeNode>()
    var slots = IdentityTable<Slot>()
    /// The slots that may have an instance, by scope, without those of singletons.
    var scoped = [Scope: IdentityTable<Slot>]()
    /// The slots with a layer of each decorator or alias, which are cut off when its module is removed.
    var layered = IdentityTable<IdentityTable<Slot>>()
    var stranded = StrandedSlots()
    /// The instances of contexts above that were found to be shared here.
    ///
    /// This set is emptied with every change, and when an instance is gone, because another instance may get its
    /// identity.
    var shared = IdentitySet()
    /// The number of instances that were gone when the first shared instances were stored.
    var sharedSince: UInt = 0
    /// The cells whose ready answers are such instances.
    ///
    /// These answers are invalidated whenever `shared` is emptied.
    var sharedCells: [Cell] = []
    /// The cells whose answers were made ready under a push, and could be kept without it.
    var readyWhilePushed: [Cell] = []
    /// The number of these cells above which cells with invalidated answers are dropped.
    var readyLimit = 64
    /// The requests of the wrappers at each place.
    var sites = [WrapperSite.PlaceKey: [WrapperSite]]()
    var properties = PropertyCells()
    var asynchronous = AsyncMakings()
    var observers: [Observer] = []
    /// The errors of dispose hooks that ran on the main actor after their instance had ended.
    var lateFailures: [HookFailure] = []
    /// Whether a making in a context that is not below this one has read something here.
    var isReadElsewhere = false
    /// The revision in which each scope was last reset.
    ///
    /// For nil, it is the revision in which everything was reset.
    var resets = [Scope?: UInt]()

    /// Takes out the cells and slots of a context that has ended.
    ///
    /// The caller releases them after releasing the lock.
    mutating func takeCells() -> Any {
        // Breaks the cycle between a slot and the slots around it.
        for inner in layered.values.flatMap(\.values) { inner.outer = [:] }
        defer {
            nodes = [:]
            slots = [:]
            scoped = [:]
            layered = [:]
            properties = PropertyCells()
        }
        return (nodes, slots, scoped, layered)
    }
}
