import Locator
import TestSupport
import Testing

private let file: StaticString = "Shop/Shop.swift"

private protocol Visit: Sendable {}
private final class Session: Visit {}
private final class Request: Sendable {}
private struct Basket: Sendable {}
private struct Orders: Sendable {}
private struct Shop: Sendable {}
private struct Database: Sendable {}

extension Scope {
    fileprivate static let session = Scope("session")
    fileprivate static let request = Scope("request")
}

@Suite("Validation finds shared instances that hold shorter-lived ones")
struct CaptiveFindingTests {
    @Test func holder_thatIsNeverMade_isNoFinding() throws {
        let context = try AppContext().load(
            Module("Front") { $0.register(Shop.self) { Shop() } },
            Module("Base") { registry in
                registry.register(Session.self, scope: .session) { Session() }
                registry.register(Shop.self) { (_: Session) in Shop() }
            })
        #expect(context.validate().findings.map(\.kind) == [.shadowed])
    }

    @Test func singleton_holdsAnInstanceOfACustomScope() throws {
        let text = try report { registry in
            registry.register(Session.self, scope: .session, fileID: file, line: 2) { Session() }
            registry.register(Shop.self, fileID: file, line: 3) { (_: Session) in Shop() }
        }
        #expect(
            text == """
                Shop/Shop.swift:3: error: Shop (.singleton) holds Session (.session), which has a shorter lifetime
                Shop/Shop.swift:2: note: Session is registered here
                  fix: take a Provider or a Lazy, or give Shop the scope .session as well
                1 error in 2 registrations
                """)
    }

    @Test func singleton_holdsAWeakInstance() throws {
        let text = try report { registry in
            registry.register(Session.self, scope: .weak, fileID: file, line: 2) { Session() }
            registry.register(Shop.self, fileID: file, line: 3) { (_: Session) in Shop() }
        }
        #expect(
            text == """
                Shop/Shop.swift:3: error: Shop (.singleton) holds Session (.weak), which has a shorter lifetime
                Shop/Shop.swift:2: note: Session is registered here
                  fix: take a Provider, or register it as .singleton if it may outlive its holders
                1 error in 2 registrations
                """)
    }

    @Test func sharedInstances_holdOneOfScopeGraph() throws {
        let text = try report { registry in
            registry.register(Basket.self, scope: .graph, fileID: file, line: 2) { Basket() }
            registry.register(Shop.self, fileID: file, line: 3) { (_: Basket) in Shop() }
            registry.register(Session.self, scope: .weak, fileID: file, line: 4) { (_: Basket) in Session() }
            registry.register(Request.self, scope: .request, fileID: file, line: 5) { (_: Basket?) in Request() }
            // These live no longer than a request.
            registry.register(Orders.self, scope: .graph, fileID: file, line: 6) { (_: Basket) in Orders() }
            registry.register(Int.self, scope: .prototype, fileID: file, line: 7) { (_: Basket) in 1 }
        }
        #expect(
            text == """
                Shop/Shop.swift:3: error: Shop (.singleton) holds Basket (.graph), which has a shorter lifetime
                Shop/Shop.swift:2: note: Basket is registered here
                Shop/Shop.swift:4: note: Session (.weak) holds it, too
                Shop/Shop.swift:5: note: Request (.request) holds it, too
                  fix: take a Provider, or register it as .prototype if each holder may have its own
                1 error in 6 registrations
                """)
    }

    @Test func holding_goesThroughPrototypes() throws {
        let text = try report { registry in
            registry.register(Session.self, scope: .session, fileID: file, line: 2) { Session() }
            registry.register(Basket.self, scope: .prototype, fileID: file, line: 3) { (_: Session) in Basket() }
            registry.register(Orders.self, scope: .prototype, fileID: file, line: 4) { (_: [Basket]) in Orders() }
            registry.register(Shop.self, scope: .always, fileID: file, line: 5) { Shop() }
                .injecting { (_: Shop, _: Orders) in }
        }
        #expect(
            text == """
                Shop/Shop.swift:5: error: Shop (.always) holds Session (.session), which has a shorter lifetime
                Shop/Shop.swift:5: note: Shop needs Orders
                Shop/Shop.swift:4: note: Orders needs Basket
                Shop/Shop.swift:3: note: Basket needs Session
                  fix: take a Provider or a Lazy, or give Shop the scope .session as well
                1 error in 4 registrations
                """)
    }

    @Test func holding_goesThroughAliases() throws {
        let text = try report { registry in
            registry.register(Session.self, scope: .session, fileID: file, line: 2) { Session() }
                .alias((any Visit).self, fileID: file, line: 3) { $0 }
            registry.register(Shop.self, fileID: file, line: 4) { (_: any Visit) in Shop() }
        }
        #expect(
            text == """
                Shop/Shop.swift:4: error: Shop (.singleton) holds Session (.session), which has a shorter lifetime
                Shop/Shop.swift:4: note: Shop needs the alias any Visit
                Shop/Shop.swift:3: note: the alias any Visit forwards to Session
                  fix: take a Provider or a Lazy, or give Shop the scope .session as well
                1 error in 2 registrations
                """)
    }

    @Test func holding_goesThroughDecorators() throws {
        let text = try report { registry in
            registry.register(Session.self, scope: .session, fileID: file, line: 2) { Session() }
            registry.register(Basket.self, scope: .session, fileID: file, line: 3) { Basket() }
            registry.decorate(Basket.self, fileID: file, line: 4) { $0 }
            registry.register(Orders.self, fileID: file, line: 5) { Orders() }
            registry.decorate(Orders.self, fileID: file, line: 6) { (base: Orders, _: Session) in base }
            registry.register(Shop.self, fileID: file, line: 7) { (_: Basket, _: Orders) in Shop() }
        }
        #expect(
            text == """
                Shop/Shop.swift:6: error: the decorator of Orders (.singleton) holds Session (.session), \
                which has a shorter lifetime
                Shop/Shop.swift:2: note: Session is registered here
                  fix: take a Provider or a Lazy, or give Orders the scope .session as well
                Shop/Shop.swift:7: error: Shop (.singleton) holds the decorator of Basket (.session), \
                which has a shorter lifetime
                Shop/Shop.swift:4: note: the decorator of Basket is registered here
                  fix: take a Provider or a Lazy, or give Shop the scope .session as well
                2 errors in 4 registrations
                """)
    }

    @Test func holder_ofVeryMany_isNotReportedForEach() throws {
        let shop = Module("Shop") { registry in
            for line: UInt in 2...13 {
                registry.register(
                    Basket.self, qualifier: .named("\(line)"), scope: .graph, fileID: file, line: line
                ) { Basket() }
            }
            registry.register(Shop.self, fileID: file, line: 14) { (_: [Basket]) in Shop() }
        }
        let findings = try AppContext().load(shop).validate().findings
        #expect(findings.map { $0.keys[1].qualifier } == (2...11).map { "\($0)" })
        #expect(
            findings.last?.description == """
                Shop/Shop.swift:14: error: Shop (.singleton) holds Basket "11" (.graph), which has a shorter lifetime
                Shop/Shop.swift:11: note: Basket "11" is registered here
                note: Shop holds more instances with shorter lifetimes
                  fix: take a Provider, or register it as .prototype if each holder may have its own
                """)
    }

    @Test func longWay_isListedAtItsEnds() throws {
        func way(through count: UInt) throws -> [Finding] {
            try AppContext().load(
                Module("Shop") { registry in
                    registry.register(Session.self, scope: .session, fileID: file, line: 1) { Session() }
                    registry.register(
                        Basket.self, qualifier: "1", scope: .prototype, fileID: file, line: 2
                    ) { (_: Session) in Basket() }
                    for number in 2...count {
                        registry.register(
                            Basket.self, qualifier: .named("\(number)"), scope: .prototype,
                            parameterQualifiers: [.named("\(number - 1)")], fileID: file, line: number + 1
                        ) { (_: Basket) in Basket() }
                    }
                    registry.register(
                        Shop.self, parameterQualifiers: [.named("\(count)")], fileID: file, line: count + 2
                    ) { (_: Basket) in Shop() }
                }
            ).validate().findings
        }
        let short = try way(through: 19)
        #expect(short.count == 1)
        #expect(short.first?.notes.count == 20)
        let long = try way(through: 30)
        #expect(long.count == 1)
        func steps(_ numbers: ClosedRange<Int>) -> [String] {
            numbers.reversed().map { #"Basket "\#($0)" needs Basket "\#($0 - 1)""# }
        }
        var expected = [#"Shop needs Basket "30""#] + steps(22...30)
        expected.append("… and 11 more steps")
        expected += steps(2...10)
        expected.append(#"Basket "1" needs Session"#)
        #expect(long.first?.notes.map(\.text) == expected)
    }

    @Test func nearestInstances_areReportedFirst_inTheOrderOfTheNeeds() throws {
        let shop = Module("Shop") { registry in
            for name: Qualifier in ["near", "left", "both", "right"] {
                registry.register(Session.self, qualifier: name, scope: .session, fileID: file, line: 2) { Session() }
            }
            registry.register(
                Basket.self, scope: .prototype, parameterQualifiers: ["left", "both"], fileID: file, line: 3
            ) { (_: Session, _: Session) in Basket() }
            registry.register(
                Orders.self, scope: .prototype, parameterQualifiers: ["both", "right"], fileID: file, line: 4
            ) { (_: Session, _: Session) in Orders() }
            registry.register(
                Shop.self, parameterQualifiers: [nil, nil, "near"], fileID: file, line: 5
            ) { (_: Orders, _: Basket, _: Session) in Shop() }
            registry.register(Database.self, fileID: file, line: 6) { (_: Basket) in Database() }
        }
        let findings = try AppContext().load(shop).validate().findings
        #expect(
            findings.map { "\($0.keys[0]): \($0.keys[1].qualifier ?? ""), \($0.notes.count)" } == [
                "Shop: near, 1", "Shop: both, 2", "Shop: right, 2", "Shop: left, 2", "Database: left, 2",
                "Database: both, 2",
            ])
        #expect(findings[1].notes.first?.text == "Shop needs Orders")
    }

    @Test(
        "Instances that hold nothing shorter-lived",
        arguments: [
            // The holder owns a prototype.
            Registering { $0.register(Shop.self) { (_: Basket) in Shop() } },
            Registering { $0.register(Shop.self) { (_: Provider<Session>) in Shop() } },
            Registering { $0.register(Shop.self) { (_: Lazy<Session>, _: Lazy<Session?>) in Shop() } },
            // Instances of one scope, and of scopes whose durations cannot be compared.
            Registering { $0.register(Shop.self, scope: .session) { (_: Session) in Shop() } },
            Registering { $0.register(Shop.self, scope: .request) { (_: Session) in Shop() } },
            Registering { $0.register(Shop.self, scope: .prototype) { (_: Session) in Shop() } },
            Registering { $0.factory(Shop.self) { (_: String, _: Session) in Shop() } },
        ])
    private func holdingNothing(_ row: Registering) throws {
        let text = try report { registry in
            registry.register(Session.self, scope: .session) { Session() }
            registry.register(Basket.self, scope: .prototype) { Basket() }
            row.register(registry)
        }
        #expect(text == "nothing found in 3 registrations")
    }

    @Test func scopeThatAChildOpens_livesShorterThanThoseAround() throws {
        let shop = Module("Shop") { registry in
            registry.register(Session.self, scope: .session, fileID: file, line: 2) { (_: Request) in Session() }
            registry.register(Request.self, scope: .request, fileID: file, line: 3) { Request() }
            registry.register(Shop.self, scope: .request, fileID: file, line: 4) { (_: Session) in Shop() }
        }
        let context = try AppContext().load(shop)
        #expect(context.validate().description == "nothing found in 3 registrations")
        let visit = try context.child(opening: .session)
        #expect(
            visit.validate().description == """
                Shop/Shop.swift:4: error: Shop (.request) holds Session (.session), which has a shorter lifetime
                Shop/Shop.swift:2: note: Session is registered here
                  fix: take a Provider or a Lazy, or give Shop the scope .session as well
                1 error in 3 registrations
                """)
        #expect(
            try visit.child(opening: .request).validate().description == """
                Shop/Shop.swift:2: error: Session (.session) holds Request (.request), which has a shorter lifetime
                Shop/Shop.swift:3: note: Request is registered here
                  fix: take a Provider or a Lazy, or give Session the scope .request as well
                1 error in 3 registrations
                """)
    }
}

