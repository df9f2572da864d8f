import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

private protocol Logger: Sendable {}
private protocol Catalog: Sendable {}
private struct FileLogger: Logger {}
private struct CatalogService: Catalog { let logger: any Logger }
private struct Shop: Sendable { let catalog: any Catalog }
private struct Stock: Sendable {}
private struct Invoice: Sendable {}

@Suite("Validation finds dependencies that are not registered")
struct MissingFindingTests {
    @Test func nothingIsFound_inASoundWiring() throws {
        let text = try report { registry in
            registry.register((any Logger).self, fileID: file, line: 2) { FileLogger() }
            registry.register((any Catalog).self, fileID: file, line: 3, CatalogService.init)
            registry.register(Shop.self, fileID: file, line: 4, Shop.init)
        }
        #expect(text == "nothing found in 3 registrations")
        #expect(try report { _ in } == "nothing found in 0 registrations")
    }

    @Test func missing_isReportedAtTheRegistrationThatNeedsIt_withThoseThatNeedThat() throws {
        let text = try report { registry in
            registry.register((any Catalog).self, fileID: file, line: 2, CatalogService.init)
            for line: UInt in 3...6 {
                registry.register(Shop.self, qualifier: .named("\(line)"), fileID: file, line: line, Shop.init)
            }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: any Catalog needs any Logger, which is not registered
                Shop/Shop.swift:3: note: Shop "3" needs any Catalog
                Shop/Shop.swift:4: note: Shop "4" needs any Catalog
                Shop/Shop.swift:5: note: Shop "5" needs any Catalog
                note: and 1 more needs it
                  fix: register it in a loaded module: registry.register((any Logger).self) { … }
                1 error in 5 registrations
                """)
    }

    @Test func missing_namesOtherQualifiers() throws {
        let text = try report { registry in
            registry.register((any Logger).self, qualifier: "file", fileID: file, line: 2) { FileLogger() }
            registry.register((any Logger).self, fileID: file, line: 3) { FileLogger() }
            registry.register(
                (any Catalog).self, parameterQualifiers: ["fil"], fileID: file, line: 4, CatalogService.init)
        }
        #expect(
            text == """
                Shop/Shop.swift:4: error: any Catalog needs any Logger "fil", which is not registered
                Shop/Shop.swift:2: note: near: any Logger "file"
                Shop/Shop.swift:3: note: near: any Logger
                  fix: change the qualifier to "file"
                1 error in 3 registrations
                """)
    }

    @Test func missing_namesTypesWithNearNames() throws {
        struct Stok: Sendable {}
        let text = try report { registry in
            registry.register(Stock.self, fileID: file, line: 2) { Stock() }
            registry.register(Shop.self, fileID: file, line: 3) { (_: Stok) in Shop(catalog: Shelf()) }
        }
        #expect(
            text == """
                Shop/Shop.swift:3: error: Shop needs Stok, which is not registered
                Shop/Shop.swift:2: note: near: Stock
                  fix: register it in a loaded module: registry.register(Stok.self) { … }
                1 error in 2 registrations
                """)
    }

    @Test func nearNames_areLookedForOnlyWhereFewAreMissing() throws {
        struct Stok: Sendable {}
        let shop = Module("Shop") { registry in
            registry.register(Stock.self, fileID: file, line: 2) { Stock() }
            for number in 1...30 {
                registry.register(
                    Int.self, qualifier: .named("\(number)"), parameterQualifiers: [.named("\(number % 25)")]
                ) {
                    (_: Stok) in 1
                }
            }
        }
        let findings = try AppContext().load(shop).validate().findings
        #expect(findings.count == 25)
        #expect(findings.prefix(20).allSatisfy { $0.notes.first?.text == "near: Stock" })
        #expect(findings.prefix(5).map { $0.notes.last?.text } == (26...30).map { "Int \"\($0)\" needs it, too" })
        #expect(findings[20..<25].allSatisfy { $0.notes.isEmpty })
    }

    @Test func missing_namesTheModuleThatIsOff() throws {
        let loggers = Module("Loggers", when: .property("logger.on")) { registry in
            registry.register((any Logger).self, fileID: "Shop/Logs.swift", line: 2) { FileLogger() }
        }
        let shop = Module("Shop") { registry in
            registry.register((any Catalog).self, fileID: file, line: 2, CatalogService.init)
        }
        #expect(
            try report(on: loggers, shop) == """
                Shop/Shop.swift:2: error: any Catalog needs any Logger, which is not registered
                Shop/Logs.swift:2: note: module "Loggers" registers any Logger, but is off unless setting "logger.on" exists
                  fix: make the condition true, or register it in a loaded module: registry.register((any Logger).self) { … }
                1 error in 1 registration
                """)
    }

    @Test func missing_namesThePropertyThatGivesTheQualifier() throws {
        let settings = Module("Settings", properties: ["logger.storage": "disk"])
        let shop = Module("Shop") { registry in
            registry.register((any Logger).self, qualifier: "file", fileID: file, line: 2) { FileLogger() }
            registry.register(
                (any Catalog).self, parameterQualifiers: [.property("logger.storage")], fileID: file, line: 3,
                CatalogService.init)
        }
        #expect(
            try report(on: settings, shop) == """
                Shop/Shop.swift:3: error: any Catalog needs any Logger "disk", which is not registered
                note: the qualifier is the value of setting "logger.storage" (module "Settings")
                Shop/Shop.swift:2: note: near: any Logger "file"
                  fix: set "logger.storage" to "file", or register it in a loaded module: registry.register((any Logger).self, qualifier: "disk") { … }
                1 error in 2 registrations
                """)
    }

    @Test("The path of a setting in place of a qualifier, and a qualifier in place of a path")
    func missing_saysHowToNameASettingOrAQualifier() throws {
        let settings = Module("Settings", properties: ["logger.storage": "file"])
        let shop = Module("Shop") { registry in
            registry.register((any Logger).self, qualifier: "file", fileID: file, line: 2) { FileLogger() }
            registry.register(
                (any Catalog).self, parameterQualifiers: ["logger.storage"], fileID: file, line: 3, CatalogService.init)
            registry.register(
                (any Catalog).self, qualifier: "b", parameterQualifiers: [.property("file")], fileID: file, line: 4,
                CatalogService.init)
        }
        #expect(
            try report(on: settings, shop) == """
                Shop/Shop.swift:3: error: any Catalog needs any Logger "logger.storage", which is not registered
                Shop/Shop.swift:2: note: near: any Logger "file"
                  fix: "logger.storage" is a setting: write qualifierBy: "logger.storage", or .property("logger.storage")
                Shop/Shop.swift:4: error: any Catalog "b" needs any Logger, whose qualifier comes from a setting: \
                file is missing (expected String)
                  fix: "file" is a qualifier: write qualifier: "file"; qualifierBy: takes the path of a setting
                2 errors in 3 registrations
                """)
    }

    @Test func missing_isFoundInEveryWayToAsk() throws {
        let text = try report { registry in
            registry.register(Int.self, fileID: file, line: 2) { (_: Lazy<Stock>) in 1 }
            registry.register(UInt.self, fileID: file, line: 3) { (_: Provider<Stock>) in 1 }
            registry.register(Int8.self, fileID: file, line: 4) { 1 }.injecting { (_: Int8, _: Stock) in }
            registry.register(Int16.self, fileID: file, line: 5) { 1 }
            registry.decorate(Int16.self, fileID: file, line: 6) { (base: Int16, _: Stock) in base }
            registry.factory(Int32.self, fileID: file, line: 7) { (payload: String, _: Stock) in 1 }
            registry.register(Int64.self, fileID: file, line: 8, async: { (_: Stock) in 1 })
            // Nothing is wrong with these.
            registry.register(UInt8.self, fileID: file, line: 9) { (_: Stock?, _: Lazy<Stock?>) in 1 }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: Int needs Stock, which is not registered
                Shop/Shop.swift:3: note: UInt needs it, too
                Shop/Shop.swift:4: note: Int8 needs it, too
                Shop/Shop.swift:6: note: the decorator of Int16 needs it, too
                Shop/Shop.swift:7: note: Int32 needs it, too
                Shop/Shop.swift:8: note: Int64 needs it, too
                  fix: register it in a loaded module: registry.register(Stock.self) { … }
                1 error in 7 registrations
                """)
    }

