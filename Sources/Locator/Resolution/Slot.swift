internal import Synchronization

/// The place in a context for the instances of one registration, or of one decorator or alias around it.
///
/// Guarded by the context's lock, except for its constant fields.
final class Slot: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by the lock of the context. Its holder accesses one field at a time, so
    // the exclusivity need not be checked.

    /// What the slot adds to the slot that it wraps.
    enum Layer {
        case registration
        case decorator(DecoratorRecord, around: Slot)
        case alias(AliasRecord, of: Slot)

        /// The run that registered the layer.
        var run: Registry? {
            switch self {
            case .registration: nil
            case .decorator(let decorator, _): decorator.run
            case .alias(let alias, _): alias.run
            }
        }

        /// The slot that the layer wraps.
        var inner: Slot? {
            switch self {
            case .registration: nil
            case .decorator(_, let inner), .alias(_, let inner): inner
            }
        }

        /// The identity of the decorator or the alias.
        var identity: ObjectIdentifier? {
            switch self {
            case .registration: nil
            case .decorator(let decorator, _): ObjectIdentifier(decorator)
            case .alias(let alias, _): ObjectIdentifier(alias)
            }
        }
    }

    let record: RegistrationRecord
    let layer: Layer
    /// The key of the slot's instances.
    ///
    /// It is stored, because there may be many decorators around the slot that has it.
    let key: Key
    /// The context that the slot belongs to.
    let owner: ObjectIdentifier
    /// The slots of decorators and aliases around this one.
    @exclusivity(unchecked) var outer = IdentityTable<Slot>()

    /// The instance that requests get.
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
    /// Whether the context has had an instance of the slot since the slot's module was loaded or pushed.
    @exclusivity(unchecked) var hadInstance = false
    /// Whether the decoding of an instance has read more than its setting.
    @exclusivity(unchecked) var readsMoreThanSetting = false
    /// Whether children may find the slot without a lock.
    @exclusivity(unchecked) var isLent = false
    /// Whether a collection with its instance was requested, although only `start()` makes the instance and another
    /// registration comes first for its key.
    @exclusivity(unchecked) var isRequestedElement = false
    /// How an instance is made without a lock; retained.
    ///
    /// Written once, with the lock held, before the slot is published as a recipe or lent to children.
    @exclusivity(unchecked) private(set) var recipe: Unmanaged<Recipe>?

    init(_ record: RegistrationRecord, layer: Layer = .registration, owner: ContextCore) {
        self.owner = owner.identity
        self.record = record
        self.layer = layer
        key =
            switch layer {
            case .registration: record.key
            case .alias(let alias, _): alias.key
            case .decorator(_, let inner): inner.key
            }
    }

    deinit {
        recipe?.release()
    }

    func noteBoxType(_ type: AnyBox.Type) {
        // Unsafe: a class metatype is a pointer. Relaxed suffices: types do not change, and all boxes of a slot have
        // the same type.
        if boxMetatype.load(ordering: .relaxed) != nil { return }
        boxMetatype.store(unsafeBitCast(type, to: UnsafeRawPointer.self), ordering: .relaxed)
    }

    /// Adds the recipe for making an instance without a lock.
    ///
    /// The lock is held, and the factory closure is synchronous.
    func addRecipe(cells: [Cell?]) {
        guard case .synchronous(let maker) = record.production else { return }
        recipe = .passRetained(Recipe(maker, cells))
    }

    /// Makes an instance with the factory closure, which is synchronous.
    func makeBox(_ call: inout MakerCall) throws -> AnyBox {
        guard case .synchronous(let maker) = record.production else { preconditionFailure("It is asynchronous") }
        return try maker.make(record.key.type, &call)
    }

    /// Runs `body` for the types of the slot: the type of its registration, and those of its aliases and their targets.
    func forEachType(_ body: (ObjectIdentifier) -> Void) {
        body(ObjectIdentifier(record.key.type))
        var slot = self
        while let inner = slot.inner {
            if case .alias(let alias, _) = slot.layer {
                body(ObjectIdentifier(alias.key.type))
                body(ObjectIdentifier(alias.target.type))
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

    /// The dependencies of the slot's registration or decorator, except for the slot that it wraps.
    var dependencies: [DeclaredDependency] {
        switch layer {
        case .registration: record.dependencies
        case .decorator(let decorator, _): decorator.dependencies
        case .alias: []
        }
    }

    /// The run that registered the registration, the decorator, or the alias; nil if its instances are decoded.
    var run: Registry? { layer.run ?? record.run }

    /// The slot that a decorator or an alias wraps.
    var inner: Slot? { layer.inner }

    /// Whether it is the slot of a decorator or an alias.
    var isLayer: Bool { if case .registration = layer { false } else { true } }

    var isDecorator: Bool { if case .decorator = layer { true } else { false } }

    var isAlias: Bool { if case .alias = layer { true } else { false } }

    /// Whether its instances are decoded from settings, because their type is not registered.
    var isDecoded: Bool { record.run == nil }

    /// The slot of the registration, without decorators and aliases.
    var base: Slot { inner?.base ?? self }

    /// Runs the decorator or the upcast on the instance that it wraps.
    func wrap(_ base: AnyBox, in core: ContextCore, on thread: ThreadRecord) throws -> AnyBox {
        switch layer {
        case .registration:
            return base
        case .alias(let alias, _):
            return alias.convert(base)
        case .decorator(let decorator, _):
            let subject = UnsafeRawPointer(Unmanaged.passUnretained(base).toOpaque())
            var call = MakerCall(.passUnretained(core), thread, of: .passUnretained(self), subject: subject)
            return try withExtendedLifetime(base) { try decorator.decorate.run(&call) }
        }
    }

    /// Whether both slots have the same registration, decorators, and aliases, even if one belongs to a context and the
    /// other to its child.
    func isSame(as other: Slot) -> Bool {
        if self === other { return true }
        guard record === other.record, layer.identity == other.layer.identity else { return false }
        guard let inner, let otherInner = other.inner else { return true }
        return inner.isSame(as: otherInner)
    }

    /// Whether this slot, or one that it wraps, is the same as another one.
    func includes(_ other: Slot) -> Bool { isSame(as: other) || inner?.includes(other) ?? false }

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

    /// Removes an instance from those that are set aside, and returns whether it was among them.
    // The search begins at the end, because the instance that was set aside last returns first.
    @discardableResult
    func takeFromAside(_ instance: Instance) -> Bool {
        guard let position = aside.lastIndex(where: { $0 === instance }) else { return false }
        aside.remove(at: position)
        return true
    }

    /// Every instance, live and set aside.
    var instances: [Instance] { live.map { [$0] + aside } ?? aside }

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

    /// If there are more slots than this, the slots are checked, and those that are not needed are dropped.
    private(set) var limit = 64

    var isEmpty: Bool { slots.isEmpty && layers.isEmpty }
    var count: Int { slots.count + layers.count }

    /// The slots that are needed.
    func filter(_ isNeeded: (Slot) -> Bool) -> StrandedSlots {
        var kept = StrandedSlots()
        for (identity, slot) in slots where isNeeded(slot) { kept.slots[identity] = slot }
        kept.layers = layers.filter { isNeeded($0.value) }
        // Twice as many as are needed, so that the checks have a constant cost for each slot.
        kept.limit = max(limit, kept.count * 2)
        return kept
    }
}
