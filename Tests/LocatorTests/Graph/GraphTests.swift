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

    @Test func tree_marksWhatWasShownBefore_andGoesRoundCycles() throws {
        struct First: Sendable { init(_: Second) {} }
        struct Second: Sendable { init(_: Third, _: First) {} }
        struct Third: Sendable { init(_: Lazy<Second>) {} }
        let line = #line
        let context = try AppContext().load(
            Module("Cycle") { registry in
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
        #expect(logger.qualifiedPayload == nil)
        let prices = try #require(graph.nodes.first { $0.name == "Prices" })
        #expect(prices.payload == "Int")
        #expect(prices.qualifiedPayload == "Swift.Int")
        #expect(graph.nodes.first { $0.name == "Messages" }?.isAsynchronous == true)
        #expect(graph.nodes.first { $0.name == "Everything" }?.takesResolver == true)
        #expect(graph.problems.map(\.kind) == [.missing, .captiveDependency, .notChecked])
        let everything = try #require(graph.nodes.first { $0.name == "Everything" })
        let shelves = try #require(graph.nodes.first { $0.kind == .missing })
        #expect(graph.problems[0].nodes == [everything.id, shelves.id])
    }

    // MARK: Descriptions of nodes

    private static let file: StaticString = "Shop/Shop.swift"
    private static let visit = Scope("visit", requiresOpening: true)
    private struct User: Sendable {}
    private struct Coupon: Leaf { init(from percent: Int) {} }
    private final class Journal: Sendable { init(logger: any Logger) {} }
    private struct Report: Sendable { init(settings: Settings, shelves: Shelves) {} }

    /// A registration of every kind.
    private static let kinds = Module("Shop", properties: ["catalog.size": 3], fileID: file, line: 1) { registry in
        registry.register((any Logger).self, fileID: file, line: 2) { ConsoleLogger() }.primary()
            .alias(Page.self, fileID: file, line: 3) { _ in Page() }
        registry.register(fileID: file, line: 4, Journal.init)
        registry.register(Ticket.self, scope: .prototype, fileID: file, line: 5) { Ticket() }
        registry.factory(Coupon.self, fileID: file, line: 6, async: { Coupon(from: $0) })
            .alias((any Leaf).self, fileID: file, line: 7) { $0 }
        registry.register(Messages.self, fileID: file, line: 8, async: { Messages() })
            .alias(Any.self, fileID: file, line: 9) { $0 }
        registry.decorate(Messages.self, fileID: file, line: 10) { base in base }
        registry.register(instance: 1.5, fileID: file, line: 11)
        registry.input(User.self, scope: visit, fileID: file, line: 12)
        registry.register(scope: .graph, fileID: file, line: 13, Report.init)
    }

    /// Another logger, so that the journal is set aside.
    private static let fake = Module("Fake", fileID: file, line: 20) { registry in
        registry.register((any Logger).self, fileID: file, line: 21) { ConsoleLogger() }
    }

    /// Describes each node in a line.
    private func described(_ context: AppContext) -> [String] {
        context.graph().nodes.map { node in
            let words = [
                node.scope, node.payload, node.state?.rawValue, node.isHidden ? "hidden" : nil,
                node.isAsynchronous ? "asynchronous" : nil, node.isPrimary ? "primary" : nil, node.location,
            ]
            return (["\(node.kind) \(node.name)"] + words.compactMap { $0 }).joined(separator: ", ")
        }
    }

    @Test func nodes_haveTheScopeStateAndPlaceOfTheirKind() throws {
        let context = try AppContext().load(Self.kinds)
        _ = try context.resolve(Journal.self)
        let lines = [
            "registration any Logger, singleton, made, primary, Shop/Shop.swift:2",
            "alias Page, singleton, Shop/Shop.swift:3",
            "registration Journal, singleton, made, Shop/Shop.swift:4",
            "registration Ticket, prototype, Shop/Shop.swift:5",
            "factory Coupon, Int, asynchronous, Shop/Shop.swift:6",
            "alias any Leaf, Int, asynchronous, Shop/Shop.swift:7",
            "decorator Messages, singleton, Shop/Shop.swift:10",
            "alias Any, singleton, Shop/Shop.swift:9",
            "instance Double, singleton, made, Shop/Shop.swift:11",
            "input User, visit, notMade, Shop/Shop.swift:12",
            "registration Report, graph, Shop/Shop.swift:13",
            "configuration Settings",
            "registration Messages, singleton, notMade, asynchronous, Shop/Shop.swift:8",
            "missing Shelves",
            "property catalog, module \"Shop\"",
        ]
        #expect(described(context) == lines)

        let child = try context.child(opening: Self.visit, giving: User())
        #expect(described(child)[9] == "input User, visit, made, Shop/Shop.swift:12")

        try context.push(Self.fake)
        let pushed = [
            "registration any Logger, singleton, notMade, Shop/Shop.swift:21",
            "registration any Logger, singleton, made, hidden, primary, Shop/Shop.swift:2",
            lines[1],
            "registration Journal, singleton, setAside, Shop/Shop.swift:4",
        ]
        #expect(described(context) == pushed + lines[3...])

        try context.reset()
        #expect(described(context)[3] == "registration Journal, singleton, notMade, Shop/Shop.swift:4")
    }

    @Test func tree_describesNodesByTheirKind() throws {
        let context = try AppContext().load(Self.kinds)
        _ = try context.resolve(Journal.self)
        try context.push(Self.fake)
        #expect(
            context.graph().text == """
                any Logger .singleton, made, hidden (Shop/Shop.swift:2)
                Page .singleton (Shop/Shop.swift:3)
                └─ alias of any Logger .singleton (Shop/Shop.swift:21)
                Journal .singleton, set aside (Shop/Shop.swift:4)
                └─ any Logger .singleton (Shop/Shop.swift:21)
                Ticket .prototype (Shop/Shop.swift:5)
                any Leaf (Shop/Shop.swift:7)
                └─ alias of Coupon from Int (Shop/Shop.swift:6)
                Any .singleton (Shop/Shop.swift:9)
                └─ alias of decorator of Messages (Shop/Shop.swift:10)
                   └─ around Messages .singleton (Shop/Shop.swift:8)
                Double .singleton, instance (Shop/Shop.swift:11)
                User .visit, input (Shop/Shop.swift:12)
                Report .graph (Shop/Shop.swift:13)
                ├─ Settings, decoded
                │  └─ setting catalog (module "Shop")
                └─ Shelves, which is not registered
                """)
    }

    @Test("A line break in a name does not begin another line")
    func tree_escapesNames() throws {
        let module = Module("Shop", fileID: Self.file, line: 1) { registry in
            registry.register(Page.self, qualifier: "a\nb", fileID: Self.file, line: 2) { Page() }
        }
        #expect(try AppContext().load(module).graph().text == #"Page "a\nb" .singleton (Shop/Shop.swift:2)"#)
    }

    @Test func registrationsOfOneLine_areDifferentNodes() throws {
        let module = Module("Shop", properties: ["log.to": "file"], fileID: Self.file, line: 1) { registry in
            registry.register((any Logger).self, qualifier: "file", fileID: Self.file, line: 2) { ConsoleLogger() }
                .alias((any Leaf).self, fileID: Self.file, line: 2) { _ in Page() }
            registry.register((any Logger).self, qualifier: "net", fileID: Self.file, line: 2) { ConsoleLogger() }
            registry.register(Page.self, fileID: Self.file, line: 2) { Page() }
            registry.register((any Catalog).self, fileID: Self.file, line: 3) { (_: any Logger) in CachedCatalog() }
            for name in ["first", "second"] {
                registry.register(
                    Ticket.self, qualifier: .named(name), parameterQualifiers: [.property("log.to")],
                    fileID: Self.file, line: 4
                ) { (_: any Logger) in Ticket() }
            }
        }
        let graph = try AppContext().load(module).graph()
        #expect(
            graph.text == """
                any Leaf "file" .singleton (Shop/Shop.swift:2)
                └─ alias of any Logger "file" .singleton (Shop/Shop.swift:2)
                Page .singleton (Shop/Shop.swift:2)
                any Catalog .singleton (Shop/Shop.swift:3)
                ├─ any Logger "file" .singleton (Shop/Shop.swift:2)
                └─ any Logger "net" .singleton (Shop/Shop.swift:2)
                Ticket "first" .singleton (Shop/Shop.swift:4)
                ├─ setting log.to (module "Shop")
                └─ any Logger "file" .singleton (Shop/Shop.swift:2)
                Ticket "second" .singleton (Shop/Shop.swift:4)
                ├─ setting log.to (module "Shop")
                └─ any Logger "file" .singleton (Shop/Shop.swift:2)
                """)
        #expect(graph.nodes.filter { $0.kind == .property }.map(\.name) == ["log.to"])
        #expect(graph.problems.map(\.kind) == [.ambiguous])
        #expect(graph.problems.map(\.nodes) == [graph.nodes.filter { $0.name == "any Catalog" }.map(\.id)])
    }

    @Test func tree_beginsWithANodeThatOnlyItselfNeeds_inItsPlace() throws {
        struct Tree: Sendable { init(_: Lazy<Tree>) {} }
        let module = Module("Shop") { registry in
            registry.register(fileID: Self.file, line: 1, Tree.init)
            registry.register(Page.self, fileID: Self.file, line: 2) { Page() }
        }
        #expect(
            try AppContext().load(module).graph().text == """
                Tree .singleton (Shop/Shop.swift:1)
                └─ lazily Tree .singleton (Shop/Shop.swift:1) ↑
                Page .singleton (Shop/Shop.swift:2)
                """)
    }

    @Test func chart_marksErrorsAndMissingKeys_butNoWarnings_andHasOneBoxForEachName() throws {
        let first = Module("Shop") { $0.register(Page.self) { Page() } }
        let second = Module("Shop") { $0.register(Page.self) { (_: Shelves) in Page() } }
        let graph = try AppContext().load(first, second).graph()
        #expect(graph.problems.map(\.severity) == [.warning, .warning, .warning])
        #expect(graph.problems.contains { !$0.nodes.isEmpty })
        #expect(
            graph.mermaid == """
                flowchart LR
                    subgraph m0["Shop"]
                        n0["Page<br/>.singleton"]
                        n1["Page<br/>.singleton"]
                    end
                    n2{{"Shelves"}}
                    n1 --> n2
                    classDef problem stroke:#c00,stroke-width:2px
                    class n2 problem
                """)
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
