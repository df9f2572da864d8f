/// The state of `start()`, `shutdown()`, and of shutdowns in the background.
struct AsyncMakings {
    /// The running start.
    ///
    /// Other starts wait for it.
    var start: AsyncStep?
    /// The steps of the instances that it makes for the current state, by slot.
    var members: IdentityTable<AsyncStep> = [:]
    /// What the running `reloadAndStart` has made.
    var preparation: Preparation?
    /// The running shutdown.
    ///
    /// Other shutdowns wait for it.
    var shutdown: AsyncStep?
    /// The running shutdowns of replaced instances.
    var endings: IdentityTable<AsyncStep> = [:]
}
