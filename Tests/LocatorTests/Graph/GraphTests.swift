import Foundation
import Locator
import Testing

@Suite("A graph shows registrations and their dependencies")
struct GraphTests {
    private protocol Logger: Sendable {}
    private struct ConsoleLogger: Logger {}
    private protocol Catalog: Sendable {}
    private struct Settings: ConfigProperty {
        static let path = "catalog"
        let size: Int
    }
    private struct CatalogService: Catalog {
        init(logger: any Logger, settings: Settings) {}
    }
    private struct CachedCatalog: Catalog {}
    private protocol Leaf: Sendable {}
    private struct Page: Leaf {}
    private struct Ticket: Sendable {}
    private struct Prices: Sendable {}
    private struct Shelves: Sendable {}
    private final class Messages: Sendable {}
    private final class Users: Sendable {}
    private struct Everything: Sendable {
        init(
            catalog: any Catalog, page: Page?, loggers: [any Logger], users: Lazy<Users>, ticket: Provider<Ticket>,
            prices: Factory<Int, Prices>, shelves: Shelves, resolver: Resolver
        ) {}
    }
    private struct Part: Component {
        static func register(in registry: Registry) { registry.register(instance: Part()) }
    }

    private static let firstLine = #line + 2
    private static let shop = Module("Shop", properties: ["log.to": "console", "catalog.size": 3]) { registry in
        registry.register((any Logger).self, qualifier: "console") { ConsoleLogger() }.primary()
        registry.register((any Catalog).self, parameterQualifiers: [.property("log.to"), nil], CatalogService.init)
        registry.decorate((any Catalog).self) { (base, page: Page) in CachedCatalog() }
        registry.register(Page.self, scope: .graph) { Page() }.alias((any Leaf).self, qualifier: "page") { $0 }
        registry.register(Ticket.self, scope: .prototype) { Ticket() }
        registry.factory(Prices.self) { (factor: Int) in Prices() }
        registry.register(Messages.self, async: { Messages() })
        registry.register(Users.self) { Users() }.injecting { (users, messages: Messages) in }
        registry.register(Everything.self, scope: Scope("visit"), Everything.init)
    }

    private func place(_ line: Int) -> String { "LocatorTests/GraphTests.swift:\(Self.firstLine + line)" }

    private func context() throws -> AppContext {
        try AppContext().load(Self.shop, Module("Parts", components: [Part.self]))
            .load(Module("Mail", when: .property("mail.on")) { _ in }, priority: .low)
    }

