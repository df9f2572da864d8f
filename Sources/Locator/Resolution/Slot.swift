internal import Synchronization

/// The place in a context for the instances of one registration, or of one decorator or alias around it.
///
/// Guarded by the context's lock, except for its constant fields.
final class Slot: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the context, whose holder accesses one field at a time:
    // hence the unchecked exclusivity.

    /// What the slot adds to the slot it stands on.
    enum Layer {
        case registration
        case decorator(DecoratorRecord, around: Slot)
        case alias(AliasRecord, of: Slot)

        /// The run that registered the layer.
        var run: Registry? {
            switch self {
            case .registration: nil
            case .decorator(let decorator, _): decorator.run
            case .alias(let alias, _): alias.registration.run
            }
        }
    }

    let record: RegistrationRecord
    let layer: Layer
    /// The context the slot belongs to.
    let owner: ObjectIdentifier
    /// The slots of decorators and aliases around this one.
    @exclusivity(unchecked) var outer = IdentityTable<Slot>()

    /// The instance that is given out.
    var live: Instance? {
        didSet {
            if readyCells.isEmpty { return }
            for cell in readyCells.values { cell.unpublish() }
        }
    }
    /// The cells whose ready answer has an instance of this slot.
    @exclusivity(unchecked) var readyCells = IdentityTable<Cell>()
    /// Instances that a change made invalid, and that return if the change is undone.
    @exclusivity(unchecked) var aside: [Instance] = []
    /// Makings that have not ended.
    @exclusivity(unchecked) var makings: [Making] = []
    /// The type of an instance's box; nil until one was made in a lean child.
    var boxType: AnyBox.Type? {
        // Unsafe: a class metatype is a pointer, and this pointer was made from such a metatype. Relaxed suffices:
        // types do not change.
        boxMetatype.load(ordering: .relaxed).map { unsafeBitCast($0, to: AnyBox.Type.self) }
    }
    private let boxMetatype = Atomic<UnsafeRawPointer?>(nil)
    /// Whether children may find the slot without a lock.
    @exclusivity(unchecked) var isLent = false
    /// How an instance is made without a lock; retained.
    ///
    /// Written once, with the lock held, before the slot is published as a recipe.
    @exclusivity(unchecked) private(set) var recipe: Unmanaged<Recipe>?

    init(_ record: RegistrationRecord, layer: Layer = .registration, owner: ContextCore) {
        self.owner = ObjectIdentifier(owner)
        self.record = record
        self.layer = layer
    }

    deinit {
        recipe?.release()
    }

    func noteBoxType(_ type: AnyBox.Type) {
        if boxMetatype.load(ordering: .relaxed) != nil { return }
        boxMetatype.store(unsafeBitCast(type, to: UnsafeRawPointer.self), ordering: .relaxed)
    }

    var hasRecipe: Bool { recipe != nil }

    /// Adds the recipe for making an instance without a lock.
    ///
    /// The lock is held, and the factory closure is synchronous.
    func addRecipe(cells: [Cell?]) {
        guard case .synchronous(let maker) = record.production else { return }
        let plan = UnsafeMutablePointer<Unmanaged<Cell>?>.allocate(capacity: max(1, cells.count))
        for (index, cell) in cells.enumerated() {
            (plan + index).initialize(to: cell.map(Unmanaged.passRetained))
        }
        recipe = .passRetained(Recipe(maker, plan: UnsafePointer(plan), count: cells.count))
    }

    /// Makes an instance with the factory closure, which is synchronous.
    func makeBox(_ call: MakerCall) throws -> AnyBox {
        guard case .synchronous(let maker) = record.production else { preconditionFailure("It is asynchronous") }
        return try maker.make(record.key.type, call)
    }

    /// Runs `body` for the types of the slot: the type of its registration, and those of its aliases and their targets.
    func forEachType(_ body: (ObjectIdentifier) -> Void) {
        body(ObjectIdentifier(record.key.type))
        var slot = self
        while let inner = slot.inner {
            if case .alias(let alias, _) = slot.layer {
                body(ObjectIdentifier(alias.key.type))
                body(ObjectIdentifier(alias.registration.key.type))
            }
            slot = inner
        }
    }

    /// The qualifiers of the parameters of the slot's registration or decorator, by position.
    var parameterQualifiers: [Qualifier?] {
        switch layer {
        case .registration: record.parameterQualifiers
        case .decorator(let decorator, _): decorator.parameterQualifiers
        case .alias: []
        }
    }

    /// The dependencies of the slot's registration or decorator, except for the slot it stands on.
    var dependencies: [DeclaredDependency] {
        switch layer {
        case .registration: record.dependencies
        case .decorator(let decorator, _): decorator.dependencies
        case .alias: []
        }
    }

    /// The slot that a decorator or an alias stands on.
    var inner: Slot? {
        switch layer {
        case .registration: nil
        case .decorator(_, let inner), .alias(_, let inner): inner
        }
    }

    /// Whether both slots have the same registration, decorators, and aliases, even if one belongs to a context and the
    /// other to its child.
    func isSame(as other: Slot) -> Bool {
        if self === other { return true }
        guard record === other.record else { return false }
        switch (layer, other.layer) {
        case (.registration, .registration):
            return true
        case (.decorator(let left, let inner), .decorator(let right, let otherInner)):
            return left === right && inner.isSame(as: otherInner)
        case (.alias(let left, let inner), .alias(let right, let otherInner)):
            return left === right && inner.isSame(as: otherInner)
        case (.registration, _), (.decorator, _), (.alias, _):
            return false
        }
    }

    /// The key of the slot's instances.
    var key: Key {
        var slot = self
        while true {
            switch slot.layer {
            case .registration: return slot.record.key
            case .alias(let alias, _): return alias.key
            case .decorator(_, let inner): slot = inner
            }
        }
    }

    /// Whether the context keeps an instance of its own for this slot.
    ///
    /// An alias of an unshared or weakly held instance is made again each time, because it is only an upcast.
    var isShared: Bool {
        switch (layer, record.lifetime) {
        case (.alias, .weak): false
        case (_, .held), (_, .weak): true
        case (_, .graph), (_, .prototype): false
        }
    }

    /// Runs `body` for this slot and every slot around it.
    func forEachAround(_ body: (Slot) -> Void) {
        body(self)
        if outer.isEmpty { return }
        for slot in outer.values { slot.forEachAround(body) }
    }

    /// Runs `body` for every instance, live and set aside.
    func forEachInstance(_ body: (Instance) -> Void) {
        if let live { body(live) }
        for instance in aside { body(instance) }
    }

    /// Every instance, live and set aside.
    var instances: [Instance] {
        guard let live else { return aside }
        return aside.isEmpty ? [live] : [live] + aside
    }

    @inline(never)
    var step: Step {
        switch layer {
        case .registration: Step(key: record.key, location: record.location, role: .registration)
        case .decorator(let decorator, _): Step(key: key, location: decorator.location, role: .decorator)
        case .alias(let alias, _): Step(key: alias.key, location: alias.location, role: .alias)
        }
    }
}

