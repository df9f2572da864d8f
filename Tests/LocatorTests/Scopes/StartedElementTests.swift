import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

@Suite("A start makes the elements of collections, including those that do not come first for their key")
struct StartedElementTests {
    private protocol Plugin: Sendable { var name: String { get } }
    private struct Fast: Plugin { let name = "fast" }
    private struct Slow: Plugin { let name = "slow" }

    private struct Host: Sendable {
        let names: [String]
        init(_ plugins: [any Plugin]) { names = plugins.map(\.name) }
    }

    private final class Later: Sendable {
        let plugins: Provider<[any Plugin]>
        init(_ plugins: Provider<[any Plugin]>) { self.plugins = plugins }
    }

    private struct Names: Sendable {
        let list: [String]
    }

    private static let fast = Module("Fast") { $0.register((any Plugin).self) { Fast() } }
    private static let slow = Module("Slow") { $0.register((any Plugin).self, async: { Slow() }) }

    /// A registration that takes the plugins.
    struct Taker: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let module: Module
        let names: @Sendable (AppContext) throws -> [String]
    }

    static let takers = [
        Taker(
            testDescription: "a parameter", module: Module("Host") { $0.register(Host.init) },
            names: { try $0.resolve(Host.self).names }),
        Taker(
            testDescription: "a parameter of an asynchronous closure",
            module: Module("Host") { $0.register(Host.self, async: { (plugins: [any Plugin]) in Host(plugins) }) },
            names: { try $0.resolve(Host.self).names }),
        Taker(
            testDescription: "a provider", module: Module("Later") { $0.register(Later.init) },
            names: { try $0.resolve(Later.self).plugins().map(\.name) }),
        Taker(
            testDescription: "a decorator",
            module: Module("Names") { registry in
                registry.register { Names(list: []) }
                registry.decorate(Names.self) { (_, plugins: [any Plugin]) in Names(list: plugins.map(\.name)) }
            },
            names: { try $0.resolve(Names.self).list }),
    ]

    @Test(arguments: takers)
    func takenElement_isMade(_ taker: Taker) async throws {
        let context = try AppContext().load(Self.fast, Self.slow, taker.module)
        #expect(context.validate().findings.isEmpty)
        try await context.start()
        #expect(try taker.names(context) == ["fast", "slow"])
        // The same in a fork, and under a fake.
        let fork = try context.fork(pushing: Module("Fake") { $0.register((any Plugin).self) { Fast() } })
        try await fork.start()
        #expect(try taker.names(fork) == ["fast", "fast", "slow"])
    }

    @Test func elementThatWasRequestedInVain_isMadeByTheNextStart() async throws {
        let slow = Module("Slow") { $0.register((any Plugin).self, fileID: file, line: 2, async: { Slow() }) }
        let context = try AppContext().load(Self.fast, slow)
        // Nobody is known to need it.
        try await context.start()
        #expect(
            message { try context.resolveAll((any Plugin).self, fileID: file, line: 9) } == """
                Shop/Shop.swift:2: any Plugin has an asynchronous factory closure that has not run yet
                  requested: any Plugin at Shop/Shop.swift:9
                  another registration of any Plugin comes before it, and no registration takes the array
                  fix: call `try await context.start()` again, which makes it after this request, or take the array in a registration
                """)
        try await context.start()
        #expect(try context.resolveAll((any Plugin).self).map(\.name) == ["fast", "slow"])
    }

    @Test func elementThatOnlyAModuleThatIsOffTakes_isNotMade() async throws {
        let runs = Counter()
        let slow = Module("Slow") { registry in
            registry.register(
                (any Plugin).self,
                async: {
                    runs.next()
                    return Slow()
                })
        }
        let host = Module("Host", when: .property("host", equals: true)) { $0.register(Host.init) }
        let context = try AppContext().load(Self.fast, slow, host)
        try await context.start()
        #expect(runs.value == 0)
        try context.load(Module("On", properties: ["host": true]) { _ in })
        try await context.start()
        #expect(runs.value == 1)
        #expect(try context.resolve(Host.self).names == ["fast", "slow"])
    }

    @Test func hiddenInstance_isNotMade_unlessItIsAnElement() async throws {
        let runs = Counter()
        let real = Module("Real") { registry in
            registry.register(
                (any Plugin).self,
                async: {
                    runs.next()
                    return Slow()
                })
        }
        let context = try AppContext().load(real)
        try context.push(Self.fast)
        try await context.start()
        _ = try context.resolve((any Plugin).self)
        try await context.start()
        #expect(runs.value == 0)
        let replacing = Module("Replacing") { registry in
            registry.replaceAll((any Plugin).self)
            registry.register((any Plugin).self) { Fast() }
            registry.register(Host.init)
        }
        let replaced = try AppContext().load(real)
        try replaced.push(replacing)
        try await replaced.start()
        #expect(try replaced.resolve(Host.self).names == ["fast"])
        #expect(runs.value == 0)
    }

    @Test("An element is made even if only a hidden registration takes it, and validation reports what is missing")
    func elementForHiddenHost() async throws {
        let old = Module("Old") { registry in
            registry.register((any Plugin).self, fileID: file, line: 2, async: { (_: Names) in Slow() })
            registry.register(Host.init)
        }
        let new = Module("New") { registry in
            registry.register((any Plugin).self) { Fast() }
            registry.register { Host([]) }
        }
        let context = try AppContext().load(new, old)
        #expect(
            context.validate().errors.map { "\($0.location, default: "") \($0.message)" } == [
                "Shop/Shop.swift:2 any Plugin needs Names, which is not registered"
            ])
        await #expect(throws: LocatorError.self) { try await context.start() }
        try context.load(Module("Names") { $0.register { Names(list: []) } })
        #expect(context.validate().errors.isEmpty)
        try await context.start()
        #expect(try context.resolveAll((any Plugin).self).map(\.name) == ["fast", "slow"])
    }
}

