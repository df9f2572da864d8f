import Locator
import TestSupport
import Testing

private final class Database: Sendable {
    let url: String
    init(url: String) { self.url = url }
}

@Suite("A shutdown hook runs once, even if a reload replaces its instance in the meantime", .watchdog)
struct ReloadInShutdownHookTests {
    @Test("The hook of the replaced instance does not run again, and the hook of the new one runs")
    func reload() async throws {
        let context = AppContext()
        let log = Log()
        let files = MemoryFiles(#"{ "url": "db1" }"#)
        let shop = Module("Shop") { registry in
            registry.register(
                Database.self,
                async: { (resolver: Resolver) async throws in Database(url: try resolver.value("url")) }
            ).onShutdown { database in
                log("shut down \(database.url)")
                if database.url == "db2" { return }
                files.content = #"{ "url": "db2" }"#
                try await AppContext.current.reloadAndStart()
            }.onDispose { log("dispose of \($0.url)") }
        }
        try context.loadProperties(files.source).load(shop)
        try await context.start()
        try await context.shutdown()
        #expect(log.entries == ["shut down db1", "dispose of db1", "shut down db2", "dispose of db2"])
    }
}
