import Locator

// On the main actor, like everything here without another isolation.
protocol Catalog: Sendable {
    var titles: [String] { get }
}

protocol Logger: Sendable {
    var name: String { get }
}

final class CatalogService: Catalog {
    let titles: [String]

    init(settings: CatalogSettings, logger: any Logger) {
        titles = settings.titles
    }
}

struct FakeCatalog: Catalog {
    let titles = ["Emma"]
}

struct ConsoleLogger: Logger {
    let name = "console"
}

/// A service that is also used off the main actor.
nonisolated final class Prices: Sendable {
    let currency: String

    init(settings: CatalogSettings) {
        currency = settings.currency
    }
}

struct CatalogSettings: ConfigProperty {
    static let path = "catalog"
    let titles: [String]
    let currency: String
}

extension Scope {
    // A module may be loaded anywhere, so its closure is not bound to the main actor.
    nonisolated static let session = Scope("session")
    nonisolated static let request = Scope("request", requiresOpening: true)
}

final class PageModel {
    let number: Int
    let title: String
    private(set) var isOpen = true

    init(number: Int, title: String, catalog: any Catalog) {
        self.number = number
        self.title = title
    }

    func close() { isOpen = false }
}

nonisolated struct Tag: Sendable {
    let name: String
}

nonisolated final class Tagged: Sendable {
    let name: String

    init(tag: Tag) {
        name = tag.name
    }
}

/// The input of a request.
struct Visitor {
    let name: String
}

final class Greeting {
    let text: String

    init(visitor: Visitor) {
        text = "Hello \(visitor.name)"
    }
}

final class Session {
    let logger: any Logger

    init(logger: any Logger) {
        self.logger = logger
    }
}

extension Module {
    static let shop = Module(
        "Shop", properties: ["catalog": ["titles": ["Frankenstein"], "currency": "EUR"], "server.port": 8080]
    ) { registry in
        registry.register((any Logger).self, qualifier: "console", onMainActor: { ConsoleLogger() })
        registry.register((any Catalog).self, parameterQualifiers: [nil, "console"], onMainActor: CatalogService.init)
        registry.register(scope: .session, parameterQualifiers: ["console"], onMainActor: Session.init)
        registry.register(ScreenModel.self, onMainActor: ScreenModel.init)
        registry.register(Prices.init)
        registry.input(Visitor.self, scope: .request)
        registry.register(scope: .request, onMainActor: Greeting.init)
        registry.register(Database.self, async: Database.open)
        registry.factory(PageModel.self, given: Int.self, String.self, onMainActor: PageModel.init)
        registry.factory(Tag.self, async: { (name: String, prices: Prices) in Tag(name: name + prices.currency) })
        registry.register(scope: .prototype) { (site: RequestSite) in Tag(name: site.typeName) }
        registry.register(Tagged.init)
        registry.register(scope: .prototype, onMainActor: { PageModel(number: 0, title: "", catalog: FakeCatalog()) })
        registry.register(qualifier: "first", onMainActor: { PageModel(number: 1, title: "", catalog: FakeCatalog()) })
            .injecting(onMainActor: { (page, _: any Catalog) in precondition(page.isOpen) })
            .onDispose(onMainActor: { page in page.close() })
    }

    static let fakes = Module("Fakes", properties: ["server.port": 1]) { registry in
        registry.register((any Catalog).self, onMainActor: { FakeCatalog() })
    }
}
