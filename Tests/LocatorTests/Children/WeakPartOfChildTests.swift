import Locator
import TestSupport
import Testing

@Suite("The reads of a parent's .weak instance in a child count for instances made from it, even after its end")
struct WeakPartOfChildTests {
    private final class User: Sendable {
        let name: String
        init(_ name: String) { self.name = name }
    }

    /// Not held by what is made from it.
    private final class Page: Sendable {
        let title: String
        init(_ title: String) { self.title = title }
    }

    private final class Report: Sendable {
        let text: String
        init(_ page: Page) { text = page.title }
    }

    /// A singleton whose deinitializer uses the context.
    private final class Connection: Sendable {
        let context: Late<AppContext>
        init(_ context: Late<AppContext>) { self.context = context }
        deinit { _ = try? context.value?.resolve(User.self) }
    }

    private final class Query: Sendable {
        let connection: Connection
        init(_ connection: Connection) { self.connection = connection }
    }

    /// What makes a child follow its parent.
    enum Following: CaseIterable {
        case resolve, fork, reset, push
    }

    @Test("A wrapper follows if the child in between no longer gives what was made from it", arguments: [false, true])
    func wrapper_followsTheChildInBetween(isWeak: Bool) throws {
        let kind = Module("Kind", properties: ["kind": "long"])
        let server = try AppContext().load(
            kind,
            Module("Reports") { registry in
                registry.register { (resolver: Resolver) in
                    let _: String = try resolver.value("kind")
                    return Report(try resolver.resolve(Page.self))
                }
                if isWeak {
                    registry.register(scope: .weak) { Page("title") }
                } else {
                    registry.register { Page("title") }
                }
            })
        let page = try server.resolve(Page.self)
        let report = try server.resolve(Report.self)
        let between = try server.child()
        let child = try between.child(pushing: Module("Same", properties: ["kind": "long"]), keepsSettings: true)
        let wrapper = AppContext.withContext(child) { Dependency<Report>() }
        #expect(wrapper() === report)
        try between.push(Module("Other", properties: ["kind": "short"]))
        #expect(wrapper() !== report)
        #expect(try child.resolve(Report.self) === wrapper())
        withExtendedLifetime(page) {}
    }

    @Test("The last reference to a part of it is released outside of the lock", arguments: Following.allCases)
    func part_isReleasedOutsideOfTheLock(_ following: Following) throws {
        let late = Late<AppContext>()
        let server = try AppContext().load(
            Self.user("Ann"),
            Module("Queries") { registry in
                registry.register { Connection(late) }
                registry.register(scope: .weak, Query.init)
            })
        late.value = server
        let child = try server.child(pushing: Self.user("Ben"))
        weak let connection = try child.resolve(Query.self).connection
        #expect(connection != nil)
        try server.reset()
        switch following {
        case .resolve: #expect(try child.resolve(User.self).name == "Ben")
        case .fork: _ = try child.fork()
        case .reset: try child.reset()
        case .push: try child.push(Module("Other") { $0.register { 1 } })
        }
        #expect(connection == nil)
        late.value = nil
    }

    /// How a page gets its title.
    enum Reading: CaseIterable {
        case user, wrapperOfUser, setting

        func title(in context: AppContext) throws -> String {
            switch self {
            case .user: try context.resolve(User.self).name
            case .wrapperOfUser: try AppContext.withContext(context) { Dependency<User>() }.resolved().name
            case .setting: try context.value("name")
            }
        }
    }

    /// The context that pages read.
    @TaskLocal private static var child = AppContext()

    private static func user(_ name: String) -> Module {
        Module(name, properties: ["name": JSONValue(name)]) { $0.register { User(name) } }
    }

    /// A server, its child, whom the server's pages read, and the child of that.
    private func contexts(_ reading: Reading) throws -> [AppContext] {
        let pages = Module("Pages") { registry in
            registry.register(scope: .weak) { Page(try reading.title(in: Self.child)) }
        }
        let server = try AppContext().load(pages, Self.user("Ann"))
        let child = try server.child()
        return [server, child, try child.child()]
    }

    private let reports = Module("Reports") { $0.register(Report.init) }

