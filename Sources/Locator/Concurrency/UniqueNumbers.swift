internal import Synchronization

/// A generator of numbers that are unique in the process and never zero.
///
/// Each thread takes many at once, so that threads that create contexts do not all write to one place.
struct UniqueNumbers {
    private static let blockSize: UInt = 1024
    // Relaxed suffices: it only matters that no two threads get the same block.
    private static let taken = Atomic<UInt>(0)

    private var latest: UInt = 0
    private var end: UInt = 0

    mutating func next() -> UInt {
        if latest == end {
            end = Self.taken.wrappingAdd(Self.blockSize, ordering: .relaxed).newValue
            latest = end - Self.blockSize
        }
        latest += 1
        return latest
    }
}
