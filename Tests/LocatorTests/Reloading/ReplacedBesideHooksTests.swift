import Dispatch
import Locator
import TestSupport
import Testing

private final class Database: Sendable {}
private final class Store: Sendable {}

@Suite("A replaced instance is shut down after everything made from it is disposed of", .watchdog)
struct ReplacedBesideHooksTests {
    private let log = Log()
    private let context = AppContext()
    private let files = MemoryFiles(#"{ "url": "db1" }"#)

    @Test("It waits for a dispose hook that takes long")
    func longHook() async throws {
        let isShuttingDown = DispatchSemaphore(value: 0)
        let shop = Module("Shop") { [log] registry in
            registry.register(Database.self) { (resolver: Resolver) in
                let _: String = try resolver.value("url")
                return Database()
            }
            .onShutdown { _ in
                log("shut down the database")
                isShuttingDown.signal()
            }
            .onDispose { _ in log("dispose of the database") }
            registry.register(Store.self) { (_: Database) in Store() }.onDispose { _ in
                // The shutdown would run on another thread. It has to wait, so this times out.
                _ = isShuttingDown.wait(timeout: .now() + 0.2)
                log("dispose of the store")
            }
        }
        try context.loadProperties(files.source).load(shop)
        _ = try context.resolve(Store.self)
        files.content = #"{ "url": "db2" }"#
        try context.reloadProperties()
        try await context.shutdown()
        #expect(log.entries == ["dispose of the store", "shut down the database", "dispose of the database"])
    }
}
