internal import Synchronization

/// What a context answers to one request; one per request that was ever made.
///
/// Guarded by the context's lock.
final class Cell: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the context, whose holder accesses one field at a time:
    // hence the unchecked exclusivity.

    /// The request, within its type.
    struct Query: Hashable {
        enum Kind: Hashable {
            case single
            case collection
            case firstCollection
            case namedCollection(Set<String>)
            /// What a collection is chosen from.
            case offers
            case map
            case factory(payload: ObjectIdentifier)
        }

        var kind: Kind
        var qualifier: String?
    }

    let type: any Any.Type
    let identity: ObjectIdentifier
    let query: Query
    let isCollection: Bool
    let isQualified: Bool
    /// The payload of a factory's product.
    let payload: ObjectIdentifier?
    /// The context the cell belongs to.
    let owner: ObjectIdentifier
    private unowned let family: ContextFamily
    /// The stamp of that context, which lives as long as anything is published here.
    private let stamp: ContextStamp

    /// The answer of the current state, once it was asked for.
    @exclusivity(unchecked) var answer: Answer?

    /// The slot of the answer, where a lean child can make an instance of it for itself; the answer retains it.
    ///
    /// A marked reader in a lean request may use it: a change takes it back before it moves the stamp on, and keeps the slot
    /// for such requests.
    var lentSlot: Unmanaged<Slot>? {
        // Sequentially consistent, before the stamp: see there. It also orders what the slot was prepared with.
        lent.load(ordering: .sequentiallyConsistent).map(Unmanaged.fromOpaque)
    }
    private let lent = Atomic<UnsafeRawPointer?>(nil)

    /// The type of the request, and all types that the instances of the ready answer were made from.
    ///
    /// A lean child that pushes none of these may be given the answer. It looks at the answer first, then here, and then at
    /// the stamp: where another answer was made ready in between, the stamp has moved.
    let typeGroups: AtomicTypeGroups

    /// The shared instances whose making read this cell.
    @exclusivity(unchecked) var dependents = IdentityTable<Instance>()

    /// The box of the answer that is ready, retained, or ``missing``; read without the lock.
    private let published = Atomic<UnsafeRawPointer?>(nil)
    /// The revision of the context at which it was published.
    @exclusivity(unchecked) private var publishedAt: UInt = 0
    /// The slots whose instances are in the published box.
    @exclusivity(unchecked) private var publishedFrom: [Slot] = []
    @exclusivity(unchecked) var isInWarmTable = false
    /// Whether the context looks at it again once nothing is pushed any more.
    @exclusivity(unchecked) var isReadyWhilePushed = false

    init(type: any Any.Type, query: Query, owner: ContextCore) {
        family = owner.family
        stamp = owner.stamp
        self.owner = ObjectIdentifier(owner)
        self.type = type
        identity = ObjectIdentifier(type)
        isCollection = query.kind == .collection
        if case .factory(let payload) = query.kind { self.payload = payload } else { payload = nil }
        isQualified = query.qualifier != nil
        self.query = query
        typeGroups = AtomicTypeGroups(TypeGroups(identity))
    }

    /// Lets children find the slot of the answer; the lock is held.
    func lend(_ slot: Slot) {
        slot.isLent = true
        lent.store(UnsafeRawPointer(Unmanaged.passUnretained(slot).toOpaque()), ordering: .sequentiallyConsistent)
    }

    /// Forgets what the answer was, which a change has touched.
    func forgetAnswer() {
        answer = nil
        lent.store(nil, ordering: .sequentiallyConsistent)
    }

    /// Whether a request without a lock looks for the cell.
    var isFindable: Bool {
        switch query.kind {
        case .single: true
        case .collection: !isQualified
        case .factory: !isQualified
        case .firstCollection, .namedCollection, .offers, .map: false
        }
    }

    /// Whether the request is for one instance of this type and name.
    @inline(__always)
    func isNamed(_ name: String, _ type: ObjectIdentifier) -> Bool {
        identity == type && !isCollection && payload == nil && query.qualifier == name
    }

    /// Whether the request names this type alone.
    @inline(__always)
    func isPlain(_ type: ObjectIdentifier) -> Bool {
        identity == type && !isCollection && !isQualified && payload == nil
    }

    deinit {
        // Relaxed suffices: nobody else has the object any more.
        guard let pointer = published.load(ordering: .relaxed) else { return }
        let ready = Ready(bits: UInt(bitPattern: pointer))
        if let slot = ready.recipe { slot.release() }
        if let box = ready.box, box != Self.missing { Unmanaged<AnyBox>.fromOpaque(box).release() }
    }

    /// What stands for the answer that nothing is registered: a place that no box can have.
    ///
    /// It is never read through. A constant number, because asking whether a static constant is there costs more than
    /// the comparison with it.
    @inline(__always) static var missing: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped }

    /// Whether nothing is ready.
    var isUnanswered: Bool { ready.bits == 0 }

    /// The ready answer, and whether it can be kept for as long as its reader lives.
    @inline(__always) var ready: Ready {
        // Sequentially consistent: see `ThreadRecord.beginReading`.
        Ready(bits: UInt(bitPattern: published.load(ordering: .sequentiallyConsistent)))
    }

    /// A ready answer: the place of a box, or of a slot that is made anew each time; the lowest bits, which are free in
    /// both, tell what it is.
    struct Ready {
        fileprivate static let lasting: UInt = 1
        static let recipe: UInt = 2
        fileprivate static let scoped: UInt = 4
        let bits: UInt

        /// The box, or ``Cell/missing``; nil where no instance is ready.
        @inline(__always) var box: UnsafeRawPointer? {
            bits & Self.recipe == 0 ? pointer : nil
        }
        /// The box or the marked slot; nil where nothing is ready, or that nothing is registered.
        @inline(__always) var found: UnsafeRawPointer? {
            // A recipe first: to use a static constant is to ask whether it is there.
            bits & Self.recipe != 0 || pointer != Cell.missing ? pointer : nil
        }
        private var pointer: UnsafeRawPointer? {
            @inline(__always) get { UnsafeRawPointer(bitPattern: bits & ~(Self.lasting | Self.scoped)) }
        }
        /// Whether what was found is a marked slot, and which.
        @inline(__always) static func isRecipe(_ found: UnsafeRawPointer) -> Bool {
            UInt(bitPattern: found) & recipe != 0
        }
        @inline(__always) static func recipe(_ found: UnsafeRawPointer) -> Unmanaged<Slot> {
            .fromOpaque(found - Int(recipe))
        }
        /// The slot to make an instance of.
        @inline(__always) var recipe: Unmanaged<Slot>? {
            guard bits & Self.recipe != 0, let slot = UnsafeRawPointer(bitPattern: bits & ~Self.recipe) else {
                return nil
            }
            return .fromOpaque(slot)
        }
        /// Whether it holds nothing but singletons, given while nothing was pushed.
        var isLasting: Bool { bits & Self.lasting != 0 }
        /// Whether something in it is of a scope that a child may open, or was made from what is.
        var isScoped: Bool { bits & Self.scoped != 0 }
    }

    /// Makes an answer ready; the lock is held.
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
        published.store(pointer, ordering: .sequentiallyConsistent)
    }

    /// Makes it known that an instance is made of this slot each time; the lock is held.
    func publish(recipe slot: Slot) {
        publishedAt = stamp.now.revision
        // What its parameters are given is looked at one by one.
        typeGroups.store(TypeGroups(identity))
        let pointer = UnsafeRawPointer(Unmanaged.passRetained(slot).toOpaque()) + Int(Ready.recipe)
        published.store(pointer, ordering: .sequentiallyConsistent)
    }

    /// Notes that what is ready can be kept, now that nothing is pushed any more; the lock is held.
    func noteLasting() {
        isReadyWhilePushed = false
        guard !publishedFrom.isEmpty, publishedFrom.allSatisfy({ $0.record.lifetime.isLasting }) else { return }
        // Relaxed suffices: only the holder of the lock stores.
        guard let pointer = published.load(ordering: .relaxed) else { return }
        let bits = UInt(bitPattern: pointer) | Ready.lasting
        published.store(UnsafeRawPointer(bitPattern: bits), ordering: .sequentiallyConsistent)
    }

    /// Takes the ready answer back; the lock is held.
    func unpublish() {
        guard let pointer = published.exchange(nil, ordering: .sequentiallyConsistent) else { return }
        for slot in publishedFrom { slot.readyCells[ObjectIdentifier(self)] = nil }
        publishedFrom = []
        let ready = Ready(bits: UInt(bitPattern: pointer))
        let retired: AnyObject
        if let slot = ready.recipe {
            retired = slot.takeRetainedValue()
        } else if let box = ready.box, box != Self.missing {
            retired = Unmanaged<AnyBox>.fromOpaque(box).takeRetainedValue()
        } else {
            return
        }
        family.keepInLimbo(retired, from: publishedAt, to: stamp.now.revision)
    }

    var key: Key { Key(type, qualifier: query.qualifier) }
}

