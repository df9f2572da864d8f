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
    // Sendable: like `Awaited`. The lock of the context guards `instance` and `failure`.

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
