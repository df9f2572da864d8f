internal import LocatorProperties
internal import Synchronization

/// Everything that answers depend on, at one moment: the modules in lookup order and the properties.
///
/// Constant, but for the instances it keeps for requests that outlive it.
final class ContextState: @unchecked Sendable {
    // Sendable: all fields but `strays` and `openings` are constant; `openings` is atomic, and `strays` is guarded by the lock of the context.

    /// Counts the changes of a context.
    let revision: UInt
    let lineup: Lineup

    /// What children can open in this state, once that was asked.
    let openings = AtomicLazyReference<Openings>()

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

    /// The base with the properties of the modules over and under it.
    var properties: Properties { lineup.properties }

    /// The state of a context that has nothing.
    static func empty() -> ContextState { ContextState(revision: 0, Lineup()) }
}