@Suite("Validation finds instances made at load that need instances made by start()")
struct AlwaysFindingTests {
    /// The report on a module that is off at first, so that nothing in it is made.
    private func report(_ register: @escaping @Sendable (Registry) -> Void) throws -> String {
        let folder = try TemporaryFolder(["application.json": "{}", "application-prod.json": "{}"])
        let context = try AppContext().loadProperties(from: folder.path, environment: [:])
            .load(Module("Shop", when: .profile("prod"), register))
        return context.validate(profiles: ["prod"]).description
    }

    @Test func instanceMadeAtLoad_needsAnAsynchronousOne() throws {
        let text = try report { registry in
            registry.register(Database.self, fileID: file, line: 2, async: { Database() })
            registry.register(Shop.self, scope: .always, fileID: file, line: 3) { (_: Database) in Shop() }
        }
        #expect(
            text == """
                Shop/Shop.swift:3: error: Shop is made when its module is loaded, but needs Database, which only start() makes [prod]
                Shop/Shop.swift:2: note: Database is registered here
                  fix: give it the scope .singleton, take a Lazy, or register it with `async:` as well
                1 error in 2 registrations (prod)
                """)
    }

    @Test func instanceMadeAtLoad_needsAnAsynchronousOne_throughOthers() throws {
        let text = try report { registry in
            registry.register(Database.self, fileID: file, line: 2, async: { Database() })
            registry.register(Orders.self, fileID: file, line: 3) { (_: Database) in Orders() }
            registry.register(Shop.self, scope: .always, fileID: file, line: 4) { (_: Orders) in Shop() }
            registry.decorate(Shop.self, fileID: file, line: 5) { $0 }
        }
        #expect(
            text == """
                Shop/Shop.swift:4: error: Shop is made when its module is loaded, but needs Database, which only start() makes [prod]
                Shop/Shop.swift:4: note: Shop needs Orders
                Shop/Shop.swift:3: note: Orders needs Database
                  fix: give it the scope .singleton, take a Lazy, or register it with `async:` as well
                1 error in 3 registrations (prod)
                """)
    }

    @Test func decoratorOfAnInstanceMadeAtLoad_needsAnAsynchronousOne() throws {
        let text = try report { registry in
            registry.register(Database.self, fileID: file, line: 2, async: { Database() })
            registry.register(Shop.self, scope: .always, fileID: file, line: 3) { Shop() }
            registry.decorate(Shop.self, fileID: file, line: 4) { (base: Shop, _: Database) in base }
        }
        #expect(
            text == """
                Shop/Shop.swift:4: error: the decorator of Shop is made when its module is loaded, but needs Database, \
                which only start() makes [prod]
                Shop/Shop.swift:2: note: Database is registered here
                  fix: give it the scope .singleton, take a Lazy, or register it with `async:` as well
                1 error in 2 registrations (prod)
                """)
    }

    @Test func hiddenInstance_isMadeAtLoadAsWell() throws {
        let front = Module("Front") { registry in
            registry.register(Shop.self, fileID: "Shop/Front.swift", line: 2) { Shop() }
        }
        let shop = Module("Shop") { registry in
            registry.register(Shop.self, scope: .always, fileID: file, line: 2) { (_: Orders) in Shop() }
        }
        let failed = message { try AppContext().load(front, shop) }
        #expect(failed?.hasPrefix("Shop/Shop.swift:2: Orders is not registered") == true)
        let orders = Module("Orders") { $0.register(Orders.self) { Orders() } }
        let remote = Module("Remote", when: .profile("prod")) { registry in
            registry.register(Orders.self, fileID: file, line: 3, async: { Orders() })
        }
        let folder = try TemporaryFolder(["application.json": "{}", "application-prod.json": "{}"])
        let context = try AppContext().loadProperties(from: folder.path, environment: [:])
            .load(remote, priority: .high).load(front, orders, shop)
        let report = context.validate(profiles: ["prod"])
        #expect(
            report.errors.map(\.description) == [
                """
                Shop/Shop.swift:2: error: Shop is made when its module is loaded, but needs Orders, which only start() makes [prod]
                Shop/Shop.swift:3: note: Orders is registered here
                  fix: give it the scope .singleton, take a Lazy, or register it with `async:` as well
                """
            ])
        try context.unload(orders)
        #expect(context.validate().errors.map(\.message) == ["Shop needs Orders, which is not registered"])
    }

    /// What a fake affects is made on demand.
    @Test func nothingIsFound_whenAFakeIsAsynchronous() async throws {
        let folder = try TemporaryFolder(["application.json": "{}", "application-prod.json": "{}"])
        let context = try AppContext().loadProperties(from: folder.path, environment: [:]).load(
            Module("Shop") { registry in
                registry.register(Database.self) { Database() }
                registry.register(Shop.self, scope: .always) { (_: Database) in Shop() }
            })
        let fakes = Module("Fakes") { $0.register(Database.self, async: { Database() }) }
        let fork = try context.fork(pushing: fakes)
        for context in [fork, try context.push(fakes).context] {
            #expect(context.validate().description == "nothing found in 3 registrations")
            #expect(context.validate(profiles: ["prod"]).description == "nothing found in 3 registrations (prod)")
            try await context.start()
            _ = try context.resolve(Shop.self)
        }
    }

    @Test func nothingIsFound_whenItsModuleIsLoadedAfterTheStart() async throws {
        let context = try AppContext().load(Module("Data") { $0.register(Database.self, async: { Database() }) })
        try await context.start()
        try context.load(
            Module("Shop") { $0.register(Shop.self, scope: .always) { (_: Database) in Shop() } })
        #expect(context.validate().description == "nothing found in 2 registrations")
    }

    @Test func nothingIsFound_whenItIsNotNeededAtLoad() throws {
        let text = try report { registry in
            registry.register(Database.self, async: { Database() })
            registry.register(Shop.self, scope: .always) { (_: Lazy<Database>) in Shop() }
            registry.register(Orders.self) { (_: Database) in Orders() }
            registry.register(Basket.self, scope: .always, async: { (_: Database) in Basket() })
        }
        #expect(text == "nothing found in 4 registrations (prod)")
    }

    /// The decorator of an alias is made on demand.
    @Test func nothingIsFound_whenADecoratorOfAnAliasNeedsIt() async throws {
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Database.self, async: { Database() })
                registry.register(Shop.self, scope: .always) { Shop() }.alias((any Sendable).self) { $0 }
                registry.decorate((any Sendable).self) { (base, _: Database) in base }
            })
        #expect(context.validate().errors.isEmpty)
        try await context.start()
        _ = try context.resolve((any Sendable).self)
    }
}
