import Locator
import Testing

/// Inputs and scopes that must be opened, in `validate`, `explain`, `graph`, and `dump`.
@Suite("Reports list inputs, and instances that cannot be made because a scope is not open")
struct OpeningReportTests {
    struct Info: Sendable {}
    final class Database: Sendable {}
    final class Trail: Sendable { init(info: Info, database: Database) {} }

    static let request = Scope("request", requiresOpening: true)

    /// The example of the README and the articles: a request with its data.
    static let server = Module("Server", fileID: "Shop/Server.swift", line: 1) { registry in
        registry.register(fileID: "Shop/Server.swift", line: 2, Database.init)
        registry.input(Info.self, scope: request, fileID: "Shop/Server.swift", line: 3)
        registry.register(scope: request, fileID: "Shop/Server.swift", line: 4, Trail.init)
        registry.register(Int.self, scope: .prototype, fileID: "Shop/Server.swift", line: 5) { (_: Trail, _: Info?) in 1
        }
    }

    // MARK: Validation

    @Test func requestsWithInputs_validate() throws {
        let context = try AppContext().load(Self.server)
        #expect(context.validate().description == "nothing found in 4 registrations")
        let child = try context.child(opening: Self.request, giving: Info())
        #expect(child.validate().description == "nothing found in 4 registrations")
        try context.load(Module("Metrics") { $0.input(Info.self, scope: Self.request) })
        #expect(context.validate().findings.isEmpty)
    }

