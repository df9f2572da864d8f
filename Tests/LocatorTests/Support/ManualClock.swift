import Foundation

/// A clock that stands still until a test moves it on.
final class ManualClock: Clock, @unchecked Sendable {
    // Sendable: everything is guarded by `lock`.

    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let lock = NSLock()
    private var time = Instant()
    private var count = 0
    private var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    private var watchers: [CheckedContinuation<Void, Never>] = []

    var now: Instant { lock.withLock { time } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = lock.withLock {
            count += 1
            return count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watchers = lock.withLock { () -> [CheckedContinuation<Void, Never>]? in
                    if Task.isCancelled { return nil }
                    sleepers[number] = (deadline, continuation)
                    defer { self.watchers = [] }
                    return self.watchers
                }
                guard let watchers else { return continuation.resume(throwing: CancellationError()) }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            lock.withLock { sleepers.removeValue(forKey: number)?.continuation }?.resume(throwing: CancellationError())
        }
    }

    /// Returns once a task sleeps.
    func sleeping() async {
        await withCheckedContinuation { continuation in
            let isNow = lock.withLock {
                if sleepers.isEmpty { watchers.append(continuation) }
                return !sleepers.isEmpty
            }
            if isNow { continuation.resume() }
        }
    }

    /// Advances the time, and wakes the tasks whose time has come.
    func advance(by duration: Duration) {
        let woken = lock.withLock {
            time = time.advanced(by: duration)
            let woken = sleepers.filter { $0.value.deadline <= time }
            for number in woken.keys { sleepers[number] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }
}