/// The slots of modules that are gone, kept for requests whose state still has these modules.
struct StrandedSlots {
    struct LayerKey: Hashable {
        let inner: ObjectIdentifier
        let layer: ObjectIdentifier
    }

    var slots = IdentityTable<Slot>()
    var layers = [LayerKey: Slot]()

    /// The number of slots from which it is worth checking which are still needed.
    private(set) var limit = 64

    var isEmpty: Bool { slots.isEmpty && layers.isEmpty }
    var count: Int { slots.count + layers.count }

    /// The slots that are needed.
    func filter(_ isNeeded: (Slot) -> Bool) -> StrandedSlots {
        var kept = StrandedSlots()
        for (identity, slot) in slots where isNeeded(slot) { kept.slots[identity] = slot }
        kept.layers = layers.filter { isNeeded($0.value) }
        // Twice as many, so that the checks have a constant cost for each slot.
        kept.limit = max(limit, kept.count * 2)
        return kept
    }
}

/// A shared instance and everything its making read.
final class Instance: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the context, whose holder accesses one field at a time:
    // hence the unchecked exclusivity.

    /// The state of an instance in its context.
    enum Status {
        /// Made, but not yet passed to the context.
        case pending
        /// Given out.
        case live
        /// Alive, and returns when what it read comes out the same again.
        case aside
        /// Valid only for requests of a state that has been overtaken.
        case stray
        /// Removed from the context for good.
        case gone
    }

    private enum Content {
        case held(AnyBox)
        case weakly(() -> AnyBox?)
    }

    let slot: Slot
    private let content: Content
    /// The greatest number of a load or push that the making saw.
    let birth: UInt
    /// The position in the order of makings, for disposal in reverse order.
    let order: UInt

    @exclusivity(unchecked) var reads: Reads
    @exclusivity(unchecked) var status = Status.pending
    /// The making, while the instance waits for injections.
    @exclusivity(unchecked) var making: Making?
    /// How many users keep the instance from being disposed of: requests and others that use it although it is not or
    /// no longer in the context, and instances that were made from it and are used themselves.
    @exclusivity(unchecked) private(set) var userCount = 0
    /// The parts that it keeps from being disposed of before it; nil if nothing has used it since it left the context.
    @exclusivity(unchecked) private var heldParts: [Instance]?
    /// The revision of the context since which it may have been given without a lock; nil if it never was.
    @exclusivity(unchecked) private(set) var readySince: UInt?
    /// Whether it has left the context only because it was held weakly and has ended.
    @exclusivity(unchecked) var isForgotten = false
    /// Whether its dispose hooks have run, or are about to.
    @exclusivity(unchecked) var isDisposed = false
    /// Whether the change that has removed it has begun to dispose of it.
    ///
    /// Before that, the last user leaves it to the change, which disposes of all that it has removed in one order.
    @exclusivity(unchecked) private var isDue = false
    /// Whether its shutdown hooks run before its dispose hooks, because a load of settings has replaced it.
    @exclusivity(unchecked) var endsWithShutdown = false
    /// The error because of which the instance was dropped, if an injection that it is joined to failed.
    @exclusivity(unchecked) var failure: LocatorError?
    /// Whether it has a scope that a child may open, or was made from such an instance.
    @exclusivity(unchecked) var isScoped = true
    /// The types that it and its parts were made from; all types until that is known.
    @exclusivity(unchecked) var typeGroups = TypeGroups.all
    /// The number of a root: without what was loaded after it, the instance was valid at the last check.
    ///
    /// The greatest number if it was never checked.
    @exclusivity(unchecked) var validUpTo = UInt.max
    /// Whether everything it read itself, apart from instances, comes out the same in the current state.
    @exclusivity(unchecked) var ownReadsHold = true
    /// The shared instances whose making read this one.
    @exclusivity(unchecked) var dependents = IdentityTable<Instance>()

    /// Creates an instance that the context holds.
    init(held box: AnyBox, slot: Slot, birth: UInt, order: UInt, reads: Reads) {
        content = .held(box)
        self.slot = slot
        self.birth = birth
        self.order = order
        self.reads = reads
    }

    /// Creates a stand-in for an instance that is gone.
    init(goneFrom slot: Slot) {
        content = .held(Box(()))
        self.slot = slot
        birth = 0
        order = 0
        reads = Reads()
        status = .gone
        // There is nothing to dispose of: its box does not belong to the slot.
        isDisposed = true
    }

    init(_ box: AnyBox, slot: Slot, birth: UInt, order: UInt, reads: Reads) throws(LocatorError) {
        switch slot.record.lifetime {
        case .weak:
            guard let weakly = box.weakly() else { throw LocatorError(.weakValue(slot.key)) }
            content = .weakly(weakly)
        case .held, .graph, .prototype:
            content = .held(box)
        }
        self.slot = slot
        self.birth = birth
        self.order = order
        self.reads = reads
    }

    /// The box of the instance; nil if it was held weakly and has ended.
    var box: AnyBox? {
        switch content {
        case .held(let box): box
        case .weakly(let box): box()
        }
    }

    var identity: ObjectIdentifier { ObjectIdentifier(self) }

    /// Whether it was held weakly and has ended.
    ///
    /// Then what it read counts for instances that were made from it.
    var hasEnded: Bool { slot.record.lifetime == .weak && box == nil }

    /// Runs `body` for the types that it was made from, without those of its parts.
    ///
    /// Returns false if they are not known.
    private func forEachOwnType(_ body: (ObjectIdentifier) -> Void) -> Bool {
        // What a decorator wraps is a part, and has the types of the layers below.
        if case .decorator = slot.layer, case .held = slot.record.lifetime {
            body(ObjectIdentifier(slot.record.key.type))
        } else {
            slot.forEachType(body)
        }
        for read in reads.cells {
            body(read.cell.identity)
            if !read.answer.forEachType(body) { return false }
        }
        return true
    }

    /// Stores the types that it was made from, once everything it read is known.
    func noteTypes() {
        var groups = TypeGroups()
        guard forEachOwnType({ groups.insert($0) }) else { return }
        // A part that waits for its injections has not yet read everything.
        for part in reads.instances { groups.formUnion(part.status == .pending ? .all : part.typeGroups) }
        typeGroups = groups
    }

    /// Whether neither it nor its parts were made from the given types; false if that takes long to find out.
    func wasMade(without types: TypeGroups, _ isAmong: (ObjectIdentifier) -> Bool) -> Bool {
        var open = [self]
        var seen: IdentitySet = []
        while let next = open.popLast() {
            if next.typeGroups.isDisjoint(with: types) || !seen.insert(next.identity).inserted { continue }
            var isFound = next.status == .pending || seen.count > 64
            if !next.forEachOwnType({ if isAmong($0) { isFound = true } }) || isFound { return false }
            open += next.reads.instances
        }
        return true
    }

    /// Stores the revision from which it can be given without a lock.
    func noteReady(at revision: UInt) { readySince = readySince ?? revision }

    /// Whether the instance has left its context, or never was in it.
    var hasLeft: Bool { status == .stray || status == .gone }

    /// Protects the instance, and what it was made from, from being disposed of until ``letGo()``.
    func hold() {
        userCount += 1
        holdParts()
    }

    /// Keeps what the instance was made from, if it has left and is used, or is not disposed of at once.
    func holdParts(endsLater: Bool = false) {
        var open = [self]
        while let next = open.popLast() {
            let isKept = next.userCount > 0 || endsLater && next === self
            // An instance that has been disposed of no longer needs its parts.
            guard isKept, next.hasLeft, !next.isDisposed, next.failure == nil, next.heldParts == nil else { continue }
            // Instances that are joined by injections read each other, so the order of their making decides. A part of
            // another context may have been disposed of before.
            let parts = next.reads.instances.filter { $0.order < next.order && !$0.isDisposed }
            next.heldParts = parts
            for part in parts { part.userCount += 1 }
            open += parts
        }
    }

    /// Undoes one ``hold()``.
    ///
    /// The caller that finds the instance unused disposes of it, if it has left the context.
    ///
    /// What it was made from is kept until then.
    func letGo() { userCount -= 1 }

    /// Whether the instance can be disposed of now.
    ///
    /// No change removes a stray: its last user disposes of it.
    private var mayEnd: Bool {
        userCount == 0 && hasLeft && !isDisposed && failure == nil && (isDue || status == .stray)
    }

    /// Marks the instances that are not used as disposed of, and those of their parts that only they have kept.
    ///
    /// Returns them, latest first, and what to release once they have been disposed of: their parts. With `areDue`, the
    /// caller has removed the instances, and also releases those that are still used.
    static func end(_ instances: [Instance], areDue: Bool) -> (ended: [Instance], parts: [Instance]) {
        if areDue { for instance in instances { instance.isDue = true } }
        var ended: [Instance] = []
        var parts: [Instance] = []
        var open = instances
        while let next = open.popLast() {
            guard next.mayEnd else { continue }
            next.isDisposed = true
            ended.append(next)
            let held = next.heldParts ?? []
            next.heldParts = nil
            for part in held { part.userCount -= 1 }
            parts += held
            open += held
        }
        // What the change has removed and a request uses is disposed of after the hooks of the others have run.
        if areDue { parts += instances }
        // The remaining parts have other users, or are still in the context.
        parts.removeAll(where: \.isDisposed)
        for part in parts { part.userCount += 1 }
        return (ended.latestFirst, parts)
    }
}

