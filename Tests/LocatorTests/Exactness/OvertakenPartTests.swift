import Locator
import TestSupport
import Testing

@Suite("An overtaken request gets the parts of the instances that it has, and no second instance of them")
struct OvertakenPartTests {
    private final class Tag: Sendable {}
    private final class Service: Sendable { init(_ tags: [Tag]) {} }
    private final class Catalog: Sendable {
        let service: Service
        init(_ service: Service) { self.service = service }
    }
    private final class Page: Sendable {
        let (catalog, service): (Catalog, Service)
        init(_ catalog: Catalog, _ service: Service) { (self.catalog, self.service) = (catalog, service) }
    }
    private struct Pause {}

    private static let request = Scope("request")

    /// A change of the server while a page is made.
    enum Change: CaseIterable {
        case pop, push, reset

        func run(_ server: AppContext) throws {
            switch self {
            case .pop: server.pop()
            case .push: try server.push(Module("More") { $0.register(qualifier: "more") { Tag() } })
            case .reset: try server.reset()
            }
            // The server makes it again.
            _ = try server.resolve(Catalog.self)
        }
    }

    /// In which order a page gets its parts.
    enum Order: CaseIterable {
        case wholeFirst, partFirst
    }

    /// Where the page is made.
    enum Place: CaseIterable {
        case server, child, grandchild

        func context(_ server: AppContext) throws -> AppContext {
            switch self {
            case .server: server
            case .child: try server.child(opening: OvertakenPartTests.request)
            case .grandchild: try server.child().child(opening: OvertakenPartTests.request)
            }
        }
    }

    private static let requests = Place.allCases.flatMap { place in Order.allCases.map { (place, $0) } }

    @Test(arguments: Change.allCases, requests)
    func page_hasOneService(_ change: Change, _ request: (place: Place, order: Order)) throws {
        let during = Late<@Sendable () throws -> Void>()
        let server = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Service.init)
                registry.register(Catalog.init)
                registry.register(scope: .prototype) {
                    let run = during.value
                    during.value = nil
                    if let run { try onThread { try run() } }
                    return Pause()
                }
                for (qualifier, scope) in [("server", Scope.singleton), ("child", Self.request)] {
                    switch request.order {
                    case .wholeFirst:
                        registry.register(Page.self, qualifier: .named(qualifier), scope: scope) {
                            (catalog: Catalog, _: Pause, service: Service) in Page(catalog, service)
                        }
                    case .partFirst:
                        registry.register(Page.self, qualifier: .named(qualifier), scope: scope) {
                            (service: Service, _: Pause, catalog: Catalog) in Page(catalog, service)
                        }
                    }
                }
            })
        try server.push(Module("Extra") { $0.register(qualifier: "extra") { Tag() } })
        _ = try server.resolve(Catalog.self)
        let context = try request.place.context(server)
        during.value = { try change.run(server) }
        let page = try context.resolve(Page.self, qualifier: request.place == .server ? "server" : "child")
        #expect(page.service === page.catalog.service)
        #expect(during.value == nil)
    }

    /// What is resolved under a push that overtakes the making of a page.
    enum Resolved: CaseIterable {
        case nothing, service, catalog
    }

    @Test("An instance made for a request that a push has overtaken returns with the pop", arguments: Resolved.allCases)
    func page_comesBack(_ resolved: Resolved) throws {
        final class Page: Sendable {
            let catalog: Catalog
            init(_ catalog: Catalog) { self.catalog = catalog }
        }
        let during = Late<@Sendable () throws -> Void>()
        let ended = Late<Int>()
        let server = try AppContext().load(
            Module("Shop") { registry in
                registry.register { Tag() }
                registry.register(Service.init)
                registry.register(Catalog.init).onDispose { _ in ended.value = (ended.value ?? 0) + 1 }
                registry.register { (resolver: Resolver) in
                    let run = during.value
                    during.value = nil
                    if let run { try onThread { try run() } }
                    return Page(try resolver.resolve())
                }
            })
        during.value = {
            try server.push(Module("Fake") { $0.register { Tag() } })
            switch resolved {
            case .nothing: break
            case .service: _ = try server.resolve(Service.self)
            case .catalog: _ = try server.resolve(Catalog.self)
            }
        }
        let page = try server.resolve(Page.self)
        #expect(ended.value == nil)
        let fake = try server.resolve(Page.self)
        #expect(fake.catalog !== page.catalog)
        server.pop()
        #expect(try server.resolve(Page.self) === page)
        #expect(try server.resolve(Catalog.self) === page.catalog)
        #expect(ended.value == 1)
    }

    private struct Price: Sendable, Equatable { let amount: Int }
    private final class Offer {
        let price: Price
        init(_ price: Price) { self.price = price }
    }

    private static func price(_ amount: Int) -> Module {
        Module("Price \(amount)") { $0.register { Price(amount: amount) } }
    }

    /// A new wrapper in the closure of an instance that is not shared.
    @Test(arguments: [false, true])
    func wrapper_readsTheStateOfItsRequest(_ isDecorated: Bool) throws {
        let during = Late<@Sendable () throws -> Void>()
        @Sendable func offer() throws -> Offer {
            if let run = during.value { try onThread { try run() } }
            return Offer(Dependency<Price>()())
        }
        let context = try AppContext().load(
            Module("Offers") { registry in
                registry.register(scope: .prototype) { isDecorated ? Offer(Price(amount: 0)) : try offer() }
                if isDecorated { registry.decorate(Offer.self) { _ in try offer() } }
            }, Self.price(1))
        _ = try (context.resolve(Offer.self), context.resolve(Price.self))
        try context.push(Self.price(2))
        during.value = {
            context.pop()
            // It is ready from now on.
            _ = try context.resolve(Price.self)
        }
        #expect(try context.resolve(Offer.self).price == Price(amount: 2))
        during.value = nil
        #expect(try context.resolve(Offer.self).price == Price(amount: 1))
    }
}
