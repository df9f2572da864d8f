internal import Synchronization

/// What every change of a context alters, and every running making that keeps a record: one word at a fixed place.
///
/// A wrapper that saw a value, with no making running, may skip asking for as long as it reads the same value.
struct ContextStamp: @unchecked Sendable {
    // Sendable: the pointer is constant, and what it points to is atomic.

    /// A stamp taken apart: the upper bits count the changes, the lower ones the makings that are running.
    struct Value {
        private static let makingBits: UInt = 24
        fileprivate static let oneRevision: UInt = 1 << makingBits

        let raw: UInt

        init(raw: UInt) { self.raw = raw }

        /// The stamp of a state while nothing that keeps a record is being made.
        init(revision: UInt) { raw = revision << Self.makingBits }

        /// Counts the changes of the context.
        var revision: UInt { raw >> Self.makingBits }

        /// Whether no making keeps a record.
        var isQuiet: Bool { raw & (Self.oneRevision - 1) == 0 }
    }

    /// Where the stamp is, in memory that the context's core owns until its end.
    let pointer: UnsafePointer<Atomic<UInt>>

    /// Makes the stamp of a state, in memory of its own; see ``deallocate()``.
    init(revision: UInt) {
        let memory = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: 1)
        memory.initialize(to: Atomic(Value(revision: revision).raw))
        pointer = UnsafePointer(memory)
    }

    /// Ends the memory.
    func deallocate() { UnsafeMutablePointer(mutating: pointer).deallocate() }

    var now: Value {
        // Acquiring: whatever the change that made the stamp did was done before.
        Value(raw: pointer.pointee.load(ordering: .acquiring))
    }

    /// The stamp, in the common order of all marks and changes.
    var nowInOrder: Value {
        // Sequentially consistent: see `Limbo`.
        Value(raw: pointer.pointee.load(ordering: .sequentiallyConsistent))
    }

    /// Marks the start of a making that keeps a record: from here on wrappers ask, so that their reads are seen.
    ///
    /// Each counted making is a call on a thread or in a task, and needs a kilobyte of memory there. The count would carry over
    /// into the revision after 16 million of them, which need 16 GB; the program stops before that.
    func beginRecording() {
        // Relaxed suffices: the wrappers that must see it are read by this very thread.
        let stamp = Value(raw: pointer.pointee.wrappingAdd(1, ordering: .relaxed).newValue)
        precondition(!stamp.isQuiet, "Too many instances are being made at the same time")
    }

    func endRecording() {
        pointer.pointee.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Goes on to a revision, of a lean child, which nobody reads the stamp of.
    func advance(to revision: UInt) {
        let missing = revision &- now.revision
        pointer.pointee.wrappingAdd(missing &* Value.oneRevision, ordering: .sequentiallyConsistent)
    }

    /// Goes on to the next revision.
    func advance() {
        // Releasing: a wrapper that reads the new stamp and asks again sees the new state behind the lock anyway; one
        // that still reads the old stamp gives the old state's answer, which was right when its read began.
        // Sequentially consistent, for the requests that take no lock: see `Limbo`.
        pointer.pointee.wrappingAdd(Value.oneRevision, ordering: .sequentiallyConsistent)
    }
}
