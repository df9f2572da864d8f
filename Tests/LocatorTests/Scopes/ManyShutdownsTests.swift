import Foundation
import Locator
import Testing

@Suite("Shutdown hooks run for the latest instance first, no matter how many there are and what they do")
struct ManyShutdownsTests {
    private final class Part: Sendable {
        let name: String
        init(_ name: String) { self.name = name }
    }

    private final class Log: @unchecked Sendable {
        // Sendable: `names` is guarded by `lock`.
        private let lock = NSLock()
        private var names: [String] = []

        var all: [String] { lock.withLock { names } }
        func add(_ name: String) { lock.withLock { names.append(name) } }
    }

    @Test func hooks_thatMakeAndEndInstances_runInReverseOrder() async throws {
        let (context, log) = (AppContext(), Log())
        let session = Scope("session")
        let count = 200
        try context.load(
            Module("Parts") { registry in
                for number in 0..<count {
                    registry.register(qualifier: .named("\(number)")) { Part("\(number)") }.onShutdown { part in
                        log.add(part.name)
                        // A hook in the middle makes an instance, whose hook runs next, and ends one that is still to come.
                        guard number == 100 else { return }
                        _ = try AppContext.current.resolve(Part.self, qualifier: "late")
                        try AppContext.current.reset(session)
                    }
                }
                registry.register(qualifier: "late") { Part("late") }.onShutdown { log.add($0.name) }
                registry.register(qualifier: "session", scope: session) { Part("session") }
                    .onShutdown { log.add($0.name) }
            })
        _ = try context.resolve(Part.self, qualifier: "session")
        for number in 0..<count { _ = try context.resolve(Part.self, qualifier: .named("\(number)")) }
        try await context.shutdown()
        let numbers = (0..<count).reversed().map { "\($0)" }
        let middle = try #require(numbers.firstIndex(of: "100"))
        #expect(log.all == Array(numbers[...middle]) + ["late"] + Array(numbers[(middle + 1)...]))
    }
}