/// The cells of one type.
///
/// Guarded by the context's lock.
final class TypeNode {
    let type: any Any.Type
    let identity: ObjectIdentifier
    /// The cell of the request that names the type alone.
    @exclusivity(unchecked) private(set) var plain: Cell?
    @exclusivity(unchecked) private var others = [Cell.Query: Cell]()
    /// The cells that depend on more than the registrations of one qualifier.
    @exclusivity(unchecked) private var collections: [Cell] = []
    /// The types for which an alias forwards to this one.
    @exclusivity(unchecked) var aliasedBy = IdentitySet()
    private unowned let owner: ContextCore
    /// What answers for a `ConfigProperty` type that nothing registers.
    @exclusivity(unchecked) var configuration: RegistrationRecord?

    init(_ type: any Any.Type, owner: ContextCore) {
        self.owner = owner
        self.type = type
        identity = ObjectIdentifier(type)
    }

    /// The cell of a query, made where there was none.
    func cell(_ query: Cell.Query) -> Cell {
        if query.kind == .single, query.qualifier == nil {
            if let plain { return plain }
            let cell = Cell(type: type, query: query, owner: owner)
            plain = cell
            return cell
        }
        if let cell = others[query] { return cell }
        let cell = Cell(type: type, query: query, owner: owner)
        others[query] = cell
        switch query.kind {
        case .single, .factory: break
        case .collection, .firstCollection, .namedCollection, .offers, .map: collections.append(cell)
        }
        return cell
    }

