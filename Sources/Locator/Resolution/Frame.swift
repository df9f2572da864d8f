/// Foreign code that runs on a thread on behalf of a context.
struct Frame {
    /// The outermost request this belongs to; nil for a barrier.
    let session: Session?
    /// What is being made; nil for a request itself.
    let slot: Slot?
    /// The making, where the instance is shared.
    let making: Making?
    /// What collects the reads, where the instance keeps a record.
    let recorder: Recorder?
    /// Whether it runs after the making, as `.injecting` says.
    let isInjection: Bool

    init(
        session: Session, slot: Slot? = nil, making: Making? = nil, recorder: Recorder? = nil,
        isInjection: Bool = false
    ) {
        self.session = session
        self.isInjection = isInjection
        self.slot = slot
        self.making = making
        self.recorder = recorder
    }

    private init() {
        session = nil
        slot = nil
        making = nil
        recorder = nil
        isInjection = false
    }

    /// Hides the makings further out from hooks, observers and deinits, which may change a context and see its current
    /// state.
    static var barrier: Frame { Frame() }

    var isBarrier: Bool { session == nil }

    /// What an error says of the frame; nothing of decoding what nobody registered.
    var step: Step? {
        guard let slot, slot.record.run != nil else { return nil }
        return isInjection ? Step(key: slot.key, location: slot.record.location, role: .injection) : slot.step
    }
}

extension ThreadRecord {
    /// The frames since the last barrier, innermost first.
    var reachable: some Sequence<Frame> {
        frames.reversed().lazy.prefix { !$0.isBarrier }
    }

    /// The request of `core` that is being answered on this thread.
    func session(of core: ContextCore) -> Session? {
        reachable.first { $0.session?.core === core }?.session
    }

    /// The innermost making of `core` that keeps a record.
    func recorder(of core: ContextCore) -> Recorder? {
        for frame in reachable {
            if let recorder = frame.recorder, recorder.core === core { return recorder }
        }
        return nil
    }

    /// Whether a maker, decorator or decoder of `core` runs on this thread.
    func isMaking(in core: ContextCore) -> Bool {
        session(of: core) != nil
    }

    /// What is being made on this thread, outermost first, since the last barrier.
    var steps: [Step] {
        reachable.compactMap(\.step).reversed()
    }
}

/// One outermost request and everything it makes.
///
/// It sees one state, that of its start.
///
/// It belongs to one thread, but for `state`.
final class Session: @unchecked Sendable {
    // Sendable: other threads read only `core` and `state`, which are constant, and `hasInjected`, which `WaitGraph`
    // guards; they add to `strays`, with the context's lock held, while the session's thread has pending makings. The
    // session's thread accesses one field at a time: hence the unchecked exclusivity.

    let core: ContextCore
    let state: ContextState
    /// What was asked for first, and where.
    let request: Request

    /// The instances of scope `.graph`, and what their makings and injections read.
    @exclusivity(unchecked) var graph: [ObjectIdentifier: (box: AnyBox, recorder: Recorder)] = [:]
    /// What runs before the request returns, in the order in which the instances were made.
    @exclusivity(unchecked) var injections: [PendingInjection] = []
    /// Makings whose instances wait for injections, in the order in which they were made.
    @exclusivity(unchecked) var pending: [Making] = []
    /// Instances that are valid for this request alone.
    @exclusivity(unchecked) var strays: [Instance] = []
    /// Whether all injections have run.
    @exclusivity(unchecked) var hasInjected = false

    init(core: ContextCore, state: ContextState, request: Request) {
        self.core = core
        self.state = state
        self.request = request
    }
}

/// An instance that was made and whose registration says `.injecting`.
struct PendingInjection {
    let slot: Slot
    let box: AnyBox
    let recorder: Recorder?
}

/// What is asked for, and where.
///
/// An object, because every request hands it on to whatever it makes.
final class Request: Sendable {
    let key: Key
    let location: SourceLocation
    /// The path of the property that gave the qualifier, or is to give it.
    let qualifierPath: String?

    init(key: Key, location: SourceLocation, qualifierPath: String? = nil) {
        self.key = key
        self.location = location
        self.qualifierPath = qualifierPath
    }
}
