internal import LocatorProperties
internal import Synchronization

/// Everything that answers depend on, at one moment: the modules in lookup order and the properties.
///
/// Constant, but for the instances it keeps for requests that outlive it.
final class ContextState: @unchecked Sendable {
    // Sendable: all fields but `keptOpenings`, `strays`, `forked` and `wideTypes` are constant; the first is atomic, and the
    // others are guarded by the lock of the context.

    /// Counts the changes of a context.
    let revision: UInt
    let lineup: Lineup

    /// What children can open in this state, once that was asked; the state keeps it.
    var openings: Unmanaged<Openings>? {
        // Acquiring: whoever finds it finds what it was made with.
        keptOpenings.load(ordering: .acquiring).map(Unmanaged.fromOpaque)
    }
    private let keptOpenings = Atomic<UnsafeRawPointer?>(nil)

    /// Instances for requests of this state which has been overtaken: what they have made that is not valid later, and
    /// what they use that has left the context.
    var strays = IdentityTable<Instance>()

    /// What is made for the state before it is taken over; nil for a state that was.
    let preparation: Preparation?

    /// The state that the parent had, for a request of a lean child that was overtaken before it needed a session.
    let above: ContextState?

    init(revision: UInt, _ lineup: Lineup, preparation: Preparation? = nil, above: ContextState? = nil) {
        self.revision = revision
        self.lineup = lineup
        self.above = above
        self.preparation = preparation
    }

    deinit {
        // Relaxed suffices: nobody else has the object any more.
        keptOpenings.load(ordering: .relaxed).map { Unmanaged<Openings>.fromOpaque($0).release() }
    }

    /// Keeps what children can open; the caller holds the lock of the context.
    func keep(_ openings: Openings) {
        let kept = Unmanaged.passRetained(openings)
        // Releasing: see above.
        keptOpenings.store(UnsafeRawPointer(kept.toOpaque()), ordering: .releasing)
    }

    /// The lineup that forks have; made once, so that a fork takes a pointer.
    ///
    /// The caller holds the lock of the context.
    var lineupOfForks: Lineup {
        let lineup = forked ?? lineup.takenOverByFork
        forked = lineup
        return lineup
    }
    @exclusivity(unchecked) private var forked: Lineup?

    /// The modules that have something for a type; sorted once where they are many, so that asking for each of a thousand
    /// qualifiers looks through a thousand modules once.
    ///
    /// The caller holds the lock of the context.
    func holders(of type: ObjectIdentifier) -> TypeHolders {
        if let known = wideTypes[type] { return known }
        let holders = TypeHolders(lineup.holders(of: type))
        if holders.isKept { wideTypes[type] = holders }
        return holders
    }

    /// The modules that decorate a type, in lookup order.
    ///
    /// The caller holds the lock of the context.
    func decorating(_ type: ObjectIdentifier) -> [Lineup.Holder] {
        if let known = wideTypes[type] { return known.decorating }
        return lineup.isDecorated(type) ? holders(of: type).decorating : []
    }

    @exclusivity(unchecked) private var wideTypes = IdentityTable<TypeHolders>()

    /// The base with the properties of the modules over and under it.
    var properties: Properties { lineup.properties }

    /// The state of a context that has nothing.
    static func empty() -> ContextState { ContextState(revision: 0, nothing.lineup) }

    /// The state of children that have ended while they were lean, of whatever context: no request begins in it, so it keeps
    /// no instances.
    static let nothing = ContextState(revision: 0, Lineup())
}
