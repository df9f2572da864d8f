/// The cells and slots of a context, and what it knows about them.
///
/// A context gets them when it is used for the first time. A lean child and a fork that is only passed on have none, so
/// they are cheap to create and end.
///
/// Guarded by the lock of the family.
final class ContextTables {
    // Unchecked exclusivity: the holder of the lock accesses one field at a time.

    @exclusivity(unchecked) var nodes = IdentityTable<TypeNode>()
    @exclusivity(unchecked) var slots = IdentityTable<Slot>()
    /// The slots that may have an instance of a scope that the program has defined, by scope.
    @exclusivity(unchecked) var scoped = [Scope: IdentityTable<Slot>]()
    /// The slots that may have an instance with an asynchronous factory closure.
    @exclusivity(unchecked) var prepared = IdentityTable<Slot>()
    /// The slots with a layer of each decorator or alias, to cut them off when its module is removed.
    @exclusivity(unchecked) var layered = IdentityTable<IdentityTable<Slot>>()
    @exclusivity(unchecked) var stranded = StrandedSlots()
    /// The reads of the parent's instances that may be given here.
    ///
    /// They are forgotten with every change, and once an instance is gone, because another instance may get its
    /// identity.
    @exclusivity(unchecked) var shared = IdentityTable<Reads>()
    /// The number of instances that were gone when the first of these were stored.
    @exclusivity(unchecked) var sharedSince: UInt = 0
    /// The cells whose answers were made ready under a push, and could be kept without it.
    @exclusivity(unchecked) var readyWhilePushed: [Cell] = []
    /// The requests of the wrappers at each place.
    @exclusivity(unchecked) var sites = [ContextCore.SiteKey: WrapperSite]()
    @exclusivity(unchecked) var properties = PropertyCells()
    @exclusivity(unchecked) var asynchronous = AsyncMakings()
    /// The revision in which each scope was last reset.
    @exclusivity(unchecked) var resets = [Scope: UInt]()

    /// Takes out the cells and slots of a context that has ended.
    ///
    /// The caller releases them after giving the lock back.
    func takeCells() -> Any {
        // Breaks the cycle between a slot and the slots around it.
        for inner in layered.values.flatMap(\.values) { inner.outer = [:] }
        defer {
            nodes = [:]
            slots = [:]
            scoped = [:]
            prepared = [:]
            layered = [:]
            properties = PropertyCells()
        }
        return (nodes, slots, scoped, prepared, layered)
    }
}

/// The caller holds the lock of the family everywhere.
extension ContextCore {
    /// The tables, created if there are none.
    var tables: ContextTables {
        if let knownTables { return knownTables }
        let tables = ContextTables()
        knownTables = tables
        return tables
    }

    var nodes: IdentityTable<TypeNode> {
        _read { yield tables.nodes }
        _modify { yield &tables.nodes }
    }

    var slots: IdentityTable<Slot> {
        _read { yield tables.slots }
        _modify { yield &tables.slots }
    }

    var scoped: [Scope: IdentityTable<Slot>] {
        _read { yield tables.scoped }
        _modify { yield &tables.scoped }
    }

    var prepared: IdentityTable<Slot> {
        _read { yield tables.prepared }
        _modify { yield &tables.prepared }
    }

    var layered: IdentityTable<IdentityTable<Slot>> {
        _read { yield tables.layered }
        _modify { yield &tables.layered }
    }

    var stranded: StrandedSlots {
        _read { yield tables.stranded }
        _modify { yield &tables.stranded }
    }

    var shared: IdentityTable<Reads> {
        _read { yield tables.shared }
        _modify { yield &tables.shared }
    }

    var sharedSince: UInt {
        _read { yield tables.sharedSince }
        _modify { yield &tables.sharedSince }
    }

    var readyWhilePushed: [Cell] {
        _read { yield tables.readyWhilePushed }
        _modify { yield &tables.readyWhilePushed }
    }

    var sites: [SiteKey: WrapperSite] {
        _read { yield tables.sites }
        _modify { yield &tables.sites }
    }

    var properties: PropertyCells {
        _read { yield tables.properties }
        _modify { yield &tables.properties }
    }

    var asynchronous: AsyncMakings {
        _read { yield tables.asynchronous }
        _modify { yield &tables.asynchronous }
    }

    var resets: [Scope: UInt] {
        _read { yield tables.resets }
        _modify { yield &tables.resets }
    }
}
