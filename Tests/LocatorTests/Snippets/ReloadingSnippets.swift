import Dispatch
import Foundation
import Locator
import TestSupport
import Testing

// The article on reloading shows parts of this file.

extension Scope {
    fileprivate static let request = Scope("request", requiresOpening: true)
}

private actor Limiter {
    private(set) var limit = 0

    func set(_ limit: Int) { self.limit = limit }
}

private final class Database: Sendable {
    let url: String

    init(url: String) { self.url = url }

    static func open(_ url: String) async throws -> Database { Database(url: url) }
    func close() async {}
}

private struct DatabaseSettings: ConfigProperty {
    static let path = "database"
    let url: String
}

private final class Page: Sendable {}

private struct Logger: Sendable {
    let log: Log
    func warning(_ text: String) { log(text) }
}

private struct Price {
    let amount: Int
    let currency: String
}

/// Reloads whenever the process receives SIGHUP, until the task is canceled.
private func reloadOnHangup(_ context: AppContext, _ logger: Logger) async {
    signal(SIGHUP, SIG_IGN)  // by default it ends the process; the source below still receives it
    let (hangups, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let source = DispatchSource.makeSignalSource(signal: SIGHUP)
    source.setEventHandler { @Sendable in continuation.yield() }  // not on the main actor
    source.resume()
    defer { source.cancel() }
    for await _ in hangups {
        do {
            try await context.reloadAndStart()
        } catch {
            logger.warning("reload: \(error)")
        }
    }
}

@Suite("The snippets of the article on reloading do what they say", .watchdog)
struct ReloadingSnippets {
    private let context = AppContext()
    private let folder: TemporaryFolder
    private let log = Log()

    init() throws {
        folder = try TemporaryFolder()
        try write(limit: 1)
        let shop = Module("Shop") { registry in
            registry.register(scope: .request, Page.init)
            registry.register(
                Database.self,
                async: { (settings: DatabaseSettings) in
                    try await Database.open(settings.url)
                }
            )
            .onShutdown { database in await database.close() }
        }
        try context.loadProperties(from: folder.path, environment: [:]).load(shop)
    }

    private func write(limit: Int) throws {
        try folder.write(
            """
            { "server": { "limit": \(limit) }, "database": { "url": "db\(limit)" },
              "price": { "amount": \(limit), "currency": "EUR" } }
            """, to: "application.json")
    }

    @Test("Reloading by hand")
    func reload() throws {
        try write(limit: 2)
        try context.reloadProperties(validating: true)
        #expect(try context.value("server.limit") == 2)
    }

    @Test("Polling")
    func polling() async throws {
        let logger = Logger(log: log)
        let clock = ManualClock()
        let context = context
        try write(limit: 2)
        func poll() -> (ContextObservation, Task<Void, Never>) {
            let observation = context.observe { event in
                if case .reloadFailed(let error) = event { logger.warning("\(error)") }
            }
            let reloader = context.reloadProperties(on: .changes(every: .seconds(5)))
            let polling = Task { await reloader.run() }
            return (observation, polling)
        }
        let (observation, polling) = poll()
        polling.cancel()
        await polling.value
        observation.end()
        let reloader = context.reloadProperties(on: .changes(every: .seconds(5), clock: clock))
        let task = Task { await reloader.run() }
        await clock.sleeping()
        clock.advance(by: .seconds(5))
        await clock.sleeping()
        #expect(try context.value("server.limit") == 2)
        task.cancel()
        await task.value
    }

    @Test("Following a setting")
    func following() async throws {
        let (limiter, logger) = (Limiter(), Logger(log: log))
        let context = context
        let following = Task {
            for await limit in context.values(of: "server.limit", as: Int.self) {
                switch limit {
                case .success(let limit): await limiter.set(limit)
                case .failure(let error): logger.warning("\(error)")
                }
            }
        }
        while await limiter.limit != 1 { await Task.yield() }
        try write(limit: 2)
        try context.reloadProperties()
        while await limiter.limit != 2 { await Task.yield() }
        following.cancel()
        await following.value
        #expect(log.take() == [])
    }

    @Test("A request with one load")
    func request() throws {
        let server = context
        let price = try server.within(.request, keepsSettings: true) { child in
            let amount: Int = try child.value("price.amount")
            try write(limit: 2)
            try server.reloadProperties()
            return Price(amount: amount, currency: try child.value("price.currency"))
        }
        #expect(price.amount == 1)
    }

    @Test("Starting before the old instances end")
    func starting() async throws {
        try await context.start()
        try write(limit: 2)
        try await context.reloadAndStart(validating: true)
        #expect(try context.resolve(Database.self).url == "db2")
        try await context.shutdown()
    }

    @Test("A signal")
    func hangup() async throws {
        signal(SIGHUP, SIG_IGN)
        try write(limit: 2)
        let context = context
        let task = Task { [logger = Logger(log: log)] in await reloadOnHangup(context, logger) }
        while try context.value("server.limit", as: Int.self) != 2 {
            kill(getpid(), SIGHUP)
            await Task.yield()
        }
        task.cancel()
        await task.value
        #expect(log.take() == [])
    }
}
