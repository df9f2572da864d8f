internal import LocatorProperties

/// Following a setting of the follower's context.
///
/// A change only wakes the followers. Each follower then reads the value in its own request. Therefore, a slow reader
/// misses values in between, and values that nobody reads are not decoded.
extension Follower {
    /// Begins to follow, and is woken from now on.
    func begin() {
        core.locked { core.family.followers.add(self) }
    }

    func end() {
        resume {
            core.family.followers.remove(self)
            return wake()
        }
    }

    /// Wakes the follower, whose task was canceled.
    func cancel() {
        resume { wake() }
    }

    nonisolated(nonsending) func wait() async {
        await withCheckedContinuation { continuation in
            core.family.lock.withLock { wait(with: continuation) }?.resume()
        }
    }

    /// The result when a follower checks its setting.
    enum Look<Value> {
        case value(Value)
        /// There is no new value. The follower waits.
        case nothing
        /// A change has happened in the meantime. The follower checks again.
        case overtaken
        /// The context has ended.
        case ended
    }

    /// Reads and decodes a setting, if its value is new to the follower.
    ///
    /// Decoders are foreign code. They run in a request, without the lock.
    func look<Value: Decodable>(
        for path: String, as type: Value.Type, default fallback: Value?, _ request: Request,
        known: inout PropertyLookup?
    ) -> Look<Result<Value, PropertiesError>> {
        do throws(LocatorError) {
            return try core.inSession(request) { (session, thread) throws(LocatorError) in
                let lookup: PropertyLookup
                switch look(for: path, in: session, on: thread, known: known) {
                case .value(let found): lookup = found
                case .nothing: return .nothing
                case .overtaken: return .overtaken
                case .ended: return .ended
                }
                known = lookup
                if case .success(nil) = lookup.result {
                    core.tell(.propertyMissing(path: path, request.location))
                    if let fallback { return .value(.success(fallback)) }
                }
                let reading = PropertyReading(lookup: lookup, properties: session.state.properties)
                return .value(Result { () throws(PropertiesError) in try reading.value(as: type) })
            }
        } catch {
            if case .contextGone = error.kind, core.isClosed { return .ended }
            // A request that a decoder made to the context could not be completed.
            let reason = ValueProblem.refused(type: typeName(type), reason: error.description)
            return .value(.failure(PropertiesError(.value(reason), path: path)))
        }
    }

    private func look(
        for path: String, in session: Session, on thread: ThreadRecord, known: PropertyLookup?
    ) -> Look<PropertyLookup> {
        let core = core
        let recorder = thread.recorder(of: core)
        return core.locked {
            if core.isClosed { return .ended }
            let isPrepared = session.state.preparation != nil
            if session.state !== core.state, !isPrepared { return .overtaken }
            beginLooking()
            // Only the end of the change shows whether the value lasts, and wakes the follower again.
            if !isPrepared, core.hasTentativeLoads || core.hasTentativeAbove { return .nothing }
            let cell = core.tables.properties.cell(of: path, owner: core)
            let lookup = core.lookup(cell, in: session.state)
            core.family.followers.watch(self, at: Set(lookup.watched + conditionPaths(in: session.state.lineup)))
            if let known, lookup.hasSameAnswer(as: known) { return .nothing }
            recorder?.reads.add(cell, lookup)
            return .value(lookup)
        }
    }

    /// The settings on which the modules of a child depend.
    ///
    /// A change of its parents does not find out which modules it turns on or off in the child.
    private func conditionPaths(in lineup: Lineup) -> [String] {
        if !core.isChild { return [] }
        return lineup.conditionalWithIncluded.flatMap { module in
            (module.conditionPath.map { [$0] } ?? []) + module.pathsConsultedByCondition(in: lineup.properties)
        }
    }

    /// Wakes the follower under the lock, and resumes its readers afterward.
    ///
    /// Unlike `locked`, it does not update a child first, because it may run at the end of a task or of an iterator.
    private func resume(_ wake: () -> [CheckedContinuation<Void, Never>]) {
        Followers.resume(core.family.lock.withLock(wake))
    }
}
