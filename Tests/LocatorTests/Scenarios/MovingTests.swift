import Locator
import TestSupport
import Testing

// What the article `Migrating` says about the differences from other libraries.

private protocol Catalog: Sendable {
    var titles: [String] { get }
}

private struct RealCatalog: Catalog {
    let titles = ["Frankenstein"]
}

private struct FakeCatalog: Catalog {
    let titles = ["Emma"]
}

private let real = Module("Real") { $0.register((any Catalog).self, RealCatalog.init) }
private let fakes = Module("Fakes") { $0.register((any Catalog).self, FakeCatalog.init) }

@Suite("Moving from another library: what differs")
struct MovingTests {
    struct Holder {
        fileprivate let catalog: any Catalog
    }

    struct Loading: Sendable {
        let title: String
        let load: @Sendable (AppContext) throws -> AppContext
    }

    @Test(
        "The first of two loads wins, unless the second is pushed or has a higher priority",
        arguments: [
            Loading(title: "Frankenstein") { try $0.load(real, fakes) },
            Loading(title: "Frankenstein") { try $0.load(real).load(fakes) },
            Loading(title: "Emma") { try $0.load(real).load(fakes, priority: .high) },
            Loading(title: "Emma") { try $0.load(real).push(fakes).context },
        ])
    func precedence(loading: Loading) throws {
        let context = try loading.load(AppContext())
        #expect(try context.resolve((any Catalog).self).titles == [loading.title])
    }

