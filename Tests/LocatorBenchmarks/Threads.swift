import Dispatch
import Foundation

/// Threads that a row needs beside the one that measures.
enum Threads {
    /// Runs the same work on so many threads at once.
    static func run(_ count: Int, _ work: @escaping @Sendable () -> Void) {
        DispatchQueue.concurrentPerform(iterations: count) { _ in work() }
    }

    /// Runs `body` while so many threads do nothing, each of which has done `once` before.
    static func withIdle<Result>(_ count: Int, once: @escaping @Sendable () -> Void, _ body: () -> Result) -> Result {
        let ready = DispatchSemaphore(value: 0)
        let over = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        for _ in 0..<count {
            let thread = Thread {
                once()
                ready.signal()
                over.wait()
                ended.signal()
            }
            thread.stackSize = 256 << 10
            thread.start()
        }
        for _ in 0..<count { ready.wait() }
        let result = body()
        for _ in 0..<count { over.signal() }
        for _ in 0..<count { ended.wait() }
        return result
    }
}
