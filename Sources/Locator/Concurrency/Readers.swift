internal import Synchronization

/// A registry of reading threads, which lets threads read published pointers without a lock, and finds out when
/// unpublished objects may be released.
///
/// A reader marks its own thread record, loads a pointer, copies the value behind it, and ends the mark. A writer that
/// has unpublished a pointer waits until every thread has left the read that it was in. A thread that reads later does
/// not find the pointer. Readers write only to memory of their own thread, so they do not slow each other down.
///
/// The mark is a counter that is odd while the thread reads. A writer waits for the counter to change, not for a moment
/// in which the thread does not read. Therefore, it makes progress even if a thread reads all the time, because that
/// thread leaves each read.
///
/// # Idle threads
///
/// A thread whose mark has not changed during several changes is *hidden*: later changes do not check it. Therefore,
/// the cost of a change depends on the number of threads that use contexts, not of all threads. To begin a read, a
/// thread stores the mark and then loads whether it is hidden. To hide a thread, a change stores that it is hidden and
/// then loads whether its mark has changed. All four operations are sequentially consistent, so at least one of the two
/// sees the store of the other. If the thread does, it takes the lock and shows itself before it loads any pointer. If
/// the change does, it does not hide the thread. A lean request begins inside a read, and a thread in a lean request is
/// not hidden.
///
/// # Copying under a mark
///
/// ARC does not order the retain of a value before the store that ends a mark. In a function that does both, the
/// optimizer may move the retain after the store. It may also omit the retain if only a field of the value is used.
/// This happens in release builds, even in a user's program if the read was inlined into it.
///
/// Therefore, only ``copyValue(inBox:to:)`` makes the copy. That function is never inlined and returns nothing: when it
/// returns, the copy is complete in the caller's memory, and no part of it is left to the caller. The store that ends
/// the mark comes after the call. It is releasing, so the processor also keeps that order. The caller then moves the
/// value out of its memory, which retains nothing.
///
/// All code that reads something that another thread may unpublish copies it in this way. Objects that a context lends
/// are retained in the same way, by the function `retainLent`. This library takes strong references in three other
/// ways, and none of them needs this:
/// - With a ``Lock`` held. Unlocking calls a function of the system that the optimizer knows nothing about. For the
///   optimizer, that function could release the object, so a retain is never moved after it.
/// - From a place that is written once and retains its object as long as the place exists, such as the published box of
///   a wrapper. The reader keeps the place alive until the copy is made: see ``WrapperState/settledValue(as:)``.
/// - As an argument in a lean request. Objects that the request uses stay in ``Limbo`` until the request ends. Before
///   that, the argument is passed to the factory closure, a function that the optimizer does not know.
final class Readers: @unchecked Sendable {
    // Sendable: `records` and the fields of the records that it uses are guarded by `lock`. Its holder accesses one
    // field at a time, so the exclusivity need not be checked.

    static let all = Readers()

    private let lock = Lock()
    /// The records of the threads that are not hidden, each at its number.
    ///
    /// The array does not retain the records, because a reference count that each change of each context writes to
    /// would slow the threads down. This is safe, because a record is removed before it ends.
    @exclusivity(unchecked) private var records: [Unmanaged<ThreadRecord>] = []
    /// The number of changes that must find the same mark before the thread is hidden.
    private static let idleLimit = 16

    /// Adds the record of a thread that is new or hidden.
    func show(_ record: ThreadRecord) {
        lock.withLock {
            // Relaxed suffices: only the thread itself calls this, and it has not begun to read.
            record.isHidden.pointee.store(0, ordering: .relaxed)
            if record.number != nil { return }
            record.number = records.count
            record.idleCount = 0
            records.append(.passUnretained(record))
        }
    }

    /// Removes the record of a thread that ends.
    ///
    /// The caller retains it.
    func remove(_ record: ThreadRecord) {
        lock.withLock { takeOut(record) }
    }

