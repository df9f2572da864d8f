internal import Synchronization

/// What a wrapper keeps: the context it belongs to, and the last answer with everything that the answer depends on.
///
/// Reading is free of locks once an answer is settled. The first answer that can stand for as long as the holder lives is
/// published once and never overwritten, so that a reader between the comparison of the stamps and its retain can rely on it.
/// Every other answer is kept behind a lock, and let go of at the next read.
class WrapperStorage<Value>: @unchecked Sendable {
    // Sendable: `core`, `location` are constant; `published` is written once under `lock` before `settledStamp` is
    // stored with releasing order, and read after it was loaded with acquiring order; the rest is guarded by `lock`.

    /// An answer and what it depends on.
    struct Answer {
        let value: Value
        let reads: Reads
        /// The revision of the state that gave it or confirmed it.
        var revision: UInt
    }

    /// A stamp that no context has: nothing is settled.
    private static var unsettled: UInt { .max }

    let core: ContextCore
    let location: SourceLocation
    /// The value that was handed in; such a wrapper asks no context.
    private let given: Value?

    private let settledStamp = Atomic<UInt>(.max)
    private nonisolated(unsafe) var published: Answer?
    private let lock = Lock()
    private var latest: Answer?

    init(core: ContextCore, given: Value? = nil, location: SourceLocation) {
        self.given = given
        self.core = core
        self.location = location
    }

    /// Asks the context; each kind of wrapper in its way.
    func ask() throws(LocatorError) -> Value {
        preconditionFailure("A wrapper does not say what it asks for")
    }

    /// What the wrapper asks for.
    var key: Key { preconditionFailure("A wrapper does not say what it asks for") }

    /// The value.
    ///
    /// Where there is none the program stops with the full text of the error, at the property's place.
    final var value: Value {
        // Acquiring, twice: the published value was written before the settled stamp, and whatever the change that made
        // the context's stamp did was done before.
        if settledStamp.load(ordering: .acquiring) == core.stamp.load(ordering: .acquiring), let published {
            return published.value
        }
        do throws(LocatorError) {
            return try resolved()
        } catch {
            location.stop(error)
        }
    }

    /// The value, or the error why there is none.
    final func resolved() throws(LocatorError) -> Value {
        if let given { return given }
        let thread = ThreadRecord.current
        if thread.frames.isEmpty, let value = confirmed(in: core.stamp.load(ordering: .acquiring) >> 16) {
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

    /// Asks the context, in the request that this thread is answering or one of its own.
    private func asked() throws(LocatorError) -> Value {
        try core.inSession(Request(key: key, location: location)) { (session, thread) throws(LocatorError) in
            let recorder = Recorder(core: core, outer: thread.recorder(of: core))
            let answer = try answer(in: session, on: thread, recorder)
            recorder.outer?.reads.add(answer.reads)
            keep(answer, isLasting: recorder.isLasting && session.state.isUnpushed)
            return answer.value
        }
    }

    /// Lets go of the answer; the next read asks again.
    final func reset() {
        let old = lock.withLock {
            settledStamp.store(Self.unsettled, ordering: .releasing)
            defer { latest = nil }
            return latest
        }
        withExtendedLifetime(old) {}
    }

    /// The answer that still holds in the state of the request, else a new one.
    private func answer(
        in session: Session, on thread: ThreadRecord, _ recorder: Recorder
    ) throws(LocatorError) -> Answer {
        let known = lock.withLock { [published, latest].compactMap(\.self) }
        if let answer = core.locked({ known.first { core.isCurrent($0.reads, in: session.state) } }) {
            return Answer(value: answer.value, reads: answer.reads, revision: session.state.revision)
        }
        thread.frames.append(Frame(session: session, recorder: recorder))
        core.beginRecording()
        defer {
            core.endRecording()
            thread.frames.removeLast()
        }
        let value = try ask()
        return Answer(value: value, reads: recorder.reads, revision: session.state.revision)
    }

    private func keep(_ answer: Answer, isLasting: Bool) {
        let old = lock.withLock { () -> Answer? in
            let old = latest
            latest = nil
            if published == nil, isLasting { published = answer }
            if let published, published.reads.isSame(as: answer.reads) {
                // Releasing: a reader that sees this stamp sees the published value.
                settledStamp.store(answer.revision << 16, ordering: .releasing)
            } else {
                settledStamp.store(Self.unsettled, ordering: .releasing)
                latest = answer
            }
            return old
        }
        // What is let go of may run deinits: not while the lock is held.
        withExtendedLifetime(old) {}
    }

    /// The answer of this revision, where one is kept: makings that run elsewhere do not change it.
    private func confirmed(in revision: UInt) -> Value? {
        lock.withLock {
            if let latest, latest.revision == revision { return latest.value }
            if let published, settledStamp.load(ordering: .relaxed) == revision << 16 { return published.value }
            return nil
        }
    }

    /// What was settled when the context went.
    private var lastKnown: Value? {
        lock.withLock { (latest ?? published)?.value }
    }
}

extension SourceLocation {
    /// Stops the program with the full text of an error, at this place.
    func stop(_ error: LocatorError) -> Never {
        fatalError(error.description, file: file, line: UInt(line))
    }
}
