internal import Synchronization

/// Lets threads read published pointers without a lock, and tells when what was unpublished may end.
///
/// A reader marks its own thread record, loads a pointer and retains what it points to, and takes the mark off. Nothing
/// else happens in between, so a writer that has unpublished a pointer need only see every thread without a mark once:
/// whoever reads later finds the pointer gone. Readers write to memory of their own thread only, so that they do not
/// slow each other down.
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

    /// Whether a thread is in a lean request of a family; see ``Limbo``.
    func hasLeanRequest(of family: UInt) -> Bool {
        lock.withLock {
            records.contains { record in
                // Who is just looking for a recipe, without a lock, is about to say of which family.
                while record.isReading { Lock.giveWay() }
                return record.isLean(in: family)
            }
        }
    }

    /// The threads that are in a lean request of a family.
    func threadsWithLeanRequest(of family: UInt) -> [ThreadRecord] {
        lock.withLock {
            records.filter { record in
                // Who is just looking for a recipe, without a lock, is about to say of which family.
                while record.isReading { Lock.giveWay() }
                return record.isLean(in: family)
            }
        }
    }

    /// Waits until no reader can still be using what was unpublished before the call.
    func waitForReaders() {
        let marked = lock.withLock { records.filter(\.isReading) }
        for record in marked {
            while record.isReading { Lock.giveWay() }
        }
    }
}

extension ThreadRecord {
    /// Marks the thread as a reader.
    @inline(__always)
    func beginReading() {
        // Sequentially consistent, as are the loads of published pointers and the writer's exchange: in their common
        // order either the reader finds the pointer gone, or the writer finds the mark.
        reading.pointee.store(1, ordering: .sequentiallyConsistent)
    }

    // Acquiring: what the request has used it has used before.
    func isLean(in family: UInt) -> Bool { self.family.pointee.load(ordering: .acquiring) == family }

    fileprivate var isReading: Bool { reading.pointee.load(ordering: .sequentiallyConsistent) != 0 }
}