    @Test func tree_showsEveryKindOfNeed() throws {
        let context = try context()
        _ = try context.resolve((any Logger).self)
        #expect(
            context.graph().text == """
                any Leaf "page" .graph (\(place(3)))
                └─ alias of Page .graph (\(place(3)))
                Everything .visit (\(place(8)))
                ├─ decorator of any Catalog (\(place(2)))
                │  ├─ around any Catalog .singleton (\(place(1)))
                │  │  ├─ setting log.to (module "Shop")
                │  │  ├─ any Logger "console" .singleton, made (\(place(0)))
                │  │  └─ Settings, decoded
                │  │     └─ setting catalog (module "Shop")
                │  └─ Page .graph (\(place(3)))
                ├─ optionally Page .graph (\(place(3)))
                ├─ each any Logger "console" .singleton, made (\(place(0)))
                ├─ lazily Users .singleton (\(place(7)))
                │  └─ injected Messages .singleton (\(place(6)))
                ├─ provider of Ticket .prototype (\(place(4)))
                ├─ factory of Prices from Int (\(place(5)))
                └─ Shelves, which is not registered
                Part .singleton, instance (LocatorTests/GraphTests.swift:\(Self.firstLine - 5))
                """)
    }

    @Test func tree_showsAllRegistrationsThatAnAmbiguousDependencyMatches() throws {
        let line = #line + 2
        let module = Module("M") { registry in
            registry.register((any Logger).self, qualifier: "file") { ConsoleLogger() }
            registry.register((any Logger).self, qualifier: "net") { ConsoleLogger() }
            registry.register((any Catalog).self) { (logger: any Logger) in CachedCatalog() }
        }
        func place(_ offset: Int) -> String { "LocatorTests/GraphTests.swift:\(line + offset)" }
        #expect(
            try AppContext().load(module).graph().text == """
                any Catalog .singleton (\(place(2)))
                ├─ any Logger "file" .singleton (\(place(0)))
                └─ any Logger "net" .singleton (\(place(1)))
                """)
    }

    @Test func tree_marksWhatWasShownBefore_andGoesRoundCircles() throws {
        struct First: Sendable { init(_: Second) {} }
        struct Second: Sendable { init(_: Third, _: First) {} }
        struct Third: Sendable { init(_: Lazy<Second>) {} }
        let line = #line
        let context = try AppContext().load(
            Module("Circle") { registry in
                registry.register(First.init)
                registry.register(Second.init)
                registry.register(Third.init)
            })
        let place = { (offset: Int) in "LocatorTests/GraphTests.swift:\(line + offset)" }
        #expect(
            context.graph().text == """
                First .singleton (\(place(3)))
                └─ Second .singleton (\(place(4)))
                   ├─ Third .singleton (\(place(5)))
                   │  └─ lazily Second .singleton (\(place(4))) ↑
                   └─ First .singleton (\(place(3))) ↑
                """)
    }

    @Test func chart_isMermaid_withNamesEscaped() throws {
        struct Box<Value: Sendable>: Sendable {}
        let module = Module("A \"B\" & <C>") { registry in
            registry.register(Box<Int>.self, qualifier: "#1") { Box() }
            registry.register(Page.self) { (box: Box<Int>, shelves: Lazy<Shelves>) in Page() }
        }
        #expect(
            try AppContext().load(module).graph().mermaid == """
                flowchart LR
                    subgraph m0["A #quot;B#quot; #amp; #lt;C#gt;"]
                        n0["Box#lt;Int#gt; #quot;#35;1#quot;<br/>.singleton"]
                        n1["Page<br/>.singleton"]
                    end
                    n2{{"Shelves"}}
                    n1 --> n0
                    n1 -.->|lazy| n2
                    classDef problem stroke:#c00,stroke-width:2px
                    class n1,n2 problem
                """)
    }

    @Test func nodes_knowTypes_states_andModules() throws {
        let context = try context()
        _ = try context.resolve((any Logger).self)
        let graph = context.graph()
        #expect(graph.modules.map(\.name) == ["Shop", "Parts", "Mail"])
        #expect(graph.modules.map(\.priority) == [500, 500, 100])
        #expect(graph.modules[1].components == ["LocatorTests.GraphTests.Part"])
        #expect(graph.modules[2].offUnless == "setting \"mail.on\" exists")
        let logger = try #require(graph.nodes.first { $0.name == "any Logger" })
        #expect(logger.qualifiedType == "any LocatorTests.GraphTests.Logger")
        #expect(logger.qualifier == "console")
        #expect(logger.isPrimary)
        #expect(logger.module == "Shop")
        #expect(graph.nodes.first { $0.name == "Messages" }?.isAsynchronous == true)
        #expect(graph.nodes.first { $0.name == "Everything" }?.takesResolver == true)
        #expect(graph.problems.map(\.kind) == [.missing, .captiveDependency, .notChecked])
        let everything = try #require(graph.nodes.first { $0.name == "Everything" })
        let shelves = try #require(graph.nodes.first { $0.kind == .missing })
        #expect(graph.problems[0].nodes == [everything.id, shelves.id])
    }

    @Test func states_followTheContext_andItsParents() throws {
        let context = try context()
        func states(_ context: AppContext) -> [ContextGraph.Node.State?] {
            context.graph().nodes.filter { $0.name == "any Logger" }.map(\.state)
        }
        #expect(states(context) == [.notMade])
        _ = try context.resolve((any Logger).self)
        #expect(states(context) == [.made])
        #expect(try states(context.child()) == [.made])
        #expect(try states(context.fork()) == [.notMade])

        struct Silent: Logger {}
        try context.push(Module("Fake") { $0.decorate((any Logger).self) { base in Silent() } })
        _ = try context.resolve((any Logger).self)
        #expect(context.graph().modules.map(\.isPushed) == [true, false, false, false])
        context.pop()
        #expect(states(context) == [.made])
    }

    @Test func graph_makesNothing_andChangesNothing() throws {
        let context = try context()
        #expect(context.graph() == context.graph())
        #expect(context.existing((any Logger).self, qualifier: "console") == nil)
    }

    @Test func json_givesTheGraphBack() throws {
        let graph = try context().graph()
        let json = try graph.json()
        #expect(try ContextGraph(json: json) == graph)
        #expect(try graph.json() == json)
    }

    @Test(
        "A graph of version 0.1 uses other names for the kinds of findings",
        arguments: [
            ("captive", Finding.Kind.captiveDependency), ("circle", .circularDependency), ("near", .similarName),
            ("taking", .parameterQualifiers),
        ])
    func formerNames(name: String, kind: Finding.Kind) throws {
        let json = try context().graph().json()
        let former = String(decoding: json, as: UTF8.self).replacing("\"captiveDependency\"", with: "\"\(name)\"")
        #expect(try ContextGraph(json: Data(former.utf8)).problems.map(\.kind) == [.missing, kind, .notChecked])
    }

    @Test func arraysThatMayBeEmpty_areListedWithTheirModule() throws {
        let context = try AppContext().load(
            Module("Editor") { registry in
                registry.mayBeEmpty((any Logger).self)
                registry.mayBeEmpty(Page.self)
            }, Module("Parts"), Module("Mail", when: .profile("prod")) { $0.mayBeEmpty(Page.self) })
        let graph = context.graph()
        #expect(
            graph.modules.map(\.mayBeEmpty) == [
                ["any LocatorTests.GraphTests.Logger", "LocatorTests.GraphTests.Page"], nil, nil,
            ])
        #expect(try ContextGraph(json: graph.json()) == graph)
    }

    @Test func json_ofALaterVersion_isRefused() throws {
        var graph = try context().graph()
        graph.version = 3
        let json = try graph.json()
        #expect(
            message { try ContextGraph(json: json) } == """
                the graph has format 3, and this library reads formats up to 2
                  fix: read it with the version of the library that wrote it
                """)
        #expect(message { try ContextGraph(json: Data("[]".utf8)) } != nil)
    }
}
