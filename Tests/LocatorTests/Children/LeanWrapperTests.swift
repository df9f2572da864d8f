import Locator
import TestSupport
import Testing

/// Wrappers and dispose hooks of a child without other requests.
@Suite("Wrappers and hooks in a child work as in any context")
struct LeanWrapperTests {
    final class Database: Sendable {}
    final class Session: Sendable {
        let database: Database
        init(_ database: Database) { self.database = database }
    }
    final class Page: Sendable {
        let session: Session
        init(_ session: Session) { self.session = session }
    }
    final class Screen {
        @Dependency var page: Page
        @Dependency var database: Database
        @Dependency(qualifier: "deep") var deep: Page
        @Dependency var missing: String?
        let session = Dependency<Session>()
    }
    enum Kind: String, Decodable { case short, long }
    final class Listing {
        @PropertyValue("page.size") var size: Int
        @PropertyValue("page.title", default: "none") var title: String
        @PropertyValue("page.kind") var kind: Kind
        @DependencyArray var databases: [Database]
        @DependencyArray var texts: [String]
    }
    struct Refusal: Error {}

    static let request = Scope("request")

    private let log = Log()

    private func server(_ modules: Module...) throws -> AppContext {
        let server = try AppContext().load(
            Module("Server") { [log] registry in
                registry.register(Database.init).onDispose { _ in log("database") }
                registry.register(scope: Self.request, Session.init).onDispose { _ in log("session") }
                registry.register(scope: Self.request, Page.init).onDispose { _ in log("page") }
                registry.register(qualifier: "deep", scope: Self.request, Page.init)
            })
        for module in modules { try server.load(module) }
        for _ in 0..<2 { _ = try server.resolve(Database.self) }
        return server
    }

    @Test func wrapper_givesWhatTheChildGives() throws {
        let server = try server()
        for _ in 0..<3 {
            let child = try server.child(opening: Self.request)
            let screen = AppContext.withContext(child) { Screen() }
            let page = screen.page
            #expect(try child.resolve(Page.self) === page)
            #expect(screen.page === page)
            #expect(screen.session() === page.session)
            #expect(try screen.database === server.resolve(Database.self))
            #expect(screen.deep !== page)
            #expect(screen.deep === screen.deep)
            #expect(screen.deep.session === page.session)
            #expect(screen.missing == nil)
            #expect(screen.page === page)
            #expect(screen.$page.context === child)
        }
    }

    @Test func wrapper_readFirst_ranInItsChild() throws {
        let seen = Late<AppContext>()
        let server = try server(
            Module("Seen") { registry in
                registry.register(Double.self, scope: Self.request) {
                    seen.value = AppContext.current
                    return 1
                }
            })
        for _ in 0..<2 {
            let child = try server.child(opening: Self.request)
            let number = AppContext.withContext(child) { Dependency<Double>() }
            #expect(number() == 1)
            #expect(seen.value === child)
            seen.value = nil
        }
    }

