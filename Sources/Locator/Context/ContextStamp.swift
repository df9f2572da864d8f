internal import Synchronization

/// What every change of a context alters, and every running making that keeps a record: one word at a fixed place.
///
/// A wrapper that saw a value, with no making running, may skip asking for as long as it reads the same value.
struct ContextStamp: @unchecked Sendable {
    // Sendable: the pointer is constant, and what it points to is atomic.

    /// A stamp taken apart.
    struct Value {
        let raw: UInt

        init(raw: UInt) { self.raw = raw }

        /// The stamp of a state while nothing that keeps a record is being made.
        init(revision: UInt) { raw = revision << 16 }

        /// Counts the changes of the context.
        var revision: UInt { raw >> 16 }

        /// Whether no making keeps a record.
        var isQuiet: Bool { raw & 0xFFFF == 0 }
    }

    /// Where the stamp is, which stays there for as long as the context's core lives.
    let pointer: UnsafePointer<Atomic<UInt>>

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
    func beginRecording() {
        // Relaxed suffices: the wrappers that must see it are read by this very thread.
        pointer.pointee.wrappingAdd(1, ordering: .relaxed)
    }

    func endRecording() {
        pointer.pointee.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Goes on to the next revision.
    func advance() {
        // Releasing: a wrapper that reads the new stamp and asks again sees the new state behind the lock anyway; one
        // that still reads the old stamp gives the old state's answer, which was right when its read began.
        // Sequentially consistent, for the requests that take no lock: see `Limbo`.
        pointer.pointee.wrappingAdd(1 << 16, ordering: .sequentiallyConsistent)
    }
}
