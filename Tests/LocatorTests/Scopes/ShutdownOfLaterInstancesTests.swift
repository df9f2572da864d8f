import Foundation
import Locator
import Testing

@Suite("A shutdown hook runs for every instance, including those that other hooks make")
struct ShutdownOfLaterInstancesTests {
    private final class Part: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private final class Restarter: Sendable {}

    private final class Log: @unchecked Sendable {
        // Sendable: the fields are guarded by `lock`.
        private let lock = NSLock()
        private var count = 0
        private var ended: [Int] = []

        var all: [Int] { lock.withLock { ended } }
        func next() -> Int {
            lock.withLock {
                count += 1
                return count
            }
        }
        func add(_ number: Int) { lock.withLock { ended.append(number) } }
    }

    /// The memory of an instance that has ended is used again, for one that has not.
    @Test func instance_thatReplacesAnEndedOne_isShutDown() async throws {
        let (context, log) = (AppContext(), Log())
        try context.load(
            Module("Parts") { registry in
                registry.register { Part(log.next()) }.onShutdown { log.add($0.number) }
                registry.register { Restarter() }.onShutdown { _ in
                    // The hook of the first part has run.
                    try AppContext.current.reset()
                    _ = try AppContext.current.resolve(Part.self)
                }
            })
        _ = try context.resolve(Restarter.self)
        _ = try context.resolve(Part.self)
        try await context.shutdown()
        #expect(log.all == [1, 2])
    }

    @Test func instance_thatADisposeHookMakes_isShutDownAndDisposedOf() async throws {
        let (context, log) = (AppContext(), Log())
        try context.load(
            Module("Parts") { registry in
                registry.register { Part(log.next()) }
                    .onShutdown { log.add($0.number) }.onDispose { log.add(-$0.number) }
                registry.register { Restarter() }.onDispose { _ in _ = try AppContext.current.resolve(Part.self) }
            })
        _ = try context.resolve(Restarter.self)
        try await context.shutdown()
        #expect(log.all == [1, -1])
    }
}
