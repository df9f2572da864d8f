import Locator
import TestSupport
import Testing

private final class Pool: Sendable {
    let url: String
    init(url: String) { self.url = url }
}

/// Has an asynchronous factory closure and a shutdown hook.
private final class Database: Sendable {
    let pool: Pool
    init(pool: Pool) { self.pool = pool }
}

private final class Store: Sendable {
    let database: Database
    init(database: Database) { self.database = database }
}

private struct Refusal: Error, CustomStringConvertible {
    let description = "the disk is full"
}

@Suite("Replaced instances are shut down once no request can receive them", .watchdog)
struct ReplacedShutdownTests {
    private let log = Log()
    private let context = AppContext()
    private let files = MemoryFiles(#"{ "url": "db1" }"#)

    /// `hook` runs in the shutdown hook, and `ended` is sent when the first pool has ended.
    private func start(
        _ hook: @escaping @Sendable (String) async throws -> Void = { _ in }
    ) async throws -> Signal {
        let ended = Signal()
        let shop = Module("Shop") { [log] registry in
            registry.register(Pool.self) { (resolver: Resolver) in Pool(url: try resolver.value("url")) }
                .onDispose {
                    log("dispose of pool \($0.url)")
                    ended.send()
                }
            registry.register(Database.self, async: { (pool: Pool) in Database(pool: pool) })
                .onShutdown {
                    log("shut down \($0.pool.url)")
                    try await hook($0.pool.url)
                }
                .onDispose { log("dispose of \($0.pool.url)") }
            registry.register(Store.init).onDispose { log("dispose of store of \($0.database.pool.url)") }
        }
        try context.loadProperties(files.source).load(shop)
        try await context.start()
        return ended
    }

    private func reload(_ url: String) throws {
        files.content = #"{ "url": "\#(url)" }"#
        try context.reloadProperties()
    }

    @Test("It is shut down and disposed of after its dependents and before its dependencies")
    func replaced_isShutDown() async throws {
        let ended = try await start()
        let observation = context.observe { [log] event in if case .neverShutDown = event { log("\(event)") } }
        defer { observation.end() }
        _ = try context.resolve(Store.self)
        try reload("db2")
        await ended.wait()
        #expect(
            log.take() == ["dispose of store of db1", "shut down db1", "dispose of db1", "dispose of pool db1"])
        try await context.start()
        #expect(try context.resolve(Store.self).database.pool.url == "db2")
        try await context.shutdown()
        #expect(
            log.take() == ["shut down db2", "dispose of store of db2", "dispose of db2", "dispose of pool db2"])
    }

    @Test("An instance of a child is shut down when the child follows the reload", arguments: [false, true])
    func replaced_inAChild(pushes: Bool) async throws {
        let request = Scope("request")
        let ended = Signal()
        let requests = Module("Requests") { [log] registry in
            registry.register(Pool.self, scope: request) { (resolver: Resolver) in
                Pool(url: try resolver.value("url"))
            }
            .onShutdown { log("shut down \($0.url)") }
            .onDispose {
                log("dispose of \($0.url)")
                ended.send()
            }
        }
        try context.loadProperties(files.source)
        if !pushes { try context.load(requests) }
        let child = try pushes ? context.child(pushing: requests) : context.child(opening: request)
        #expect(try child.resolve(Pool.self).url == "db1")
        try reload("db2")
        #expect(try child.resolve(Pool.self).url == "db2")
        await ended.wait()
        #expect(log.take() == ["shut down db1", "dispose of db1"])
        try await child.shutdown()
        #expect(log.take() == ["shut down db2", "dispose of db2"])
    }

    @Test("The shutdown of a context waits for instances that were given up in a child that has ended")
    func givenUpInAChild_isShutDown() async throws {
        let visit = Scope("visit")
        let isFirst = Late(true)
        try context.load(
            Module("Visits") { [log, context] registry in
                registry.register(Pool.self) { Pool(url: "db1") }
                registry.register(
                    Database.self, scope: visit,
                    async: { (pool: Pool) in
                        if isFirst.value == true {
                            isFirst.value = false
                            try context.push(Module("Other") { $0.register(Pool.self) { Pool(url: "db2") } })
                        }
                        return Database(pool: pool)
                    }
                )
                .onShutdown { database in
                    for _ in 0..<1000 { await Task.yield() }
                    log("shut down \(database.pool.url)")
                }
                .onDispose { log("dispose of \($0.pool.url)") }
            })
        try await context.within(visit) { child in
            try await child.start()
            #expect(try child.resolve(Database.self).pool.url == "db2")
        }
        try await context.shutdown()
        let ended = log.take()
        #expect(Set(ended) == ["dispose of db2", "shut down db1", "dispose of db1"])
        #expect(ended.firstIndex(of: "shut down db1") ?? 3 < ended.firstIndex(of: "dispose of db1") ?? 0)
    }

    @Test("A load over earlier ones also replaces instances")
    func load_replaces() async throws {
        let ended = try await start()
        try context.loadProperties(MemoryFiles(#"{ "url": "db2" }"#).source)
        await ended.wait()
        #expect(log.take() == ["shut down db1", "dispose of db1", "dispose of pool db1"])
    }

    @Test("Instances that a load does not affect stay")
    func unaffected_stays() async throws {
        _ = try await start()
        let database = try context.resolve(Database.self)
        files.content = #"{ "url": "db1", "other": 1 }"#
        try context.reloadProperties()
        #expect(try context.resolve(Database.self) === database)
        try await context.shutdown()
        #expect(log.take().first == "shut down db1")
    }

    @Test("A request that received it ends first")
    func runningRequest_endsFirst() async throws {
        struct Job: Sendable {}
        let ended = try await start()
        let (context, files, log) = (context, files, log)
        try context.load(
            Module("Jobs") { registry in
                registry.register(Job.self, scope: .prototype) { (database: Database) in
                    try onThread {
                        files.content = #"{ "url": "db2" }"#
                        try context.reloadProperties()
                        // A second one, which nothing delays.
                        files.content = #"{ "url": "db3" }"#
                        try context.reloadProperties()
                    }
                    log("request with \(database.pool.url)")
                    return Job()
                }
            })
        _ = try context.resolve(Job.self)
        await ended.wait()
        #expect(
            log.take() == ["request with db1", "shut down db1", "dispose of db1", "dispose of pool db1"])
    }

    @Test("A child that keeps its settings gets it, and ends first")
    func keepingChild_endsFirst() async throws {
        let ended = try await start()
        let database = try context.resolve(Database.self)
        var child: AppContext? = try context.child(keepsSettings: true)
        try reload("db2")
        try await context.start()
        #expect(try child?.resolve(Database.self) === database)
        #expect(try child?.resolve(Store.self).database === database)
        #expect(try context.resolve(Database.self).pool.url == "db2")
        log("child ends")
        child = nil
        await ended.wait()
        #expect(
            log.take() == [
                "child ends", "dispose of store of db1", "shut down db1", "dispose of db1", "dispose of pool db1",
            ])
    }

    @Test("Errors of its hooks are reported to observers; the others run")
    func failingHook_isReported() async throws {
        let ended = try await start { _ in throw Refusal() }
        let observation = context.observe { [log] event in if case .hookFailed = event { log("\(event)") } }
        defer { observation.end() }
        try reload("db2")
        await ended.wait()
        #expect(
            log.take() == [
                "shut down db1", "a hook of Database failed: the disk is full", "dispose of db1",
                "dispose of pool db1",
            ])
    }

    @Test("The shutdown of the context waits for it")
    func shutdown_waits() async throws {
        let (begun, go) = (Signal(), Signal())
        _ = try await start { url in
            guard url == "db1" else { return }
            begun.send()
            await go.wait()
        }
        try reload("db2")
        await begun.wait()
        try await context.start()
        let (context, log) = (context, log)
        let task = Task {
            try await context.shutdown()
            log("context is shut down")
        }
        go.send()
        try await task.value
        #expect(
            log.take() == [
                "shut down db1", "dispose of db1", "dispose of pool db1", "shut down db2", "dispose of db2",
                "dispose of pool db2", "context is shut down",
            ])
    }

    @Test("The shutdown of the context also waits for it if a request of a child used it last")
    func shutdown_waitsForInstanceThatAChildUsed() async throws {
        struct Job: Sendable {}
        let begun = Signal()
        _ = try await start { _ in
            begun.send()
            for _ in 0..<1_000 { await Task.yield() }
        }
        let (context, files) = (context, files)
        let jobs = Module("Jobs") { registry in
            registry.register(Job.self, scope: .prototype) { (_: Database) in
                try onThread {
                    files.content = #"{ "url": "db2" }"#
                    try context.reloadProperties()
                }
                return Job()
            }
        }
        let child = try context.child(pushing: jobs)
        _ = try child.resolve(Job.self)
        await begun.wait()
        try await context.shutdown()
        log("context is shut down")
        #expect(
            log.take() == ["shut down db1", "dispose of db1", "dispose of pool db1", "context is shut down"])
        withExtendedLifetime(child) {}
    }

    @Test("It ends even if the context is gone by then")
    func droppedContext_doesNotMatter() async throws {
        let holder = Late(AppContext())
        weak let context = holder.value
        let (ended, go) = (Signal(), Signal())
        let log = log
        func replace() async throws {
            let context = try #require(holder.value)
            try context.loadProperties(files.source).load(
                Module("Shop") { registry in
                    registry.register(
                        Pool.self, async: { (resolver: Resolver) in Pool(url: try resolver.value("url")) }
                    )
                    .onShutdown { _ in await go.wait() }
                    .onDispose {
                        log("dispose of \($0.url)")
                        ended.send()
                    }
                })
            try await context.start()
            files.content = #"{ "url": "db2" }"#
            try context.reloadProperties()
        }
        try await replace()
        holder.value = nil
        go.send()
        await ended.wait()
        #expect(log.take() == ["dispose of db1"])
        _ = context
    }

    @Test("A reset and an unload dispose of an instance without shutting it down")
    func resetAndUnload_doNotShutDown() async throws {
        _ = try await start()
        try context.reset()
        #expect(log.take() == ["dispose of db1", "dispose of pool db1"])
    }
}
