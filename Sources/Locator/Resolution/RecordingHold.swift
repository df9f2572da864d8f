internal import Synchronization

/// Makes the wrappers of a context use the slow path while its children make something.
///
/// A making in a child must record every wrapper of the contexts above that it reads. During the making, these wrappers
/// must therefore not return their cached values directly; see ``ContextStamp``. If each making were counted in the
/// parent's stamp, all requests of all threads would write to one place. So the first making of a child counts once for
/// all children, and the count stays after its end. It is removed when wrappers have often taken the slow path without
/// need and no making is running.
struct RecordingHold: ~Copyable {
    private enum State {
        static let none: UInt8 = 0
        static let held: UInt8 = 1
        /// A thread is checking whether the count is still needed.
        static let doubted: UInt8 = 2
        /// A thread is about to change the stamp.
        static let changing: UInt8 = 3
    }

    // Sequentially consistent throughout: a making marks its thread as a reader, then as being in a lean request, and
    // then loads this state. A thread that wants to remove the count stores `doubted`, waits for the readers, and then
    // looks at the marks of lean requests. In the total order of the marks of readers and of this state, either the
    // making finds `doubted` and replaces it, or the other thread finds the reader, waits for it, and then finds the
    // lean request. A making that finds `held` also finds the count in the stamp, which was written before.
    private let state = Atomic<UInt8>(State.none)

    /// Counts once for the makings of children, if that has not been done.
    ///
    /// The caller is marked as a reader and as being in a lean request.
    @inline(__always)
    func take(_ stamp: ContextStamp) {
        if state.load(ordering: .sequentiallyConsistent) != State.held { takeAnew(stamp) }
    }

    @inline(never)
    private func takeAnew(_ stamp: ContextStamp) {
        var turns = 0
        while true {
            switch state.load(ordering: .sequentiallyConsistent) {
            case State.held:
                return
            case State.doubted:
                if exchange(State.doubted, State.held) { return }
            case State.none:
                guard exchange(State.none, State.changing) else { continue }
                stamp.beginRecording()
                state.store(State.held, ordering: .sequentiallyConsistent)
                return
            default:
                turns += 1
                Lock.giveWay(turns)
            }
        }
    }

    /// Lets wrappers return their cached values directly again, unless a making of the family is running.
    func release(_ stamp: ContextStamp, of family: UInt) {
        guard exchange(State.held, State.doubted) else { return }
        if !Readers.all.requests(of: family).isEmpty {
            _ = exchange(State.doubted, State.held)
        } else if exchange(State.doubted, State.changing) {
            stamp.endRecording()
            state.store(State.none, ordering: .sequentiallyConsistent)
        }
    }

    private func exchange(_ old: UInt8, _ new: UInt8) -> Bool {
        state.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged
    }
}
