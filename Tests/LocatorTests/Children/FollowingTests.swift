import Dispatch
import Locator
import TestSupport
import Testing

/// A change of a parent does not visit its children.
///
/// Each one follows when it is used or ends.
@Suite("A child applies all missed changes of its parent when it is next used")
struct FollowingTests {
    final class Database: Sendable {}
    final class Session: Sendable {
        let database: Database
        init(_ database: Database) { self.database = database }
    }
    final class Page: Sendable {
        let session: Session
        init(_ session: Session) { self.session = session }
    }

    static let request = Scope("request")

    /// Opens a child of a server, and keeps the contexts between the two.
    struct Descendant: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let open: @Sendable (_ server: AppContext) throws -> AppContext
    }

    static let descendants = [
        Descendant(testDescription: "child") { try $0.child(opening: request) },
        Descendant(testDescription: "child that pushes") {
            try $0.child(opening: request, pushing: .text("own"))
        },
        Descendant(testDescription: "child that was asked for something else") {
            let child = try $0.child(opening: request)
            _ = child.existing(Int.self)
            return child
        },
        Descendant(testDescription: "grandchild") { try $0.child().child(opening: request) },
        Descendant(testDescription: "grandchild of a child that pushes") {
            try $0.child(pushing: .text("own")).child(opening: request)
        },
    ]

    private let log = Log()

    private func server() throws -> AppContext {
        let server = try AppContext().load(
            Module("Server") { [log] registry in
                registry.register(Database.init)
                registry.register(scope: Self.request, Session.init).onDispose { _ in log("session") }
                registry.register(scope: Self.request, Page.init).onDispose { _ in log("page") }
                registry.register(Double.self, scope: Self.request) { 1 }
            })
        for _ in 0..<2 { _ = try server.resolve(Database.self) }
        return server
    }

    private static let fakes = Module("Fakes") { $0.register(Database.init) }

    // MARK: Changes that were missed

    @Test(arguments: descendants)
    func pushAndPop_thatWereMissed_changeNothing(_ descendant: Descendant) throws {
        let server = try server()
        let child = try descendant.open(server)
        let page = try child.resolve(Page.self)
        for _ in 0..<3 {
            try server.push(Self.fakes)
            _ = try server.resolve(Database.self)
            server.pop()
        }
        #expect(try child.resolve(Page.self) === page)
        #expect(log.take() == [])
    }

    @Test(arguments: descendants)
    func pop_afterAChildThatWasOpenedUnderThePush_endsWhatItMade(_ descendant: Descendant) throws {
        let server = try server()
        try server.push(Self.fakes)
        let fake = try server.resolve(Database.self)
        var child: AppContext? = try descendant.open(server)
        let page = try #require(child).resolve(Page.self)
        #expect(page.session.database === fake)
        server.pop()
        #expect(log.take() == [])
        #expect(try #require(child).resolve(Session.self).database === server.resolve(Database.self))
        #expect(log.take() == ["page", "session"])
        child = nil
        #expect(log.take() == ["session"])
    }

    @Test(arguments: descendants)
    func instanceMadeUnderAPush_endsAfterThePop_onceEach(_ descendant: Descendant) throws {
        let server = try server()
        var child: AppContext? = try descendant.open(server)
        try server.push(Self.fakes)
        _ = try #require(child).resolve(Page.self)
        server.pop()
        let page = try #require(child).resolve(Page.self)
        #expect(try page.session.database === server.resolve(Database.self))
        #expect(log.take() == ["page", "session"])
        child = nil
        #expect(log.take() == ["page", "session"])
    }

    @Test(arguments: descendants)
    func childThatEndsAfterAPop_disposesOfEverythingOnce(_ descendant: Descendant) throws {
        let server = try server()
        var child: AppContext? = try descendant.open(server)
        _ = try #require(child).resolve(Page.self)
        try server.push(Self.fakes)
        _ = try #require(child).resolve(Page.self)
        server.pop()
        child = nil
        #expect(log.take() == ["page", "session", "page", "session"])
    }

    @Test(arguments: descendants)
    func instanceSetAside_comesBack_whenItsPushIsUnderAnotherOne(_ descendant: Descendant) throws {
        let server = try server()
        let child = try descendant.open(server)
        let page = try child.resolve(Page.self)
        let others = Module("Others") { $0.register(Double.self, scope: Self.request) { 2 } }
        try server.push(Self.fakes)
        let fake = try child.resolve(Page.self)
        #expect(fake !== page)
        try server.push(others)
        #expect(try child.resolve(Double.self) == 2)
        #expect(try child.resolve(Page.self) === fake)
        server.pop()
        server.pop()
        #expect(try child.resolve(Page.self) === page)
        #expect(try child.resolve(Double.self) == 1)
        #expect(log.take() == ["page", "session"])
    }

    @Test(arguments: descendants)
    func reset_endsWhatWasMadeFromIt_atTheNextRequest(_ descendant: Descendant) throws {
        let server = try server()
        let child = try descendant.open(server)
        let page = try child.resolve(Page.self)
        try server.reset()
        let database = try server.resolve(Database.self)
        #expect(log.take() == [])
        #expect(try child.resolve(Page.self).session.database === database)
        #expect(page.session.database !== database)
        #expect(log.take() == ["page", "session"])
    }

    @Test(
        "If a module is unloaded while its condition is false, the set-aside instances that were made from it end",
        arguments: descendants)
    func unloadingWhileTheConditionIsFalse(_ descendant: Descendant) throws {
        final class Draft: Sendable {
            let size: Int?
            init(size: Int?) { self.size = size }
        }
        let server = try server()
        let sizes = Module("Sizes", when: .property("hasSizes", equals: "true")) { registry in
            registry.register(Int.self, scope: .prototype) { 7 }
        }
        let drafts = Module("Drafts") { [log] registry in
            registry.register(scope: Self.request, Draft.init).onDispose { log("draft \($0.size ?? 0)") }
        }
        try server.load(Module("Settings", properties: ["hasSizes": "true"])).load(sizes).load(drafts)
        let child = try descendant.open(server)
        let draft = try child.resolve(Draft.self)
        #expect(draft.size == 7)
        let off = Module("Off", properties: ["hasSizes": "false"])
        try server.push(off)
        #expect(try child.resolve(Draft.self).size == nil)
        server.pop()
        #expect(try child.resolve(Draft.self) === draft)
        #expect(log.take() == ["draft 0"])
        try server.push(off)
        #expect(try child.resolve(Draft.self).size == nil)
        #expect(log.take() == [])
        try server.unload(sizes)
        #expect(try child.resolve(Draft.self).size == nil)
        #expect(log.take() == ["draft 7"])
    }

    @Test(arguments: descendants)
    func resetUnderAPush_endsWhatTheChildHasAside(_ descendant: Descendant) throws {
        let server = try server()
        let child = try descendant.open(server)
        let page = try child.resolve(Page.self)
        try server.push(Self.fakes)
        try server.reset()
        server.pop()
        #expect(try child.resolve(Page.self) !== page)
        #expect(log.take() == ["page", "session"])
    }

    @Test func reload_isFollowed_evenIfItFails() throws {
        struct Refusal: Error {}
        let files = MemoryFiles(#"{"port": 80}"#)
        let isRefused = Late(false)
        let server = try AppContext().loadProperties(files.source).load(
            Module("Server") { [log] registry in
                registry.register(Double.self, scope: Self.request) { (resolver: Resolver) in
                    Double(try resolver.value("port", as: Int.self))
                }
                .onDispose { log("\($0)") }
            },
            Module("Always", when: .property("port", equals: 81)) { registry in
                registry.register(Int.self, scope: .always) {
                    if isRefused.value == true { throw Refusal() }
                    return 1
                }
            })
        let child = try server.child(opening: Self.request)
        let port = AppContext.withContext(child) { Dependency<Double>() }
        #expect(port() == 80)
        isRefused.value = true
        files.content = #"{"port": 81}"#
        #expect(throws: LocatorError.self) { try server.reloadProperties() }
        #expect(port() == 80)
        #expect(log.take() == [])
        isRefused.value = false
        try server.reloadProperties()
        #expect(port() == 81)
        #expect(log.take() == ["80.0"])
    }

    /// A child is used while the change may still be undone, and keeps what it set aside.
    @Test func childThatIsAskedDuringAFailingReload_losesNothing() throws {
        struct Refusal: Error {}
        let files = MemoryFiles(#"{"port": 80}"#)
        let child = Late<AppContext>()
        let seen = Log()
        let server = try AppContext().loadProperties(files.source).load(
            Module("Server") { [log] registry in
                registry.register(Page.self, scope: Self.request) { (resolver: Resolver) in
                    seen("\(try resolver.value("port", as: Int.self))")
                    return Page(Session(Database()))
                }
                .onDispose { _ in log("page") }
            },
            Module("Always", when: .property("port", equals: 81)) { registry in
                registry.register(Int.self, scope: .always) {
                    _ = try child.value?.resolve(Page.self)
                    throw Refusal()
                }
            })
        child.value = try server.child(opening: Self.request)
        let page = try #require(child.value).resolve(Page.self)
        files.content = #"{"port": 81}"#
        #expect(throws: LocatorError.self) { try server.reloadProperties() }
        #expect(seen.take() == ["80", "81"])
        #expect(try #require(child.value).resolve(Page.self) === page)
        #expect(log.take() == ["page"])
        child.value = nil
    }

    // MARK: Parts that end by themselves, and injections

    /// Reads a weak part and does not keep it.
    final class Reader: Sendable {
        let database: ObjectIdentifier
        init(_ database: Database) { self.database = ObjectIdentifier(database) }
    }

    private func weakServer() throws -> AppContext {
        try AppContext().load(
            Module("Weak") { [log] registry in
                registry.register(scope: .weak, Database.init)
                registry.register(scope: Self.request, Reader.init).onDispose { _ in log("reader") }
            })
    }

    @Test(arguments: descendants)
    func weakPartOfTheParent_thatEndsByItself_endsNothing(_ descendant: Descendant) throws {
        let server = try weakServer()
        let child = try descendant.open(server)
        let reader = try child.resolve(Reader.self)
        try server.push(.text("unrelated"))
        #expect(server.existing(Database.self) == nil)
        #expect(try child.resolve(Reader.self) === reader)
        server.pop()
        #expect(try child.resolve(Reader.self) === reader)
        #expect(log.take() == [])
    }

    @Test(arguments: descendants)
    func weakPartOfTheParent_thatIsReset_endsWhatReadIt_alsoOnceItHasEnded(_ descendant: Descendant) throws {
        let server = try weakServer()
        let child = try descendant.open(server)
        var database: Database? = try server.resolve(Database.self)
        let reader = try child.resolve(Reader.self)
        #expect(try reader.database == ObjectIdentifier(#require(database)))
        try server.reset()
        database = nil
        #expect(try child.resolve(Reader.self) !== reader)
        #expect(log.take() == ["reader"])
    }

    @Test(arguments: descendants)
    func injectedInstanceOfTheParent_isFollowed_withWhatItsInjectionRead(_ descendant: Descendant) throws {
        final class Hub: @unchecked Sendable {
            // Sendable: set once, before anybody has it.
            var database: Database?
        }
        final class User: Sendable {
            let hub: Hub
            init(_ hub: Hub) { self.hub = hub }
        }
        let server = try server()
        try server.load(
            Module("Hubs") { registry in
                registry.register { Hub() }.injecting { (hub, database: Database) in hub.database = database }
                registry.register(scope: Self.request, User.init)
            })
        let child = try descendant.open(server)
        let user = try child.resolve(User.self)
        #expect(try user.hub.database === server.resolve(Database.self))
        try server.push(Self.fakes)
        let fake = try child.resolve(User.self)
        #expect(fake !== user)
        #expect(try fake.hub.database === server.resolve(Database.self))
        server.pop()
        #expect(try child.resolve(User.self) === user)
    }

    // MARK: Wrappers

    @Test(arguments: descendants)
    func wrappers_followTheParent(_ descendant: Descendant) throws {
        let server = try server()
        let child = try descendant.open(server)
        let (page, database) = AppContext.withContext(child) { (Dependency<Page>(), Dependency<Database>()) }
        let (firstPage, firstDatabase) = (page(), database())
        #expect(page() === firstPage)
        try server.push(Self.fakes)
        #expect(database() !== firstDatabase)
        #expect(page().session.database === database())
        #expect(page() !== firstPage)
        server.pop()
        #expect(database() === firstDatabase)
        #expect(page() === firstPage)
        try server.reset()
        #expect(page() !== firstPage)
        #expect(try database() === server.resolve(Database.self))
        #expect(page().session.database === database())
    }

    // MARK: How much a change does

    /// A parent that visited its children would end their instances that are made from what it resets.
    @Test func change_doesNothingInOpenChildren() throws {
        let disposed = Counter()
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register(Database.init)
                registry.register(scope: Self.request, Session.init).onDispose { _ in disposed.next() }
            })
        for _ in 0..<2 { _ = try server.resolve(Database.self) }
        var children = try (0..<1_000).map { _ in try server.child(opening: Self.request) }
        for child in children { _ = try child.resolve(Session.self) }
        try server.push(Self.fakes)
        server.pop()
        try server.reset()
        #expect(disposed.value == 0)
        _ = try children[0].resolve(Session.self)
        #expect(disposed.value == 1)
        children = []
        #expect(disposed.value == 1_001)
    }

    // MARK: Requests that are overtaken

    /// A push in the parent while a factory closure of the child runs.
    ///
    /// The factory closure continues with the state of its start.
    @Test(arguments: descendants)
    func making_thatIsOvertaken_goesOnWithItsState(_ descendant: Descendant) throws {
        final class Pair: Sendable {
            let before: Database
            let after: Database
            init(_ before: Database, _ after: Database) { (self.before, self.after) = (before, after) }
        }
        let server = try server()
        let push = Late<@Sendable () -> Void>()
        try server.load(
            Module("Pairs") { registry in
                registry.register(scope: Self.request) { (before: Database, resolver: Resolver) in
                    push.value?()
                    return Pair(before, try resolver.resolve())
                }
            })
        let child = try descendant.open(server)
        let database = try server.resolve(Database.self)
        push.value = {
            _ = try? onThread(stack: 1 << 20) { _ = try server.push(Self.fakes) }
        }
        let pair = try child.resolve(Pair.self)
        #expect(pair.before === database)
        #expect(pair.after === database)
        push.value = nil
        let next = try child.resolve(Pair.self)
        #expect(try next.before === server.resolve(Database.self))
        #expect(next.before !== database)
        server.pop()
        #expect(try child.resolve(Pair.self).before === database)
    }

    /// The factory closure in the lean child still uses the registration that the parent has released.
    @Test(arguments: descendants)
    func making_ofAModuleThatIsPopped_goesOn(_ descendant: Descendant) throws {
        let server = try server()
        let pop = Late<@Sendable () -> Void>()
        let sessions = Module("Sessions") { [log] registry in
            registry.register(scope: Self.request) { (database: Database, _: Double) in
                pop.value?()
                return Session(database)
            }
            .onDispose { _ in log("pushed") }
        }
        try server.push(sessions)
        for _ in 0..<2 { _ = try descendant.open(server).resolve(Session.self) }
        _ = log.take()
        let child = try descendant.open(server)
        pop.value = {
            _ = try? onThread(stack: 1 << 20) { server.pop() }
            pop.value = nil
        }
        let session = try child.resolve(Session.self)
        #expect(try child.resolve(Session.self) !== session)
        #expect(log.take() == ["pushed"])
    }

    @Test func hookOfAChild_mayAskWhileItFollows() throws {
        let asked = Log()
        let server = AppContext()
        try server.load(
            Module("Server") { registry in
                registry.register(Database.init)
                registry.register(scope: Self.request, Session.init).onDispose { session in
                    let next = try AppContext.current.resolve(Session.self)
                    asked(next === session ? "same" : "next")
                }
            })
        var child: AppContext? = try server.child(opening: Self.request)
        _ = try #require(child).resolve(Session.self)
        try server.reset()
        _ = try #require(child).resolve(Session.self)
        #expect(asked.take() == ["next"])
        child = nil
        _ = asked.take()
    }

    /// C1.a resolves b from its parent.
    ///
    /// The closure of b resolves d from another child, whose closure resolves b from the parent.
    @Test func cycle_overTwoChildren_isFound() throws {
        final class A: Sendable { init(_: B) {} }
        final class B: Sendable {}
        final class D: Sendable { init(_: B) {} }
        let other = Late<AppContext>()
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register { () -> B in
                    _ = try other.value?.resolve(D.self)
                    return B()
                }
                registry.register(scope: Self.request, A.init)
                registry.register(scope: Self.request, D.init)
            })
        other.value = try server.child(opening: Self.request)
        let child = try server.child(opening: Self.request)
        guard case .circularDependency? = locatorError({ try child.resolve(A.self) })?.kind else {
            Issue.record("there is a cycle")
            return
        }
        other.value = nil
        _ = try child.resolve(A.self)
    }

    // MARK: Threads

    @Test func children_areUsedAndEnd_whileTheParentIsPushedAndPopped() throws {
        let made = Counter()
        let disposed = Counter()
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register(Database.init)
                registry.register(scope: Self.request) { (database: Database) in
                    made.next()
                    return Session(database)
                }
                .onDispose { _ in disposed.next() }
                registry.register(scope: Self.request, Page.init)
            })
        let database = try server.resolve(Database.self)
        let rounds = TestScale.count(1_000)
        let kept = try (0..<2).map { _ in try server.child(opening: Self.request) }
        try Crowd.run("children_areUsedAndEnd_whileTheParentIsPushedAndPopped", threads: 4) { member in
            for round in 0..<rounds {
                member.step()
                switch member.number {
                case 0:
                    try server.push(Self.fakes)
                    if round.isMultiple(of: 8) { try server.reset(Self.request) }
                    server.pop()
                case 1:
                    let page = try kept[round % 2].resolve(Page.self)
                    let (holder, own) = AppContext.withContext(kept[round % 2]) {
                        (Dependency<Session>(), Dependency<Database>())
                    }
                    _ = (holder(), own(), page)
                default:
                    let child = try server.child(opening: Self.request)
                    let page = try child.resolve(Page.self)
                    if round.isMultiple(of: 2) { _ = try child.child(opening: Self.request).resolve(Page.self) }
                    _ = (try child.resolve(Session.self), page)
                }
            }
        }
        for child in kept { #expect(try child.resolve(Page.self).session.database === database) }
        withExtendedLifetime(kept) { #expect(disposed.value + 2 == made.value) }
    }
}
