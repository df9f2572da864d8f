internal import Synchronization

/// Lets threads read published pointers without a lock, and tells when what was unpublished may end.
///
/// A reader marks its own thread record, loads a pointer, copies the value behind it, and ends the mark. A writer that has
/// unpublished a pointer waits until every thread has left the read that it was in: whoever reads later finds the
/// pointer gone. Readers write to memory of their own thread only, so they do not slow each other down.
///
/// The mark is a counter, odd while the thread reads. A writer waits for a counter to change, not for a moment in which
/// the thread does not read: a thread that reads all the time leaves each read, too.
///
/// # Idle threads
///
/// A thread whose mark has not changed for some changes is *hidden*: later changes do not look at it. So a change costs
/// what the threads cost that use contexts, not those that there are. Beginning a read is to store the mark, and then to
/// look whether the thread is hidden; hiding it is to note that it is, and then to look whether its mark has changed. All
/// four are sequentially consistent, so at least one of the two sees the other. If the thread does, it takes the lock and
/// shows itself before it loads any pointer; if the change does, it leaves the thread among those that it looks at. A
/// lean request begins inside a read, and a thread that is in one is not hidden.
///
/// # Copying under a mark
///
/// ARC gives no order between the retain of a value and the store that ends a mark. In a function that does both, the
/// optimizer may move the retain behind the store, and it may leave the retain out where only a field of the value is
/// used. It does so in release builds, also in the program of a user in which the read was inlined.
///
/// So the copy is made by ``copyValue(inBox:to:)``, and nothing else. That function is never inlined and returns nothing:
/// when it returns, the copy is complete in the caller's memory, and no part of it is left to the caller. The store
/// that ends the mark comes after the call, and is releasing, so the processor keeps that order as well. The caller then
/// moves the value out of its memory, which retains nothing.
///
/// Whoever reads something that another thread may unpublish copies it in this way; a state is retained in this way by a
/// function of its own, `retainState`. There are three other ways to take a strong reference in this library, and none of
/// them needs it:
/// - With a lock held. Unlocking calls a function of the system that the optimizer knows nothing about. It could release
///   the object, so a retain is never moved behind it.
/// - From a place that is written once and keeps its object as long as it exists, such as the published box of a wrapper.
///   The reader keeps the place alive until the copy is made: see ``WrapperState/settledValue(as:)``.
/// - As an argument in a lean request. What it uses waits in ``Limbo`` until it ends, and before that the maker, a function
///   that the optimizer does not know, is called with the argument.
final class Readers: @unchecked Sendable {
    // Sendable: `records`, and what the records note for it, are guarded by `lock`, whose holder accesses one field at a
    // time: hence the unchecked exclusivity.

    static let all = Readers()

    private let lock = Lock()
    /// The records of the threads that are not hidden, each at its number.
    @exclusivity(unchecked) private var records: [ThreadRecord] = []
    /// So many changes find the same mark before the thread is hidden.
    private static let idleLimit = 16

    /// Adds the record of a thread that has begun, or is hidden.
    func show(_ record: ThreadRecord) {
        lock.withLock {
            // Relaxed suffices: the thread itself, which is the only one to call this, has not begun to read.
            record.isHidden.pointee.store(0, ordering: .relaxed)
            if record.number != nil { return }
            record.number = records.count
            record.idleCount = 0
            records.append(record)
        }
    }

    /// Removes the record of a thread that ends; the caller retains it.
    func remove(_ record: ThreadRecord) {
        lock.withLock { takeOut(record) }
    }

    private func takeOut(_ record: ThreadRecord) {
        guard let number = record.number else { return }
        record.number = nil
        // The last one takes its place.
        let last = records.removeLast()
        guard last !== record else { return }
        last.number = number
        records[number] = last
    }

