import Foundation
import Locator
import TestSupport
import Testing

/// The mistakes in the shop, one at a time.
private enum Mistake: CaseIterable, Sendable {
    case forgottenRegistration
    case misspelledQualifier
    case unknownLoggerInOneProfile
    case registeredTwice
    case cycle
    case singletonHoldsTheBasket
    case payloadForgotten
    case decoratorBehind
    case startedTooLate
    case settingsOfAnotherType
    case renamedKey
    case brokenFile
}

@Suite("Each of twelve mistakes in a shop is one finding that names the line to fix")
struct DemoMistakesTests {
    private struct Expected: Sendable, CustomTestStringConvertible {
        let mistake: Mistake
        /// Where the finding is: the name of a place in the wiring, or one in a profile file.
        let place: String
        let text: String

        var testDescription: String { "\(mistake)" }
    }

    private static let table = [
        Expected(
            mistake: .forgottenRegistration, place: "catalog",
            text: """
                catalog: error: any Catalog needs any PriceList, which is not registered [dev, prod]
                decorator: note: the decorator of any Catalog wraps any Catalog
                  fix: register it in a loaded module: registry.register((any PriceList).self) { … }
                """),
        Expected(
            mistake: .misspelledQualifier, place: "customers",
            text: """
                customers: error: any Customers needs any Logger "consol", which is not registered [dev, prod]
                console: note: near: any Logger "console"
                file: note: near: any Logger "file"
                orders: note: any Orders needs any Customers
                  fix: change the qualifier to "console"
                """),
        Expected(
            mistake: .unknownLoggerInOneProfile, place: "catalog",
            text: """
                catalog: error: any Catalog needs any Logger "disk", which is not registered [prod]
                note: the qualifier is the value of setting "logger.storage" (application-prod.json:3:26)
                console: note: near: any Logger "console"
                file: note: near: any Logger "file"
                decorator: note: the decorator of any Catalog wraps any Catalog
                  fix: set "logger.storage" to "console" or "file", \
                or register it in a loaded module: registry.register((any Logger).self, qualifier: "disk") { … }
                """),
        Expected(
            mistake: .registeredTwice, place: "catalog",
            text: """
                catalog: error: any Catalog needs any PriceList, but 2 registrations match it, \
                and none of them is primary [dev, prod]
                prices: note: candidate: any PriceList
                second prices: note: candidate: any PriceList
                decorator: note: the decorator of any Catalog wraps any Catalog
                  fix: give them qualifiers and choose one with `parameterQualifiers: [nil, .property("logger.storage"), "…"]` \
                in the registration, mark one of them .primary(), or take all of them as [any PriceList]
                """),
        Expected(
            mistake: .cycle, place: "customers",
            text: """
                customers: error: any Customers depends on itself: \
                any Customers → any Orders → any Customers [dev, prod]
                customers: note: any Customers needs any Orders
                orders: note: any Orders needs any Customers
                  fix: resolve one of them lazily (Lazy<…> or a wrapper), or pass it with .injecting
                """),
        Expected(
            mistake: .singletonHoldsTheBasket, place: "orders",
            text: """
                orders: error: any Orders (.singleton) holds Basket (.session), which has a shorter lifetime [dev, prod]
                basket: note: Basket is registered here
                  fix: take a Provider or a Lazy, or give any Orders the scope .session as well
                """),
        Expected(
            mistake: .payloadForgotten, place: "orders",
            text: """
                orders: error: any Orders needs Invoice, which is made by a factory from a payload of type Order [dev, prod]
                customers: note: any Customers needs any Orders
                  fix: take a Factory<Order, Invoice>
                """),
        Expected(
            mistake: .decoratorBehind, place: "decorator",
            text: """
                decorator: error: the decorator of any Catalog wraps nothing: \
                neither module "Audit" nor any module after it registers any Catalog [dev, prod]
                catalog: note: any Catalog is registered before it
                  fix: load its module before those that register any Catalog, or give it a higher priority
                """),
        Expected(
            mistake: .startedTooLate, place: "mail",
            text: """
                mail: error: any Notifier is made when its module is loaded, but needs Database, which only start() makes [prod]
                database: note: Database is registered here
                  fix: give it the scope .singleton, take a Lazy, or register it with `async:` as well
                """),
        Expected(
            mistake: .settingsOfAnotherType, place: "database",
            text: """
                database: error: Database needs DatabaseSettings: the setting \
                orders.database.poolSize: expected Int, found string "many" (application-prod.json:4:41) [prod]
                mail: note: any Notifier needs Database
                  fix: correct its value, or the type that the program expects
                """),
        Expected(
            mistake: .renamedKey, place: "requirement",
            text: """
                requirement: error: module "Shop" requires a setting: server.url is missing (expected String); \
                did you mean server.uri? [dev, prod]
                  fix: correct the path to server.uri, or rename that setting (application.json:2:22)
                """),
        Expected(
            mistake: .brokenFile, place: "application-prod.json:4:45",
            text: """
                application-prod.json:4:45: error: expected a new key, found "poolSize" again; \
                it is first at 4:29 [prod]
                """),
    ]

