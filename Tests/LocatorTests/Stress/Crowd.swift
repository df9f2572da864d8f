import Foundation
import TestSupport
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Threads that run together with a watchdog.
///
/// If no thread makes progress for five minutes, that is a deadlock. The number of operations is fixed. Time only
/// decides when it makes no sense to wait longer. The watchdog prints what each thread was doing, with its stack if the
/// system provides it, and exits with a failure.
final class Crowd: Sendable {
    /// The number of operations of all threads.
    private let progress = Atomic<Int>(0)
    private let isDone = Atomic<Bool>(false)
    private let name: String
    private let members: Late<[Member]> = Late([])

    /// One thread, and what it does.
    final class Member: @unchecked Sendable {
        // Sendable: `doing` has a lock, and `thread` is set before another thread reads it.

        let number: Int
        let doing = Late<String>()
        fileprivate let thread = Late<pthread_t>()
        private let crowd: Crowd

        fileprivate init(number: Int, crowd: Crowd) {
            self.number = number
            self.crowd = crowd
        }

        /// Records the next operation, which is how the watchdog sees that the thread is not stuck.
        func step(_ what: @autoclosure () -> String = "working") {
            doing.value = what()
            crowd.progress.add(1, ordering: .relaxed)
        }
    }

    private init(_ name: String) {
        self.name = name
    }

    /// Runs `body` on `count` threads at once and waits for all of them.
    static func run(
        _ name: String, threads count: Int, patience: Int = 300, _ body: @escaping @Sendable (Member) throws -> Void
    ) throws {
        let crowd = Crowd(name)
        let group = DispatchGroup()
        let gate = Gate(count)
        let errors = Tally<any Error>()
        for number in 0..<count {
            let member = Member(number: number, crowd: crowd)
            crowd.members.value?.append(member)
            group.enter()
            let thread = Thread {
                member.thread.value = pthread_self()
                gate.arriveAndWait()
                do { try body(member) } catch { errors.append(error) }
                member.doing.value = "done"
                group.leave()
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        var last = -1
        while group.wait(timeout: .now() + .seconds(patience)) == .timedOut {
            let now = crowd.progress.load(ordering: .relaxed)
            if now == last { crowd.bark() }
            last = now
        }
        if let first = errors.elements.first { throw first }
    }

    /// Prints what each thread was doing, and ends the process.
    private func bark() -> Never {
        print("DEADLOCK in \(name): no thread gets on")
        for member in members.value ?? [] {
            print("thread \(member.number): \(member.doing.value ?? "not started")")
        }
        fflush(nil)
        for member in members.value ?? [] where member.doing.value != "done" {
            guard let thread = member.thread.value else { continue }
            FileHandle.standardError.write(Data("thread \(member.number):\n".utf8))
            signal(SIGUSR2) { _ in Crowd.printStack() }
            pthread_kill(thread, SIGUSR2)
            Thread.sleep(forTimeInterval: 1)
        }
        fatalError("Deadlock in \(name)")
    }

    /// Prints the stack of the running thread with functions that a signal handler may call.
    private static func printStack() {
        typealias Take = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32
        typealias Print = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32, Int32) -> Void
        guard let take = dlsym(nil, "backtrace"), let print = dlsym(nil, "backtrace_symbols_fd") else { return }
        withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 64) { frames in
            guard let start = frames.baseAddress else { return }
            let count = unsafeBitCast(take, to: Take.self)(start, 64)
            unsafeBitCast(print, to: Print.self)(start, count, 2)
        }
    }
}

/// A gate that opens once a number of threads have arrived, and stays open.
final class Gate: Sendable {
    private let condition = NSCondition()
    private let missing: Late<Int>

    init(_ count: Int) {
        missing = Late(count)
    }

    func arriveAndWait() {
        condition.lock()
        let left = (missing.value ?? 0) - 1
        missing.value = left
        if left <= 0 { condition.broadcast() }
        while (missing.value ?? 0) > 0 { condition.wait() }
        condition.unlock()
    }
}
