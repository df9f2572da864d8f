import Foundation
import Testing

/// The compiler messages in the article `Troubleshooting` are what the compiler says, and their fixes compile.
@Suite("The compiler's messages are those that the troubleshooting article lists", .enabled(if: Compiler.isAvailable))
struct CompilerMessageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// The message in the article.
        let message: String
        let source: String
        let fixed: String
        var languageMode = 6

        var testDescription: String { message }
    }

    private static let cast = """
        import Locator
        import Observation
        protocol Catalog: Sendable {}
        final class CatalogService: Catalog { init() {}; init(shelves: Int) {} }
        @MainActor final class Screen { init() {} }
        @MainActor final class Model: Sendable { init(catalog: any Catalog) {} }
        final class Basket { var count = 0 }
        actor Database { static func open() async throws -> Database { Database() } }
        protocol Logger: Sendable {}
        struct FileLogger: Logger { init() {} }
        final class Report: Sendable { init(logger: any Logger) {} }
        extension Scope { static let request = Scope("request") }
        @MainActor enum Scopes { static let session = Scope("session") }
        enum NonisolatedScopes { nonisolated static let session = Scope("session") }

        """

    private static func module(_ registration: String) -> String {
        "let module = Module(\"M\") { registry in \(registration) }"
    }

    private static let cases = [
        Case(
            message: "ambiguous use of 'init'",
            source: module("registry.register((any Catalog).self, CatalogService.init)"),
            fixed: module("registry.register((any Catalog).self, CatalogService.init(shelves:))")),
        Case(
            message: "ambiguous use of 'init'", source: module("registry.register(CatalogService.init)"),
            fixed: module("registry.register { CatalogService() }")),
        Case(
            message: "call to global actor 'SharedInstancesMustBeSendable'-isolated instance method",
            source: module("registry.register(Basket.init)"),
            fixed: module("registry.register(scope: .prototype, Basket.init)")),
        Case(
            message: "call to global actor 'AsynchronousClosuresNeedTheLabelAsync'-isolated instance method",
            source: module("registry.register(Database.open)"),
            fixed: module("registry.register(Database.self, async: Database.open)")),
        Case(
            message: "loses global actor 'MainActor'", source: module("registry.register(Screen.init)"),
            fixed: module("registry.register(Screen.self, onMainActor: Screen.init)")),
        Case(
            message: "call to main actor-isolated initializer",
            source: module("registry.register(Model.self) { Model(catalog: $0) }"),
            fixed: module("registry.register(Model.self, onMainActor: Model.init(catalog:))")),
        Case(
            message: "can not be referenced from a Sendable closure",
            source: module("registry.register(scope: Scopes.session) { CatalogService() }"),
            fixed: module("registry.register(scope: NonisolatedScopes.session) { CatalogService() }")),
        Case(
            message: "invalid redeclaration of synthesized property '_catalog'",
            source: "@Observable final class Shelf { @Dependency var catalog: any Catalog }",
            fixed: "@Observable final class Shelf { @ObservationIgnored @Dependency var catalog: any Catalog }"),
        Case(
            message: "invalid redeclaration of synthesized property '_catalog'",
            source: "final class Shelf { @Dependency var catalog: any Catalog; private var _catalog: Int? }",
            fixed: "final class Shelf { @Dependency var catalog: any Catalog; private var number: Int? }"),
        Case(
            message: "stored property '_catalog' of 'Sendable'-conforming class",
            source: "final class Shelf: Sendable { @Dependency var catalog: any Catalog }",
            fixed: "final class Shelf: Sendable { let catalog = Dependency<any Catalog>() }"),
        Case(
            message: "static property 'catalog' is not concurrency-safe",
            source: "enum Shelf { @Dependency static var catalog: any Catalog }",
            fixed: "enum Shelf { static let catalog = Dependency<any Catalog>() }"),
        Case(
            message: "'init(wrappedValue:)' is unavailable: an initial value would turn injection off",
            source: "final class Shelf { @Dependency var catalog: any Catalog = CatalogService() }",
            fixed: """
                final class Shelf {
                    @Dependency var catalog: any Catalog
                    init(catalog: Dependency<any Catalog>) { _catalog = catalog }
                }
                func shelf() -> Shelf { Shelf(catalog: .value(CatalogService())) }
                """),
        Case(
            message: "actor-isolated property 'catalog' can not be referenced from a nonisolated context",
            source: "actor Shelf { @Dependency var catalog: any Catalog; init() { _ = catalog } }",
            fixed: "actor Shelf { @Dependency var catalog: any Catalog; init() { _ = _catalog() } }"),
        Case(
            message: "actor-isolated property 'catalog' can not be referenced from a nonisolated context",
            source: "actor Shelf { @Dependency var catalog: any Catalog; nonisolated func open() { _ = catalog } }",
            fixed: """
                actor Shelf {
                    nonisolated let catalog = Dependency<any Catalog>()
                    nonisolated func open() { _ = catalog() }
                }
                """),
        Case(
            message: "cannot assign to property: 'catalog' is a get-only property",
            source: """
                final class Shelf {
                    @Dependency var catalog: any Catalog
                    init(catalog: any Catalog) { self.catalog = catalog }
                }
                """,
            fixed: """
                final class Shelf {
                    @Dependency var catalog: any Catalog
                    init(catalog: any Catalog) { _catalog = .value(catalog) }
                }
                """),
        Case(
            message: "type 'Shelf' does not conform to protocol 'Equatable'",
            source: "struct Shelf: Equatable { @Dependency var catalog: any Catalog; var number = 1 }",
            fixed: """
                struct Shelf: Equatable {
                    @Dependency var catalog: any Catalog
                    var number = 1
                    static func == (left: Shelf, right: Shelf) -> Bool { left.number == right.number }
                }
                """),
        Case(
            message: "type 'Shelf' does not conform to protocol 'Decodable'",
            source: "struct Shelf: Codable { @Dependency var catalog: any Catalog; var number = 1 }",
            fixed: """
                struct Shelf: Codable {
                    @Dependency var catalog: any Catalog
                    var number = 1
                    enum CodingKeys: CodingKey { case number }
                }
                """),
        Case(
            message: "cannot infer contextual base in reference to member 'input'",
            source: """
                func open(_ context: AppContext) throws -> AppContext {
                    try context.child(opening: Scope("request"), giving: .input("eu", qualifier: "region"))
                }
                """,
            fixed: """
                func open(_ context: AppContext) throws -> AppContext {
                    try context.child(opening: Scope("request"), and: .input("eu", qualifier: "region"))
                }
                """),
        Case(
            message: "cannot infer type of closure parameter 'resolver' without a type annotation",
            source: module("registry.register(Report.self) { resolver in Report(logger: resolver.resolve()) }"),
            fixed: module(
                "registry.register { (resolver: Resolver) in Report(logger: try resolver.resolve()) }")),
        Case(
            message: "cannot infer type of closure parameter '_' without a type annotation",
            source: module("registry.register((any Logger).self) { _ in FileLogger() }"),
            fixed: module("registry.register((any Logger).self) { FileLogger() }")),
        Case(
            message: "candidate expects value of type 'Scope'",
            source: module("registry.register((any Logger).self, scope: \"request\") { FileLogger() }"),
            fixed: module("registry.register((any Logger).self, scope: .request) { FileLogger() }")),
        Case(
            message: "failed to produce diagnostic for expression",
            source: "func run(_ context: AppContext) throws { try context.within(.request) { print(1) } }",
            fixed: "func run(_ context: AppContext) throws { try context.within(.request) { _ in print(1) } }"),
        Case(
            message: "contextual type for closure argument list expects 1 argument",
            source: """
                func run(_ context: AppContext) async throws -> Int {
                    try await context.within(.request, giving: 1) { await Task.yield(); return 1 }
                }
                """,
            fixed: """
                func run(_ context: AppContext) async throws -> Int {
                    try await context.within(.request, giving: 1) { _ in await Task.yield(); return 1 }
                }
                """),
        Case(
            message: "cannot convert value of type '@Sendable () -> ",
            source: module("registry.decorate((any Logger).self) { FileLogger() }"),
            fixed: module("registry.decorate((any Logger).self) { _ in FileLogger() }")),
        Case(
            message: "extra argument 'as' in call",
            source: module("registry.register(FileLogger(), as: (any Logger).self)"),
            fixed: module("registry.register((any Logger).self, instance: FileLogger())")),
        Case(
            message: "to expected argument type '[Qualifier?]'",
            source: module("registry.register(Report.self, parameterQualifiers: [\"logger\": \"file\"], Report.init)"),
            fixed: module("registry.register(Report.self, parameterQualifiers: [\"file\"], Report.init)")),
        Case(
            message: "cannot convert value of type 'String' to expected dictionary value type 'JSONValue'",
            source: #"func hosts(_ host: String) -> Module { Module("Hosts", properties: ["host": host]) }"#,
            fixed: #"func hosts(_ host: String) -> Module { Module("Hosts", properties: ["host": .init(host)]) }"#),
        Case(
            message: "reference to member 'shop' cannot be resolved without a contextual type",
            source: "func load(_ context: AppContext) throws { try context.load(.shop) }",
            fixed: """
                extension Module { static let shop = Module("Shop") }
                func load(_ context: AppContext) throws { try context.load(.shop) }
                """),
        Case(
            message: "reference to member 'requst' cannot be resolved without a contextual type",
            source: module("registry.register((any Logger).self, scope: .requst) { FileLogger() }"),
            fixed: module("registry.register((any Logger).self, scope: .request) { FileLogger() }")),
        Case(
            message: "type 'Qualifier?' has no member 'fil'",
            source: module("registry.register((any Logger).self, qualifier: .fil) { FileLogger() }"),
            fixed: """
                extension Qualifier { static let file: Qualifier = "file" }
                \(module("registry.register((any Logger).self, qualifier: .file) { FileLogger() }"))
                """),
        Case(
            message: "class 'Server' has no initializers",
            source: "final class Server { @PropertyValue var port: Int }",
            fixed: #"final class Server { @PropertyValue("server.port") var port: Int }"#),
        Case(
            message: "missing argument for parameter 'port' in call",
            source: "struct Server { @PropertyValue var port: Int }; func server() -> Server { Server() }",
            fixed: """
                struct Server { @PropertyValue("server.port") var port: Int }
                func server() -> Server { Server() }
                """),
        Case(
            message: "does not match 'wrappedValue' type '[Element]'",
            source: "final class Shelf { @DependencyArray var loggers: any Logger }",
            fixed: "final class Shelf { @DependencyArray var loggers: [any Logger] }"),
        Case(
            message: "unknown attribute 'Injected'",
            source: "struct Shelf { @Injected var catalog: any Catalog }",
            fixed: "struct Shelf { @Dependency var catalog: any Catalog }"),
        Case(
            message: "generic parameter 'Value' could not be inferred",
            source: "struct Shelf { @Dependency var catalog }",
            fixed: "struct Shelf { @Dependency var catalog: any Catalog }"),
        Case(
            message: "missing argument label 'wrappedValue:' in call",
            source: "struct Server { @PropertyValue(\"server.port\") var port }",
            fixed: "struct Server { @PropertyValue(\"server.port\") var port: Int }"),
        Case(
            message: "property 'catalog' with a wrapper cannot also be lazy",
            source: "struct Shelf { @Dependency lazy var catalog: any Catalog }",
            fixed: "struct Shelf { @Dependency var catalog: any Catalog }"),
        Case(
            message: "property 'catalog' with a wrapper cannot also be weak",
            source: "final class Shelf { @Dependency weak var catalog: CatalogService? }",
            fixed: "final class Shelf { @Dependency var catalog: Provider<CatalogService> }"),
        Case(
            message: "property wrapper can only be applied to a 'var'",
            source: "final class Shelf { @Dependency let catalog: any Catalog }",
            fixed: "final class Shelf { let catalog = Dependency<any Catalog>() }"),
        Case(
            message: "cannot assign to property: 'shelf' is a 'let' constant",
            source: """
                struct Shelf: Sendable { var catalog: (any Catalog)? }
                \(module("registry.register { Shelf() }.injecting { (shelf, catalog: any Catalog) in shelf.catalog = catalog }"))
                """,
            fixed: """
                struct Shelf: Sendable { var catalog: (any Catalog)? }
                \(module("registry.register(Shelf.self) { (catalog: any Catalog) in Shelf(catalog: catalog) }"))
                """),
        Case(
            message: "extra trailing closure passed in call",
            source: "let module = Module(\"M\", priority: .high) { $0.register(FileLogger.init) }",
            fixed: """
                let module = Module("M") { $0.register(FileLogger.init) }
                func load(_ context: AppContext) throws { try context.load(module, priority: .high) }
                """),
        Case(
            message: "property wrappers are not yet supported in top-level code",
            source: "@Dependency var logger: any Logger",
            fixed: "let logger = Dependency<any Logger>()"),
        Case(
            message: "converting non-Sendable function value",
            source: module("registry.register((any Catalog).self, CatalogService.init(shelves:))"),
            fixed: module("registry.register((any Catalog).self) { shelves in CatalogService(shelves: shelves) }"),
            languageMode: 5),
    ]

    @Test("The compiler's message, and the fix", arguments: cases)
    private func message(row: Case) throws {
        func errors(in source: String) throws -> String {
            try Compiler.errors(in: Self.cast + source, languageMode: row.languageMode, infersSendable: false)
        }
        let refused = try errors(in: row.source)
        #expect(refused.contains(row.message), "\(refused)")
        #expect(try errors(in: row.fixed) == "")
    }

    @Test("The article lists them")
    func article() throws {
        let root = String(#filePath.split(separator: "Tests/LocatorTests")[0])
        let text = try String(
            contentsOfFile: root + "Sources/Locator/Locator.docc/Troubleshooting.md", encoding: .utf8)
        let section = try #require(text.components(separatedBy: "### Errors of the compiler").last)
            .replacing("\n", with: " ").replacing("  ", with: " ")
        for row in Self.cases {
            #expect(section.localizedCaseInsensitiveContains(row.message))
        }
    }
}