    @Test func shopWithoutAMistake_hasNoFinding() throws {
        let shop = try Shop(nil)
        #expect(
            shop.context.validate(profiles: ["dev", "prod"]).description
                == "nothing found in 11 registrations (dev, prod)")
        #expect(Set(Self.table.map(\.mistake)) == Set(Mistake.allCases))
    }

    @Test("Mistakes", arguments: table)
    private func mistake_isFound(_ expected: Expected) throws {
        let shop = try Shop(expected.mistake)
        let report = shop.context.validate(profiles: ["dev", "prod"])
        #expect(report.findings.count == 1)
        let finding = try #require(report.errors.first)
        #expect(shop.named(finding.description) == expected.text)
        #expect((finding.location.map { shop.named("\($0)") } ?? finding.file) == expected.place)
    }
}

/// The lines of registrations by name.
private final class Places: Sendable {
    private let lines = Tally<(name: String, line: UInt)>()

    /// The line of the call, stored under a name.
    func callAsFunction(_ name: String, line: UInt = #line) -> UInt {
        lines.append((name, line))
        return line
    }

    var all: [(name: String, line: UInt)] { lines.elements }
}

/// A small shop like that of the demo, with its profile files.
private struct Shop {
    let context: AppContext
    let places = Places()
    private let folder: TemporaryFolder

    init(_ mistake: Mistake?) throws {
        folder = try TemporaryFolder(Self.files(mistake))
        context = try AppContext().loadProperties(from: folder.path, environment: [:])
        let shop = Self.shop(mistake, at: places)
        let audit = Self.audit(at: places)
        try context.load(shop, priority: mistake == .decoratorBehind ? .high : .normal)
        try context.load(audit, priority: 700)
    }

    /// A text whose lines of this file are replaced by names.
    func named(_ text: String) -> String {
        places.all.reduce(text) { text, place in
            text.replacingOccurrences(of: "\(SourcePlace(line: place.line)):", with: "\(place.name):")
                .replacingOccurrences(of: "\(SourcePlace(line: place.line))", with: place.name)
        }
    }

    private static func shop(_ mistake: Mistake?, at place: Places) -> Module {
        Module("Shop", including: [mail(mistake, at: place)]) { registry in
            registry.register((any Logger).self, qualifier: "console", line: place("console")) { ConsoleLogger() }
            registry.register((any Logger).self, qualifier: "file", line: place("file")) { ConsoleLogger() }
            if mistake != .forgottenRegistration {
                registry.register((any PriceList).self, line: place("prices")) { Prices() }
            }
            if mistake == .registeredTwice {
                registry.register((any PriceList).self, line: place("second prices")) { Prices() }
            }
            // Two parameters need no qualifier. The setting `logger.storage` chooses the logger.
            registry.register(
                (any Catalog).self, parameterQualifiers: [nil, .property("logger.storage"), nil],
                line: place("catalog"),
                CatalogService.init)
            registry.register(
                (any Customers).self,
                parameterQualifiers: [mistake == .misspelledQualifier ? "consol" : "console", nil],
                line: place("customers"), CustomerService.init)
            switch mistake {
            case .cycle: registry.register((any Orders).self, line: place("orders"), HastyOrders.init)
            case .singletonHoldsTheBasket:
                registry.register((any Orders).self, line: place("orders"), BasketOrders.init)
            case .payloadForgotten: registry.register((any Orders).self, line: place("orders"), InvoiceOrders.init)
            default: registry.register((any Orders).self, line: place("orders"), OrderService.init)
            }
            registry.factory(line: place("invoice"), Invoice.init)
            registry.register((any Notifier).self, line: place("printer")) { ReceiptPrinter() }
            registry.register(Database.self, line: place("database"), async: Database.open)
            registry.register(scope: .session, line: place("basket"), Basket.init)
            registry.requires("server.url", as: String.self, line: place("requirement"))
        }
    }

