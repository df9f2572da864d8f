import Locator
import Testing

// The articles of the documentation show parts of this file.

private protocol Catalog: Sendable {
    var titles: [String] { get }
}

private struct CatalogService: Catalog {
    let titles = ["Frankenstein"]
}

private struct Item {
    let id: Int
    let name: String
    let catalog: any Catalog
}

private struct Label: Sendable {
    let text: String
}

private struct Shelf: Sendable {
    let label: Label
}

private struct Client: Sendable {
    let retries: Int

    init(retries: Int = 3) {
        self.retries = retries
    }
}

private struct Connection: Sendable {
    let host: String

    static func open(_ host: String, for catalog: any Catalog) async throws -> Connection {
        await Task.yield()
        return Connection(host: host)
    }
}

private struct Document: Sendable {
    let name: String
}

@MainActor private final class EditorModel {
    let document: Document

    init(document: Document) {
        self.document = document
    }
}

@MainActor private final class PageModel {}

@MainActor private final class PlayerModel {
    private(set) var shown: [String] = []

    func show(_ titles: [String]) { shown = titles }
    func stop() { shown = [] }
}

@Suite("The snippets about factories and the main actor do what they say")
struct FactorySnippets {
    private let context = AppContext()
    private let catalogs = Module("Catalogs") { $0.register((any Catalog).self) { CatalogService() } }

    @Test("Several payloads")
    func payloads() throws {
        let items = Module("Items") { registry in
            registry.factory(Item.self, given: Int.self, String.self) { id, name, catalog in
                Item(id: id, name: name, catalog: catalog)
            }
        }
        try context.load(catalogs, items)
        let item = try context.resolve(Item.self, with: 1, "Lamp")
        let makeItem = try context.resolve(Factory<(Int, String), Item>.self)
        let another = try makeItem(2, "Chair")
        #expect([item.id, another.id] == [1, 2] && another.catalog.titles == ["Frankenstein"])
    }

    @Test("Several payloads, and a qualifier")
    func payloadsAndQualifier() throws {
        let items = Module("Items") { registry in
            registry.register((any Catalog).self, qualifier: "novels") { CatalogService() }
            registry.register((any Catalog).self, qualifier: "poems") { CatalogService() }
            registry.factory(Item.self, given: Int.self, String.self, parameterQualifiers: ["novels"]) {
                id, name, catalog in
                Item(id: id, name: name, catalog: catalog)
            }
        }
        try context.load(items)
        #expect(try context.resolve(Item.self, with: 1, "Lamp").catalog.titles == ["Frankenstein"])
    }

    @Test("The requesting type")
    func site() throws {
        let labels = Module("Labels") { registry in
            registry.register(scope: .prototype) { (site: RequestSite) in Label(text: site.typeName) }
            registry.register(Shelf.self) { (label: Label) in Shelf(label: label) }  // labeled "Shelf"
        }
        try context.load(labels)
        #expect(try context.resolve(Shelf.self).label.text == "Shelf")
    }

    @Test("A default argument")
    func defaultArgument() throws {
        let clients = Module("Clients") { registry in
            registry.register(Client.self) { Client() }  // Client.init would need an Int
        }
        try context.load(clients)
        #expect(try context.resolve(Client.self).retries == 3)
    }

    @Test("An asynchronous factory")
    func asynchronous() async throws {
        let connections = Module("Connections") { registry in
            registry.factory(
                Connection.self,
                async: { (host: String, catalog: any Catalog) in
                    try await Connection.open(host, for: catalog)
                })
        }
        try context.load(catalogs, connections)
        let connection = try await context.resolve(Connection.self, with: "db.example.com")
        #expect(connection.host == "db.example.com")
    }

    @Test("The main actor")
    @MainActor func mainActor() async throws {
        let models = Module("Models") { registry in
            registry.factory(onMainActor: EditorModel.init(document:))
            registry.register(scope: .prototype, onMainActor: PageModel.init)
            registry.register(PlayerModel.self, onMainActor: PlayerModel.init)
                .injecting(onMainActor: { (player, catalog: any Catalog) in player.show(catalog.titles) })
                .onDispose(onMainActor: { player in player.stop() })
        }
        try context.load(catalogs, models)
        let editor = try await context.resolve(EditorModel.self, with: Document(name: "Letter"))
        #expect(editor.document.name == "Letter")
        #expect(try context.resolve(PageModel.self) !== context.resolve(PageModel.self))
        let player = try context.resolve(PlayerModel.self)
        #expect(player.shown == ["Frankenstein"])
        try await context.shutdown()
        #expect(player.shown == [])
    }
}
