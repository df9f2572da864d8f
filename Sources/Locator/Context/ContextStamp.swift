internal import Synchronization

/// A number that changes with every change of a context, and with every making that keeps a record.
///
/// It is one word at a fixed place. A wrapper that saw a stamp while no making was running may return its cached value
/// as long as the stamp is the same.
struct ContextStamp: @unchecked Sendable {
    // Sendable: the pointer is constant, and what it points to is atomic.

    /// A stamp in parts: the upper bits have the revision of the state, the lower bits count the running makings.
    struct Value {
        private static let makingBits: UInt = 24
        fileprivate static let oneRevision: UInt = 1 << makingBits

        let raw: UInt

        init(raw: UInt) { self.raw = raw }

        /// The stamp of a state while nothing that keeps a record is being made.
        init(revision: UInt) { raw = revision << Self.makingBits }

        /// The revision of the context's state.
        var revision: UInt { raw >> Self.makingBits }

        /// Whether no making keeps a record.
        var isQuiet: Bool { raw & (Self.oneRevision - 1) == 0 }
    }

    /// The address of the stamp in the context's core, which must be kept alive.
    let pointer: UnsafePointer<Atomic<UInt>>

    /// The stamp that is stored in a word of an object.
    @inline(__always)
    init(in word: borrowing Atomic<UInt>) {
        // Unsafe: an atomic value cannot be copied, so it keeps its address as long as the object lives.
        pointer = withUnsafePointer(to: word) { $0 }
    }

    /// The word for the stamp of a state.
    static func word(revision: UInt) -> Atomic<UInt> { Atomic(Value(revision: revision).raw) }

    var now: Value {
        // Acquiring: everything that the change did before it wrote the stamp is visible.
        Value(raw: pointer.pointee.load(ordering: .acquiring))
    }

    /// The stamp, in the total order of all marks and changes.
    var nowInOrder: Value {
        // Sequentially consistent: see `Limbo`.
        Value(raw: pointer.pointee.load(ordering: .sequentiallyConsistent))
    }

    /// Counts a making that keeps a record.
    ///
    /// From here on, wrappers use the slow path, so that their reads are recorded.
    ///
    /// Each counted making is a call on a thread or in a task, and needs a kilobyte of memory there. The count would
    /// carry over into the revision after 16 million makings, which need 16 GB. The program stops before that.
    func beginRecording() {
        // Relaxed suffices: only wrappers that this thread reads must see it.
        let stamp = Value(raw: pointer.pointee.wrappingAdd(1, ordering: .relaxed).newValue)
        precondition(!stamp.isQuiet, "Too many instances are being made at the same time")
    }

    func endRecording() {
        pointer.pointee.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Advances to a later revision.
    func advance(to revision: UInt) {
        // Nothing else changes the revision: the caller holds the lock.
        let missing = revision &- now.revision
        // Releasing: a wrapper that reads the new stamp resolves again, and sees the new state because it takes the
        // lock. A wrapper that still reads the old stamp returns the old state's answer, which was right when its read
        // began. Sequentially consistent, for the requests that take no lock: see `Limbo`.
        pointer.pointee.wrappingAdd(missing &* Value.oneRevision, ordering: .sequentiallyConsistent)
    }
}