    @Test func wrapper_keepsItsValue_whenItsChildHasGone() throws {
        let server = try server()
        var child: AppContext? = try server.child(opening: Self.request)
        let screen = try AppContext.withContext(#require(child)) { Screen() }
        let (page, database) = (screen.page, screen.database)
        child = nil
        #expect(screen.page === page)
        #expect(screen.database === database)
        #expect(message { try screen.$deep.resolved() }?.contains("its context has ended") == true)
        #expect(log.take() == ["page", "session"])
    }

    @Test func wrapper_followsItsChild() throws {
        let server = try server()
        let child = try server.child(opening: Self.request)
        let screen = AppContext.withContext(child) { Screen() }
        let (page, database) = (screen.page, screen.database)
        try child.push(Module("Own") { $0.register(Database.init) })
        #expect(screen.page !== page)
        #expect(screen.database !== database)
        child.pop()
        #expect(screen.page === page)
        #expect(screen.database === database)
        try child.reset(Self.request)
        #expect(screen.page !== page)
        #expect(screen.database === database)
        screen.$page.reset()
        #expect(try screen.page === child.resolve(Page.self))
    }

    private static let sizes = Module("Sizes", properties: ["page.size": 10, "page.kind": "short"]) { _ in }
    private static let larger = Module(
        "Larger", properties: ["page.size": 20, "page.title": "new", "page.kind": "long"]
    ) {
        $0.register(qualifier: "other", Database.init)
    }

    /// What a listing shows.
    private func text(_ listing: Listing) -> String {
        "\(listing.size) \(listing.title) \(listing.kind) \(listing.databases.count) \(listing.texts.count)"
    }

    @Test(arguments: [false, true])
    func settingsAndCollections_followTheParent(_ isRead: Bool) throws {
        let server = try server(Self.sizes)
        for _ in 0..<2 {
            let child = try server.child(opening: Self.request)
            let listing = AppContext.withContext(child) { Listing() }
            if isRead { #expect(text(listing) == "10 none short 1 0") }
            _ = try child.resolve(Page.self)
            #expect(try child.value("page.size", as: Int.self) == 10)
            try server.push(Self.larger)
            #expect(text(listing) == "20 new long 2 0")
            #expect(try child.value("page.size", as: Int.self) == 20)
            server.pop()
            #expect(text(listing) == "10 none short 1 0")
            #expect(try listing.databases.first === server.resolve(Database.self))
        }
    }

    @Test func settingsAndCollections_followTheChild() throws {
        let server = try server(Self.sizes)
        let child = try server.child(opening: Self.request)
        let (listing, parents) = (
            AppContext.withContext(child) { Listing() }, AppContext.withContext(server) { Listing() }
        )
        #expect(text(listing) == "10 none short 1 0")
        try child.push(Self.larger)
        #expect(text(listing) == "20 new long 2 0")
        #expect(text(parents) == "10 none short 1 0")
        child.pop()
        #expect(text(listing) == "10 none short 1 0")
        let database = listing.databases.first
        #expect(try database === server.resolve(Database.self))
    }

    @Test func settings_thatAreWrong_areErrors() throws {
        let server = try server(Module("Wrong", properties: ["page.size": "many", "page.kind": "tall"]) { _ in })
        let child = try server.child(opening: Self.request)
        let listing = AppContext.withContext(child) { Listing() }
        for _ in 0..<2 {
            #expect(message { try listing.$size.resolved() }?.contains("page.size: expected Int") == true)
            #expect(message { try listing.$kind.resolved() }?.contains("page.kind") == true)
            #expect(listing.title == "none")
        }
    }

    @Test func settingsAndCollections_areKept_whenTheChildHasGone() throws {
        var child: AppContext? = try server(Self.sizes).child(opening: Self.request)
        let listing = try AppContext.withContext(#require(child)) { Listing() }
        let before = text(listing)
        child = nil
        #expect(text(listing) == before)
    }

    @Test func wrapper_letsGoOfWhatWasReset() throws {
        let server = try server()
        let child = try server.child(opening: Self.request)
        let screen = AppContext.withContext(child) { Screen() }
        weak let page = screen.page
        #expect(page != nil)
        try child.reset(Self.request)
        _ = screen.page
        #expect(page == nil)
    }

    @Test func wrapper_sayWhyThereIsNothing_asTheChildDoes() throws {
        let server = try server(
            Module("Refused", fileID: "Shop/Refused.swift", line: 1) { registry in
                registry.register(Double.self, scope: Self.request, fileID: "Shop/Refused.swift", line: 2) {
                    throw Refusal()
                }
            })
        let texts = try (0..<3).map { number in
            let child = try server.child(opening: Self.request)
            if number == 0 { _ = child.existing(Int.self) }
            let wrapper = AppContext.withContext(child) {
                Dependency<Double>(fileID: "Shop/Main.swift", line: 3)
            }
            return message { try wrapper.resolved() }
        }
        #expect(texts[0]?.contains("Refusal()") == true)
        #expect(Set(texts).count == 1)
    }

    /// A wrapper that is read in a factory closure counts as a dependency, and makes the child record its reads.
    @Test func wrapper_readByAClosure_counts() throws {
        final class Report: Sendable {
            let session = Dependency<Session>()
            let database: Database
            init() { database = session().database }
        }
        let server = try server(Module("Reports") { $0.register(scope: Self.request) { Report() } })
        for _ in 0..<2 {
            let child = try server.child(opening: Self.request)
            let report = try child.resolve(Report.self)
            try server.push(Module("Other") { $0.register(Database.init) })
            #expect(try child.resolve(Report.self) !== report)
            server.pop()
            #expect(try child.resolve(Report.self) === report)
            #expect(try child.resolve(Session.self) === report.session())
        }
    }

    // MARK: Hooks

    @Test func hooks_runInTheChild_whichStillAnswers() throws {
        let server = try server(
            Module("Hooks") { [log] registry in
                registry.register(Double.self, scope: Self.request) { (_: Page) in 1 }
                    .onDispose { _ in
                        let made = try AppContext.current.resolve(Session.self)
                        log("number, \(try AppContext.current.resolve(Page.self).session === made)")
                    }
            })
        _ = try server.child(opening: Self.request).resolve(Double.self)
        #expect(log.take() == ["number, true", "page", "session", "page", "session"])
    }

    @Test func hooks_thatRequestSomethingElse_areRunOnceEach() throws {
        let server = try server(
            Module("Hooks") { [log] registry in
                registry.register(Double.self, scope: Self.request) { (_: Page) in 1 }
                    .onDispose { _ in log("number, \(AppContext.current.existing(Page.self) == nil)") }
            })
        _ = try server.child(opening: Self.request).resolve(Double.self)
        #expect(log.take() == ["number, true", "page", "session"])
    }

    @Test func hooks_thatThrow_doNotKeepOthersFromRunning() throws {
        let server = try server(
            Module("Hooks") { registry in
                registry.register(Double.self, scope: Self.request) { (_: Page) in 1 }
                    .onDispose { _ in throw Refusal() }
            })
        _ = try server.child(opening: Self.request).resolve(Double.self)
        #expect(log.take() == ["page", "session"])
    }

    @Test("A push during a making does not change what the wrapper returns", arguments: [false, true])
    func wrapper_thatIsOvertaken(isPushedOnChild: Bool) throws {
        final class Part: Sendable {
            let name: String
            init(_ name: String) { self.name = name }
        }
        let (push, made) = (Late<@Sendable () throws -> Void>(), Late<[String]>())
        let scope = Scope("request", requiresOpening: true)
        let server = try AppContext().load(
            Module("Shop") { registry in
                registry.register(String.self) { "real" }
                registry.register(scope: scope) { (name: String) in
                    made.value = (made.value ?? []) + [name]
                    let run = push.value
                    push.value = nil
                    if let run { try onThread { try run() } }
                    return Part(name)
                }
            })
        _ = try server.resolve(String.self)
        let child = try server.child(opening: scope)
        let wrapper = AppContext.withContext(child) { Dependency<Part>() }
        push.value = {
            try (isPushedOnChild ? child : server).push(Module("Fake") { $0.register(String.self) { "fake" } })
        }
        #expect(try wrapper.resolved().name == "real")
        #expect(made.value == ["real"])
        #expect(try wrapper.resolved().name == "fake")
    }

    @Test("A wrapper that was overtaken keeps its value when its child ends")
    func wrapper_thatIsOvertaken_keepsItsValue() throws {
        final class Part: Sendable {}
        let push = Late<@Sendable () throws -> Void>()
        let scope = Scope("request", requiresOpening: true)
        let server = try AppContext().load(
            Module("Shop") { registry in
                registry.register(scope: scope) {
                    let run = push.value
                    push.value = nil
                    if let run { try onThread { try run() } }
                    return Part()
                }
            })
        var child: AppContext? = try server.child(opening: scope)
        let wrapper = try AppContext.withContext(#require(child)) { Dependency<Part>() }
        push.value = { try server.push(Module("Other") { $0.register(String.self) { "other" } }) }
        let part = try wrapper.resolved()
        child = nil
        #expect(try wrapper.resolved() === part)
    }

    @Test("A wrapper whose instance makes the child full keeps its value when the child ends")
    func wrapper_thatMakesItsChildFull_keepsItsValue() throws {
        final class Part: Sendable {}
        let scope = Scope("request", requiresOpening: true)
        let server = try AppContext().load(
            Module("Shop") { registry in
                registry.register(scope: scope) { Part() }.injecting { (_: Part, _: Resolver) in }
            })
        var child: AppContext? = try server.child(opening: scope)
        let wrapper = try AppContext.withContext(#require(child)) { Dependency<Part>() }
        let part = try wrapper.resolved()
        child = nil
        #expect(try wrapper.resolved() === part)
    }

    @Test func hooks_thatMakeEachOthersInstances_comeToAnEnd() throws {
        let server = try AppContext().load(
            Module("M") { registry in
                registry.register(Int.self, scope: Self.request) { 1 }
                    .onDispose { _ in _ = try AppContext.current.resolve(String.self) }
                registry.register(String.self, scope: Self.request) { "" }
                    .onDispose { _ in _ = try AppContext.current.resolve(Int.self) }
            })
        _ = try server.child(opening: Self.request).resolve(Int.self)
    }

    @Test func hooks_runAfterTheParentHasPoppedTheirModule() throws {
        let server = try server()
        let pushed = Module("Pushed") { [log] registry in
            registry.register(Double.self, scope: Self.request) { 1 }.onDispose { _ in log("number") }
        }
        try server.push(pushed)
        var child: AppContext? = try server.child(opening: Self.request)
        _ = try #require(child).resolve(Double.self)
        server.pop()
        #expect(log.take() == [])
        child = nil
        #expect(log.take() == ["number"])
    }
}
