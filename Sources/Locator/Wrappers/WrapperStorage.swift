internal import Synchronization

/// What a wrapper keeps beside its ``WrapperSlot``: the context it belongs to, and what its answers depend on.
///
/// The first answer that can stand for as long as the holder lives is published in the slot, once, and never
/// overwritten: a reader between the comparison of the stamps and its retain can rely on it. Every other answer is kept
/// behind a lock, and let go of at the next read.
class WrapperStorage<Value>: @unchecked Sendable {
    // Sendable: `core`, `location`, `isGiven` and `slot` are constant; the rest is guarded by `lock`,
    // whose holder accesses one field at a time: hence the unchecked exclusivity.

    // No generic struct is kept here: looking up its metadata would cost more than all the rest of a read.

    /// What an answer that is not published depends on.
    private struct Latest {
        /// Holds the reads, to which injections may add until the request has ended; read with the context's lock held.
        let recorder: Recorder
        /// The revision of the state that gave it or confirmed it.
        var revision: UInt
    }

    let core: ContextCore
    let location: SourceLocation
    let slot: WrapperSlot<Value>
    /// Whether the value was handed in; such a wrapper asks no context.
    private let isGiven: Bool

    private let lock = Lock()
    /// What the published value depends on, once there is one.
    @exclusivity(unchecked) private var publishedReads: Reads?
    /// The value that is not published, and what it depends on; the memory is initialised while there is one.
    @exclusivity(unchecked) private var latest: Latest?
    @exclusivity(unchecked) private var latestValue: UnsafeMutablePointer<Value>?

    init(core: ContextCore, given: Value? = nil, location: SourceLocation) {
        self.core = core
        self.location = location
        isGiven = given != nil
        slot = given.map { WrapperSlot(given: $0) } ?? WrapperSlot(contextStamp: core.stamp.pointer)
    }

    deinit {
        if latest != nil { latestValue?.deinitialize(count: 1) }
        latestValue?.deallocate()
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
        // While no making keeps a record, none can be on this thread; else only a thread without frames may skip
        // asking.
        let stamp = core.stamp.now
        if stamp.isQuiet || ThreadRecord.current.frames.isEmpty {
            lock.lock()
            if let confirmed = confirmed(in: stamp.revision) {
                let value = confirmed.pointee
                lock.unlock()
                return value
            }
            lock.unlock()
        }
        do throws(LocatorError) {
            return try asked()
        } catch {
            // A settled wrapper keeps its value when its context goes.
            if case .contextGone = error.kind, let value = lastKnown { return value }
            forgetFailed()
            throw error
        }
    }

    /// Lets go of an answer whose injection has failed after it was kept.
    private func forgetFailed() {
        let recorder = lock.withLock { latest?.recorder }
        if let recorder, core.locked({ recorder.injectionFailure != nil }) { reset() }
    }

    /// Lets go of the answer; the next read asks again.
    final func reset() {
        if isGiven { return }
        var old: Value?
        lock.lock()
        settle(at: WrapperSlot<Value>.unsettled)
        takeLatest(into: &old)
        lock.unlock()
        withExtendedLifetime(old) {}
    }

    /// Asks the context, in the request that this thread is answering or one of its own.
    private func asked() throws(LocatorError) -> Value {
        try core.inSession(Request(key: key, location: location)) { (session, thread) throws(LocatorError) in
            let outer = thread.recorder(of: core)
            if let value = known(in: session.state, noting: outer) { return value }
            let recorder = Recorder(core: core, outer: outer)
            thread.frames.append(Frame(session: session, recorder: recorder))
            core.beginRecording()
            defer {
                core.endRecording()
                thread.frames.removeLast()
                // What a failed request read counts too: its asker may catch the error and be made all the same.
                recorder.passReadsOn()
            }
            let value = try ask()
            keep(
                value, recorder, isLasting: recorder.isLasting && session.state.isUnpushed,
                revision: session.state.revision)
            return value
        }
    }

    /// The answer that was given before, where it is still the answer of `state`.
    private func known(in state: ContextState, noting recorder: Recorder?) -> Value? {
        var value: Value?
        var latest: Latest?
        lock.lock()
        let published = publishedReads
        latest = self.latest
        if latest != nil { value = latestValue?.pointee }
        lock.unlock()
        let (isPublished, isLatest) = core.locked {
            (
                published.map { core.isCurrent($0, in: state) } ?? false,
                latest.map { core.isCurrent($0.recorder.reads, in: state) } ?? false
            )
        }
        if isPublished, let published {
            var old: Value?
            lock.lock()
            settle(at: ContextStamp.Value(revision: state.revision).raw)
            takeLatest(into: &old)
            lock.unlock()
            withExtendedLifetime(old) {}
            core.locked { recorder?.reads.add(published) }
            return slot.value.pointee
        }
        guard isLatest, let latest, let value else { return nil }
        keep(
            value, latest.recorder, isLasting: latest.recorder.isLasting && state.isUnpushed,
            revision: state.revision)
        if let recorder { latest.recorder.count(for: recorder) }
        return value
    }

    /// Keeps an answer: published, where it is the first that can last, else behind the lock.
    private func keep(_ value: Value, _ recorder: Recorder, isLasting: Bool, revision: UInt) {
        var old: Value?
        let reads = core.locked { recorder.reads }
        lock.lock()
        takeLatest(into: &old)
        if publishedReads == nil, isLasting {
            slot.value.initialize(to: value)
            publishedReads = reads
            settle(at: ContextStamp.Value(revision: revision).raw)
        } else {
            settle(at: WrapperSlot<Value>.unsettled)
            let memory = latestValue ?? .allocate(capacity: 1)
            memory.initialize(to: value)
            latestValue = memory
            latest = Latest(recorder: recorder, revision: revision)
        }
        lock.unlock()
        // What is let go of may run deinits: not while the lock is held.
        withExtendedLifetime(old) {}
    }

    /// Takes the value that is not published out of its memory; the caller holds the lock, and ends the value
    /// afterwards.
    private func takeLatest(into old: inout Value?) {
        guard latest != nil else { return }
        old = latestValue?.move()
        latest = nil
    }

    /// Notes at which stamp the published value is right; the caller holds the lock.
    private func settle(at stamp: UInt) {
        // Releasing: a reader that sees this stamp sees the published value.
        slot.settledStamp.pointee.store(stamp, ordering: .releasing)
    }

    /// Where the answer of this revision is, where one is kept: makings that run elsewhere do not change it.
    ///
    /// The caller holds the lock until it has copied the value.
    private func confirmed(in revision: UInt) -> UnsafeMutablePointer<Value>? {
        if let latest { return latest.revision == revision ? latestValue : nil }
        // Relaxed suffices: both were written with the lock held.
        let settled = slot.settledStamp.pointee.load(ordering: .relaxed)
        if publishedReads != nil, settled == ContextStamp.Value(revision: revision).raw { return slot.value }
        return nil
    }

    /// What was settled when the context went.
    private var lastKnown: Value? {
        lock.lock()
        defer { lock.unlock() }
        return latest == nil ? (publishedReads == nil ? nil : slot.value.pointee) : latestValue?.pointee
    }
}

extension SourceLocation {
    /// Stops the program with the full text of an error, at this place.
    func stop(_ error: LocatorError) -> Never {
        fatalError(error.description, file: file, line: UInt(line))
    }
}
