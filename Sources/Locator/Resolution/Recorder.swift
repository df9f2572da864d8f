/// Collects the reads of a making while it runs.
///
/// It is changed only by the thread that runs the making, or with the lock of the context held.
final class Recorder: @unchecked Sendable {
    // Sendable: all tasks of an asynchronous factory closure find its recorder. They only access `reads`, `isClosed`,
    // `prepared`, and `keeper`, with the lock of the context held. Any other recorder stays on its thread. Unchecked
    // exclusivity: one thread accesses one field at a time.

    let core: ContextCore
    /// The state that is being prepared, which an asynchronous factory closure and its tasks see until the closure has
    /// ended.
    ///
    /// Guarded by the lock of the context.
    @exclusivity(unchecked) private(set) var prepared: ContextState?
    /// Keeps what the requests of an asynchronous factory closure are given while the closure runs.
    ///
    /// Guarded by the lock of the context.
    @exclusivity(unchecked) var keeper: Session?
    /// The recorders that also get the reads.
    ///
    /// The reads of an unshared instance count for the makings that it is made for or given to.
    @exclusivity(unchecked) private var outers: [Recorder] = []
    /// The reads so far.
    ///
    /// They are changed with the lock of the context held, because a wrapper may keep a record to which injections
    /// still add reads.
    @exclusivity(unchecked) var reads = Reads()
    /// Whether the making has ended, so that no further reads count.
    @exclusivity(unchecked) private(set) var isClosed = false
    /// Whether injections will follow that belong to this making.
    @exclusivity(unchecked) private(set) var waitsForInjections = false
    /// Whether a reader may keep everything that was given for its whole lifetime, because it only consists of
    /// singletons.
    @exclusivity(unchecked) var isLasting = true
    /// Whether the context holds everything that was given, so that it would give it again.
    @exclusivity(unchecked) var isHeld = true
    /// The error of one of these injections.
    @exclusivity(unchecked) private(set) var injectionFailure: LocatorError?

    init(core: ContextCore, outer: Recorder? = nil, prepared: ContextState? = nil) {
        self.core = core
        self.prepared = prepared
        if let outer { outers = [outer] }
    }

    /// Also counts the reads, and what injections will read, for another making.
    func count(for outer: Recorder) {
        guard outer !== self else { return }
        core.locked {
            outer.reads.add(reads)
            guard waitsForInjections else { return }
            outers.append(outer)
            outer.waitForInjections()
            // An injection may have failed already.
            if let injectionFailure { outer.noteFailure(injectionFailure) }
        }
    }

    /// Adds the reads of a request that this making has made, in its own context or in another one of the family.
    ///
    /// The request must have ended.
    func note(_ request: Recorder) {
        core.locked {
            let isElsewhere = request.core.isElsewhere(from: core)
            if isElsewhere { request.core.tables.isReadElsewhere = true }
            if isClosed { return }
            reads.join(request.reads)
            if isElsewhere {
                request.core.followAbove()
                reads.addReadsAbove(request.core, request.reads)
            }
        }
    }

    /// Ends the record, and returns the reads.
    func close() -> Reads {
        // It is not released while the lock is held.
        var state: ContextState?
        defer { withExtendedLifetime(state) {} }
        return core.locked {
            isClosed = true
            swap(&state, &prepared)
            defer { reads = Reads() }
            reads.replaceOutlived(in: core)
            var final = Reads()
            final.join(reads)
            return final
        }
    }

    func waitForInjections() {
        if waitsForInjections { return }
        waitsForInjections = true
        for outer in outers { outer.waitForInjections() }
    }

    /// Records that an injection failed for this making, and for the instances that it is made for.
    func fail(with error: LocatorError) { core.locked { noteFailure(error) } }

    private func noteFailure(_ error: LocatorError) {
        for recorder in allOuters + [self] where recorder.injectionFailure == nil {
            recorder.injectionFailure = error
        }
    }

    /// Passes the reads on to the makings that they count for.
    ///
    /// If no injections follow, these are all reads.
    ///
    /// The makings that have requested the instance pass the reads on when they end. When an injection runs, they have
    /// already ended, so all of them get its reads directly.
    func passReadsOn(afterInjection isAfterInjection: Bool = false) {
        core.locked {
            for outer in isAfterInjection ? allOuters : outers { outer.reads.add(reads) }
            if !waitsForInjections { outers = [] }
        }
    }

    /// Records that the injections have run, and that no further reads follow.
    func endInjections() {
        core.locked {
            for recorder in allOuters + [self] {
                recorder.waitsForInjections = false
                recorder.outers = []
            }
        }
    }

    /// The makings that this one counts for, directly or through others.
    private var allOuters: [Recorder] {
        var found = IdentityTable<Recorder>()
        var open = outers
        while let next = open.popLast() {
            guard next !== self, found.updateValue(next, forKey: ObjectIdentifier(next)) == nil else { continue }
            open += next.outers
        }
        return Array(found.values)
    }
}