@Suite("A start of the root does not make instances that can only be made in a child")
struct StartedInChildTests {
    private struct User: Sendable {}
    private struct Report: Sendable {}
    private struct Page: Sendable {}

    @Test func instanceThatNeedsOneOfAScopeToOpen_isMadeWhereBothScopesAreOpen() async throws {
        let context = try AppContext().load(
            Module("Reports") { registry in
                registry.input(User.self, scope: .inner)
                registry.register(scope: .prototype) { (_: User) in Page() }
                registry.register(Report.self, scope: .outer, async: { (_: Page) in Report() })
            })
        try await context.start()
        let child = try context.child(opening: .outer, .inner, giving: User())
        try await child.start()
        _ = try child.resolve(Report.self)
    }

    @Test(arguments: ["array", "qualifier from a setting", "injection"])
    func instanceThatNeedsOneIndirectly_isMadeWhereBothScopesAreOpen(_ way: String) async throws {
        let context = try AppContext().load(
            Module("Reports", properties: ["user": "current"]) { registry in
                registry.input(User.self, qualifier: "current", scope: .inner)
                switch way {
                case "array":
                    registry.register(Late.self, scope: .outer, async: { (_: [User]) in Late() })
                case "injection":
                    registry.register(Late.self, scope: .outer, async: { Late() }).injecting {
                        (_: Late, _: User) in
                    }
                default:
                    registry.register(
                        Late.self, scope: .outer, parameterQualifiers: [.property("user")],
                        async: { (_: User) in Late() })
                }
            })
        #expect(context.validate().errors.isEmpty)
        try await context.start()
        let child = try context.child(opening: .outer, .inner, and: .input(User(), qualifier: "current"))
        try await child.start()
        _ = try child.resolve(Late.self)
    }

    private final class Late: Sendable {}

    private struct Database: Sendable {}
    private struct Repository: Sendable { init(_ database: Database) {} }

    @Test func instanceOfTheParent_isMadeByTheStartOfTheParent() async throws {
        let context = try AppContext().load(
            Module("Data", fileID: "Shop/Data.swift", line: 1) { registry in
                registry.register(Database.self, fileID: "Shop/Data.swift", line: 2, async: { Database() })
                registry.register(scope: .outer, fileID: "Shop/Data.swift", line: 3, Repository.init)
            })
        let child = try context.child(opening: .outer)
        try await child.start()
        #expect(
            message { try child.resolve(Repository.self, fileID: "Shop/Main.swift", line: 4) } == """
                Shop/Data.swift:2: Database has an asynchronous factory closure that has not run yet
                  needed by Repository (Shop/Data.swift:3)
                  requested: Repository at Shop/Main.swift:4
                  it belongs to a parent of the child that requests it, and the start of a child does not make it
                  fix: call `try await parent.start()` first
                """)
        try await context.start()
        _ = try child.resolve(Repository.self)
    }
}

extension Scope {
    fileprivate static let outer = Scope("outer")
    fileprivate static let inner = Scope("inner", requiresOpening: true)
}
