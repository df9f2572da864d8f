/// Keeps what a request was given after its end, while an asynchronous closure runs with it.
///
/// It is a request of its own that requests nothing. It ends with this object.
final class ProlongedRequest: Sendable {
    private let session: Session
    /// Records what the closure reads while it runs; nil if nothing counts what it reads.
    private let recorder: Recorder?

    /// Prolongs a request that has not ended.
    ///
    /// With `recorder`, what the requests of the closure are given is kept, too.
    init(_ session: Session, recordedBy recorder: Recorder? = nil) {
        let core = session.core
        self.recorder = recorder
        self.session = core.locked {
            let prolonged = core.enter(Session(core: core, state: session.state, request: session.request))
            prolonged.addUses(of: session)
            recorder?.keeper = prolonged
            return prolonged
        }
    }

    deinit {
        if let recorder { session.core.locked { recorder.keeper = nil } }
        session.core.leave(session)
    }
}

/// The caller holds the lock.
extension Session {
    /// Also keeps what another request was given.
    func addUses(of other: Session) { core.use(other.used.instances + other.detained.values, in: self) }
}