    @Test func singleton_thatNeedsAnInput_isAFinding() throws {
        let text = try report(
            on: Self.server,
            Module("Wrong", fileID: "Shop/Wrong.swift", line: 1) { registry in
                registry.register(String.self, fileID: "Shop/Wrong.swift", line: 2) { (_: Info) in "direct" }
                registry.register(Double.self, fileID: "Shop/Wrong.swift", line: 3) { (_: Provider<Int>) in 1 }
                registry.register(Bool.self, scope: .always, fileID: "Shop/Wrong.swift", line: 4) { (_: Lazy<Trail>) in
                    true
                }
            })
        #expect(
            text == """
                Shop/Wrong.swift:2: error: String (.singleton) needs Info, an input of scope .request, which exists only in a child that opens the scope
                Shop/Server.swift:3: note: Info is registered here
                  fix: give String the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                Shop/Wrong.swift:3: error: Double (.singleton) needs Trail, an instance of scope .request, which exists only in a child that opens the scope
                Shop/Wrong.swift:3: note: Double needs Int
                Shop/Server.swift:5: note: Int needs Trail
                  fix: give Double the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                Shop/Wrong.swift:3: error: Double (.singleton) needs Info, an input of scope .request, which exists only in a child that opens the scope
                Shop/Wrong.swift:3: note: Double needs Int
                Shop/Server.swift:5: note: Int needs Info
                  fix: give Double the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                Shop/Wrong.swift:4: error: Bool (.always) needs Trail, an instance of scope .request, which exists only in a child that opens the scope
                Shop/Server.swift:4: note: Trail is registered here
                  fix: give Bool the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                4 errors in 7 registrations
                """)
    }

    @Test func scopeWithInputs_isOneThatHasToBeOpened() throws {
        let visit = Scope("visit")
        let text = try report(
            on: Module("Visits", fileID: "Shop/Visits.swift", line: 1) { registry in
                registry.input(Info.self, scope: visit, fileID: "Shop/Visits.swift", line: 2)
                registry.register(Int.self, scope: visit, fileID: "Shop/Visits.swift", line: 3) { 1 }
                registry.register(String.self, fileID: "Shop/Visits.swift", line: 4) { (_: Int) in "held" }
            })
        #expect(
            text == """
                Shop/Visits.swift:4: error: String (.singleton) needs Int, an instance of scope .visit, which exists only in a child that opens the scope
                Shop/Visits.swift:3: note: Int is registered here
                  fix: give String the scope .visit as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                1 error in 3 registrations
                """)
    }

    @Test func inputThatWasNotPassed_isAFindingOfTheChild() throws {
        let context = try AppContext().load(Module("Base") { $0.register(scope: Self.request) { "name" } })
        let child = try context.child(opening: Self.request)
        #expect(child.validate().findings.isEmpty)
        try context.load(Self.server)
        #expect(
            child.validate().description == """
                Shop/Server.swift:3: error: Info is an input that was not passed when scope .request was opened
                Shop/Server.swift:4: note: Trail needs Info
                Shop/Server.swift:5: note: Int needs Info
                  fix: pass it when the scope is opened: child(opening: …, giving: …)
                1 error in 5 registrations
                """)
        #expect(throws: LocatorError.self) { try child.resolve(Trail.self) }
        // Not if something stands for the input, or in a child of its own.
        try child.push(Module("Fake") { $0.register(Info.self) { Info() } })
        #expect(child.validate().findings.isEmpty)
        #expect(try context.child(opening: Self.request, giving: Info()).validate().findings.isEmpty)
    }

    @Test func inputThatWasPassedForAnotherScope_isAFindingOfTheChild() throws {
        let server = try AppContext().load(
            Module("Visits") { registry in
                registry.input(Info.self, scope: Self.session)
                registry.register(Int.self, scope: Self.request) { 1 }
            })
        let child = try server.child(opening: Self.session, giving: Info()).child(opening: Self.request)
        try child.push(
            Module("Request") { registry in
                registry.input(Info.self, scope: Self.request, fileID: "Shop/Request.swift", line: 2)
                registry.register(String.self, scope: Self.request, fileID: "Shop/Request.swift", line: 3) {
                    (_: Info) in ""
                }
            })
        #expect(
            child.validate().description == """
                Shop/Request.swift:2: error: Info is an input that was not passed when scope .request was opened
                Shop/Request.swift:3: note: String needs Info
                  fix: pass it when the scope is opened: child(opening: …, giving: …)
                1 error in 4 registrations
                """)
        #expect(throws: LocatorError.self) { try child.resolve(String.self) }
    }

    @Test func contextThatHasEnded_isReportedAsEnded() throws {
        var ended: AppContext?
        try AppContext().load(Self.server).within(Self.request, giving: Info()) { ended = $0 }
        #expect(
            ended?.validate().description == """
                error: the context has ended
                  fix: open the scope with `child(opening: .request)`, and keep that child for as long as it is used
                1 error in 0 registrations
                """)
    }

    @Test func singletonOfAChild_thatHoldsWhatIsOpenedThere_isHeldTooLong() throws {
        let child = try AppContext().load(Self.server).child(
            opening: Self.request, giving: Info(),
            pushing: Module("Own", fileID: "Shop/Own.swift", line: 1) { registry in
                registry.register(String.self, fileID: "Shop/Own.swift", line: 2) { (_: Info) in "held" }
                registry.register(Double.self, fileID: "Shop/Own.swift", line: 3) { (_: Provider<Info>) in 1 }
            })
        #expect(
            child.validate().description == """
                Shop/Own.swift:2: error: String (.singleton) holds Info (.request), which has a shorter lifetime
                Shop/Server.swift:3: note: Info is registered here
                  fix: take a Provider or a Lazy, or give String the scope .request as well
                1 error in 6 registrations
                """)
    }

    private final class User: Sendable {}
    private final class Handler: Sendable { init(_ user: User) {} }
    private final class LazyHandler: Sendable {
        let user: Lazy<User>
        init(_ user: Lazy<User>) { self.user = user }
    }

    private static let session = Scope("session", requiresOpening: true)

    /// A module with a handler of a user, both in line 2.
    private static func handlers(user: Scope, handler: Scope) -> Module {
        Module("Handlers", fileID: "Shop/Handlers.swift", line: 1) { registry in
            registry.register(scope: user, fileID: "Shop/Handlers.swift", line: 2, User.init)
            registry.register(scope: handler, fileID: "Shop/Handlers.swift", line: 3, Handler.init)
            registry.register(scope: handler, fileID: "Shop/Handlers.swift", line: 4, LazyHandler.init)
        }
    }

    @Test func instanceOfAnInnerScope_mayHoldThatOfAnOuterOne() throws {
        let context = try AppContext().load(Self.handlers(user: Self.session, handler: Self.request))
        let session = try context.child(opening: Self.session)
        for context in [context, session, try session.child(opening: Self.request)] {
            #expect(context.validate().description == "nothing found in 3 registrations")
        }
    }

    @Test func instanceOfAnOpenScope_cannotUseThatOfAnInnerOne() throws {
        let context = try AppContext().load(Self.handlers(user: Self.request, handler: Self.session))
        // A child may open both.
        #expect(context.validate().description == "nothing found in 3 registrations")
        let session = try context.child(opening: Self.session)
        #expect(
            session.validate().description == """
                Shop/Handlers.swift:3: error: Handler (.session) needs User, an instance of scope .request, which exists only in a child that opens the scope
                Shop/Handlers.swift:2: note: User is registered here
                  fix: give Handler the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                Shop/Handlers.swift:4: error: LazyHandler (.session) needs User, an instance of scope .request, which exists only in a child that opens the scope
                Shop/Handlers.swift:2: note: User is registered here
                  fix: give LazyHandler the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                2 errors in 3 registrations
                """)
        #expect(throws: LocatorError.self) { try session.resolve(Handler.self) }
        #expect(throws: LocatorError.self) { try session.resolve(LazyHandler.self).user.resolved() }
    }

    @Test func instanceOfAnOuterScope_cannotUseThatOfAnInnerOne_whereBothAreOpen() throws {
        let context = try AppContext().load(Self.handlers(user: Self.request, handler: Self.session))
        let request = try context.child(opening: Self.session).child(opening: Self.request)
        #expect(
            request.validate().description == """
                Shop/Handlers.swift:3: error: Handler (.session) holds User (.request), which has a shorter lifetime
                Shop/Handlers.swift:2: note: User is registered here
                  fix: give Handler the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                Shop/Handlers.swift:4: error: LazyHandler (.session) needs User, an instance of scope .request, which exists only in a child that opens the scope
                Shop/Handlers.swift:2: note: User is registered here
                  fix: give LazyHandler the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                2 errors in 3 registrations
                """)
        #expect(throws: LocatorError.self) { try request.resolve(LazyHandler.self).user.resolved() }
    }

    @Test func singleton_cannotUseWhatAChildOpens_inTheChildAsWell() throws {
        let context = try AppContext().load(Self.handlers(user: Self.request, handler: .singleton))
        let child = try context.child(opening: Self.request)
        #expect(child.validate().description == context.validate().description)
        #expect(child.validate().errors.count == 2)
        #expect(throws: LocatorError.self) { try child.resolve(LazyHandler.self).user.resolved() }
    }

    @Test func singleton_cannotUseWhatAChildOpens_whateverElseTheChildHas() throws {
        let context = try AppContext().load(Self.handlers(user: Self.request, handler: .singleton))
        let own = context.validate().errors
        let child = try context.child(opening: Self.request)
        try child.push(Module("Unrelated") { $0.register(Double.self) { 1 } })
        #expect(throws: LocatorError.self) { try child.resolve(LazyHandler.self).user.resolved() }
        #expect(own.count == 2)
        #expect(child.validate().errors.map(\.description) == own.map(\.description))
        #expect(try child.child().validate().errors.map(\.description) == own.map(\.description))
    }

    private final class Desk: Sendable {
        let user: Provider<User>
        init(_ user: Provider<User>, _ number: Int) { self.user = user }
    }

    /// The child makes its own instance from what it changes, and this instance resolves in the child.
    @Test func singleton_mayUseWhatAChildOpens_ifTheChildChangesWhatItHolds() throws {
        let context = try AppContext().load(
            Self.handlers(user: Self.request, handler: Self.request),
            Module("Desk") { registry in
                registry.register(Int.self) { 1 }
                registry.register(Desk.init)
            })
        #expect(context.validate().errors.count == 1)
        let child = try context.child(
            opening: Self.request, pushing: Module("Number") { registry in registry.register(Int.self) { 2 } })
        #expect(child.validate().findings.isEmpty)
        _ = try child.resolve(Desk.self).user()
    }

    private struct Paint: ConfigProperty {
        static let path = "paint"
        let color: String
    }

    private final class Painter: Sendable {
        let user: Provider<User>
        init(_ user: Provider<User>, _: Paint, _: [Int], _: String?) { self.user = user }
    }

    private static let painter = Module("Painter", properties: ["paint.color": "red"]) { registry in
        registry.register(Painter.init)
        registry.register(Int.self) { 1 }
    }

    @Test("The child's settings and `replaceAll` count only for what takes them", arguments: [false, true])
    func singleton_cannotUseWhatAChildOpens_ifTheChildChangesOtherThings(inOtherProfile: Bool) throws {
        let context = try AppContext().load(Self.handlers(user: Self.request, handler: Self.request), Self.painter)
        let own = context.validate().errors.map(\.message)
        #expect(own.count == 1)
        let child = try context.child(
            opening: Self.request,
            pushing: Module("Same", properties: ["paint.color": "red", "size": 1]) { $0.replaceAll(Double.self) })
        #expect(throws: LocatorError.self) { try child.resolve(Painter.self).user() }
        let report = child.validate(profiles: inOtherProfile ? ["prod"] : [])
        #expect(report.errors.map(\.message) == own)
        let inner = try child.child(pushing: Module("Inner", properties: ["size": 2]))
        #expect(inner.validate(profiles: inOtherProfile ? ["prod"] : []).errors.map(\.message) == own)
    }

    @Test(
        "The child makes its own instance, which resolves in the child",
        arguments: [
            Module("Value", properties: ["paint.color": "blue"]),
            Module("Placeholder", properties: ["paint.color": "${tint}", "tint": "blue"]),
            Module("Replacing") { $0.replaceAll(Int.self) },
            Module("Condition", properties: ["night": true]),
        ])
    func singleton_mayUseWhatAChildOpens_ifItTakesWhatTheChildChanges(pushed: Module) throws {
        let context = try AppContext().load(
            Self.handlers(user: Self.request, handler: Self.request), Self.painter,
            Module("Night", when: .property("night")) { $0.register { "night" } })
        let child = try context.child(opening: Self.request, pushing: pushed)
        _ = try child.resolve(Painter.self).user()
        #expect(child.validate().errors.isEmpty)
        #expect(try child.child().validate().errors.isEmpty)
    }

    private final class Ticket: Sendable { init(number: Int) {} }
    private final class Later: Sendable {
        let text: Provider<String>
        let ticket: Factory<Int, Ticket>
        init(_ text: Provider<String>, _ ticket: Factory<Int, Ticket>) { (self.text, self.ticket) = (text, ticket) }
    }

    @Test func whatASingletonResolvesLater_comesFromItsOwnContext() throws {
        let context = try AppContext().load(
            Module("Later", fileID: "Shop/Later.swift", line: 1) { registry in
                registry.register(fileID: "Shop/Later.swift", line: 2, Later.init)
                registry.factory(given: Int.self) { Ticket(number: $0) }
            })
        #expect(context.validate().errors.map(\.message) == ["Later needs String, which is not registered"])
        // The parent's factory is not asynchronous.
        let child = try context.child(
            pushing: Module("Own", fileID: "Shop/Own.swift", line: 1) { registry in
                registry.register(fileID: "Shop/Own.swift", line: 2) { "own" }
                registry.factory(Ticket.self, async: { (number: Int) in Ticket(number: number) })
            })
        #expect(
            child.validate().description == """
                Shop/Later.swift:2: error: Later (.singleton) needs String, which only a child registers
                Shop/Own.swift:2: note: String is registered here
                  fix: register it in the context of Later, or take String as a parameter, so that the child makes its own Later
                1 error in 4 registrations
                """)
        let later = try child.resolve(Later.self)
        _ = try later.ticket(1)
        #expect(throws: LocatorError.self) { try later.text() }
        try context.load(Module("Text") { $0.register { "shared" } })
        #expect(child.validate().findings.isEmpty)
        #expect(try later.text() == "shared")
    }

    @Test func fork_hasOpenedWhatItsOriginHad() throws {
        let context = try AppContext().load(
            Self.handlers(user: Self.request, handler: Self.request),
            Module("Desk") { registry in
                registry.register(Int.self) { 1 }
                registry.register(Desk.init)
            })
        let fork = try context.child(opening: Self.request).fork()
        #expect(fork.validate().findings.isEmpty)
        _ = try fork.resolve(Desk.self).user()
        #expect(try fork.child().validate().findings.isEmpty)
    }

    /// The scope of the handlers need not be opened, so they live in the outermost context.
    @Test func instanceOfAScopeThatIsNotOpened_cannotUseWhatAChildOpens() throws {
        let visit = Scope("visit")
        let context = try AppContext().load(Self.handlers(user: Self.request, handler: visit))
        // A child may open both.
        #expect(context.validate().description == "nothing found in 3 registrations")
        #expect(try context.child(opening: Self.request, visit).validate().findings.isEmpty)
        let child = try context.child(opening: Self.request)
        #expect(
            child.validate().description == """
                Shop/Handlers.swift:3: error: Handler (.visit) holds User (.request), which has a shorter lifetime
                Shop/Handlers.swift:2: note: User is registered here
                  fix: give Handler the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                Shop/Handlers.swift:4: error: LazyHandler (.visit) needs User, an instance of scope .request, which exists only in a child that opens the scope
                Shop/Handlers.swift:2: note: User is registered here
                  fix: give LazyHandler the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                2 errors in 3 registrations
                """)
        #expect(throws: LocatorError.self) { try child.resolve(LazyHandler.self).user.resolved() }
    }

    @Test func scopeThatTwoContextsOpen_isOpenInBoth() throws {
        let context = try AppContext().load(
            Self.handlers(user: Self.request, handler: Self.request),
            Module("Desk") { registry in
                registry.register(Int.self) { 1 }
                registry.register(scope: Self.session, Desk.init)
            })
        let outer = try context.child(opening: Self.session, Self.request)
        let inner = try outer.child(opening: Self.request)
        #expect(inner.validate().findings.isEmpty)
        _ = try inner.resolve(Desk.self).user()
    }

    @Test func weakInstance_thatHoldsWhatAChildHasOpened_livesThere() throws {
        let visit = Scope("visit")
        let context = try AppContext().load(
            Self.handlers(user: Self.request, handler: Self.request),
            Module("Desk") { registry in
                registry.register(Int.self, scope: visit) { 1 }
                registry.register(scope: .weak, Desk.init)
            })
        let child = try context.child(opening: visit, Self.request)
        #expect(child.validate().findings.isEmpty)
        _ = try child.resolve(Desk.self).user()
    }

    private final class Page: Sendable { init(_ info: Info) {} }
    private final class Home: Sendable { init(_ page: Provider<Page>) {} }

    @Test(arguments: [Part.graph, .weak, .custom])
    func need_throughAnInstanceThatEndsEarlier_isAFinding(_ part: Part) throws {
        let text = try report(
            on: Self.server,
            Module("Wrong", fileID: "Shop/Wrong.swift", line: 1) { registry in
                registry.register(fileID: "Shop/Wrong.swift", line: 2, Home.init)
                switch part {
                case .graph: registry.register(scope: .graph, fileID: "Shop/Wrong.swift", line: 3, Page.init)
                case .weak: registry.register(scope: .weak, fileID: "Shop/Wrong.swift", line: 3, Page.init)
                case .custom:
                    registry.register(scope: Scope("session"), fileID: "Shop/Wrong.swift", line: 3, Page.init)
                }
            })
        #expect(
            text == """
                Shop/Wrong.swift:2: error: Home (.singleton) needs Info, an input of scope .request, which exists only in a child that opens the scope
                Shop/Wrong.swift:2: note: Home needs Page
                Shop/Wrong.swift:3: note: Page needs Info
                  fix: give Home the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                1 error in 6 registrations
                """)
    }

    enum Part { case graph, weak, custom }

    private final class Menu: Sendable { init(_ info: Lazy<Info>) {} }
    private final class Row: Sendable { init(_ info: Info, _ later: Lazy<Info>) {} }

    @Test func weakInstance_thatResolvesLater_doesSoOutsideTheChild() throws {
        let text = try report(
            on: Self.server,
            Module("Wrong", fileID: "Shop/Wrong.swift", line: 1) { registry in
                registry.register(scope: .weak, fileID: "Shop/Wrong.swift", line: 2, Menu.init)
                // This is made in the child, because it also takes the instance itself.
                registry.register(scope: .weak, fileID: "Shop/Wrong.swift", line: 3, Row.init)
            })
        #expect(
            text == """
                Shop/Wrong.swift:2: error: Menu (.weak) needs Info, an input of scope .request, which exists only in a child that opens the scope
                Shop/Server.swift:3: note: Info is registered here
                  fix: give Menu the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                1 error in 6 registrations
                """)
    }

    @Test func instanceOfAnOuterScope_cannotResolveAnInnerOneLater() throws {
        let session = Scope("session")
        let server = try AppContext().load(
            Self.server,
            Module("Session", fileID: "Shop/Session.swift", line: 1) { registry in
                registry.register(Float.self, scope: session, fileID: "Shop/Session.swift", line: 2) { (_: Info) in 1 }
            })
        let child = try server.child(opening: session).child(opening: Self.request, giving: Info())
        #expect(
            child.validate().description == """
                Shop/Session.swift:2: error: Float (.session) holds Info (.request), which has a shorter lifetime
                Shop/Server.swift:3: note: Info is registered here
                  fix: give Float the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                1 error in 5 registrations
                """)
    }

    @Test func scopeOfOneName_withAndWithoutOpening_isAFinding() throws {
        let text = try report(
            on: Self.server,
            Module("Other", fileID: "Shop/Other.swift", line: 1) { registry in
                registry.register(String.self, scope: Scope("request"), fileID: "Shop/Other.swift", line: 2) { "" }
                registry.register(Double.self, scope: Scope("request"), fileID: "Shop/Other.swift", line: 3) { 1 }
            })
        #expect(
            text == """
                Shop/Other.swift:2: error: String has scope .request without `requiresOpening`, but another registration has it with `requiresOpening`
                Shop/Server.swift:3: note: Info is registered here
                  fix: declare the scope once: static let request = Scope("request", requiresOpening: true)
                1 error in 6 registrations
                """)
    }

    @Test func scopeOfOneName_isAFindingWhereItNeedsNoOpening_inAnyOrder() throws {
        let other = Module("Other", fileID: "Shop/Other.swift", line: 1) { registry in
            registry.register(String.self, scope: Scope("request"), fileID: "Shop/Other.swift", line: 2) { "" }
        }
        #expect(
            try report(on: other, Self.server) == """
                Shop/Other.swift:2: error: String has scope .request without `requiresOpening`, but another registration has it with `requiresOpening`
                Shop/Server.swift:3: note: Info is registered here
                  fix: declare the scope once: static let request = Scope("request", requiresOpening: true)
                1 error in 5 registrations
                """)
    }

    @Test func whatAResolverTakes_mayComeFromThePushesOfTheChild() throws {
        let context = try AppContext().load(
            Self.server,
            Module("Desk", fileID: "Shop/Desk.swift", line: 1) { registry in
                registry.register(String.self, fileID: "Shop/Desk.swift", line: 2) { (_: Resolver, _: Lazy<Trail>) in
                    ""
                }
            })
        #expect(
            try context.child(opening: Self.request, giving: Info()).validate().description == """
                Shop/Desk.swift:2: error: String (.singleton) needs Trail, an instance of scope .request, which exists only in a child that opens the scope
                Shop/Server.swift:4: note: Trail is registered here
                  fix: give String the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                Shop/Desk.swift:2: note: String takes a Resolver: what it resolves is not checked
                1 error, 1 note in 5 registrations
                """)
        // The child makes its own if a pushed module may change what it resolves.
        let fake = Module("Fake") { $0.register(Double.self) { 1 } }
        let child = try context.child(opening: Self.request, giving: Info(), pushing: fake)
        #expect(
            child.validate().description == """
                Shop/Desk.swift:2: note: String takes a Resolver: what it resolves is not checked
                1 note in 6 registrations
                """)
    }

    private protocol Record: Sendable {}
    private struct Sheet: Record { init(_: Info) {} }

    @Test func need_thatAnAliasForwards_isOfTheRegistration() throws {
        let text = try report(
            on: Self.server,
            Module("Sheets", fileID: "Shop/Sheets.swift", line: 1) { registry in
                registry.register(scope: Self.request, fileID: "Shop/Sheets.swift", line: 2, Sheet.init)
                    .alias((any Record).self, fileID: "Shop/Sheets.swift", line: 3) { $0 }
                registry.register(String.self, fileID: "Shop/Sheets.swift", line: 4) { (_: Lazy<any Record>) in "" }
            })
        #expect(
            text == """
                Shop/Sheets.swift:4: error: String (.singleton) needs Sheet, an instance of scope .request, which exists only in a child that opens the scope
                Shop/Sheets.swift:4: note: String needs the alias any Record
                Shop/Sheets.swift:3: note: the alias any Record forwards to Sheet
                  fix: give String the scope .request as well, or pass the instance to its methods; a Provider or a Lazy does not help, because it resolves outside the child
                1 error in 6 registrations
                """)
    }

    @Test func input_thatIsDeclaredAfterItsScopeWasOpened_isOneFinding() throws {
        let context = try AppContext().load(Module("First") { $0.register(Double.self, scope: Self.request) { 1 } })
        let child = try context.child(opening: Self.request)
        try context.load(
            Module("Late", fileID: "Shop/Late.swift", line: 1) { registry in
                registry.input(Info.self, scope: Self.request, fileID: "Shop/Late.swift", line: 2)
                    .alias(String.self, fileID: "Shop/Late.swift", line: 3) { _ in "" }
                registry.decorate(Info.self, fileID: "Shop/Late.swift", line: 4) { base in base }
            })
        #expect(
            child.validate().description == """
                Shop/Late.swift:2: error: Info is an input that was not passed when scope .request was opened
                Shop/Late.swift:4: note: the decorator of Info wraps Info
                  fix: pass it when the scope is opened: child(opening: …, giving: …)
                1 error in 2 registrations
                """)
    }

    @Test func decoratedInput_thatAFakeReplaces_isSound() throws {
        let context = try AppContext().load(Module("Front") { $0.decorate(Info.self) { $0 } }, Self.server)
        try context.push(Module("Fake") { $0.register(Info.self) { Info() } })
        let child = try context.child(opening: Self.request)
        _ = try child.resolve(Trail.self)
        #expect(child.validate().findings.isEmpty)
        #expect(child.graph().nodes.first { $0.kind == .input }?.isHidden == true)
    }

    @Test func decoratedInput_isSound() throws {
        let text = try report { registry in
            registry.input(Info.self, scope: Self.request)
            registry.register(Database.init)
            registry.decorate(Info.self) { (info, _: Database) in info }
        }
        #expect(text == "nothing found in 2 registrations")
    }

    // MARK: Explaining

    @Test func explanation_saysThatItIsPassedIn() throws {
        let context = try AppContext().load(Self.server)
        #expect(
            context.explain(Info.self).description == """
                Info
                  resolves to Info (Shop/Server.swift:3) in module "Server" (priority normal), .request, input
                """)
        let child = try context.child(opening: Self.request, giving: Info())
        let handedIn = """
            Info
              resolves to Info (Shop/Server.swift:3) in module "Server" (priority normal), .request, input, passed in
            """
        #expect(child.explain(Info.self).description == handedIn)
        try child.reset()
        #expect(child.explain(Info.self).description == handedIn)
        _ = try child.resolve(Trail.self)
        #expect(child.explain(Info.self).description == handedIn)
        #expect(try child.child().explain(Info.self).description == handedIn)
    }

    @Test func dump_saysThatItIsPassedIn() throws {
        let context = try AppContext().load(Self.server)
        #expect(context.dump().contains("    Info (Shop/Server.swift:3) .request, input\n"))
        let child = try context.child(opening: Self.request, giving: Info())
        #expect(
            child.dump().contains(
                "instances, in the order they were made\n  Info (Shop/Server.swift:3) .request\n"))
    }

    // MARK: Observing

    @Test func observers_receiveInputs_likeOtherInstances() throws {
        let context = try AppContext().load(Self.server)
        let log = Log()
        let observation = context.observe { event in
            if case .made(let making) = event { return log("made \(making.key) (\(making.location))") }
            log("\(event)")
        }
        do {
            let child = try context.child(opening: Self.request, giving: Info())
            _ = try child.resolve(Trail.self, fileID: "Shop/Main.swift", line: 1)
        }
        observation.end()
        #expect(
            log.entries == [
                "made Info (Shop/Server.swift:3)", "resolved Info at Shop/Server.swift:4",
                "made Database (Shop/Server.swift:2)", "resolved Database at Shop/Server.swift:4",
                "made Trail (Shop/Server.swift:4)", "resolved Trail at Shop/Main.swift:1",
                "disposed of Trail (Shop/Server.swift:4)", "disposed of Info (Shop/Server.swift:3)",
            ])
    }

    // MARK: Graph

    @Test func graph_hasInputs_inAllForms() throws {
        let context = try AppContext().load(Self.server)
        let graph = context.graph()
        let node = try #require(graph.nodes.first { $0.name == "Info" })
        #expect(node.kind == .input)
        #expect(node.scope == "request")
        #expect(node.state == .notMade)
        #expect(graph.problems.isEmpty)
        #expect(try ContextGraph(json: graph.json()) == graph)
        #expect(
            graph.text == """
                Int .prototype (Shop/Server.swift:5)
                ├─ Trail .request (Shop/Server.swift:4)
                │  ├─ Info .request, input (Shop/Server.swift:3)
                │  └─ Database .singleton (Shop/Server.swift:2)
                └─ optionally Info .request, input (Shop/Server.swift:3)
                """)
        #expect(graph.mermaid.contains("n1>\"Info<br/>.request\"]"))
        let child = try context.child(opening: Self.request, giving: Info())
        #expect(child.graph().nodes.first { $0.name == "Info" }?.state == .made)
        #expect(child.graph().text.contains("Info .request, input, passed in (Shop/Server.swift:3)"))
    }
}