/// Something that other threads wait for: a making, or an answer that a wrapper has given inside a request that has not
/// ended.
class Awaited: @unchecked Sendable {
    // Sendable: the constant fields may be read anywhere. `WaitGraph` guards `hasEnded` and `isMade`.

    final let session: Session
    final let thread: ThreadRecord
    @exclusivity(unchecked) final var hasEnded = false
    /// Whether there is an instance that waits for its injections.
    @exclusivity(unchecked) final var isMade: Bool

    init(session: Session, thread: ThreadRecord, isMade: Bool) {
        self.session = session
        self.thread = thread
        self.isMade = isMade
    }
}

/// One making of a shared instance, while it runs.
final class Making: Awaited, @unchecked Sendable {
    // Sendable: like `Awaited`; the lock of the context guards `instance` and `failure`.

    let slot: Slot
    /// Collects what the making and its injections read.
    ///
    /// Only `thread` uses it until the making has ended.
    let recorder: Recorder

    /// The instance, once it was made.
    ///
    /// It may still wait for its injections.
    @exclusivity(unchecked) var instance: Instance?
    @exclusivity(unchecked) var failure: LocatorError?
    /// The parent's slot, if the making began in a lean child.
    ///
    /// Its thread uses the slot until the end.
    @exclusivity(unchecked) var lentSlot: Slot?

    init(slot: Slot, session: Session, thread: ThreadRecord) {
        self.slot = slot
        recorder = Recorder(
            core: session.core, prepared: session.state.preparation == nil ? nil : session.state)
        super.init(session: session, thread: thread, isMade: false)
    }
}

extension [Instance] {
    /// The instances in order of creation.
    // Each use of `sorted` with a closure compiles to a sort of its own.
    var inOrder: [Instance] { sorted { $0.order < $1.order } }
    /// The instances in reverse order of creation.
    var latestFirst: [Instance] { inOrder.reversed() }
}
