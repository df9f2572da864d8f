import Locator
import Testing

@Suite("An explanation says what a request resolves to, and why")
struct ExplainTests {
    private protocol Logger: Sendable {}
    private struct FileLogger: Logger {}
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
    private protocol Sale: Sendable {}
    private struct Orders: Sale {
        init(catalog: any Catalog, prices: Lazy<[Int]>) {}
    }

    private static let line = #line + 2
    private static let shop = Module("Shop", properties: ["log.to": "file", "catalog.size": 3]) { registry in
        registry.register((any Logger).self, qualifier: "file") { FileLogger() }
        registry.register((any Logger).self, qualifier: "console") { ConsoleLogger() }
        registry.register((any Catalog).self, parameterQualifiers: [.property("log.to"), nil], CatalogService.init)
        registry.decorate((any Catalog).self) { base in CachedCatalog() }
        registry.register(Orders.init).alias((any Sale).self) { $0 }
    }

    private func place(_ line: Int) -> String { "LocatorTests/ExplainTests.swift:\(Self.line + line)" }

    private func context() throws -> AppContext { try AppContext().load(Self.shop) }

    @Test func beforeTheMaking_parametersAreNamed() throws {
        #expect(
            try context().explain((any Catalog).self).description == """
                any Catalog
                  resolves to any Catalog (\(place(2))) in module "Shop" (priority normal), .singleton
                    wrapped by decorator of any Catalog (\(place(3)))
                    needs any Logger the value of setting "log.to"
                    needs Settings
                """)
    }

    @Test func afterTheMaking_whatItReadIsNamed() throws {
        let context = try context()
        _ = try context.resolve((any Catalog).self)
        #expect(
            context.explain((any Catalog).self).description == """
                any Catalog
                  resolves to any Catalog (\(place(2))) in module "Shop" (priority normal), .singleton, made
                    wrapped by decorator of any Catalog (\(place(3)))
                    made from any Logger "file" (\(place(0)))
                    made from Settings
                    made from setting "log.to" (module "Shop")
                """)
        #expect(
            context.explain(Settings.self).description == """
                Settings
                  decoded from the settings, because it is not registered, made
                    made from setting "catalog" (module "Shop")
                """)
    }

    @Test func explanation_makesNothing() throws {
        let context = try context()
        _ = context.explain((any Catalog).self)
        _ = context.dump()
        #expect(context.existing((any Catalog).self) == nil)
        #expect(context.existing((any Logger).self, qualifier: "file") == nil)
    }

    @Test func alias_leadsToItsRegistration() throws {
        let explanation = try context().explain((any Sale).self)
        #expect(
            explanation.description == """
                any Sale
                  resolves to Orders (\(place(4))) in module "Shop" (priority normal), .singleton
                    through alias any Sale (\(place(4)))
                    needs any Catalog
                    needs Lazy<[Int]>
                """)
    }

    @Test func answer_hasThePayloadAndThePrimaryMark_ofItsRegistration() throws {
        let context = try AppContext().load(
            Module("Numbers") { registry in
                registry.register { 1 }.primary()
                registry.register { 2 }
                registry.factory(String.self) { (number: Int) in "\(number)" }
            })
        #expect(context.explain(Int.self).answers.map { $0.registered?.isPrimary } == [true])
        #expect(context.explain(Factory<Int, String>.self).answers.map { $0.registered?.payload } == ["Int"])
    }

    @Test func replacement_namesWhatItHides() throws {
        let context = try context()
        let line = #line + 1
        try context.push(Module("Fake") { $0.register((any Catalog).self) { CachedCatalog() } })
        #expect(
            context.explain((any Catalog).self).description == """
                any Catalog
                  resolves to any Catalog (LocatorTests/ExplainTests.swift:\(line)) in module "Fake" \
                (priority high), .singleton
                  hides any Catalog (\(place(2))) in module "Shop" (priority normal)
                """)
    }

    @Test func alias_doesNotHideItself_ifItsTargetIsReplaced() throws {
        let context = try context()
        let line = #line + 2
        try context.push(
            Module("Fake") { $0.register(Orders.self) { Orders(catalog: CachedCatalog(), prices: .value([])) } })
        #expect(
            context.explain((any Sale).self).description == """
                any Sale
                  resolves to Orders (LocatorTests/ExplainTests.swift:\(line)) in module "Fake" (priority high), .singleton
                    through alias any Sale (\(place(4)))
                """)
    }

    @Test func factory_namesTheFactoriesThatItHides() throws {
        let line = #line + 2
        let context = try AppContext().load(
            Module("New") { $0.factory(String.self) { (_: Int) in "new" } },
            Module("Old") { $0.factory(String.self) { (_: Int) in "old" } },
            Module("Other") { registry in
                registry.factory(String.self) { (_: Bool) in "other" }
                registry.register { "plain" }
            })
        func place(_ offset: Int) -> String { "LocatorTests/ExplainTests.swift:\(line + offset)" }
        #expect(
            context.explain(Factory<Int, String>.self).description == """
                String
                  resolves to String (\(place(0))) in module "New" (priority normal), .prototype
                  hides String (\(place(1))) in module "Old" (priority normal)
                """)
        #expect(
            context.explain(String.self).description == """
                String
                  resolves to String (\(place(4))) in module "Other" (priority normal), .singleton
                """)
    }

    @Test func fallback_namesTheRegistrationsWithOtherQualifiers() throws {
        let line = #line + 2
        let context = try AppContext().load(
            Module("First") { $0.register(qualifier: "a") { "a" } },
            Module("Second") { $0.register(qualifier: "b") { "b" } })
        #expect(
            context.explain(String.self).description == """
                String
                  resolves to String "a" (LocatorTests/ExplainTests.swift:\(line)) in module "First" \
                (priority normal), .singleton
                  hides String "b" (LocatorTests/ExplainTests.swift:\(line + 1)) in module "Second" (priority normal)
                """)
    }

    @Test func nothing_isExplainedAsTheErrorWouldBe() throws {
        let context = try context()
        #expect(
            context.explain((any Logger).self).description == """
                any Logger
                  2 registrations match any Logger, and none of them is primary
                    candidate: any Logger "file" (\(place(0)))
                    candidate: any Logger "console" (\(place(1)))
                    fix: request one by its qualifier, mark one of them .primary(), or get all of them with resolveAll
                """)
        #expect(
            context.explain((any Logger).self, qualifier: "fiel").description == """
                any Logger "fiel"
                  any Logger "fiel" is not registered
                    near: any Logger "file" (\(place(0)))
                    near: any Logger "console" (\(place(1)))
                    fix: change the qualifier to "file"
                """)
    }

    private struct Holder {
        @Dependency(qualifierBy: "log.to") var logger: any Logger
        @Dependency var clock: (any Catalog)?
        @DependencyArray(qualifier: "console") var consoles: [any Logger]
        @PropertyValue("catalog.size") var size: Int
    }

    private struct Selecting {
        @DependencyArray(from: .modules(named: "Shp")) var named: [any Logger]
        @DependencyArray(from: .where { $0.priority == .high }) var matching: [any Logger]
        @DependencyArray(from: .modules(named: "Shop")) var catalogs: [Int]
    }

    @Test func emptySelection_namesTheModulesThatHaveElements() throws {
        let other = Module("Other") { $0.register((any Logger).self, qualifier: "other") { ConsoleLogger() } }
        let context = try context().load(other)
        let holder = AppContext.withContext(context) { Selecting() }
        #expect(holder.named.isEmpty)
        let text = """
            any Logger
              no selected module registers it: the collection is empty; registered in "Shop", "Other"
            """
        #expect(holder.$named.explain().description == text)
        #expect(holder.$matching.explain().description == text)
        #expect(
            holder.$catalogs.explain().description == """
                Int
                  nothing is registered: the collection is empty
                """)
    }

    @Test func wrappers_explainThemselves() throws {
        let context = try context()
        let holder = AppContext.withContext(context) { Holder() }
        #expect(
            holder.$logger.explain().description == """
                any Logger "file"
                  resolves to any Logger "file" (\(place(0))) in module "Shop" (priority normal), .singleton
                """)
        #expect(holder.$clock.explain() == context.explain((any Catalog).self))
        #expect(
            holder.$consoles.explain().description == """
                any Logger "console"
                  resolves to any Logger "console" (\(place(1))) in module "Shop" (priority normal), .singleton
                """)
        #expect(
            holder.$size.explain()?.description == """
                catalog.size = 3
                  from module "Shop" 3
                """)
    }

    @Test func wrapperWithAValue_saysSo() {
        let wrapper = Dependency<Int>.value(3)
        #expect(wrapper.explain().problem == "the value was passed in, and no context is used")
        #expect(PropertyValue<Int>.value(3).explain() == nil)
    }

    @Test func dump_showsModules_instances_andPropertiesWithoutSecrets() throws {
        let line = #line + 1
        let secret = Module("Secrets", properties: ["mail.password": "hunter2"], when: .not(.profile("dev"))) { _ in }
        let context = try AppContext().load(Self.shop).load(secret, priority: .low)
        try context.load(Module("Off", when: .profile("prod")) { _ in })
        _ = try context.resolve((any Catalog).self)
        let here = "LocatorTests/ExplainTests.swift"
        #expect(
            context.dump() == """
                modules, in lookup order
                  module "Shop" (\(here):\(Self.line - 1)), priority normal, loaded at \(here):\(line + 1)
                    any Logger "file" (\(place(0))) .singleton
                    any Logger "console" (\(place(1))) .singleton
                    any Catalog (\(place(2))) .singleton
                    Orders (\(place(4))) .singleton, alias any Sale
                    decorator of any Catalog (\(place(3)))
                  module "Secrets" (\(here):\(line)), priority low, loaded at \(here):\(line + 1)
                  module "Off" (\(here):\(line + 2)), off unless profile "prod" is active
                instances, in the order they were made
                  any Logger "file" (\(place(0))) .singleton
                  Settings, decoded
                  any Catalog (\(place(2))) .singleton
                  decorator of any Catalog (\(place(3))) .singleton
                properties
                  mail.password = "<secret>"
                    from module "Secrets" "<secret>"
                  catalog.size = 3
                    from module "Shop" 3
                  log.to = "file"
                    from module "Shop" "file"
                """)
    }

    private struct Label: Sendable {}

    private static let labelLine = #line + 2
    private static let labels = Module("Labels") { registry in
        registry.factory(Label.self) { (text: String) in Label() }
    }

    @Test func factory_isExplained_byItsPayload() throws {
        let context = try AppContext().load(Self.labels)
        let registered = "LocatorTests/ExplainTests.swift:\(Self.labelLine)"
        #expect(
            context.explain(Factory<String, Label>.self).description == """
                Label
                  resolves to Label (\(registered)) in module "Labels" (priority normal), .prototype
                """)
        let line = #line + 1
        let problem = context.explain(Factory<Int, Label>.self).problem
        #expect(
            problem == """
                LocatorTests/ExplainTests.swift:\(line): no factory of Label takes a payload of type Int, only String
                  fix: pass String, or register a factory for this payload: registry.factory(Label.self) { (payload: Int) in … }
                """)
    }

    @Test func factory_isExplained_evenIfItIsAmbiguous_orItsQualifierIsMissing() throws {
        let twins = Module("Twins") { registry in
            registry.factory(Label.self, fileID: "Shop/Twins.swift", line: 1) { (text: String) in Label() }
            registry.factory(Label.self, fileID: "Shop/Twins.swift", line: 2) { (text: String) in Label() }
        }
        let context = try AppContext().load(twins)
        let ambiguous = context.explain(Factory<String, Label>.self).problem
        #expect(ambiguous?.contains("Shop/Twins.swift:1") == true && ambiguous?.contains("Shop/Twins.swift:2") == true)
        let unnamed = context.explain(Factory<String, Label>.self, qualifier: .property("label.kind")).problem
        #expect(unnamed?.contains("label.kind") == true)
    }

    @Test func whatTheContextMakesItself_hasNoProblem() {
        #expect(AppContext().explain(Resolver.self).description == "Resolver")
    }

    @Test func arrayOfWhatCannotBeRegistered_isAProblem() throws {
        #expect(
            try context().explain([(any Logger)?].self).problem == """
                (any Logger)? is not registered
                  fix: take [any Logger], or something that resolves this array later: a (any Logger)? cannot be \
                registered, so it is never an element
                """)
    }

    @Test func endedContext_isSaidToHaveEnded() throws {
        let request = Scope("request", requiresOpening: true)
        let context = try AppContext().load(Module("Server") { $0.register(scope: request) { Label() } })
        let (child, wrapper) = try context.within(request) {
            ($0, Dependency<Label>(fileID: "Shop/Screen.swift", line: 5))
        }
        let explanations = [child.explain(Label.self, fileID: "Shop/Screen.swift", line: 5), wrapper.explain()]
        let error = message { try wrapper.resolved() }
        #expect(error?.contains("its context has ended") == true)
        for explanation in explanations { #expect(explanation.problem == error) }
    }
}
