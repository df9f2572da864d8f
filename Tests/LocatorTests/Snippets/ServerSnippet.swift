import Locator
import Testing

// The article about servers shows parts of this file. Request and Response stand for those of a web framework.

private struct Request: Sendable {
    let path: String
    let user: String
}

private struct Response: Sendable {
    typealias Write = @Sendable (String) async throws -> Void
    let writeBody: @Sendable (Write) async throws -> Void

    init(writingBody: @escaping @Sendable (Write) async throws -> Void) { writeBody = writingBody }
    init(_ text: String) { writeBody = { write in try await write(text) } }
}

private struct RequestInfo: Sendable {
    let path: String
    let user: String
}

private final class Database: Sendable {
    func orders(of user: String) -> [String] { (1...3).map { "order \($0) of \(user)" } }
}

private final class Orders: Sendable {
    private let info: RequestInfo
    private let database: Database

    init(info: RequestInfo, database: Database) {
        self.info = info
        self.database = database
    }

    var lines: [String] { database.orders(of: info.user) }
}

private final class AuditTrail: Sendable {
    private let info: RequestInfo
    init(info: RequestInfo) { self.info = info }
    func close() throws { closed.append(info.path) }
}

private let closed = Tally<String>()

extension Scope {
    fileprivate static let request = Scope("request", requiresOpening: true)
}

private let shop = Module("Shop") { registry in
    registry.register(Database.init)  // one for the process
    registry.input(RequestInfo.self, scope: .request)  // passed in for each request
    registry.register(scope: .request, Orders.init)
    registry.register(scope: .request, AuditTrail.init)
        .onDispose { trail in try trail.close() }
}

private func respond(to request: Request, in server: AppContext) async throws -> Response {
    let info = RequestInfo(path: request.path, user: request.user)
    return try await server.within(.request, giving: info) { child in
        _ = try child.resolve(AuditTrail.self)
        return try await route(request)
    }
}

/// What a handler in another file does: wrappers belong to the current context, which is the child.
private func route(_ request: Request) async throws -> Response {
    let handler = OrdersHandler()
    return Response(handler.orders.lines.joined(separator: "\n"))
}

private struct OrdersHandler {
    @Dependency var orders: Orders
}

/// Opens a scope for each run, in the context of its wrapper.
private final class NightlyReport: Sendable {
    private let database = Dependency<Database>()

    func run(for user: String) throws -> [String] {
        let info = RequestInfo(path: "/nightly", user: user)
        return try database.context.within(.request, giving: info) { child in
            try child.resolve(Orders.self).lines
        }
    }
}

private func export(_ request: Request, in server: AppContext) throws -> Response {
    let info = RequestInfo(path: request.path, user: request.user)
    let child = try server.child(opening: .request, giving: info)
    return Response(writingBody: { write in
        // This closure keeps the child. The child ends when the framework releases the closure.
        try await AppContext.withContext(child) {
            for line in try child.resolve(Orders.self).lines { try await write(line) }
        }
    })
}

@Suite("The snippets about servers do what they say")
struct ServerSnippet {
    private func text(of response: Response) async throws -> [String] {
        let lines = Tally<String>()
        try await response.writeBody { lines.append($0) }
        return lines.elements
    }

    @Test("A request answers from its own instances, and ends")
    func answers() async throws {
        let server = AppContext()
        try server.load(shop)
        #expect(server.validate().findings.isEmpty)
        let response = try await respond(to: Request(path: "/orders", user: "Ada"), in: server)
        #expect(closed.elements.contains("/orders"))
        #expect(try await text(of: response) == ["order 1 of Ada\norder 2 of Ada\norder 3 of Ada"])
    }

    @Test("A singleton opens a scope, and does not keep its context alive")
    func opensAScope() throws {
        weak var context: AppContext?
        try {
            let server = AppContext()
            context = server
            try server.load(shop, Module("Reports") { $0.register(NightlyReport.init) })
            #expect(server.validate().findings.isEmpty)
            let report = try server.resolve(NightlyReport.self)
            #expect(try report.run(for: "Ada").first == "order 1 of Ada")
            #expect(try report.run(for: "Ben").first == "order 1 of Ben")
        }()
        #expect(context == nil)
    }

    @Test("A response body that is written later keeps its child")
    func streams() async throws {
        let server = AppContext()
        try server.load(shop)
        let response = try export(Request(path: "/export", user: "Ben"), in: server)
        #expect(try await text(of: response) == ["order 1 of Ben", "order 2 of Ben", "order 3 of Ben"])
    }

    @Test("A test passes its own instances")
    func fakes() throws {
        let server = AppContext()
        try server.load(shop)
        let ada = Module("Ada") { registry in
            registry.register(RequestInfo.self, scope: .request) { RequestInfo(path: "/", user: "Ada") }
        }
        try server.push(ada)
        // The pushed module registers the input's type, so nothing is passed in.
        let child = try server.child(opening: .request)
        #expect(try child.resolve(Orders.self).lines.first == "order 1 of Ada")
    }
}