    /// The cells whose answer may differ once a module with this entry comes or goes.
    func cells(touchedBy entry: TypeEntry) -> [Cell] {
        if entry.replacesCollections || !entry.decorators.isEmpty { return all }
        var cells = collections
        if let plain { cells.append(plain) }
        for candidate in entry.candidates {
            guard let qualifier = candidate.key.qualifier else { continue }
            if let cell = others[Cell.Query(kind: .single, qualifier: qualifier)] { cells.append(cell) }
        }
        for factory in entry.factories {
            guard let payload = factory.record.payload else { continue }
            let kind = Cell.Query.Kind.factory(payload: ObjectIdentifier(payload))
            if let cell = others[Cell.Query(kind: kind, qualifier: nil)] { cells.append(cell) }
            guard let qualifier = factory.key.qualifier else { continue }
            if let cell = others[Cell.Query(kind: kind, qualifier: qualifier)] { cells.append(cell) }
            // Without a payload, too: that nothing else is registered is an error.
            if let cell = others[Cell.Query(kind: .single, qualifier: qualifier)] { cells.append(cell) }
        }
        return cells
    }

    /// Runs `body` for every cell of the type.
    func forEach(_ body: (Cell) -> Void) {
        if let plain { body(plain) }
        if others.isEmpty { return }
        for cell in others.values { body(cell) }
    }

    /// Every cell of the type.
    var all: [Cell] { (plain.map { [$0] } ?? []) + others.values }
}

/// The answer to a request: what would be made or given, not yet the instance.
enum Answer {
    case missing
    case slot(Slot)
    case ambiguous([Candidate])
    /// Nothing is registered but factories, which need a payload.
    case payloadNeeded([Candidate])
    case elements([Element])
    case offers([Offer])

    /// One element of a collection.
    struct Element {
        let slot: Slot
        let qualifier: String?
        let module: Lineup.Entry
    }

    /// What one registration or alias adds to a collection that is taken from its module.
    struct Offer {
        let answer: Answer
        let qualifier: String?
        let module: Lineup.Entry
    }

    /// Runs `body` for the types that an answer is chosen by, beside that of the request: an alias is answered by whoever
    /// answers its target.
    ///
    /// Gives false where they are not known.
    func forEachType(_ body: (ObjectIdentifier) -> Void) -> Bool {
        switch self {
        case .missing: break
        case .slot(let slot): slot.forEachType(body)
        case .elements(let elements): for element in elements { element.slot.forEachType(body) }
        case .offers(let offers):
            for offer in offers where !offer.answer.forEachType(body) { return false }
        case .ambiguous, .payloadNeeded: return false
        }
        return true
    }

    /// Whether two answers give the same: the same registrations, wrapped by the same decorators.
    func isSame(as other: Answer) -> Bool {
        switch (self, other) {
        case (.missing, .missing): true
        case (.slot(let left), .slot(let right)): left.isSame(as: right)
        case (.ambiguous(let left), .ambiguous(let right)), (.payloadNeeded(let left), .payloadNeeded(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.record === $1.record }
        case (.elements(let left), .elements(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { $0.slot.isSame(as: $1.slot) && $0.qualifier == $1.qualifier }
        case (.offers(let left), .offers(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { $0.answer.isSame(as: $1.answer) && $0.qualifier == $1.qualifier }
        case (.missing, _), (.slot, _), (.ambiguous, _), (.payloadNeeded, _), (.elements, _), (.offers, _): false
        }
    }
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
