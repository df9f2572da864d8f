internal import LocatorProperties

/// Notifications for readers of ``PropertyValues`` that a setting may have changed.
///
/// A change only wakes them. Each reader then reads the value itself, in its own request. Therefore, a slow reader
/// misses values in between, and values that nobody reads are not decoded.
extension ContextCore {
    /// Wakes the followers of this context and its children, if the settings have changed.
    ///
    /// The caller holds the lock.
    func wakeFollowers(of old: Lineup, _ new: Lineup) {
        if family.followers.isEmpty || old.properties.isIdentical(to: new.properties) { return }
        family.followers.wake(self)
    }

    /// Records that a change of the settings is final or was reverted.
    ///
    /// Until then, no follower sees it. The caller holds the lock.
    func endTentative() {
        tentativeCount -= 1
        guard tentativeCount == 0 else { return }
        settledBase = nil
        family.followers.wake(self)
    }

    /// Adds a follower, which is woken from now on.
    ///
    /// Returns false if the context has ended.
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
            return follower.wake()
        }
    }

    /// Wakes one follower whose task was cancelled.
    func wake(_ follower: Follower) {
        resume { follower.wake() }
    }

    /// Waits until the follower is woken.
    nonisolated(nonsending) func wait(for follower: Follower) async {
        await withCheckedContinuation { continuation in
            family.lock.withLock { follower.wait(with: continuation) }?.resume()
        }
    }

    /// The result when a follower checks its setting.
    enum Following<Value> {
        case value(Result<Value, PropertiesError>)
        /// There is no new value. The follower waits.
        case nothing
        /// A change has happened meanwhile. The follower checks again.
        case overtaken
        /// The context has ended.
        case ended
    }

    /// Reads and decodes a setting, if its value is new to a follower.
    ///
    /// Decoders are foreign code. They run in a request, without the lock.
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
            // A request that a decoder made to the context could not be completed.
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
            // Only the end of the change shows whether the value lasts, and wakes the follower again.
            if !isPrepared, tentativeCount > 0 || hasTentativeAbove { return .nothing }
            let cell = properties.cell(of: path, owner: self)
            let lookup = lookup(cell, in: session.state)
            if let known, lookup.hasSameAnswer(as: known) { return .nothing }
            recorder?.reads.add(cell, lookup)
            return .value(.success(lookup))
        }
    }

    /// Wakes readers under the lock, and resumes them afterward.
    ///
    /// Unlike `locked`, it does not update a child first, because it may run at the end of a task or of an iterator.
    private func resume(_ wake: () -> [CheckedContinuation<Void, Never>]) {
        Followers.resume(family.lock.withLock(wake))
    }
}
