/// One outermost request and everything that it makes.
///
/// It sees one state, the state at its start. It belongs to one thread. Other threads use only a few of its fields.
final class Session: @unchecked Sendable {
    // Sendable: other threads read only the constants, and `hasInjected`, which `WaitGraph` guards. `place`, `used`,
    // `detained`, `held`, and `instancesBefore` are guarded by the lock of the family. The session's thread accesses one
    // field at a time, so the exclusivity need not be checked.

    let core: ContextCore
    let state: ContextState
    /// The state of the requests of the parent that this one makes.
    let stateAbove: ContextState?
    /// The revision of its state.
    ///
    /// A prepared state has none, so for such a state, it is the revision of the context at the start of the request.
    let startRevision: UInt
    /// The outermost request, and its place in the source.
    @exclusivity(unchecked) var request: Request

    /// The request of another context of the family that has made this request.
    @exclusivity(unchecked) var outer: Session?
    /// The instances of scope `.graph`, from this context and from the contexts that this request has used.
    @exclusivity(unchecked) private var graph = IdentityTable<GraphInstance>()
    /// The injections that run before the request returns, in the order in which the instances were made.
    @exclusivity(unchecked) var injections: [PendingInjection] = []
    /// The number of the injection that is running.
    @exclusivity(unchecked) var runningInjection: Int?
    /// How often injections have begun to make an instance that is shared, in the request or outside of it.
    @exclusivity(unchecked) var attempts = IdentityTable<Int>()
    /// Makings whose instances wait for injections, in the order in which they were made.
    @exclusivity(unchecked) var pending: [Making] = []
    /// The makings of other threads whose instances this request was given before their injections had run.
    @exclusivity(unchecked) var taken: [Making] = []
    /// The answers that wrappers have returned in the request and have not cached, by wrapper.
    ///
    /// They return them again until the request ends.
    @exclusivity(unchecked) var answers = IdentityTable<SessionAnswer>()
    /// The weakly held instances that contexts above have made for this request.
    ///
    /// They exist until the request ends. So if this context has to make its own instances, their parts are not made
    /// again above.
    @exclusivity(unchecked) var weakAbove: [AnyBox] = []
    /// How many instances the family had made when the request began.
    @exclusivity(unchecked) var instancesBefore: UInt
    /// What to report to observers when the request has ended without an error.
    @exclusivity(unchecked) var resolved: [ContextEvent] = []
    /// The position among the running requests of the family.
    @exclusivity(unchecked) var place: Int
    /// The instances that the request was given, by requested slot, so that it is given them again.
    ///
    /// This includes parts of these instances that have left the context.
    ///
    /// Instances that it was not given for a slot are stored by their own identity.
    @exclusivity(unchecked) var used = IdentityTable<Instance>()
    /// Instances that are not in the context and must not be disposed of before the request ends.
    @exclusivity(unchecked) var detained = IdentityTable<Instance>()
    /// Whether the request makes an instance that a child may share.
    ///
    /// The child's request itself keeps the instances that it is given.
    @exclusivity(unchecked) var isForSharing = false
    /// Instances that requests of other contexts were given on behalf of this one.
    @exclusivity(unchecked) var held: [Instance] = []
    /// Whether the context had ended before the request got a session.
    ///
    /// In that case, nothing can answer the request.
    @exclusivity(unchecked) var hasEnded = false
    /// Whether all injections have run.
    @exclusivity(unchecked) var hasInjected = false

    /// Begins a request.
    ///
    /// The caller holds the lock.
    init(in core: ContextCore, _ state: ContextState, _ request: Request) {
        self.core = core
        self.state = state
        stateAbove = state.above
        self.request = request
        startRevision = state.preparation == nil ? state.revision : core.state.revision
        instancesBefore = core.family.instanceCount
        place = core.family.sessions.count
        core.sessionCount += 1
        core.family.sessions.append(.passUnretained(self))
    }
}

/// An instance of scope `.graph`, the reads of its making and injections, and the state of its context.
struct GraphInstance {
    /// It is kept, because the instance is found by its identity.
    let slot: Slot
    let box: AnyBox
    let recorder: Recorder
    let state: ContextState
}

extension Session {
    /// The request at the end of the chain of ``outer`` requests, which may be this one.
    private var outermost: Session {
        var session = self
        while let outer = session.outer { session = outer }
        return session
    }

    /// The instance of scope `.graph` that was made for the outermost request.
    func graphInstance(of slot: Slot) -> GraphInstance? {
        outermost.graph[ObjectIdentifier(slot)].flatMap { $0.state === state ? $0 : nil }
    }

    /// Gives this request the instances of scope `.graph` of a request that has ended, and that it continues.
    ///
    /// The other request must not be part of one that may still be running.
    func continueGraph(of earlier: Session) { if outer == nil, earlier.outer == nil { graph = earlier.graph } }

    func keep(_ instance: GraphInstance) {
        // An instance from another state of a parent is released only after the table can be used again.
        let old = outermost.graph.updateValue(instance, forKey: ObjectIdentifier(instance.slot))
        withExtendedLifetime(old) {}
    }
}

/// The answer that a wrapper has returned in a request that has not ended; see ``WrapperAnswer``.
class SessionAnswer: Awaited, @unchecked Sendable {
    // Sendable: as `Awaited`.

    /// Whether other threads wait for the end.
    var isClaimed: Bool { false }

    /// Lets the wrapper cache the answer, if it is complete after the injections of the request.
    func end() {}
}

/// An instance that was made and whose registration has `.injecting` closures.
struct PendingInjection {
    let slot: Slot
    let box: AnyBox
    let recorder: Recorder?
    /// The number of the injection that the instance was made for, unless a shared instance is in between.
    var origin: Int?
    /// The steps that needed the instance, innermost first.
    var users: [Step] = []

    /// The number of users that are noted.
    ///
    /// The chain of an error contains no more than this, so that a long chain of instances with injections has linear
    /// cost.
    static let userCount = 10
}

extension Session {
    /// Notes that something is being made.
    ///
    /// This may end a series of injections.
    func noteAttempt(_ slot: Slot) {
        if runningInjection != nil { attempts[ObjectIdentifier(slot), default: 0] += 1 }
    }

    /// The injections that led to the running one through instances that are made anew each time, beginning with the
    /// first injection of the same registration.
    ///
    /// Such a series would never end. With a factory, it may end, because the payload differs each time. So for a
    /// factory, only a long series counts.
    func endlessRow(to slot: Slot, from origin: Int?) -> [PendingInjection]? {
        var row: [PendingInjection] = []
        var next = origin
        var roundsLeft = slot.record.payload == nil ? 1 : 1000
        while let number = next {
            row.append(injections[number])
            if injections[number].slot === slot { roundsLeft -= 1 }
            if roundsLeft == 0 { return row.reversed() }
            next = injections[number].origin
        }
        return nil
    }
}
