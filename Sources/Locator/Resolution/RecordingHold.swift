internal import Synchronization

/// Lets the wrappers of a context ask while its children make something.
///
/// A making in a child has to be told of every wrapper of the contexts above that it reads, so these must not skip
/// asking meanwhile; see ``ContextStamp``. To count each making in the parent's stamp would have all requests of all
/// threads write to one place. So the first making of a child counts once, for all children, and is not taken back at its
/// end. It is taken back once readers of wrappers have often asked in vain, and no making is running then.
struct RecordingHold: ~Copyable {
    private enum State {
        static let none: UInt8 = 0
        static let held: UInt8 = 1
        /// Somebody looks whether it is still needed.
        static let doubted: UInt8 = 2
        /// Somebody is about to change the stamp.
        static let changing: UInt8 = 3
    }

    // Sequentially consistent throughout: a maker marks its thread as a reader, then as being in a lean request, and then
    // looks here. Who doubts says so here, waits for the readers, and then looks at the marks of lean requests. In the
    // common order of all that, either the maker finds the doubt and takes it away, or its mark is found.
    private let state = Atomic<UInt8>(State.none)

    /// Begins to count for the makings of children, where that was not done.
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

    /// Lets wrappers skip asking again, unless a making of the family is running.
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
