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
    // Sendable: `records`, and the numbers of those in it, are guarded by `lock`.

    static let all = Readers()

    private let lock = Lock()
    /// The records of all threads, each at its number.
    private var records: [ThreadRecord] = []

    func add(_ record: ThreadRecord) {
        lock.withLock {
            record.number = records.count
            records.append(record)
        }
    }

    /// Removes a record that was added; the caller retains it.
    func remove(_ record: ThreadRecord) {
        lock.withLock {
            // The last one takes its place.
            let last = records.removeLast()
            guard last !== record else { return }
            last.number = record.number
            records[record.number] = last
        }
    }

    /// The lean requests of a family that are running; see ``Limbo``.
    func leanRequests(of family: UInt) -> [Limbo.Pin] {
        lock.withLock { records.compactMap { $0.leanRequest(of: family) } }
    }

    /// Waits until no reader can still be using what was unpublished before the call.
    func waitForReaders() {
        let reading = lock.withLock {
            records.compactMap { record in
                let mark = record.mark
                return mark & 1 == 0 ? nil : (record, mark)
            }
        }
        for (record, mark) in reading { record.waitForEndOfRead(mark) }
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
    }

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
