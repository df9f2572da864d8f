internal import LocatorProperties

/// Telling readers of ``PropertyValues`` that a setting may have changed.
///
/// A change only wakes them. Each looks for itself then, in a request of its own, so that a slow reader misses what came in
/// between, and nothing is decoded that nobody reads.
extension ContextCore {
    /// Wakes the followers of this context and of those below it, where the settings have changed.
    ///
    /// The caller holds the lock.
    func wakeFollowers(of old: Lineup, _ new: Lineup) {
        if family.followers.isEmpty || old.properties.isIdentical(to: new.properties) { return }
        family.followers.wake(self)
    }

    /// Notes that a change of the properties is final or was taken back; until then no follower sees it.
    ///
    /// The caller holds the lock.
    func endTentative() {
        tentativeCount -= 1
        guard tentativeCount == 0 else { return }
        settledBase = nil
        family.followers.wake(self)
    }

    /// Lets a follower be woken from now on; gives false where the context has ended.
    func add(_ follower: Follower) -> Bool {
        locked {
            if isClosed { return false }
            family.followers.add(follower, of: self)
            return true
        }
    }

    func remove(_ follower: Follower) {
        resume {
            family.followers.remove(follower, of: self)
        } with: {
            follower.wake()
        }
    }

    /// Lets one follower look again, whose task was cancelled.
    func wake(_ follower: Follower) {
        resume {
        } with: {
            follower.wake()
        }
    }

    /// Waits until the follower is woken.
    nonisolated(nonsending) func wait(for follower: Follower) async {
        await withCheckedContinuation { continuation in
            family.lock.withLock { follower.wait(with: continuation) }?.resume()
        }
    }

    /// What a follower finds.
    enum Following<Value> {
        case value(Result<Value, PropertiesError>)
        /// Nothing that it does not know: it waits.
        case nothing
        /// A change came in between: it looks again.
        case overtaken
        /// The context has ended.
        case ended
    }

    /// Looks for a value that a follower does not know, and decodes it.
    ///
    /// Decoders are foreign code: they run in a request, without the lock.
    func look<Value: Decodable>(
        for path: String, as type: Value.Type, default fallback: (() -> Value)?, _ request: Request,
        by follower: Follower, known: inout PropertyLookup?
    ) -> Following<Value> {
        do throws(LocatorError) {
            return try inSession(request) { (session, thread) throws(LocatorError) in
                let lookup: PropertyLookup
                switch look(for: path, in: session, on: thread, by: follower, known: known) {
                case .value(.success(let found)): lookup = found
                case .value(.failure(let error)): return .value(.failure(error))
                case .nothing: return .nothing
                case .overtaken: return .overtaken
                case .ended: return .ended
                }
                known = lookup
                if case .success(nil) = lookup.result {
                    tell(.propertyMissing(path: path, request.location))
                    if let fallback { return .value(.success(fallback())) }
                }
                let reading = PropertyReading(lookup: lookup, properties: session.state.properties)
                return .value(Result { () throws(PropertiesError) in try reading.value(as: type) })
            }
        } catch {
            if case .contextGone = error.kind { return .ended }
            // What a decoder has asked the context for could not be completed.
            let reason = ValueProblem.refused(type: typeName(type), reason: error.description)
            return .value(.failure(PropertiesError(PropertiesProblem(.value(reason), path: path))))
        }
    }

    private func look(
        for path: String, in session: Session, on thread: ThreadRecord, by follower: Follower, known: PropertyLookup?
    ) -> Following<PropertyLookup> {
        let recorder = thread.recorder(of: self)
        return locked {
            if isClosed { return .ended }
            let isPrepared = session.state.preparation != nil
            if session.state !== state, !isPrepared { return .overtaken }
            follower.beginLooking()
            // Whether it is to last shows only at the end of the change, which wakes again.
            if !isPrepared, tentativeCount > 0 || hasTentativeAbove { return .nothing }
            let cell = properties.cell(of: path, owner: self)
            let lookup = lookup(cell, in: session.state)
            if let known, lookup.hasSameAnswer(as: known) { return .nothing }
            recorder?.reads.add(cell, lookup)
            return .value(.success(lookup))
        }
    }

    /// Changes what is guarded by the lock alone, and resumes readers after it.
    ///
    /// Unlike `locked`, it does not make a child follow: this may be run by the end of a task or of an iterator.
    private func resume(
        _ change: () -> Void, with wake: () -> [CheckedContinuation<Void, Never>]
    ) {
        let woken = family.lock.withLock {
            change()
            return wake()
        }
        for continuation in woken { continuation.resume() }
    }
}