    @Test("The child's answer changes", arguments: Reading.allCases, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)])
    func push(_ reading: Reading, _ place: (asked: Int, changed: Int)) throws {
        let contexts = try contexts(reading)
        let (asked, changed) = (contexts[place.asked], contexts[place.changed])
        try asked.push(reports)
        try Self.$child.withValue(contexts[1]) {
            let report = try asked.resolve(Report.self)
            #expect(report.text == "Ann")
            for _ in 0..<2 {
                try changed.push(Self.user("Bob"))
                #expect(try asked.resolve(Report.self).text == "Bob")
                changed.pop()
            }
            #expect(try asked.resolve(Report.self) === report)
        }
    }

    @Test("The child's instance ends", arguments: [Reading.user, .wrapperOfUser], 0..<3)
    func reset(_ reading: Reading, _ asked: Int) throws {
        for changed in 0..<2 {
            let contexts = try contexts(reading)
            try contexts[asked].push(reports)
            // Without it, the child shares the server's user.
            if changed == 1 { try contexts[1].push(Self.user("Eve")) }
            try Self.$child.withValue(contexts[1]) {
                let report = try contexts[asked].resolve(Report.self)
                try contexts[changed].reset()
                #expect(try contexts[asked].resolve(Report.self) !== report)
            }
        }
    }

    @Test("A child keeps its own instance even when it is no longer necessary", arguments: Reading.allCases)
    func ownInstanceStays(_ reading: Reading) throws {
        let log = Log()
        let pages = Module("Pages") { registry in
            registry.register(scope: .weak) { Page(try reading.title(in: Self.child)) }
            registry.register(scope: Scope("request")) { (page: Page) in Desk(page: page) }
                .onDispose { _ in log("dispose of desk") }
        }
        let server = try AppContext().load(pages, Self.user("Ann"))
        let child = try server.child(opening: Scope("request"))
        let desk = AppContext.withContext(child) { Dependency<Desk>() }
        try Self.$child.withValue(server) {
            try child.push(Self.user("Bob"))
            #expect(try desk.resolved().page.title == "Ann")
            child.pop()
            let own = try child.resolve(Desk.self)
            #expect(own.page.title == "Ann")
            #expect(log.take() == [])
            #expect(try child.resolve(Desk.self) === own)
            #expect(try desk.resolved() === own)
        }
    }

    private final class Desk: Sendable {
        let page: Page
        init(page: Page) { self.page = page }
    }

    @Test func partOfTheChild_thatHasEnded_countsForWhatTheParentMadeFromIt() throws {
        let late = Late<AppContext>()
        let server = try AppContext().load(
            Module("Reports") { registry in
                registry.register { () throws -> Report in
                    Report(try #require(late.value).resolve(Page.self))
                }
            })
        let child = try server.child()
        late.value = child
        try child.load(
            Self.user("Ann"),
            Module("Pages") { registry in
                registry.register(scope: .weak) { (user: User) in Page("Page of \(user.name)") }
            })
        let report = try server.resolve(Report.self)
        #expect(report.text == "Page of Ann")
        #expect(try server.resolve(Report.self) === report)
        try child.push(Self.user("Ben"))
        #expect(try server.resolve(Report.self).text == "Page of Ben")
        child.pop()
        #expect(try server.resolve(Report.self) === report)
    }

    @Test func partOfTheChild_thatEndsWithItsRequest_countsForWhatTheParentMadeFromIt() throws {
        let late = Late<AppContext>()
        let server = try AppContext().load(
            Module("Reports") { registry in
                registry.register(Report.self) { try #require(late.value).resolve(Report.self, qualifier: "draft") }
            })
        let child = try server.child()
        late.value = child
        try child.load(
            Self.user("Ann"),
            Module("Pages") { registry in
                registry.register(scope: .weak) { (user: User) in Page("Page of \(user.name)") }
                registry.register(qualifier: "draft", scope: .prototype, Report.init)
            })
        #expect(try server.resolve(Report.self).text == "Page of Ann")
        try child.push(Self.user("Ben"))
        #expect(try server.resolve(Report.self).text == "Page of Ben")
    }
}