    @Test func missing_isAnError_whenTheStartOfAChildMakesTheElementThatNeedsIt() async throws {
        let request = Scope("request", requiresOpening: true)
        let front = Module("Front") { registry in
            registry.register(Stock.self, scope: request) { Stock() }
            registry.register(Invoice.self) { Invoice() }
        }
        let behind = Module("Behind") { registry in
            registry.register(Stock.self, scope: request, fileID: file, line: 2, async: { (_: Shop) in Stock() })
            registry.register(Invoice.self, fileID: file, line: 3) { (_: [Stock]) in Invoice() }
        }
        let context = try AppContext().load(front, behind)
        let child = try context.child(opening: request)
        for context in [context, child] {
            #expect(
                context.validate().errors.map(\.description) == [
                    """
                    Shop/Shop.swift:2: error: Stock needs Shop, which is not registered
                    Shop/Shop.swift:3: note: Invoice needs Stock
                      fix: register it in a loaded module: registry.register(Shop.self) { … }
                    """
                ])
        }
        await #expect(throws: LocatorError.self) { try await child.start() }
    }

    @Test func mistakeOfADecorator_isReportedOnce_ifItWrapsSeveral() throws {
        let text = try report { registry in
            for line: UInt in 2...4 {
                registry.register(Stock.self, qualifier: .named("\(line)"), fileID: file, line: line) { Stock() }
            }
            registry.decorate(Stock.self, fileID: file, line: 5) { (base: Stock, _: Factory<String, Stock>) in base }
        }
        #expect(
            text == """
                Shop/Shop.swift:5: error: the decorator of Stock "2" needs a Factory<String, Stock>, \
                but no factory of Stock takes a payload of type String
                Shop/Shop.swift:5: note: the decorator of Stock "3" is affected, too
                Shop/Shop.swift:5: note: the decorator of Stock "4" is affected, too
                  fix: register a factory for this payload: registry.factory(Stock.self) { (payload: String) in … }
                1 error in 3 registrations
                """)
    }

    @Test func mistakeOfADecorator_isReportedOnce_ifItWrapsAHiddenRegistration() throws {
        let context = try AppContext().load(Module("Front") { $0.register(Stock.self) { Stock() } })
        try context.load(
            Module("Behind") { registry in
                registry.register(Stock.self) { Stock() }
                registry.factory(Stock.self) { (_: Int) in Stock() }
                registry.decorate(Stock.self, fileID: file, line: 4) { (base: Stock, _: Invoice) in base }
            }, priority: .low)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:4: error: the decorator of Stock needs Invoice, which is not registered
                  fix: register it in a loaded module: registry.register(Invoice.self) { … }
                1 error in 3 registrations
                """)
    }

    @Test func missing_isAWarning_whenNoRequestLeadsToIt() throws {
        let front = Module("Front") { registry in
            registry.register(Shop.self, fileID: "Shop/Front.swift", line: 2) { Shop(catalog: Shelf()) }
        }
        let shop = Module("Shop") { registry in
            registry.register(Shop.self, fileID: file, line: 2, Shop.init)
        }
        #expect(
            try report(on: front, shop) == """
                Shop/Shop.swift:2: warning: Shop needs any Catalog, which is not registered
                  fix: register it in a loaded module: registry.register((any Catalog).self) { … }
                Shop/Shop.swift:2: warning: Shop in module "Shop" is hidden: another module comes first
                Shop/Front.swift:2: note: module "Front" (priority normal) comes first
                  fix: among modules of equal priority, the first one loaded wins: push the intended one, load the fallback with priority .low, remove one of them, or give them qualifiers
                2 warnings in 2 registrations
                """)
    }
}

@Suite("Validation finds missing payloads, payloads that no factory takes, and unused qualifiers")
struct PayloadFindingTests {
    @Test func payload_isMissing() throws {
        let text = try report { registry in
            registry.factory(Invoice.self, fileID: file, line: 2) { (_: String) in Invoice() }
            registry.factory(Invoice.self, fileID: file, line: 3) { (_: [Int]) in Invoice() }
            registry.register(Shop.self, fileID: file, line: 4) { (_: Invoice) in Shop(catalog: Shelf()) }
        }
        #expect(
            text == """
                Shop/Shop.swift:4: error: Shop needs Invoice, which is made by a factory from a payload of type String or [Int]
                  fix: take a Factory<String, Invoice> or Factory<[Int], Invoice>
                1 error in 3 registrations
                """)
    }

    @Test func payload_isOneThatNoFactoryTakes() throws {
        let text = try report { registry in
            registry.factory(Invoice.self, fileID: file, line: 2) { (_: String) in Invoice() }
            registry.register(Stock.self, fileID: file, line: 3) { (_: Factory<String, Invoice>) in Stock() }
            registry.register(Shop.self, fileID: file, line: 4) { (_: Factory<Bool, Invoice>) in
                Shop(catalog: Shelf())
            }
            registry.register(Int.self, fileID: file, line: 5) { (_: Factory<Bool, Stock>) in 1 }
        }
        #expect(
            text == """
                Shop/Shop.swift:4: error: Shop needs a Factory<Bool, Invoice>, but no factory of Invoice \
                takes a payload of type Bool, only String
                  fix: pass String, or register a factory for this payload: registry.factory(Invoice.self) { (payload: Bool) in … }
                Shop/Shop.swift:5: error: Int needs a Factory<Bool, Stock>, but no factory of Stock \
                takes a payload of type Bool
                Shop/Shop.swift:3: note: near: Stock, which takes no payload
                  fix: take Stock itself, or register a factory for this payload: registry.factory(Stock.self) { (payload: Bool) in … }
                2 errors in 4 registrations
                """)
    }

    @Test func qualifierOfAResolver_hasNoUse() throws {
        let text = try report { registry in
            registry.register(Stock.self, parameterQualifiers: ["file", nil], fileID: file, line: 2) {
                (_: Resolver, _: Int?) in
                Stock()
            }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: Stock gives a qualifier for its Resolver, which cannot have one
                  fix: pass nil at its position in `parameterQualifiers:`
                Shop/Shop.swift:2: note: Stock takes a Resolver: what it resolves is not checked
                1 error, 1 note in 1 registration
                """)
    }
}

private struct Shelf: Catalog {}
