import Locator
import Observation
import Testing

// The articles of the documentation show parts of this file.

private protocol Catalog: Sendable {
    var titles: [String] { get }
}

private final class CatalogService: Catalog {
    let titles = ["Frankenstein"]
}

private struct FakeCatalog: Catalog {
    let titles = ["Emma"]
}

private struct SortedCatalog: Catalog {
    let base: any Catalog
    var titles: [String] { base.titles.sorted() }
}

private protocol Logger: Sendable {
    var target: String { get }
}

private struct FileLogger: Logger, Component {
    let target = "file"

    static func register(in registry: Registry) {
        registry.register((any Logger).self, FileLogger.init)
    }
}

private struct ConsoleLogger: Logger {
    let target = "console"
}

private final class Basket {
    var titles: [String] = []
}

private final class Page: Sendable {}

private final class Users: Sendable {
    let messages: Lazy<Messages>

    init(messages: Lazy<Messages>) { self.messages = messages }
}

private final class Messages: Sendable {
    let users: Users

    init(users: Users) { self.users = users }
}

private struct Visitor: Sendable {
    let name: String
}

private struct Greeting {
    let text: String
}

@MainActor @Observable
private final class ShelfModel {
    @ObservationIgnored @Dependency var catalog: any Catalog
    private(set) var titles: [String] = []

    func load() { titles = catalog.titles }
}

private final class Importer {
    @Dependency var catalog: any Catalog

    func count() async -> Int {
        let context = $catalog.context
        return await Task.detached {
            // A detached task inherits no context.
            AppContext.withContext(context) { Importer().catalog.titles.count }
        }.value
    }
}

private final class Report: Sendable {
    private let catalog = Dependency<any Catalog>()
    private let limit = PropertyValue<Int>("report.limit", default: 10)

    var lines: [String] { Array(catalog().titles.prefix(limit())) }
}

@Suite("The snippets of the articles do what they say")
struct ArticleSnippets {
    private let context = AppContext()
    private let catalogs = Module("Catalogs") { $0.register((any Catalog).self, CatalogService.init) }

    @Test("Which module is searched first")
    func priorities() throws {
        let shop = Module("Shop") { $0.register((any Catalog).self) { CatalogService() } }
        let spare = Module("Spare") { $0.register((any Catalog).self) { FakeCatalog() } }
        let fakes = Module("Fakes") { $0.register((any Catalog).self) { FakeCatalog() } }

        try context.load(spare, priority: .low)  // used last
        try context.load(shop)  // .normal
        #expect(try context.resolve((any Catalog).self).titles == ["Frankenstein"])

        try context.push(fakes)  // .high, used first until it is popped
        #expect(try context.resolve((any Catalog).self).titles == ["Emma"])
        context.pop()
        #expect(try context.resolve((any Catalog).self).titles == ["Frankenstein"])
    }

    @Test("Which of several registrations is used")
    func primary() throws {
        let logging = Module("Logging") { registry in
            registry.register((any Logger).self) { ConsoleLogger() }.primary()
            registry.register((any Logger).self) { FileLogger() }
            registry.register((any Logger).self, qualifier: "audit") { FileLogger() }
        }
        try context.load(logging)
        #expect(try context.resolve((any Logger).self).target == "console")
        #expect(try context.resolve((any Logger).self, qualifier: "audit").target == "file")
        #expect(try context.resolveAll((any Logger).self).count == 3)
    }

    @Test("One instance under two types, a decorator, and a component")
    func registrations() throws {
        let shop = Module("Shop") { registry in
            registry.register(CatalogService.init).alias((any Catalog).self) { $0 }
            registry.decorate((any Catalog).self) { base in SortedCatalog(base: base) }
        }
        try context.load(shop, Module("Logging", components: [FileLogger.self]))
        #expect(try context.resolve((any Catalog).self) is SortedCatalog)
        #expect(try context.resolve((any Logger).self).target == "file")
    }

    @Test("A test replaces a whole collection")
    func collections() throws {
        try context.load(catalogs)
        let fakes = Module("Fakes") { registry in
            registry.replaceAll((any Catalog).self)
            registry.register((any Catalog).self) { FakeCatalog() }
        }
        try context.push(fakes)
        #expect(try context.resolveAll((any Catalog).self).map(\.titles) == [["Emma"]])
    }

    @Test("How long an instance lives")
    func scopes() throws {
        let module = Module("Scopes") { registry in
            registry.register((any Catalog).self, CatalogService.init)  // .singleton
            registry.register((any Logger).self, scope: .always, FileLogger.init)  // created when the module is loaded
            registry.register(Page.self, scope: .weak, Page.init)  // exists while something holds it
            registry.register(Basket.self, scope: .prototype, Basket.init)  // a new one for each request
        }
        try context.load(module)
        #expect(context.existing((any Logger).self) != nil)
        #expect(try context.resolve(Basket.self) !== context.resolve(Basket.self))
    }

    @Test("A cycle is possible if one dependency is resolved later")
    func cycle() throws {
        try context.load(
            Module("Friends") { registry in
                registry.register(Users.init)
                registry.register(Messages.init)
            })
        let users = try context.resolve(Users.self)
        #expect(users.messages().users === users)
    }

    @Test("A factory takes a payload")
    func factory() throws {
        let greetings = Module("Greetings") { registry in
            registry.factory(Greeting.self) { (visitor: Visitor, catalog: any Catalog) in
                Greeting(text: "\(visitor.name) may read \(catalog.titles[0])")
            }
        }
        try context.load(catalogs, greetings)
        let greeting = try context.resolve(Greeting.self, with: Visitor(name: "Ada"))
        #expect(greeting.text == "Ada may read Frankenstein")
    }

    @Test("All profiles are checked in one test")
    func validation() throws {
        let folder = #filePath.split(separator: "Tests/LocatorTests")[0] + "Config"
        try context.loadProperties(from: String(folder), environment: [:]).load(catalogs)
        let report = context.validate(profiles: ["dev", "prod", "staging"])
        #expect(report.errors.isEmpty, "\(report)")
    }

    @Test("Events are reported to an observer")
    func observing() throws {
        let initializations = SlowestInitializations()
        let observation = context.observe(initializations.record)
        try context.load(catalogs)
        _ = try context.resolve((any Catalog).self)
        observation.end()
        print(initializations)
        #expect(initializations.slowest.count == 1)
    }

    @Test("An observable model has dependencies, and a preview passes others")
    @MainActor func observable() throws {
        try context.load(catalogs)
        let preview = try context.fork(pushing: Module("Preview") { $0.register((any Catalog).self) { FakeCatalog() } })
        let model = AppContext.withContext(preview) { ShelfModel() }
        model.load()
        #expect(model.titles == ["Emma"])
    }

    @Test("A detached task enters the context again")
    func detached() async throws {
        try context.load(catalogs)
        let importer = AppContext.withContext(context) { Importer() }
        #expect(await importer.count() == 1)
    }

    @Test("A Sendable class keeps its wrappers as constants")
    func sendable() throws {
        try context.load(catalogs)
        let report = AppContext.withContext(context) { Report() }
        #expect(report.lines == ["Frankenstein"])
    }

    @Test("An error is a value with fields, and says how to fix it")
    func errors() {
        do throws(LocatorError) {
            _ = try context.resolve((any Catalog).self)
            Issue.record("nothing is registered")
        } catch {
            guard case .missing(let key) = error.kind else {
                Issue.record("\(error)")
                return
            }
            #expect(key == Key((any Catalog).self))
            #expect("\(error)".contains("fix:"))
        }
    }
}