    @Test("In one module, the last registration does not replace the first: a request for one is an error")
    func twoInOneModule() throws {
        let both = Module("Both") { registry in
            registry.register((any Catalog).self, fileID: "Shop/Shop.swift", line: 1, RealCatalog.init)
            registry.register((any Catalog).self, fileID: "Shop/Shop.swift", line: 2, FakeCatalog.init)
        }
        let user = Module("User") { $0.register(scope: .prototype) { Holder(catalog: $0) } }
        let context = try AppContext().load(both, user)
        #expect(context.validate().errors.map(\.kind) == [.ambiguous])
        #expect(
            message { try context.resolve((any Catalog).self, fileID: "Shop/Home.swift", line: 3) } == """
                Shop/Home.swift:3: 2 registrations match any Catalog, and none of them is primary
                  candidate: any Catalog (Shop/Shop.swift:1)
                  candidate: any Catalog (Shop/Shop.swift:2)
                  fix: give them qualifiers and request one by its qualifier, mark one of them .primary(), or get all of them with resolveAll
                """)
    }

    @Test(
        "A module with a profile condition comes first with the priority .profile",
        arguments: ["preview", "dev"])
    func profile(name: String) throws {
        let folder = try TemporaryFolder(["application.json": "{}", "application-\(name).json": "{}"])
        let previewFakes = Module("Fakes", when: .profile("preview")) { registry in
            registry.register((any Catalog).self, FakeCatalog.init)
        }
        let context = try AppContext().loadProperties(from: folder.path, profiles: .init([name]))
            .load(real).load(previewFakes, priority: .profile)
        #expect(try context.resolve((any Catalog).self).titles == [name == "preview" ? "Emma" : "Frankenstein"])
    }

    // MARK: Graph

    final class Basket: Sendable {}

    struct Pair: Sendable {
        let first: Basket, second: Basket
    }

    final class Reader {
        @Dependency var first: Basket
        @Dependency var second: Basket
    }

    final class EagerReader {
        @Dependency var first: Basket
        @Dependency var second: Basket

        init() { _ = (first, second) }
    }

    private static let baskets = Module("Baskets") { registry in
        registry.register(scope: .graph, Basket.init)
        registry.register(scope: .prototype, Pair.init)
        registry.register(scope: .prototype, Reader.init)
        registry.register(scope: .prototype, EagerReader.init)
    }

    @Test("Parameters of one request share a .graph instance; each read of a wrapper is a request of its own")
    func graph() throws {
        let context = try AppContext().load(Self.baskets)
        let pair = try context.resolve(Pair.self)
        #expect(pair.first === pair.second)
        #expect(try context.resolve(Pair.self).first !== pair.first)
        let reader = try context.resolve(Reader.self)
        #expect(reader.first !== reader.second)
        #expect(reader.first === reader.first)
        // If they are read while their holder is made, they belong to its request.
        let eager = try context.resolve(EagerReader.self)
        #expect(eager.first === eager.second)
    }

    @Test("A singleton that holds a .graph instance is a finding")
    func captiveGraph() throws {
        struct Shop: Sendable { let basket: Basket }
        let module = Module("Shop") { registry in
            registry.register(scope: .graph, fileID: "Shop/Shop.swift", line: 1, Basket.init)
            registry.register(fileID: "Shop/Shop.swift", line: 2, Shop.init)
        }
        let report = try AppContext().load(module).validate()
        #expect(
            report.findings.map(\.description) == [
                """
                Shop/Shop.swift:2: error: Shop (.singleton) holds Basket (.graph), which has a shorter lifetime
                Shop/Shop.swift:1: note: Basket is registered here
                  fix: take a Provider, or register it as .prototype if each holder may have its own
                """
            ])
    }

    // MARK: Two that need each other

    final class User: Sendable {
        let inbox: Inbox
        init(inbox: Inbox) { self.inbox = inbox }
    }

    /// Requests its user in one of three ways.
    final class Inbox: Sendable {
        let user: @Sendable () throws -> User
        let letGo: @Sendable () -> Void

        init(user: @escaping @Sendable () throws -> User, letGo: @escaping @Sendable () -> Void = {}) {
            self.user = user
            self.letGo = letGo
        }
    }

    enum Closing: CaseIterable, Sendable {
        case lazy, provider, wrapper, wrapperThatIsReset

        func module(_ scope: Scope) -> Module {
            Module("Mail") { [self] registry in
                registry.register(scope: scope, User.init)
                switch self {
                case .lazy:
                    registry.register(scope: scope) { (user: Lazy<User>) in Inbox(user: { user() }) }
                case .provider:
                    registry.register(scope: scope) { (user: Provider<User>) in Inbox(user: { try user() }) }
                case .wrapper, .wrapperThatIsReset:
                    let inboxes = registry.register(scope: scope) {
                        let user = Dependency<User>()
                        return Inbox(user: { user() }, letGo: { user.reset() })
                    }
                    if self == .wrapperThatIsReset { inboxes.onDispose { inbox in inbox.letGo() } }
                }
            }
        }
    }

    @Test(
        "Two instances that hold each other through a used Lazy or wrapper outlive their context",
        arguments: [
            (.lazy, nil, true), (.lazy, Scope("visit"), true), (.wrapper, nil, true), (.wrapper, Scope("visit"), true),
            (.provider, nil, false), (.provider, Scope("visit"), false), (.wrapperThatIsReset, Scope("visit"), false),
        ] as [(Closing, Scope?, Bool)])
    func cycle(closing: Closing, scope: Scope?, outlivesIt: Bool) throws {
        func use() throws -> @Sendable () -> Bool {
            let root = try AppContext().load(closing.module(scope ?? .singleton))
            let context = try scope.map { try root.child(opening: $0) } ?? root
            let user = try context.resolve(User.self)
            #expect(try user.inbox.user() === user)
            return withExtendedLifetime(context) { { [weak user] in user != nil } }
        }
        let isAlive = try use()
        #expect(isAlive() == outlivesIt)
    }

    // MARK: Always

    struct CacheSettings: ConfigProperty {
        static let path = "cache"
        let size: Int
    }

    final class Cache: Sendable {
        let size: Int
        init(settings: CacheSettings) { size = settings.size }
    }

    @Test("An .always instance that a push or a reload removes is made again on the next request")
    func always() throws {
        let files = MemoryFiles(#"{ "cache": { "size": 1 } }"#)
        let context = try AppContext().loadProperties(files.source)
            .load(Module("Cache") { $0.register(scope: .always, Cache.init) })
        let cache = try #require(context.existing(Cache.self))

        let push = try context.push(Module("Test", properties: ["cache.size": 2]))
        #expect(context.existing(Cache.self) == nil)
        #expect(try context.resolve(Cache.self).size == 2)
        push.pop()
        #expect(context.existing(Cache.self) === cache)

        files.content = #"{ "cache": { "size": 3 } }"#
        try context.reloadProperties()
        #expect(context.existing(Cache.self) == nil)
        #expect(try context.resolve(Cache.self).size == 3)
    }

    // MARK: Where a wrapper belongs

    struct Screen {
        @Dependency fileprivate var catalog: any Catalog
    }

    @Test("A wrapper belongs to the context it was created in, wherever it is read")
    func contextOfAWrapper() throws {
        let context = try AppContext().load(real)
        let fork = try context.fork(pushing: fakes)
        let screen = AppContext.withContext(context) { Screen() }
        let preview = AppContext.withContext(fork) { Screen() }
        #expect(AppContext.withContext(fork) { screen.catalog.titles } == ["Frankenstein"])
        #expect(preview.catalog.titles == ["Emma"])
        withExtendedLifetime((context, fork)) {}
    }
}
