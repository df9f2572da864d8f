internal import Synchronization

/// The answer of a context to one request.
///
/// There is at most one cell for each request. It is kept while it is in use; see ``TypeNode``.
///
/// Guarded by the context's lock. The caller of every function that changes the cell holds it.
final class Cell: @unchecked Sendable {
    // Sendable: the lock of the context guards the mutable fields. Its holder accesses one field at a time, so the
    // exclusivity need not be checked.

    /// The request, within its type.
    struct Query: Hashable {
        enum Kind: Hashable {
            case single
            case collection
            case firstCollection
            case namedCollection(Set<String>)
            /// The offers from which a collection is chosen.
            case offers
            case map
            case factory(payload: ObjectIdentifier)
            /// Whether there is an answer for a single instance, or for a factory with a payload.
            case presence(payload: ObjectIdentifier?)
        }

        var kind: Kind
        var qualifier: String?

        /// Whether it names a type alone.
        var isPlain: Bool { kind == .single && qualifier == nil }

        /// Whether the answer depends on more than the registrations of one qualifier.
        var isWide: Bool {
            switch kind {
            case .single, .factory: false
            case .collection, .firstCollection, .namedCollection, .offers, .map, .presence: true
            }
        }
    }

    let type: any Any.Type
    let identity: ObjectIdentifier
    let query: Query
    let isCollection: Bool
    let isQualified: Bool
    /// The payload of a factory's product.
    let payload: ObjectIdentifier?
    /// The context that the cell belongs to.
    let owner: ObjectIdentifier
    private unowned let family: ContextFamily
    /// The stamp of that context.
    ///
    /// It exists as long as anything is published here.
    private let stamp: ContextStamp

    /// The answer of the current state; nil until it is requested.
    @exclusivity(unchecked) var answer: Answer?

    /// The slot of the answer, if a lean child can make its own instance of it.
    ///
    /// The answer retains the slot.
    ///
    /// Only a marked reader in a lean request uses it. A change removes it before it advances the stamp, and keeps the
    /// slot until such requests have ended.
    var lentSlot: Unmanaged<Slot>? {
        // Sequentially consistent, and before the reader loads the stamp: see above. The reader also sees the recipe,
        // which the slot had before it was stored.
        lent.load(ordering: .sequentiallyConsistent).map(Unmanaged.fromOpaque)
    }
    private let lent = Atomic<UnsafeRawPointer?>(nil)

    /// The type of the request, and all types that the instances of the ready answer were made from.
    ///
    /// A lean child that pushes none of these may give the answer. It reads the answer first, then these types, and
    /// then the stamp: if another answer was made ready in between, the stamp has changed.
    let typeGroups: AtomicTypeGroups

    /// The shared instances whose making read this cell, by the digest of the answer that they were given.
    @exclusivity(unchecked) var dependents = InstanceGroups()

    /// The box or slot of the ready answer, with the bits of ``Ready``, or ``missing``; read without the lock.
    private let published = Atomic<UnsafeRawPointer?>(nil)
    /// The revision of the context at which it was published.
    @exclusivity(unchecked) private var publishedAt: UInt = 0
    /// The slots whose instances are in the published box.
    @exclusivity(unchecked) private var publishedFrom: [Slot] = []
    @exclusivity(unchecked) var isInWarmTable = false
    /// Whether the context checks the cell again once nothing is pushed any longer.
    @exclusivity(unchecked) var isReadyWhilePushed = false

    init(type: any Any.Type, query: Query, owner: ContextCore) {
        family = owner.family
        stamp = owner.stamp
        self.owner = owner.identity
        self.type = type
        identity = ObjectIdentifier(type)
        isCollection = query.kind == .collection
        if case .factory(let payload) = query.kind { self.payload = payload } else { payload = nil }
        isQualified = query.qualifier != nil
        self.query = query
        typeGroups = AtomicTypeGroups(TypeGroups(identity))
    }

    /// Lets children find the slot of the answer.
    func lend(_ slot: Slot) {
        for slot in sequence(first: slot, next: \.inner) { slot.isLent = true }
        // Sequentially consistent: see `lentSlot`.
        lent.store(UnsafeRawPointer(Unmanaged.passUnretained(slot).toOpaque()), ordering: .sequentiallyConsistent)
    }

