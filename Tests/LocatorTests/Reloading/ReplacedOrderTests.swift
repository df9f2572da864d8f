import Foundation
import Locator
import TestSupport
import Testing

private final class Pool: Sendable {
    let url: String
    init(url: String) { self.url = url }
}

private final class Database: Sendable {
    let pool: Pool
    init(pool: Pool) { self.pool = pool }
}

/// Depends on other settings than the database.
private final class Store: Sendable {
    let database: Database
    init(database: Database) { self.database = database }
}

/// A request that runs until it is ended.
private final class RunningJob: Sendable {
    let begun = DispatchSemaphore(value: 0)
    let go = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
}

private struct Job: Sendable {}

/// What a request resolves before it waits.
private enum Use: String, CaseIterable {
    case pool, database, store
}

@Suite("Instances that a reload replaces end in reverse order of creation, no matter what uses them", .watchdog)
struct ReplacedOrderTests {
    private let log = Log()
    private let context = AppContext()
    private let files = MemoryFiles(Self.settings(1, 1))
    private let gate = Late<RunningJob>()
    private let hook = Late<@Sendable () -> Void>()

    private static func settings(_ url: Int, _ name: Int) -> String { #"{ "url": "db\#(url)", "name": "\#(name)" }"# }

    private func load() throws {
        let (log, gate, hook) = (log, gate, hook)
        try context.loadProperties(files.source).load(
            Module("Shop") { registry in
                registry.register(Pool.self) { (resolver: Resolver) in Pool(url: try resolver.value("url")) }
                    .onDispose { log("dispose of pool \($0.url)") }
                registry.register(Database.init).onDispose { log("dispose of database \($0.pool.url)") }
                registry.register(Store.self) { (database: Database, resolver: Resolver) in
                    _ = try resolver.value("name", as: String.self)
                    return Store(database: database)
                }
                .onDispose {
                    log("dispose of store \($0.database.pool.url)")
                    hook.value?()
                }
                for use in Use.allCases {
                    registry.register(Job.self, qualifier: .named(use.rawValue), scope: .prototype) {
                        (resolver: Resolver) in
                        switch use {
                        case .pool: _ = try resolver.resolve(Pool.self)
                        case .database: _ = try resolver.resolve(Database.self)
                        case .store: _ = try resolver.resolve(Store.self)
                        }
                        let running = gate.value
                        running?.begun.signal()
                        running?.go.wait()
                        return Job()
                    }
                }
            })
    }

    private func reload(_ url: Int, _ name: Int) throws {
        files.content = Self.settings(url, name)
        try context.reloadProperties()
    }

    /// Begins a request on another thread, and returns once that has its dependencies.
    private func begin(_ use: Use, in context: AppContext) -> RunningJob {
        let running = RunningJob()
        gate.value = running
        Thread {
            _ = try? context.resolve(Job.self, qualifier: .named(use.rawValue))
            running.ended.signal()
        }.start()
        running.begun.wait()
        return running
    }

    private func end(_ running: RunningJob) {
        running.go.signal()
        running.ended.wait()
    }

    private static let all = ["dispose of store db1", "dispose of database db1", "dispose of pool db1"]

    /// All orders of these numbers.
    private static func orders(_ numbers: [Int]) -> [[Int]] {
        if numbers.isEmpty { return [[]] }
        return numbers.flatMap { first in orders(numbers.filter { $0 != first }).map { [first] + $0 } }
    }

    @Test("Requests with different dependencies may end in any order", arguments: [false, true], orders([0, 1, 2]))
    private func severalRequests_endInAnyOrder(isOneByOne: Bool, order: [Int]) throws {
        try load()
        _ = try context.resolve(Store.self)
        let running = [Use.pool, .database, .store].map { begin($0, in: context) }
        // The first reload removes what was made last, and the second one removes the rest.
        if isOneByOne { try reload(1, 2) }
        try reload(2, 2)
        #expect(log.take() == [])
        for number in order { end(running[number]) }
        #expect(log.take() == Self.all)
    }

    @Test("An instance in use keeps its dependencies, even if they leave later", arguments: [false, true])
    private func parts_areKept(isChild: Bool) throws {
        try load()
        _ = try context.resolve(Store.self)
        // The later children of a kind are lean.
        let children = try (0..<3).map { _ in try context.child() }
        let running = begin(.store, in: isChild ? children[2] : context)
        try reload(1, 2)
        try reload(2, 2)
        try reload(3, 2)
        #expect(log.take() == [])
        end(running)
        #expect(log.take() == Self.all)
    }

    @Test("An instance in use keeps its dependencies if something other than a reload ends them")
    private func parts_areKeptOverAReset() throws {
        try load()
        _ = try context.resolve(Store.self)
        let running = begin(.store, in: context)
        try reload(1, 2)
        try context.reset()
        #expect(log.take() == [])
        end(running)
        #expect(log.take() == Self.all)
    }

    @Test("Later instances end first, even while their hook runs on another thread")
    private func parts_waitForRunningHooks() throws {
        try load()
        _ = try context.resolve(Store.self)
        let users = [begin(.store, in: context), begin(.pool, in: context)]
        try reload(2, 2)
        let (begun, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        hook.value = {
            begun.signal()
            go.wait()
        }
        users[0].go.signal()
        begun.wait()
        // The hook of the store runs, and what uses the pool ends.
        end(users[1])
        #expect(log.take() == ["dispose of store db1"])
        hook.value = nil
        go.signal()
        users[0].ended.wait()
        #expect(log.take() == ["dispose of database db1", "dispose of pool db1"])
    }

    /// Has a shutdown hook, and needs the database.
    private final class Server: Sendable {
        let database: Database
        init(database: Database) { self.database = database }
    }

    @Test("An instance being shut down keeps its dependencies, even if they leave in the meantime")
    func shutdown_keepsParts() async throws {
        try load()
        let (log, begun, go) = (log, Signal(), Signal())
        try context.load(
            Module("Server") { registry in
                registry.register(
                    Server.self,
                    async: { (database: Database, resolver: Resolver) in
                        _ = try resolver.value("name", as: String.self)
                        return Server(database: database)
                    }
                )
                .onShutdown { _ in
                    begun.send()
                    await go.wait()
                    log("shut down server")
                }
                .onDispose { _ in log("dispose of server") }
            })
        try await context.start()
        try reload(1, 2)
        await begun.wait()
        // Nothing else depends on the parts.
        try reload(2, 2)
        #expect(log.take() == [])
        go.send()
        try await context.shutdown()
        #expect(
            log.take() == ["shut down server", "dispose of server", "dispose of database db1", "dispose of pool db1"])
    }

    @Test("A child that keeps its settings keeps its instances' dependencies until their module is removed")
    func keptParts_areKept() throws {
        try load()
        let store = try context.resolve(Store.self)
        var child: AppContext? = try context.child(keepsSettings: true)
        try reload(1, 2)
        #expect(try child?.resolve(Store.self) === store)
        try reload(2, 2)
        #expect(log.take() == [])
        #expect(try child?.resolve(Database.self) === store.database)
        child = nil
        #expect(log.take() == Self.all)
    }

    @Test("An instance kept for a child ends with the module of its dependency")
    func unload_endsWhatIsKept() throws {
        let log = log
        let parts = Module("Parts") { registry in
            registry.register(Pool.self) { Pool(url: "db1") }.onDispose { log("dispose of pool \($0.url)") }
        }
        try context.loadProperties(files.source).load(
            Module("Shop") { registry in
                registry.register(Database.self) { (pool: Pool, resolver: Resolver) in
                    _ = try resolver.value("name", as: String.self)
                    return Database(pool: pool)
                }
                .onDispose { log("dispose of database \($0.pool.url)") }
            }
        ).load(parts)
        let database = try context.resolve(Database.self)
        let child = try context.child(keepsSettings: true)
        try reload(1, 2)
        #expect(try child.resolve(Database.self) === database)
        try context.unload(parts)
        #expect(log.take() == ["dispose of database db1", "dispose of pool db1"])
        #expect(try child.resolve(Pool?.self) == nil)
    }
}
