internal import Synchronization

/// The answers that a wrapper remembers, and what they depend on.
///
/// The first answer that can last is published in the ``WrapperState``. This object stores what it depends on. Every
/// other answer is kept here, and released at the next read.
///
/// Only complete answers are kept, whose injections have run. The functions that change what is kept return the answer that
/// was kept before, to be released later. Their caller holds the lock of the context.
final class WrapperMemory: @unchecked Sendable {
    // Sendable: everything except the atomic `kept` is guarded by two locks. A change holds the lock of the context, so
    // that several steps can be taken together, and also `lock`, so that an answer can be read without the lock of the
    // context. The holder of either lock accesses one field at a time, so the exclusivity need not be checked.

    /// An answer that is not published.
    struct Latest {
        let box: AnyBox
        /// The reads that it depends on; nil if the context had the answer ready, and knows whether it is still valid.
        var reads: Reads?
        /// Whether it contains only singletons.
        let isLasting: Bool
        /// The revision of the state that produced or confirmed it.
        var revision: UInt
    }

    private let lock = ShortLock()
    /// The reads that the published value depends on, if this object published it.
    @exclusivity(unchecked) private(set) var publishedReads: Reads?
    @exclusivity(unchecked) private(set) var latest: Latest?
    /// The box of the latest answer, which retains it, for comparisons.
    private let kept = Atomic<UnsafeRawPointer?>(nil)
    /// The number of explicit resets.
    @exclusivity(unchecked) private(set) var resets = 0
    /// An answer that a reader got inside a request that has not ended.
    ///
    /// When it ends, this is the answer for all other readers. Guarded by the lock of the context.
    @exclusivity(unchecked) var claim: WrapperAnswer?

    /// Whether an unpublished answer is kept.
    var isKeeping: Bool {
        // Sequentially consistent: see `keep`.
        kept.load(ordering: .sequentiallyConsistent) != nil
    }

    /// Whether the latest answer is in this box, which must be alive.
    func isKeeping(_ box: UnsafeRawPointer) -> Bool {
        // Relaxed suffices: it is only compared.
        kept.load(ordering: .relaxed) == box
    }

    /// Returns the box of the answer, if that is known to be the one of this revision.
    func confirmed(in revision: UInt, _ state: WrapperState) -> AnyBox? {
        let (isPublished, box) = lock.withLock { () -> (Bool, UnsafeRawPointer?) in
            if let known = latest?.revision {
                // Relaxed suffices: it was written with the lock held.
                guard known == revision, let box = kept.load(ordering: .relaxed) else { return (false, nil) }
                retainLent(box)
                return (false, box)
            }
            // Relaxed suffices: it was written with the lock held.
            let settled = state.settledStamp.load(ordering: .relaxed)
            return (publishedReads != nil && settled == ContextStamp.Value(revision: revision).raw, nil)
        }
        return isPublished ? state.publishedBox : box.map { Unmanaged<AnyBox>.fromOpaque($0).takeRetainedValue() }
    }

    /// Records that the published value is the answer of a revision.
    func settle(_ state: WrapperState, at revision: UInt) -> Latest? {
        lock.withLock {
            state.settle(at: ContextStamp.Value(revision: revision).raw)
            return takeLatest()
        }
    }

    /// Keeps an answer, unless a later one is known.
    ///
    /// The first answer that can last is published. Others are kept here.
    func keep(_ new: Latest, publishing isPublishable: Bool, in state: WrapperState) -> (isKept: Bool, old: Latest?) {
        lock.withLock {
            // Relaxed suffices: if a reader without a lock settles the wrapper in the meantime, it checks this object
            // afterward.
            let settled = state.settledStamp.load(ordering: .relaxed)
            let isSettled = settled != WrapperState.unsettled
            if isSettled, ContextStamp.Value(raw: settled).revision > new.revision { return (false, nil) }
            if let known = latest?.revision, known > new.revision { return (false, nil) }
            let old = takeLatest()
            if isPublishable, let reads = new.reads, state.publish(.passUnretained(new.box)) == nil {
                publishedReads = reads
                state.settle(at: ContextStamp.Value(revision: new.revision).raw)
            } else {
                latest = new
                // Sequentially consistent, both: a reader without a lock first settles the wrapper and then looks for a
                // kept answer. Either it finds this one, or the wrapper ends up unsettled.
                let box = UnsafeRawPointer(Unmanaged.passUnretained(new.box).toOpaque())
                kept.store(box, ordering: .sequentiallyConsistent)
                state.settledStamp.store(WrapperState.unsettled, ordering: .sequentiallyConsistent)
            }
            return (true, old)
        }
    }

    /// Discards the answer explicitly.
    ///
    /// Reads in progress do not keep theirs.
    func reset(_ state: WrapperState) -> Latest? {
        claim = nil
        return lock.withLock {
            resets += 1
            state.settle(at: WrapperState.unsettled)
            return takeLatest()
        }
    }

    /// Discards an answer that was not confirmed in this revision.
    func forget(before revision: UInt) -> Latest? {
        lock.withLock {
            guard let known = latest?.revision, known < revision else { return nil }
            return takeLatest()
        }
    }

    /// Removes and returns the unpublished answer.
    ///
    /// The caller holds both locks.
    private func takeLatest() -> Latest? {
        guard let old = latest else { return nil }
        latest = nil
        // Sequentially consistent, like the stores in `keep`: a reader that looks without a lock sees all of them in one
        // order.
        kept.store(nil, ordering: .sequentiallyConsistent)
        return old
    }
}
