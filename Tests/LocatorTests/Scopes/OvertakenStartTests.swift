import Locator
import TestSupport
import Testing

private final class Database: Sendable {}
private final class Cache: Sendable {}
private final class Server: Sendable {
    let database: Database
    init(database: Database) { self.database = database }
}

@Suite("A start always ends")
struct OvertakenStartTests {
    private let log = Log()

    private var database: Module {
        Module("Database") { [log] registry in
            registry.register(
                Database.self,
                async: { () async in
                    log("database")
                    return Database()
                })
        }
    }

    /// A server that waits for the database and for a cache.
    ///
    /// The database ends while the cache is being made.
    private func server(_ end: @escaping @Sendable (AppContext) async throws -> Void) -> Module {
        Module("Server") { [log] registry in
            registry.register(
                Cache.self,
                async: { () async throws in
                    let context = AppContext.current
                    // A detached task can resolve the database as soon as the context has it, and not before.
                    while await Task.detached(operation: { (try? context.resolve(Database.self)) == nil }).value {
                        await Task.yield()
                    }
                    if !log.entries.contains("cache") {
                        log("cache")
                        try await Task.detached { try await end(context) }.value
                    }
                    return Cache()
                })
            registry.register(
                Server.self,
                async: { (database: Database, _: Cache) async in
                    log("server")
                    return Server(database: database)
                })
        }
    }

    @Test("Instances that a reset drops are made again")
    func reset() async throws {
        let context = try AppContext().load(database, server { try $0.reset() })
        try await context.start()
        #expect(log.entries == ["database", "cache", "database", "server"])
        #expect(try context.resolve(Server.self).database === context.resolve(Database.self))
    }

    @Test("Instances that a shutdown ends are made again")
    func shutdown() async throws {
        let context = try AppContext().load(database, server { try await $0.shutdown() })
        try await context.start()
        #expect(log.entries == ["database", "cache", "database", "server"])
        #expect(try context.resolve(Server.self).database === context.resolve(Database.self))
    }

    @Test("Instances of an earlier start are made again")
    func resetOfEarlier() async throws {
        let context = try AppContext().load(database)
        try await context.start()
        try context.load(server { try $0.reset() })
        try await context.start()
        #expect(log.entries == ["database", "cache", "database", "server"])
        #expect(try context.resolve(Server.self).database === context.resolve(Database.self))
    }

    @Test("A call inside an asynchronous factory closure is an error, also in `pushing`")
    func nested() async throws {
        let other = Module("Other") { $0.register(Cache.self, async: { () async in Cache() }) }
        let context = try AppContext().load(
            Module("App") { [log] registry in
                registry.register(
                    Database.self, fileID: "Shop/Data.swift", line: 2,
                    async: { () async in
                        let context = AppContext.current
                        log(await locatorError { try await context.start() }?.description ?? "no error")
                        log(await locatorError { try await context.pushing(other) {} }?.description ?? "no error")
                        return Database()
                    })
            })
        try await context.start()
        #expect(
            log.entries
                == ["start", "push"].map { name in
                    """
                    Shop/Data.swift:2: \(name) was called inside a factory closure, decorator, or decoder of the same context
                      while making Database (Shop/Data.swift:2)
                      fix: change the context before resolving, or in a hook or observer
                    """
                })
    }

    @Test("A task created in an asynchronous factory closure may start the context afterward")
    func taskAfterwards() async throws {
        let (mayStart, start) = AsyncStream<Void>.makeStream()
        let (tasks, found) = AsyncStream<Task<Void, any Error>>.makeStream()
        let context = try AppContext().load(
            Module("App") { registry in
                registry.register(
                    Database.self,
                    async: { () async in
                        let context = AppContext.current
                        found.yield(
                            Task {
                                for await _ in mayStart { break }
                                try await context.start()
                                try await context.reloadAndStart()
                            })
                        return Database()
                    })
            })
        try await context.start()
        start.yield()
        for await task in tasks {
            try await task.value
            break
        }
        withExtendedLifetime(context) {}
    }

    @Test("A dependency whose push is popped while parameters are resolved is not needed")
    func popMeanwhile() async throws {
        let context = AppContext()
        let fakes = Module("Fakes") { $0.register(Database.self, async: { () async in Database() }) }
        let resolved = Counter()
        try context.load(
            Module("Server") { [log] registry in
                registry.register(
                    Database.self,
                    async: { () async throws in
                        log("database")
                        if log.entries.count == 1 { try onThread { _ = try context.push(fakes) } }
                        return Database()
                    })
                registry.register(String.self, scope: .prototype) {
                    // The first time, the database is not made yet. The second time, the fakes are in front of it.
                    if resolved.next() == 2 { try onThread { try context.pop(fakes) } }
                    return ""
                }
                registry.register(
                    Server.self,
                    async: { (_: String, database: Database) async in
                        log("server")
                        return Server(database: database)
                    })
            })
        try await context.start()
        #expect(log.entries.last == "server")
        #expect(try context.resolve(Server.self).database === context.resolve(Database.self))
    }

    /// What a start is making when the module of an instance is popped.
    enum Popped: CaseIterable {
        case itsPart, itself
    }

    @Test("An instance whose module is popped during a start does not stay", arguments: Popped.allCases)
    func instanceOfAPoppedModule(during popped: Popped) async throws {
        final class Part: Sendable {}
        final class Whole: Sendable {}
        let (begun, mayEnd) = (Signal(), Signal())
        let log = Log()
        let context = try AppContext().load(
            Module("Parts") { registry in
                registry.register(
                    Part.self,
                    async: {
                        if popped == .itsPart {
                            begun.send()
                            await mayEnd.wait()
                        }
                        return Part()
                    })
            })
        try context.push(
            Module("Wholes") { registry in
                registry.register(
                    Whole.self,
                    async: { (_: Part) in
                        log("make")
                        if popped == .itself {
                            begun.send()
                            await mayEnd.wait()
                        }
                        return Whole()
                    }
                ).onDispose { _ in log("dispose") }
            })
        async let started: Void = context.start()
        await begun.wait()
        context.pop()
        mayEnd.send()
        try await started
        #expect(log.take() == (popped == .itself ? ["make", "dispose"] : []))
    }
}
