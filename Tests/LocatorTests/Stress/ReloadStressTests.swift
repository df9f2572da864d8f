import Locator
import Synchronization
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request", requiresOpening: true)
}

private final class Database: Sendable {
    let number: Int
    private let isDown = Atomic(false)
    init(number: Int) { self.number = number }

    var isShutDown: Bool { isDown.load(ordering: .relaxed) }
    func shutDown() { isDown.store(true, ordering: .relaxed) }
}

private final class Cache: Sendable {
    let database: Database
    init(database: Database) { self.database = database }
}

/// The instance of a request.
///
/// Nothing that it depends on is shut down while it is made.
private struct Job: Sendable {
    let problem: String?

    init(database: Database, cache: Cache) {
        guard cache.database === database else {
            problem = "database \(database.number), but that of the cache is \(cache.database.number)"
            return
        }
        var wasDown = false
        for _ in 0..<50 { wasDown = wasDown || database.isShutDown }
        problem = wasDown ? "database \(database.number) is shut down" : nil
    }
}

private struct Settings: ConfigProperty {
    static let path = "database"
    let number: Int
    let again: Int
}

@Suite("Starting reloads work alongside requests, children, and pushes", .watchdog)
struct ReloadStressTests {
    private static func text(_ number: Int) -> String {
        #"{ "database": { "number": \#(number), "again": \#(number) } }"#
    }

    @Test("No request gets an instance that is not started, mixes two loads, or is shut down")
    func requests_areSound() async throws {
        let files = MemoryFiles(Self.text(0))
        let context = AppContext()
        let (made, ended) = (Counter(), Counter())
        try context.loadProperties(files.source).load(
            Module("Shop") { registry in
                registry.register(
                    Database.self,
                    async: { (settings: Settings) in
                        made.next()
                        await Task.yield()
                        return Database(number: settings.number)
                    }
                )
                .onShutdown { $0.shutDown() }
                .onDispose { _ in ended.next() }
                registry.register(Cache.self, async: { (database: Database) in Cache(database: database) })
                registry.register(scope: .prototype, Job.init)
                registry.register(qualifier: "request", scope: .request, Job.init)
            })
        try await context.start()
        let isDone = Late(false)
        let rounds = TestScale.count(600)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 1...rounds {
                    files.content = Self.text(round)
                    try await context.reloadAndStart()
                }
                isDone.value = true
            }
            for number in 0..<4 {
                group.addTask {
                    while isDone.value == false {
                        let problem = try context.resolve(Job.self).problem
                        #expect(problem == nil)
                        let settings = try context.resolve(Settings.self)
                        #expect(settings.number == settings.again)
                        try context.within(.request, keepsSettings: number.isMultiple(of: 2)) { child in
                            #expect(try child.resolve(Job.self, qualifier: "request").problem == nil)
                            let first = try child.value("database.number", as: Int.self)
                            let settings = try child.resolve(Settings.self)
                            #expect(settings.number == settings.again)
                            if number.isMultiple(of: 2) {
                                #expect(settings.number == first)
                                let database = try child.resolve(Database.self)
                                #expect(database.number == first)
                                #expect(!database.isShutDown)
                                #expect(try child.resolve(Job.self).problem == nil)
                                #expect(try child.value("database.number") == first)
                            }
                        }
                        await Task.yield()
                    }
                }
            }
            group.addTask {
                // Pushes that do not affect it.
                let module = Module("Other", properties: ["other": 1]) { $0.register(String.self) { "other" } }
                while isDone.value == false {
                    try context.push(module)
                    await Task.yield()
                    try context.pop(module)
                    await Task.yield()
                }
            }
            group.addTask {
                var last = -1
                for await number in context.values(of: "database.number", as: Int.self) {
                    let number = try number.get()
                    #expect(number > last)
                    last = number
                    if number == rounds { break }
                }
            }
            try await group.waitForAll()
        }
        try await context.shutdown()
        // Every instance has ended exactly once.
        #expect(ended.value == made.value)
    }
}
