internal import Synchronization

/// The core of a child, which is lean until it needs a state of its own.
final class ChildCore: ContextCore, @unchecked Sendable {
    // Unchecked exclusivity: the holder of the lock that guards a field accesses one field at a time.
    // Sendable: as in the superclass. While the child is lean, `leanLock` guards what changes in it.

    /// Whether the child has nothing of its own yet; see ``LeanChild``.
    ///
    /// Changed with `leanLock` held.
    let isLean = Atomic(true)
    /// The contents of a lean child.
    @exclusivity(unchecked) var lean = LeanChild()
    /// The modules that a lean child was opened with; nil if there are none.
    @exclusivity(unchecked) var layer: ChildLayer?
    /// The types that a lean child registers in its pushed modules, and whether there are any.
    ///
    /// Set before anything else can use the child.
    @exclusivity(unchecked) var pushedTypes = TypeGroups()
    @exclusivity(unchecked) var isLayered = false
    /// Whether a lean child has answered requests for instances that are not shared.
    ///
    /// Its end does not count these.
    let hasLentRecipes = Atomic(false)
    /// Guards `lean`, `layer`, and everything else that a lean child changes: its state, whether it has ended, and its
    /// parent.
    ///
    /// A child that is not lean, and its memory, are guarded by the lock of the family.
    let leanLock = ShortLock()
}
