internal import Synchronization

/// What a wrapper remembers of answers that its context has not ready: prototypes, collections, property values.
///
/// The first that can last is published in the ``WrapperState``; here is what it depends on. Every other answer is kept
/// here, behind a lock, and let go of at the next read.
final class WrapperMemory: @unchecked Sendable {
    // Sendable: all is guarded by `lock`, whose holder accesses one field at a time: hence the unchecked exclusivity.

    /// An answer that is not published, and what it depends on.
    struct Latest {
        let box: AnyBox
        /// Holds the reads, to which injections may add until the request has ended; read with the context's lock held.
        let recorder: Recorder
        /// The revision of the state that gave it or confirmed it.
        var revision: UInt
    }

    private let lock = Lock()
    /// What the published value depends on, where it was published from here.
    @exclusivity(unchecked) private var publishedReads: Reads?
    @exclusivity(unchecked) private var latest: Latest?

    /// What is known: what the published answer depends on, and the latest one.
    var known: (published: Reads?, latest: Latest?) {
        lock.withLock { (publishedReads, latest) }
    }

    /// Whether the published value is the answer of this revision, or which other is.
    func confirmed(in revision: UInt, _ state: WrapperState) -> (isPublished: Bool, box: AnyBox?) {
        lock.lock()
        defer { lock.unlock() }
        if let latest { return (false, latest.revision == revision ? latest.box : nil) }
        // Relaxed suffices: it was written with the lock held.
        let settled = state.settledStamp.load(ordering: .relaxed)
        return (publishedReads != nil && settled == ContextStamp.Value(revision: revision).raw, nil)
    }

    /// Notes that the published value is the answer of a revision again.
    func settle(_ state: WrapperState, at revision: UInt) {
        var old: Latest?
        lock.lock()
        state.settle(at: ContextStamp.Value(revision: revision).raw)
        takeLatest(into: &old)
        lock.unlock()
        // What is let go of may run deinits: not while the lock is held.
        withExtendedLifetime(old) {}
    }

    /// Keeps an answer: published, where it is the first that can last, else here.
    func keep(
        _ box: AnyBox, _ recorder: Recorder, _ reads: Reads, _ state: WrapperState, isLasting: Bool, revision: UInt
    ) {
        var old: Latest?
        lock.lock()
        takeLatest(into: &old)
        if isLasting, state.publish(.passUnretained(box)) == nil {
            publishedReads = reads
            state.settle(at: ContextStamp.Value(revision: revision).raw)
        } else {
            state.settle(at: WrapperState.unsettled)
            latest = Latest(box: box, recorder: recorder, revision: revision)
        }
        lock.unlock()
        withExtendedLifetime(old) {}
    }

    /// Lets go of the answer; the next read asks again.
    func forget(_ state: WrapperState) {
        var old: Latest?
        lock.lock()
        state.settle(at: WrapperState.unsettled)
        takeLatest(into: &old)
        lock.unlock()
        withExtendedLifetime(old) {}
    }

    /// Takes out what is not published; the caller holds the lock, and lets go of it afterwards.
    private func takeLatest(into old: inout Latest?) {
        guard latest != nil else { return }
        old = latest
        latest = nil
    }
}
