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
