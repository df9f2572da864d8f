import Locator

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

/// Has state and no lock, as much code in Swift 5 has: a prototype, which need not be `Sendable`.
final class Basket {
    var titles: [String] = []
}

struct CatalogSettings: ConfigProperty {
    static let path = "catalog"
    let titles: [String]
}

extension Scope {
    static let session = Scope("session")
    static let request = Scope("request", requiresOpening: true)
}

/// What is handed in for a request.
struct Visitor {
    let name: String
}

final class Greeting: Sendable {
    let text: String

    init(visitor: Visitor) {
        text = "Hello \(visitor.name)"
    }
}

final class Session: Sendable {
    let logger: any Logger

    init(logger: any Logger) {
        self.logger = logger
    }
}

extension Module {
    static let shop = Module("Shop", properties: ["catalog": ["titles": ["Frankenstein"]], "server.port": 8080]) {
        registry in
        registry.register((any Logger).self, qualifier: "console") { ConsoleLogger() }
        registry.register((any Catalog).self, taking: [nil, "console"], CatalogService.init)
        registry.register(scope: .session, taking: ["console"], Session.init)
        registry.register(scope: .prototype, Basket.init)
        registry.input(Visitor.self, scope: .request)
        registry.register(scope: .request, Greeting.init)
        registry.register(ScreenModel.self, onMainActor: ScreenModel.init)
        registry.register(Database.self, async: Database.open)
    }

    static let fakes = Module("Fakes", properties: ["server.port": 1]) { registry in
        registry.register((any Catalog).self) { FakeCatalog() }
    }
}
