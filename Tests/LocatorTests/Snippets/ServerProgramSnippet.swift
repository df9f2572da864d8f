import Dispatch
import Foundation
import Locator
import TestSupport
import Testing

// The article about servers shows parts of this file. Listener and Connection stand for those of a web framework.

private struct Connection: Sendable {
    let request: RequestInfo
    let send: @Sendable (String) async -> Void
}

private final class Listener: Sendable {
    let connections: AsyncStream<Connection>
    private let continuation: AsyncStream<Connection>.Continuation

    init() {
        (connections, continuation) = AsyncStream.makeStream()
    }

    func accept(_ connection: Connection) { continuation.yield(connection) }
    func stop() { continuation.finish() }
}

private struct RequestInfo: Sendable {
    let path: String
    let user: String
}

private actor Database {
    private(set) var isOpen = true

    static func open() async throws -> Database { Database() }
    func close() { isOpen = false }
    func orders(of user: String) -> [String] { isOpen ? ["order 1 of \(user)"] : [] }
}

private final class OrdersPage: Sendable {
    private let info: RequestInfo
    private let database: Database

    init(info: RequestInfo, database: Database) {
        self.info = info
        self.database = database
    }

    func text() async throws -> String {
        guard !info.user.isEmpty else { throw Refusal() }
        return await database.orders(of: info.user).joined(separator: "\n")
    }
}

private struct Refusal: Error {}

extension Scope {
    fileprivate static let request = Scope("request", requiresOpening: true)
}

private let shop = Module("Shop") { registry in
    registry.register(Database.self, async: Database.open)
        .onShutdown { database in await database.close() }
    registry.input(RequestInfo.self, scope: .request)
    registry.register(scope: .request, OrdersPage.init)
}

/// Answers requests until the listener stops, and ends when the last answer is written.
private func serve(_ listener: Listener, from context: AppContext) async throws {
    try context.validate().orThrow()  // creates nothing
    try await context.start()  // opens the database
    await withDiscardingTaskGroup { group in
        for await connection in listener.connections {
            group.addTask { await answer(connection, from: context) }
        }
        // Here the listener has stopped. The group waits for the requests that are still running.
    }
    try await context.shutdown()  // closes the database
}

/// One request, from the socket to the response.
private func answer(_ connection: Connection, from context: AppContext) async {
    do {
        let text = try await context.within(.request, giving: connection.request) { child in
            try await child.resolve(OrdersPage.self).text()
        }
        await connection.send(text)
    } catch {
        await connection.send("error: \(error)")
    }
}

/// Calls a function whenever the process receives a signal, as long as the source exists.
private func onSignal(_ number: Int32, _ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)  // by default it ends the process; the source still receives it
    let source = DispatchSource.makeSignalSource(signal: number)
    source.setEventHandler(handler: body)
    source.resume()
    return source
}

private func main(_ listener: Listener) async throws {
    let context = AppContext.shared
    try context.loadProperties(from: "Config", overrides: .environment(prefix: "SHOP_")).load(shop)
    let termination = onSignal(SIGTERM) { listener.stop() }
    defer { termination.cancel() }
    try await serve(listener, from: context)
}

@Suite("The program in the article about servers does what it says", .watchdog)
struct ServerProgramSnippet {
    @Test("Running requests are answered before the end, and the database is closed after them")
    func graceful() async throws {
        let context = try AppContext().load(shop)
        let listener = Listener()
        let answers = Tally<String>()
        for user in ["Ada", "Ben", ""] {
            listener.accept(Connection(request: RequestInfo(path: "/", user: user)) { answers.append($0) })
        }
        listener.stop()
        try await context.start()
        let database = try context.resolve(Database.self)
        try await serve(listener, from: context)
        #expect(answers.elements.sorted() == ["error: Refusal()", "order 1 of Ada", "order 1 of Ben"])
        #expect(await !database.isOpen)
    }

    @Test("A signal stops the listener")
    func signals() async throws {
        let listener = Listener()
        let source = onSignal(SIGUSR2) { listener.stop() }
        // Never let go of: by default a signal that is still on its way would end the tests.
        _ = Unmanaged.passRetained(source as AnyObject)
        let sending = Task {
            while !Task.isCancelled {
                kill(getpid(), SIGUSR2)
                await Task.yield()
            }
        }
        for await _ in listener.connections {}
        sending.cancel()
        await sending.value
    }
}
