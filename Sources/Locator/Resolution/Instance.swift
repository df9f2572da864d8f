/// A shared instance and everything its making read.
final class Instance: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the context. Its holder accesses one field at a time, so
    // the exclusivity need not be checked.

    /// The state of an instance in its context.
    enum Status {
        /// Made, but not yet passed to the context.
        case pending
        /// Given to requests.
        case live
        /// Alive, but not given to requests until everything that it read is the same again.
        case aside
        /// Valid only for requests of an overtaken state.
        case stray
        /// Removed from the context permanently.
        case gone
    }

    private enum Content {
        case held(AnyBox)
        case weakly(() -> AnyBox?, ContextFamily)
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
    /// The number of users that keep the instance from being disposed of.
    ///
    /// Users are requests and other code that uses the instance while it is not in the context, and instances that were
    /// made from it, have left the context, and have not been disposed of yet.
    @exclusivity(unchecked) private(set) var userCount = 0
    /// Whether it keeps its parts from being disposed of before it.
    @exclusivity(unchecked) private var holdsParts = false
    /// The revision since which requests without a lock may have been given it, or an instance of a child that was made
    /// from it; nil if there were no such requests.
    @exclusivity(unchecked) private(set) var readySince: UInt?
    /// Whether it has left the context only because it was held weakly and has ended.
    @exclusivity(unchecked) var isForgotten = false
    /// Whether its context has ended, and another context may have made something from it.
    @exclusivity(unchecked) var isOutlived = false
    /// Whether its dispose hooks have run, or are about to.
    @exclusivity(unchecked) var isDisposed = false
    /// Whether the change that has removed it has begun to dispose of it.
    ///
    /// Before that, the last user leaves it to the change, which disposes of all instances that it has removed in one
    /// order.
    @exclusivity(unchecked) private var isDue = false
    /// Whether its shutdown hooks run before its dispose hooks, because a load of settings has replaced it.
    @exclusivity(unchecked) var endsWithShutdown = false
    /// Whether a shutdown has taken the instance, so that its shutdown hooks do not run again.
    @exclusivity(unchecked) var hasBegunShutdown = false
    /// The error that caused the instance to be dropped, if an injection that it is joined to failed.
    @exclusivity(unchecked) var failure: LocatorError?
    /// Whether it has a scope that a child may open, or was made from such an instance.
    @exclusivity(unchecked) var isScoped = true
    /// The types that it and its parts were made from; all types until that is known.
    @exclusivity(unchecked) var typeGroups = TypeGroups.all
    /// The number of the root up to which the instance was valid at the last check: without the roots that were loaded
    /// later.
    ///
    /// If the instance was never checked, it is the greatest number.
    @exclusivity(unchecked) var validUpTo = UInt.max
    /// The order of the instance that the context's parent gave when the context last followed it, and that the context
    /// did not share.
    @exclusivity(unchecked) var orderAbove: UInt?
    /// Whether everything that it read itself, apart from instances, is the same in the current state.
    @exclusivity(unchecked) var ownReadsHold = true
    /// The shared instances whose making read this one.
    @exclusivity(unchecked) var dependents = IdentityTable<Instance>()

    private init(_ content: Content, slot: Slot, birth: UInt, order: UInt, reads: Reads) {
        self.content = content
        self.slot = slot
        self.birth = birth
        self.order = order
        self.reads = reads
    }

    /// Creates an instance that is held as its registration says, the latest of the family.
    ///
    /// A value that cannot be held weakly was refused when it was made.
    convenience init(_ box: AnyBox, slot: Slot, in family: ContextFamily, birth: UInt, reads: Reads) {
        family.instanceCount += 1
        let weakly = slot.record.lifetime == .weak ? box.weakly() : nil
        let content = weakly.map { Content.weakly($0, family) } ?? .held(box)
        self.init(content, slot: slot, birth: birth, order: family.instanceCount, reads: reads)
    }

    /// Creates a stand-in for an instance that is gone.
    convenience init(goneFrom slot: Slot) {
        self.init(.held(Box(())), slot: slot, birth: 0, order: 0, reads: Reads())
        status = .gone
        // There is nothing to dispose of, because its box does not belong to the slot.
        isDisposed = true
    }

    /// The box of the instance; nil if it was held weakly and has ended.
    ///
    /// The caller holds the lock. Another thread may release the object of a weakly held instance at this moment. The
    /// box then has the last reference, so it is released after the lock has been released.
    var box: AnyBox? {
        let box = boxWithoutLock
        if case .weakly(_, let family) = content, let box { family.discard(box) }
        return box
    }

    /// The same for a caller that does not hold the lock.
    var boxWithoutLock: AnyBox? {
        switch content {
        case .held(let box): box
        case .weakly(let box, _): box()
        }
    }

    var identity: ObjectIdentifier { ObjectIdentifier(self) }

    /// Whether it was held weakly and has ended, or whether its context has ended and another context may have made
    /// something from it.
    ///
    /// In both cases, its reads count for instances that were made from it.
    var hasEnded: Bool { isOutlived || isReleased }

    /// Whether it was held weakly and has ended.
    var isReleased: Bool { slot.record.lifetime == .weak && box == nil }

    /// Runs `body` for the types that it was made from, without those of its parts.
    ///
    /// Returns false if they are not known.
    private func forEachOwnType(_ body: (ObjectIdentifier) -> Void) -> Bool {
        // The instance that a decorator wraps is a part, and has the types of the layers below.
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

    /// Whether neither it nor its parts were made from the given types; false if it takes long to find out.
    func wasMade(without types: TypeGroups, _ isAmong: (ObjectIdentifier) -> Bool) -> Bool {
        var open = [self]
        var seen: IdentitySet = []
        while let next = open.popLast() {
            if next.typeGroups.isDisjoint(with: types) || !seen.insert(next.identity).inserted { continue }
            var isFound = next.status == .pending || seen.count > 1_000
            if !next.forEachOwnType({ if isAmong($0) { isFound = true } }) || isFound { return false }
            open += next.reads.instances
        }
        return true
    }

    /// Stores the revision from which it, or an instance that a child has made from it, can be given without a lock.
    func noteReady(at revision: UInt) { readySince = min(readySince ?? revision, revision) }

    /// Whether the instance has left its context, or never was in it.
    var hasLeft: Bool { status == .stray || status == .gone }

    /// Protects the instance from being disposed of until ``letGo()``.
    func hold() { userCount += 1 }

    /// Undoes one ``hold()``.
    ///
    /// If the instance is then unused and has left the context, the caller disposes of it.
    func letGo() { userCount -= 1 }

    /// Keeps the parts of the instance, which has left the context, until the instance has been disposed of.
    ///
    /// A later change that removes a part leaves the part to the code that disposes of the instance.
    func holdParts() {
        if holdsParts || isDisposed { return }
        holdsParts = true
        for part in reads.instances where holds(part) { part.hold() }
    }

    /// Undoes ``holdParts()`` for an instance that has come into the context.
    func letGoOfParts() {
        guard holdsParts else { return }
        holdsParts = false
        for part in reads.instances where holds(part) { part.letGo() }
    }

    /// Ends an instance that its last user disposes of, not a change.
    func end() {
        status = .gone
        isDue = true
    }

    /// Whether the instance keeps a part from being disposed of.
    ///
    /// The result stays the same until the parts are released, because a part that is kept is not disposed of.
    private func holds(_ part: Instance) -> Bool {
        // Instances that are joined by injections read each other, so the order of their making decides. A part of
        // another context may have been disposed of before.
        part.order < order && !part.isDisposed
    }

    /// Whether the instance can be disposed of now.
    ///
    /// No change removes a stray, or a weakly held instance that has ended: its last user disposes of it, and releases
    /// its parts.
    private var mayEnd: Bool {
        userCount == 0 && hasLeft && !isDisposed && failure == nil && (isDue || isForgotten || status == .stray)
    }

    /// Marks the instances that are not used as disposed of, and those of their parts that only they have kept.
    ///
    /// Returns the instances that satisfy `hasHooks`, latest first, and their parts, which the caller releases after
    /// their hooks have run. With `areDue`, the caller has removed the instances, and also releases those that are
    /// still used. The third list contains the instances that they were made from and joined to. The caller releases
    /// them without the lock after the hooks, because objects that hold what they have resolved would keep it alive.
    static func end(
        _ instances: [Instance], areDue: Bool, where hasHooks: (Instance) -> Bool
    ) -> (ended: [Instance], parts: [Instance], read: [Instance]) {
        if areDue { for instance in instances { instance.isDue = true } }
        var ended: [Instance] = []
        var parts: [Instance] = []
        var read: [Instance] = []
        var open = instances
        while let next = open.popLast() {
            guard next.mayEnd else { continue }
            next.isDisposed = true
            read += next.reads.removeInstances(from: next.order)
            if hasHooks(next) { ended.append(next) }
            if next.holdsParts {
                for part in next.reads.instances where next.holds(part) {
                    part.letGo()
                    parts.append(part)
                    open.append(part)
                }
            }
            // The reads of these two kinds count for instances that were made from them.
            if !next.isOutlived, next.slot.record.lifetime != .weak { read += next.reads.removeInstances(from: 0) }
        }
        // Nothing has to wait.
        if ended.isEmpty { return ([], [], read) }
        // Removed instances that a request uses are disposed of after the hooks of the others have run.
        if areDue { parts += instances }
        // The remaining parts have other users, or are still in the context.
        parts.removeAll(where: \.isDisposed)
        for part in parts { part.hold() }
        return (ended.latestFirst, parts, read)
    }
}

extension [Instance] {
    /// The instances in order of creation.
    // Each use of `sorted` with a closure compiles to a sort of its own.
    var inOrder: [Instance] { sorted { $0.order < $1.order } }
    /// The instances that were made before another one, or all of them if none is passed, in order of creation.
    func older(than other: Instance?) -> [Instance] { filter { $0.order < other?.order ?? .max }.inOrder }
    /// The instances in reverse order of creation.
    var latestFirst: [Instance] { inOrder.reversed() }

    /// These instances and all that were made from them, latest first.
    ///
    /// The caller holds the lock.
    var withDependents: [Instance] {
        var found: IdentityTable<Instance> = [:]
        var open = self
        while let next = open.popLast() {
            guard found.updateValue(next, forKey: next.identity) == nil else { continue }
            if !next.dependents.isEmpty { open += next.dependents.values }
        }
        return Array(found.values).latestFirst
    }
}
