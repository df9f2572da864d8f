import Foundation
import Locator
import TestSupport
import Testing

@Suite("An instance that a parent makes for a child while its module is popped is disposed of once")
struct ParentPopStressTests {
    private final class Part: Sendable {
        private let log: Log
        let number: Int
        init(_ log: Log) {
            self.log = log
            number = log.begin()
        }
        deinit { log.end() }
    }

    private final class Log: @unchecked Sendable {
        // Sendable: the fields are guarded by `lock`.
        private let lock = NSLock()
        private var made = 0
        private var alive = 0
        private var disposed: [Int] = []
        private var isOver = false

        var count: Int { lock.withLock { made } }
        var state: (made: Int, alive: Int, disposed: [Int]) { lock.withLock { (made, alive, disposed) } }
        var isRunning: Bool { lock.withLock { !isOver } }
        func begin() -> Int {
            lock.withLock {
                made += 1
                alive += 1
                return made
            }
        }
        func end() { lock.withLock { alive -= 1 } }
        func dispose(_ number: Int) { lock.withLock { disposed.append(number) } }
        func stop() { lock.withLock { isOver = true } }
    }

    @Test func instances_ofModulesThatArePopped_areDisposedOfOnce() throws {
        let log = Log()
        let part = Module("Part") { registry in
            registry.register { Part(log) }.onDispose { log.dispose($0.number) }
        }
        let other = Module("Other") { registry in registry.register { "other" } }
        let context = AppContext()
        let group = DispatchGroup()
        for _ in 0..<3 {
            group.enter()
            Thread.detachNewThread {
                while log.isRunning { _ = try? context.child(pushing: other).resolve(Part.self) }
                group.leave()
            }
        }
        defer {
            log.stop()
            group.wait()
        }
        for round in 0..<TestScale.count(10_000, inDebug: 0.2) {
            try context.push(part)
            let before = log.count
            var tries = round % 20 * 50
            while tries > 0, log.count == before { tries -= 1 }
            try context.pop(part)
        }
        log.stop()
        group.wait()
        let (made, alive, disposed) = log.state
        #expect(disposed.count == made)
        #expect(Set(1..<made + 1).subtracting(disposed) == [])
        #expect(alive == 0)
    }
}
