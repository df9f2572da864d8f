import Locator
import TestSupport
import Testing

private final class Logger: Sendable {}

private final class Pool: Sendable {
    let url: String
    let logger: Logger
    init(url: String, logger: Logger) {
        self.url = url
        self.logger = logger
    }
}

private final class Database: Sendable {
    let pool: Pool
    let logger: Logger
    init(pool: Pool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }
}

@Suite("An instance that a reset ends during a starting reload is not used again", .watchdog)
struct ResetWhilePreparingTests {
    private let context = AppContext()
    private let log = Log()
    private let files = MemoryFiles(#"{ "url": "db1" }"#)
    /// Ends the shutdown hooks, which keep what the databases were made from.
    private let mayEnd = Signal()

    /// Loads a database that resets the context when it is made first for the second settings.
    private func load(isPoolNeeded: Bool) throws {
        let isReset = Late(false)
        let shop = Module("Shop") { [log, mayEnd] registry in
            registry.register { Logger() }.onDispose { _ in log("end of logger") }
            registry.register(Pool.self, scope: isPoolNeeded ? .singleton : .cache) {
                (logger: Logger, resolver: Resolver) in
                Pool(url: try resolver.value("url"), logger: logger)
            }
            registry.register(
                Database.self,
                async: { (pool: Pool, resolver: Resolver) async throws in
                    log("make \(pool.url)")
                    let logger = try resolver.resolve(Logger.self)
                    if pool.url == "db2", isReset.value == false {
                        isReset.value = true
                        let context = AppContext.current
                        try await Task.detached { try context.reset() }.value
                    }
                    return Database(pool: pool, logger: logger)
                }
            ).onShutdown { _ in await mayEnd.wait() }
        }
        try context.loadProperties(files.source).load(shop)
    }

    @Test(
        "Its dependent is made again, even though the ended instance is still in use", arguments: [true, false])
    func reset(isPoolNeeded: Bool) async throws {
        try load(isPoolNeeded: isPoolNeeded)
        try await context.start()
        files.content = #"{ "url": "db2" }"#
        try await context.reloadAndStart()
        #expect(log.entries == ["make db1", "make db2", "make db2"])
        let database = try context.resolve(Database.self)
        let logger = try context.resolve(Logger.self)
        #expect(database.pool.url == "db2")
        #expect(database.logger === logger)
        #expect(database.pool.logger === logger)
        #expect(try context.resolve(Pool.self) === database.pool)
        mayEnd.send()
        try await context.shutdown()
    }
}

extension Scope {
    fileprivate static let cache = Scope("cache")
}

@Suite("A pop during a starting reload restarts the reload", .watchdog)
struct PopWhilePreparingTests {
    @Test("Instances of the popped module are not made again")
    func pop() async throws {
        let (context, log) = (AppContext(), Log())
        let files = MemoryFiles(#"{ "url": "db1" }"#)
        let fakes = Module("Fakes") { registry in
            registry.register(
                String.self,
                async: { () async in
                    log("fake")
                    return "fake"
                })
        }
        try context.loadProperties(files.source).load(
            Module("Shop") { registry in
                registry.register(
                    Logger.self,
                    async: { (resolver: Resolver) async throws in
                        let url: String = try resolver.value("url")
                        if url == "db2", log.entries == ["fake"] {
                            log("pop")
                            try onThread { try context.pop(fakes) }
                        }
                        return Logger()
                    })
            })
        try await context.start()
        try context.push(fakes)
        try await context.start()
        files.content = #"{ "url": "db2" }"#
        try await context.reloadAndStart()
        #expect(log.entries == ["fake", "pop"])
        #expect(try context.resolve(String?.self) == nil)
    }
}
