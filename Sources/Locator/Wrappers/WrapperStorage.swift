internal import Synchronization

/// What a wrapper keeps beside its ``WrapperSlot``: the context it belongs to, and what its answers depend on.
///
/// The first answer that can stand for as long as the holder lives is published in the slot, once, and never
/// overwritten: a reader between the comparison of the stamps and its retain can rely on it. Every other answer is kept
/// behind a lock, and let go of at the next read.
class WrapperStorage<Value>: @unchecked Sendable {
    // Sendable: `core`, `location`, `isGiven` and `slot` are constant; the rest is guarded by `lock`.

    /// An answer that is not published, and what it depends on.
    private struct Answer {
        let value: Value
        let reads: Reads
        /// Whether the value is of a scope that lives as long as its context.
        let isLasting: Bool
        /// The revision of the state that gave it or confirmed it.
        let revision: UInt
    }

    let core: ContextCore
    let location: SourceLocation
    let slot: WrapperSlot<Value>
    /// Whether the value was handed in; such a wrapper asks no context.
    private let isGiven: Bool

    private let lock = Lock()
    /// What the published value depends on, once there is one.
    private var publishedReads: Reads?
    private var latest: Answer?

    init(core: ContextCore, given: Value? = nil, location: SourceLocation) {
        self.core = core
        self.location = location
        isGiven = given != nil
        slot = given.map { WrapperSlot(given: $0) } ?? WrapperSlot(contextStamp: core.stamp.pointer)
    }

    deinit {
        slot.deallocate(hasValue: isGiven || publishedReads != nil)
    }

    /// Asks the context; each kind of wrapper in its way.
    func ask() throws(LocatorError) -> Value {
        preconditionFailure("A wrapper does not say what it asks for")
    }

    /// What the wrapper asks for.
    var key: Key { preconditionFailure("A wrapper does not say what it asks for") }

    /// The value where it is not settled.
    ///
    /// Where there is none the program stops with the full text of the error, at the property's place.
    final var value: Value {
        do throws(LocatorError) {
            return try resolved()
        } catch {
            location.stop(error)
        }
    }

    /// The value, or the error why there is none.
    final func resolved() throws(LocatorError) -> Value {
        if isGiven { return slot.value.pointee }
        // While no making keeps a record, none can be on this thread; else only a thread without frames may skip asking.
        let stamp = core.stamp.now
        if stamp.isQuiet || ThreadRecord.current.frames.isEmpty, let value = confirmed(in: stamp.revision) {
            return value
        }
        do throws(LocatorError) {
            return try asked()
        } catch {
            // A settled wrapper keeps its value when its context goes.
            if case .contextGone = error.kind, let value = lastKnown { return value }
            throw error
        }
    }

    /// Lets go of the answer; the next read asks again.
    final func reset() {
        if isGiven { return }
        let old = lock.withLock {
            settle(at: WrapperSlot<Value>.unsettled)
            defer { latest = nil }
            return latest
        }
        withExtendedLifetime(old) {}
    }

    /// Asks the context, in the request that this thread is answering or one of its own.
    private func asked() throws(LocatorError) -> Value {
        try core.inSession(Request(key: key, location: location)) { (session, thread) throws(LocatorError) in
            let outer = thread.recorder(of: core)
            if let (value, reads) = known(in: session.state) {
                outer?.reads.add(reads)
                return value
            }
            let recorder = Recorder(core: core, outer: outer)
            thread.frames.append(Frame(session: session, recorder: recorder))
            core.beginRecording()
            defer {
                core.endRecording()
                thread.frames.removeLast()
                // What a failed request read counts too: its asker may catch the error and be made all the same.
                outer?.reads.add(recorder.reads)
            }
            let value = try ask()
            let answer = Answer(
                value: value, reads: recorder.reads, isLasting: recorder.isLasting, revision: session.state.revision)
            keep(answer, in: session.state)
            return value
        }
    }

    /// The answer that was given before, where it is still the answer of `state`.
    private func known(in state: ContextState) -> (Value, Reads)? {
        let (published, latest) = lock.withLock { () -> (Reads?, Answer?) in (publishedReads, self.latest) }
        let (isPublished, isLatest) = core.locked {
            (
                published.map { core.isCurrent($0, in: state) } ?? false,
                latest.map { core.isCurrent($0.reads, in: state) } ?? false
            )
        }
        if isPublished, let published {
            let old = lock.withLock {
                settle(at: ContextStamp.Value(revision: state.revision).raw)
                defer { self.latest = nil }
                return self.latest
            }
            withExtendedLifetime(old) {}
            return (slot.value.pointee, published)
        }
        guard isLatest, let latest else { return nil }
        keep(
            Answer(
                value: latest.value, reads: latest.reads, isLasting: latest.isLasting, revision: state.revision),
            in: state)
        return (latest.value, latest.reads)
    }

    private func keep(_ answer: Answer, in state: ContextState) {
        let old = lock.withLock { () -> Answer? in
            let old = latest
            latest = nil
            if publishedReads == nil, answer.isLasting, state.isUnpushed {
                slot.value.initialize(to: answer.value)
                publishedReads = answer.reads
                settle(at: ContextStamp.Value(revision: answer.revision).raw)
            } else {
                settle(at: WrapperSlot<Value>.unsettled)
                latest = answer
            }
            return old
        }
        // What is let go of may run deinits: not while the lock is held.
        withExtendedLifetime(old) {}
    }

    /// Notes at which stamp the published value is right; the caller holds the lock.
    private func settle(at stamp: UInt) {
        // Releasing: a reader that sees this stamp sees the published value.
        slot.settledStamp.pointee.store(stamp, ordering: .releasing)
    }

    /// The answer of this revision, where one is kept: makings that run elsewhere do not change it.
    private func confirmed(in revision: UInt) -> Value? {
        lock.lock()
        defer { lock.unlock() }
        if let latest { return latest.revision == revision ? latest.value : nil }
        // Relaxed suffices: both were written with the lock held.
        let settled = slot.settledStamp.pointee.load(ordering: .relaxed)
        if publishedReads != nil, settled == ContextStamp.Value(revision: revision).raw { return slot.value.pointee }
        return nil
    }

    /// What was settled when the context went.
    private var lastKnown: Value? {
        lock.withLock { latest?.value ?? (publishedReads == nil ? nil : slot.value.pointee) }
    }
}

extension SourceLocation {
    /// Stops the program with the full text of an error, at this place.
    func stop(_ error: LocatorError) -> Never {
        fatalError(error.description, file: file, line: UInt(line))
    }
}
