import Locator
import Testing

private final class Database: Sendable {}

@Suite("An instance is always disposed of after its shutdown hook", .watchdog)
struct ResetWhileShuttingDownTests {
    private struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (AppContext) throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (AppContext) throws -> Void) {
            testDescription = name
            self.run = run
        }
    }

    private static let changes = [
        Change("reset") { try $0.reset() },
        Change("reset of the scope") { try $0.reset(.singleton) },
        Change("unload") { try $0.unloadAll() },
    ]

    @Test("A change by another task, or by the hook itself", arguments: changes, [true, false])
    private func change(_ change: Change, isInHook: Bool) async throws {
        let (log, context) = (Log(), AppContext())
        let (begun, mayEnd) = (Signal(), Signal())
        try context.load(
            Module("Shop") { registry in
                registry.register(Database.self) { Database() }
                    .onShutdown { _ in
                        log("shutdown begins")
                        begun.send()
                        if isInHook { try change.run(context) }
                        await mayEnd.wait()
                        log("shutdown ends")
                    }
                    .onDispose { _ in log("dispose") }
            })
        _ = try context.resolve(Database.self)
        let shutdown = Task { try await context.shutdown() }
        await begun.wait()
        if !isInHook { try change.run(context) }
        mayEnd.send()
        try await shutdown.value
        #expect(log.entries == ["shutdown begins", "shutdown ends", "dispose"])
    }
}
