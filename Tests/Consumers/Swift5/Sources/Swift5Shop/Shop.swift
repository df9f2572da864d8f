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

/// A prototype with state and no lock, like much code in Swift 5.
///
/// It need not be `Sendable`.
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

/// Made from the caller's payload and an instance of the context.
///
/// It is not `Sendable`.
final class Label {
    let text: String

    init(number: Int, title: String, catalog: any Catalog) {
        text = "\(number) \(title) of \(catalog.titles.count)"
    }
}

@MainActor
final class PageModel {
    let number: Int
    private(set) var isOpen = true

    init(number: Int, catalog: any Catalog) {
        self.number = number
    }

    func close() { isOpen = false }
}

struct Tag {
    let name: String
}

final class Tagged: Sendable {
    let name: String

    init(tag: Tag) {
        name = tag.name
    }
}

/// The input of a request.
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
        registry.register((any Catalog).self, parameterQualifiers: [nil, "console"], CatalogService.init)
        registry.register(scope: .session, parameterQualifiers: ["console"], Session.init)
        registry.register(scope: .prototype, Basket.init)
        registry.input(Visitor.self, scope: .request)
        registry.register(scope: .request, Greeting.init)
        registry.register(ScreenModel.self, onMainActor: ScreenModel.init)
        registry.register(Database.self, async: Database.open)
        registry.factory(Label.self, given: Int.self, String.self, Label.init)
        registry.factory(Label.self, given: Int.self) { number, catalog in
            Label(number: number, title: "", catalog: catalog)
        }
        registry.factory(onMainActor: PageModel.init)
        registry.factory(Tag.self, async: { (name: String, catalog: any Catalog) in Tag(name: name) })
        registry.register(scope: .prototype) { (site: RequestSite) in Tag(name: site.typeName) }
        registry.register(Tagged.init)
        registry.register(PageModel.self, onMainActor: { PageModel(number: 0, catalog: FakeCatalog()) })
            .injecting(onMainActor: { (page, _: any Catalog) in precondition(page.isOpen) })
            .onDispose(onMainActor: { page in page.close() })
    }

    static let fakes = Module("Fakes", properties: ["server.port": 1]) { registry in
        registry.register((any Catalog).self) { FakeCatalog() }
    }
}