    /// Forgets the answer, because a change has touched it.
    func forgetAnswer() {
        answer = nil
        // Sequentially consistent, and before the change advances the stamp: see `lentSlot`.
        lent.store(nil, ordering: .sequentiallyConsistent)
    }

    /// Whether requests without a lock must be able to find the cell.
    ///
    /// There is one cell without a qualifier for each type. A qualifier may come from outside of the program, so a cell
    /// with a qualifier counts only while it has an answer.
    var isWorthFinding: Bool { !isQualified || ready.found != nil || lentSlot != nil }

    /// Whether requests without a lock look for the cell.
    var isFindable: Bool {
        switch query.kind {
        case .single: true
        case .collection, .factory: !isQualified
        case .firstCollection, .namedCollection, .offers, .map, .presence: false
        }
    }

    deinit {
        // Relaxed suffices: nothing else has the object anymore.
        guard let pointer = published.load(ordering: .relaxed) else { return }
        Ready(bits: UInt(bitPattern: pointer)).object?.release()
    }

    /// A stand-in for the answer that nothing is registered: an address that no box can have.
    ///
    /// It is never dereferenced. It is a constant number, because checking whether a static constant is initialized
    /// costs more than comparing with it.
    @inline(__always) static var missing: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped }

    /// Whether nothing is ready.
    var isUnanswered: Bool { ready.bits == 0 }

    /// The ready answer, and whether it can be kept for as long as its reader lives.
    @inline(__always) var ready: Ready {
        // Sequentially consistent: see `ThreadRecord.beginReading`.
        Ready(bits: UInt(bitPattern: published.load(ordering: .sequentiallyConsistent)))
    }

    /// A ready answer: the address of a box, or of a slot whose instance is made anew each time.
    ///
    /// The lowest bits, which are free in both addresses, store which one it is, the values of ``isLasting`` and
    /// ``isScoped``, and whether the box is borrowed from a context above.
    struct Ready {
        fileprivate static let lasting: UInt = 1
        fileprivate static let recipe: UInt = 2
        fileprivate static let scoped: UInt = 4
        fileprivate static let borrowed: UInt = 8
        let bits: UInt

        /// The box, or ``Cell/missing``; nil if no instance is ready.
        @inline(__always) var box: UnsafeRawPointer? {
            isRecipe ? nil : pointer
        }
        /// The box or the marked slot; nil if nothing is ready, or if the answer is that nothing is registered.
        @inline(__always) var found: UnsafeRawPointer? {
            isRecipe || pointer != Cell.missing ? pointer : nil
        }
        private var pointer: UnsafeRawPointer? {
            @inline(__always) get { UnsafeRawPointer(bitPattern: bits & ~(Self.lasting | Self.scoped | Self.borrowed)) }
        }
        /// Whether the found pointer is a marked slot.
        @inline(__always) static func isRecipe(_ found: UnsafeRawPointer) -> Bool {
            UInt(bitPattern: found) & recipe != 0
        }
        @inline(__always) static func recipe(_ found: UnsafeRawPointer) -> Unmanaged<Slot> {
            .fromOpaque(found - Int(recipe))
        }
        /// Whether an instance has to be made.
        @inline(__always) var isRecipe: Bool { bits & Self.recipe != 0 }
        /// Whether an instance of this slot has to be made.
        func isRecipe(of slot: Unmanaged<Slot>) -> Bool {
            isRecipe && found.map { Self.recipe($0).toOpaque() } == slot.toOpaque()
        }
        /// The box or the slot, if the cell retains it.
        fileprivate var object: Unmanaged<AnyObject>? {
            if bits & Self.borrowed != 0 { return nil }
            return found.map { .fromOpaque(Self.isRecipe($0) ? $0 - Int(Self.recipe) : $0) }
        }
        /// Whether it contains only singletons, and was made ready while nothing was pushed.
        var isLasting: Bool { bits & Self.lasting != 0 }
        /// Whether an instance in it has a scope that a child may open, or was made from such an instance.
        var isScoped: Bool { bits & Self.scoped != 0 }
    }

    /// Makes an answer ready.
    func publish(_ box: AnyBox?, from slots: [Slot], isLasting: Bool) {
        publishedFrom = slots
        publishedAt = stamp.now.revision
        for slot in slots {
            slot.readyCells[ObjectIdentifier(self)] = self
            slot.live?.noteReady(at: publishedAt)
        }
        var pointer = box.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) } ?? Self.missing
        if isLasting { pointer += Int(Ready.lasting) }
        if slots.contains(where: { $0.live?.isScoped ?? true }) { pointer += Int(Ready.scoped) }
        var groups = TypeGroups(identity)
        for slot in slots { groups.formUnion(slot.live?.typeGroups ?? .all) }
        typeGroups.store(groups)
        // Sequentially consistent: a reader that finds the pointer finds the box and the types. See also
        // `ThreadRecord.beginReading`.
        published.store(pointer, ordering: .sequentiallyConsistent)
    }

    /// Makes the instance of a context above ready that is given for a slot.
    ///
    /// The box is borrowed, so that the instance does not outlive a change above, which does not visit this cell. Its
    /// readers check after loading it that nothing above has changed. Such a change keeps the instance until they have
    /// finished, because it is noted as ready.
    func publish(_ box: AnyBox, of instance: Instance, for slot: Slot) {
        publishedFrom = [slot]
        publishedAt = stamp.now.revision
        slot.readyCells[ObjectIdentifier(self)] = self
        instance.noteReady(at: publishedAt)
        var bits = UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque()) | Ready.borrowed
        if instance.isScoped { bits |= Ready.scoped }
        var groups = TypeGroups(identity)
        groups.formUnion(instance.typeGroups)
        typeGroups.store(groups)
        // Sequentially consistent: see the other function.
        published.store(UnsafeRawPointer(bitPattern: bits), ordering: .sequentiallyConsistent)
    }

    /// Publishes that an instance of this slot is made each time.
    func publish(recipe slot: Slot) {
        publishedAt = stamp.now.revision
        // The values of its parameters are checked one by one.
        typeGroups.store(TypeGroups(identity))
        let pointer = UnsafeRawPointer(Unmanaged.passRetained(slot).toOpaque()) + Int(Ready.recipe)
        // Sequentially consistent: a reader that finds the slot finds its recipe. See also `ThreadRecord.beginReading`.
        published.store(pointer, ordering: .sequentiallyConsistent)
    }

    /// Marks the ready answer as one that can be kept, now that nothing is pushed any longer.
    func noteLasting() {
        isReadyWhilePushed = false
        guard !publishedFrom.isEmpty, publishedFrom.allSatisfy({ $0.record.lifetime.isLasting }) else { return }
        // Relaxed suffices: only the holder of the lock stores.
        guard let pointer = published.load(ordering: .relaxed) else { return }
        let bits = UInt(bitPattern: pointer) | Ready.lasting
        // Sequentially consistent, like the store of the same object in `publish`.
        published.store(UnsafeRawPointer(bitPattern: bits), ordering: .sequentiallyConsistent)
    }

    /// Invalidates the ready answer.
    func unpublish() {
        // Sequentially consistent: see `ThreadRecord.beginReading`.
        guard let pointer = published.exchange(nil, ordering: .sequentiallyConsistent) else { return }
        for slot in publishedFrom { slot.readyCells[ObjectIdentifier(self)] = nil }
        publishedFrom = []
        guard let retired = Ready(bits: UInt(bitPattern: pointer)).object else { return }
        family.keepInLimbo(retired.takeRetainedValue(), from: publishedAt)
    }

    var key: Key { Key(type, qualifier: query.qualifier) }
}

extension Cell: Equatable {
    static func == (left: Cell, right: Cell) -> Bool { left === right }
}

extension Cell.Query {
    init(_ shape: DeclaredDependency.Shape, qualifier: String?) {
        self.qualifier = qualifier
        switch shape {
        case .single: kind = .single
        case .collection: kind = .collection
        case .factory(let payload): kind = .factory(payload: ObjectIdentifier(payload))
        }
    }
}
