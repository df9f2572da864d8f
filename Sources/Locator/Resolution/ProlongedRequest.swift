/// Keeps the instances that a request was given after the request has ended, while an asynchronous closure runs with
/// them.
///
/// It is a separate request that requests nothing. It ends with this object.
final class ProlongedRequest: Sendable {
    private let session: Session
    /// The request that it prolongs.
    let request: Session
    /// Records what the closure reads while it runs; nil if its reads do not count.
    private let recorder: Recorder?

    /// Prolongs a request that has not ended.
    ///
    /// With `recorder`, the instances that the closure's own requests are given are kept, too.
    init(_ session: Session, recordedBy recorder: Recorder? = nil) {
        let core = session.core
        self.recorder = recorder
        request = session
        self.session = core.locked {
            let prolonged = Session(in: core, session.state, session.request)
            prolonged.use(session.uses)
            recorder?.keeper = prolonged
            return prolonged
        }
    }

    deinit {
        if let recorder { session.core.locked { recorder.keeper = nil } }
        session.leave()
    }
}

/// The caller holds the lock.
extension Session {
    /// Keeps instances that a request of another context was given on behalf of this one from being disposed of until
    /// this one ends.
    ///
    /// Unlike ``use(_:)``, it does not answer requests of this context.
    func holdUses(of other: Session) {
        for instance in other.uses + other.held where !instance.isDisposed {
            instance.hold()
            held.append(instance)
        }
    }
}