    /// Notes the mark of a thread, and hides the thread if it has been the same for long; tells whether it did.
    ///
    /// The caller holds the lock.
    private func hides(_ record: ThreadRecord, _ mark: UInt) -> Bool {
        guard mark & 1 == 0, mark == record.seenMark else {
            record.seenMark = mark
            record.idleCount = 0
            return false
        }
        record.idleCount += 1
        guard record.idleCount >= Self.idleLimit else { return false }
        record.idleCount = 0
        record.isHidden.pointee.store(1, ordering: .sequentiallyConsistent)
        // The mark first: where that is the same, nothing begins until the lock is given back.
        guard record.mark == mark, record.leanMark & 1 == 0 else {
            record.isHidden.pointee.store(0, ordering: .sequentiallyConsistent)
            return false
        }
        takeOut(record)
        return true
    }

    /// A read that a thread is in.
    struct RunningRead {
        fileprivate let thread: ThreadRecord
        fileprivate let mark: UInt

        /// Waits until the thread has left the read.
        func waitForEnd() { thread.waitForEndOfRead(mark) }
    }

    /// Who may be using what was unpublished before the call: the reads, and the lean requests of a family.
    ///
    /// Where there are reads, there may be further requests, which have begun in them; see ``Limbo``.
    func users(of family: UInt) -> (reads: [RunningRead], requests: [Limbo.Pin]) {
        lock.withLock {
            var reads: [RunningRead] = []
            var requests: [Limbo.Pin] = []
            var position = 0
            while position < records.count {
                let record = records[position]
                let mark = record.mark
                if mark & 1 == 1 { reads.append(.init(thread: record, mark: mark)) }
                // After the mark: a request that has begun in an earlier read is found.
                if let request = record.leanRequest(of: family) { requests.append(request) }
                // Another one takes the place of a hidden one.
                if !hides(record, mark) { position += 1 }
            }
            return (reads, requests)
        }
    }

    /// The lean requests of a family that may be using what was unpublished before the call; waits for the reads.
    func requests(of family: UInt) -> [Limbo.Pin] {
        let (reads, requests) = users(of: family)
        if reads.isEmpty { return requests }
        for read in reads { read.waitForEnd() }
        return lock.withLock { records.compactMap { $0.leanRequest(of: family) } }
    }
}

extension ThreadRecord {
    /// Marks the thread as a reader.
    @inline(__always)
    func beginReading() {
        // Relaxed suffices for the load: only this thread writes the mark.
        let mark = reading.pointee.load(ordering: .relaxed)
        // Sequentially consistent, as are the loads of published pointers and the writer's exchange: in their common
        // order either the reader finds the pointer gone, or the writer finds the mark.
        reading.pointee.store(mark &+ 1, ordering: .sequentiallyConsistent)
        // Sequentially consistent, and before any pointer is loaded: see ``Readers``.
        if isHidden.pointee.load(ordering: .sequentiallyConsistent) != 0 { show() }
    }

    // Not inlined: it is rare, in functions that are short without it.
    @inline(never)
    private func show() { Readers.all.show(self) }

    /// The mark, odd while the thread reads.
    fileprivate var mark: UInt { reading.pointee.load(ordering: .sequentiallyConsistent) }

    /// Waits until the thread has left the read that it was in when it had this mark.
    ///
    /// A read is a few instructions without any call to foreign code.
    fileprivate func waitForEndOfRead(_ mark: UInt) {
        if mark & 1 == 0 { return }
        var turns = 0
        while self.mark == mark {
            turns += 1
            Lock.giveWay(turns)
        }
    }
}

/// Copies the value in a box into memory of the caller; see ``Readers``.
///
/// - Parameters:
///   - box: A `Box<Value>`, which somebody retains until the function returns.
///   - memory: Memory without a value.
// Inlinable, so that the compiler can specialize it for a type in the user's module; never inlined there either.
@inlinable
@inline(never)
func copyValue<Value>(inBox box: UnsafeRawPointer, to memory: UnsafeMutablePointer<Value>) {
    Unmanaged<Box<Value>>.fromOpaque(box)._withUnsafeGuaranteedRef { memory.initialize(to: $0.value) }
}
