import Locator
import Testing

protocol Logger: Sendable { var name: String { get } }
final class FileLogger: Logger { let name = "file" }
final class ConsoleLogger: Logger { let name = "console" }
protocol Catalog: Sendable { var logger: any Logger { get } }
final class CatalogService: Catalog { let logger: any Logger; init(logger: any Logger) { self.logger = logger } }
protocol Book { var title: String { get } }
final class HarryPotter: Book { let title = "HP" }
final class Dracula: Book, Sendable { let title = "Dracula" }
extension Qualifier { static let file: Qualifier = "file" }
extension Scope { static let session = Scope("session") }
final class Session: Sendable {}

extension Module {
    static let shop = Module("Shop") { registry in
        registry.register((any Logger).self) { ConsoleLogger() }
        registry.register((any Logger).self, qualifier: "file") { FileLogger() }
        registry.register((any Logger).self, qualifier: "console") { ConsoleLogger() }
        registry.register((any Catalog).self, CatalogService.init)
        registry.register((any Book).self, qualifier: "novel", scope: .prototype, HarryPotter.init)
        registry.register(Dracula.init).alias((any Book).self) { $0 }
        registry.register(scope: .session, Session.init)
    }
}
final class Library {
    @Dependency var catalog: any Catalog
    @Dependency(qualifierBy: "logger.storage") var logger: any Logger
    @DependencyArray(qualifier: "novel") var novels: [any Book]
    @DependencyArray var books: [any Book]
    @PropertyValue("server.url") var serverURL: String
    @PropertyValue("server.retries", default: 3) var retries: Int
    @Dependency var missing: (any Error)?
}

@Suite struct SmokeTests {
    @Test func everything() throws {
        let context = AppContext()
        let settings = Module("Settings", properties: ["logger.storage": "file", "server.url": "http://x"])
        try context.load(.shop, settings)
        let library = AppContext.withContext(context) { Library() }
        #expect(library.logger.name == "file")
        #expect(library.serverURL == "http://x")
        #expect(library.retries == 3)
        #expect(library.novels.count == 1)
        #expect(library.books.count == 2)
        #expect(library.missing == nil)
        let catalog = library.catalog as? CatalogService
        #expect(try context.resolve((any Catalog).self) as? CatalogService === catalog)
        let fakes = Module("Fakes", properties: ["server.retries": 5, "logger.storage": "console"]) {
            $0.register((any Logger).self) { FileLogger() }
        }
        try context.push(fakes)
        #expect(library.catalog as? CatalogService !== catalog)
        #expect(library.catalog.logger.name == "file")
        #expect(library.retries == 5)
        #expect(library.logger.name == "console")
        context.pop()
        #expect(library.catalog as? CatalogService === catalog)
        #expect(library.retries == 3)
        #expect(library.logger.name == "file")
        let session = try context.resolve(Session.self)
        #expect(try context.resolve(Session.self) === session)
        try context.reset(.session)
        #expect(try context.resolve(Session.self) !== session)
        do { _ = try context.resolve((any Collection).self) } catch { print(error) }
        do { _ = try context.resolve((any Logger).self, qualifier: "fil") } catch { print(error) }
        do { _ = try context.value("server.urll", as: Int.self) } catch { print(error) }
    }

    @Test func circle() throws {
        final class A: Sendable { init(_ b: B) {} }
        final class B: Sendable { init(_ a: A) {} }
        let context = AppContext()
        try context.load(
            Module("x") {
                $0.register(A.init); $0.register(B.init)
            })
        do { _ = try context.resolve(A.self) } catch { print(error) }
    }
    @Test func start() async throws {
        final class D: Sendable {}
        final class E: Sendable { let d: D; init(d: D) { self.d = d } }
        let context = AppContext()
        try context.load(
            Module("x") {
                $0.register(async: { (e: E) async throws in "ready" }); $0.register(E.init);
                $0.register(
                    D.self,
                    async: {
                        await Task.yield(); return D()
                    })
            })
        do { _ = try context.resolve(String.self) } catch { print(error) }
        try await context.start()
        #expect(try context.resolve(String.self) == "ready")
    }
}
@Suite struct PropSmoke {
    @Test func stack() throws {
        let context = AppContext()
        try context.load(Module("Settings", properties: ["logger.storage": "file", "a": 1]))
        print(context.properties.paths, context.properties["logger.storage"] as Any, context.properties["a"] as Any)
        print(try Properties(["logger": ["storage": "x"]])["logger.storage"] as Any)
        print(try context.value("a", as: Int.self))
        print(try context.value("logger.storage", as: String.self))
    }
}