    /// Sends mail if it is enabled.
    private static func mail(_ mistake: Mistake?, at place: Places) -> Module {
        Module("Mail", when: .property("mail.enabled", equals: true)) { registry in
            if mistake == .startedTooLate {
                registry.register((any Notifier).self, scope: .always, line: place("mail")) { (_: Database) in
                    MailNotifier()
                }
            } else {
                registry.register((any Notifier).self, line: place("mail")) { (_: Lazy<Database>) in MailNotifier() }
            }
        }
    }

    private static func audit(at place: Places) -> Module {
        Module("Audit") { registry in
            registry.decorate((any Catalog).self, line: place("decorator")) { AuditedCatalog(base: $0) }
        }
    }

    private static func files(_ mistake: Mistake?) -> [String: String] {
        [
            "application.json": """
            {
              "server": { "\(mistake == .renamedKey ? "uri" : "url")": "http://localhost:8080" },
              "logger": { "storage": "console" },
              "catalog": { "pageSize": 20 },
              "orders": { "database": { "poolSize": 4 } },
              "mail": { "enabled": false }
            }
            """,
            "application-dev.json": """
            { "logger": { "storage": "file" } }
            """,
            "application-prod.json": """
            {
              "mail": { "enabled": true },
              "logger": { "storage": "\(mistake == .unknownLoggerInOneProfile ? "disk" : "file")" },
              "orders": { "database": { "poolSize": \(mistake == .settingsOfAnotherType ? #""many""# : "32")\(
                mistake == .brokenFile ? #", "poolSize": 64"# : "") } }
            }
            """,
        ]
    }
}

extension Scope {
    fileprivate static let session = Scope("session")
}

private protocol Logger: Sendable {}
private struct ConsoleLogger: Logger {}

private protocol PriceList: Sendable {}
private struct Prices: PriceList {}

private struct CatalogSettings: ConfigProperty {
    static let path = "catalog"
    let pageSize: Int
}

private protocol Catalog: Sendable {}
private struct CatalogService: Catalog {
    let settings: CatalogSettings
    let logger: any Logger
    let prices: any PriceList
}
private struct AuditedCatalog: Catalog { let base: any Catalog }

private protocol Customers: Sendable {}
private struct CustomerService: Customers {
    let logger: any Logger
    let orders: any Orders
}

private protocol Orders: Sendable {}
private struct OrderService: Orders {
    let notifiers: [any Notifier]
    let customers: Lazy<any Customers>
    let invoice: Factory<Order, Invoice>
}
private struct HastyOrders: Orders {
    let notifiers: [any Notifier]
    let customers: any Customers
}
private struct BasketOrders: Orders {
    let notifiers: [any Notifier]
    let basket: Basket
}
private struct InvoiceOrders: Orders {
    let notifiers: [any Notifier]
    let invoice: Invoice
}

private struct Order: Sendable {}
private struct Invoice: Sendable {
    let order: Order
    let catalog: any Catalog
}

private protocol Notifier: Sendable {}
private struct ReceiptPrinter: Notifier {}
private struct MailNotifier: Notifier {}

private struct DatabaseSettings: ConfigProperty {
    static let path = "orders.database"
    let poolSize: Int
}
private struct Database: Sendable {
    let settings: DatabaseSettings
    static func open(_ settings: DatabaseSettings) async throws -> Database { Database(settings: settings) }
}

private struct Basket: Sendable { let catalog: any Catalog }