    private func takeOut(_ record: ThreadRecord) {
        guard let number = record.number else { return }
        record.number = nil
        // The last record takes its place.
        let last = records.removeLast()
        guard last.toOpaque() != Unmanaged.passUnretained(record).toOpaque() else { return }
        last._withUnsafeGuaranteedRef { $0.number = number }
        records[number] = last
    }

    /// Records the mark of a thread, hides the thread if the mark has not changed for long, and returns whether it did.
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
        // The mark is loaded first: if it is the same, neither a read nor a lean request begins until the lock is
        // released.
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

        /// Waits until the thread has left the read, which is a few instructions without any call to foreign code.
        func waitForEnd() {
            var turns = 0
            while thread.mark == mark {
                turns += 1
                Lock.giveWay(turns)
            }
        }
    }

    /// Returns the reads, and the lean requests of a family, that may be using objects that were unpublished before the
    /// call.
    ///
    /// If there are reads, there may be further requests that have begun in them; see ``Limbo``.
    func users(of family: UInt) -> (reads: [RunningRead], requests: [Limbo.Pin]) {
        lock.withLock {
            var reads: [RunningRead] = []
            var requests: [Limbo.Pin] = []
            var position = 0
            while position < records.count {
                let isHidden = records[position]._withUnsafeGuaranteedRef { record in
                    let mark = record.mark
                    if mark & 1 == 1 { reads.append(.init(thread: record, mark: mark)) }
                    // This is loaded after the mark, so that a request that has begun in an earlier read is found.
                    if let request = record.leanRequest(of: family) { requests.append(request) }
                    return hides(record, mark)
                }
                // If the record is hidden, another one takes its place.
                if !isHidden { position += 1 }
            }
            return (reads, requests)
        }
    }

    /// Waits for running reads, and returns the lean requests of a family that may be using objects that were
    /// unpublished before the call.
    func requests(of family: UInt) -> [Limbo.Pin] {
        let (reads, requests) = users(of: family)
        if reads.isEmpty { return requests }
        for read in reads { read.waitForEnd() }
        return lock.withLock {
            records.compactMap { $0._withUnsafeGuaranteedRef { record in record.leanRequest(of: family) } }
        }
    }
}

extension ThreadRecord {
    /// Marks the thread as a reader.
    @inline(__always)
    func beginReading() {
        // Relaxed suffices for the load: only this thread writes the mark.
        let mark = reading.pointee.load(ordering: .relaxed)
        // Sequentially consistent, as are the loads of published pointers and the writer's exchange: in their total
        // order, either the reader does not find the pointer, or the writer finds the mark.
        reading.pointee.store(mark &+ 1, ordering: .sequentiallyConsistent)
        // Sequentially consistent, and before any pointer is loaded: see ``Readers``.
        if isHidden.pointee.load(ordering: .sequentiallyConsistent) != 0 { show() }
    }

    // Not inlined: it is rare, and its caller is short without it.
    @inline(never)
    private func show() { Readers.all.show(self) }

    /// The mark, odd while the thread reads.
    fileprivate var mark: UInt { reading.pointee.load(ordering: .sequentiallyConsistent) }
}

/// Copies the value in a box into memory of the caller; see ``Readers``.
///
/// - Parameters:
///   - box: A `Box<Value>` that is retained until the function returns.
///   - memory: Uninitialized memory.
// Inlinable, so that the compiler can specialize it for a type in the user's module. It is never inlined there either.
@inlinable
@inline(never)
func copyValue<Value>(inBox box: UnsafeRawPointer, to memory: UnsafeMutablePointer<Value>) {
    Unmanaged<Box<Value>>.fromOpaque(box)._withUnsafeGuaranteedRef { memory.initialize(to: $0.value) }
}

/// Retains an object that a marked reader has found, or that was found with a ``ShortLock`` held; see ``Readers``.
// It is never inlined and returns nothing, so the object is retained when it returns.
@inline(never)
func retainLent(_ pointer: UnsafeRawPointer) {
    _ = Unmanaged<AnyObject>.fromOpaque(pointer).retain()
}
