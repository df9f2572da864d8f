internal import Synchronization

/// What a wrapper remembers of its answers.
///
/// The first answer that can last is published in the ``WrapperState``; here is what it depends on. Every other answer is
/// kept here, and let go of at the next read.
///
/// Only complete answers are kept: those whose injections have run.
final class WrapperMemory: @unchecked Sendable {
    // Sendable: all but the atomic `kept` is guarded by two locks. It is changed with the lock of the context held, so
    // that several steps can be taken together, and with `lock` held, so that an answer can be read without the lock of
    // the context. Whoever holds either accesses one field at a time: hence the unchecked exclusivity.

    /// An answer that is not published.
    struct Latest {
        let box: AnyBox
        /// What it depends on; nil where the context had the answer ready, and is asked whether it still has.
        let reads: Reads?
        /// Whether it holds nothing but singletons.
        let isLasting: Bool
        /// The revision of the state that gave it or confirmed it.
        var revision: UInt
    }

    private let lock = Lock()
    /// What the published value depends on, where it was published from here.
    @exclusivity(unchecked) private(set) var publishedReads: Reads?
    @exclusivity(unchecked) private(set) var latest: Latest?
    /// The box of the latest answer, retained by it, to be compared with.
    private let kept = Atomic<UnsafeRawPointer?>(nil)
    /// Counts how often the answer was let go of by hand.
    @exclusivity(unchecked) private(set) var resets = 0
    /// What was given inside a request that has not ended, and is the answer for all other readers once it has.
    ///
    /// Guarded by the lock of the context.
    @exclusivity(unchecked) var claim: WrapperAnswer?

    /// Whether an answer is kept that is not published.
    var isKeeping: Bool {
        // Sequentially consistent: see `keep`.
        kept.load(ordering: .sequentiallyConsistent) != nil
    }

    /// Whether the latest answer is in this box, which is alive.
    func isKeeping(_ box: UnsafeRawPointer) -> Bool {
        // Relaxed suffices: it is only compared.
        kept.load(ordering: .relaxed) == box
    }

    /// Whether the published value is the answer of this revision, or which other is.
    func confirmed(in revision: UInt, _ state: WrapperState) -> (isPublished: Bool, box: AnyBox?) {
        lock.withLock {
            if let latest { return (false, latest.revision == revision ? latest.box : nil) }
            // Relaxed suffices: it was written with the lock held.
            let settled = state.settledStamp.load(ordering: .relaxed)
            return (publishedReads != nil && settled == ContextStamp.Value(revision: revision).raw, nil)
        }
    }

    /// Notes that the published value is the answer of a revision.
    ///
    /// Gives what was kept, to be discarded. The caller holds the lock of the context.
    func settle(_ state: WrapperState, at revision: UInt) -> Latest? {
        lock.withLock {
            state.settle(at: ContextStamp.Value(revision: revision).raw)
            return takeLatest()
        }
    }

    /// Keeps an answer: published, where it is the first that can last, else here; but not where a later one is known.
    ///
    /// Gives what was kept before, to be discarded. The caller holds the lock of the context.
    func keep(_ new: Latest, publishing isPublishable: Bool, in state: WrapperState) -> (isKept: Bool, old: Latest?) {
        lock.withLock {
            // Relaxed suffices: where a reader without a lock settles the wrapper meanwhile, it looks here afterwards.
            let settled = state.settledStamp.load(ordering: .relaxed)
            let isSettled = settled != WrapperState.unsettled
            if isSettled, ContextStamp.Value(raw: settled).revision > new.revision { return (false, nil) }
            if let latest, latest.revision > new.revision { return (false, nil) }
            let old = takeLatest()
            if isPublishable, let reads = new.reads, state.publish(.passUnretained(new.box)) == nil {
                publishedReads = reads
                state.settle(at: ContextStamp.Value(revision: new.revision).raw)
            } else {
                latest = new
                // Sequentially consistent, both: a reader without a lock settles the wrapper and looks for what is kept
                // after that. Either it finds this, or the wrapper ends as unsettled.
                let box = UnsafeRawPointer(Unmanaged.passUnretained(new.box).toOpaque())
                kept.store(box, ordering: .sequentiallyConsistent)
                state.settledStamp.store(WrapperState.unsettled, ordering: .sequentiallyConsistent)
            }
            return (true, old)
        }
    }

    /// Lets go of the answer by hand; whatever is being read now is not kept.
    ///
    /// Gives what was kept, to be discarded. The caller holds the lock of the context.
    func reset(_ state: WrapperState) -> Latest? {
        claim = nil
        return lock.withLock {
            resets += 1
            state.settle(at: WrapperState.unsettled)
            return takeLatest()
        }
    }

    /// Lets go of an answer that was not confirmed in this revision.
    ///
    /// Gives what was kept, to be discarded. The caller holds the lock of the context.
    func forget(before revision: UInt) -> Latest? {
        lock.withLock {
            guard let latest, latest.revision < revision else { return nil }
            return takeLatest()
        }
    }

    /// Takes out what is not published; the caller holds both locks.
    private func takeLatest() -> Latest? {
        guard let old = latest else { return nil }
        latest = nil
        kept.store(nil, ordering: .sequentiallyConsistent)
        return old
    }
}
