import Locator
import Testing

private protocol Logger: Sendable {}
private protocol Catalog: Sendable {}
private struct FileLogger: Logger {}
private struct CatalogService: Catalog { let logger: any Logger }
private struct Shop: Sendable { let catalog: any Catalog }

private struct Refusal: Error, CustomStringConvertible {
    let description = "the disk is full"
}

/// Complete messages: the request, the chain, similar registrations, and the fix.
@Suite("Errors say what is wrong, who needs it, what is similar, and how to fix it")
struct MessageTests {
    private let context = AppContext()

    private func catalogs() -> Module {
        Module("Catalogs") { registry in
            registry.register((any Catalog).self, fileID: "Shop/Shop.swift", line: 41, CatalogService.init)
            registry.register(Shop.self, fileID: "Shop/Shop.swift", line: 42, Shop.init)
        }
    }

    /// The text of the error of a request at `Shop/Main.swift:9`.
    private func text<Value>(_ type: Value.Type, qualifier: Qualifier? = nil) -> String? {
        message { try context.resolve(type, qualifier: qualifier, fileID: "Shop/Main.swift", line: 9) }
    }

    // MARK: Missing

    @Test func missing_isReportedAtTheRequest() {
        #expect(
            text((any Logger).self) == """
                Shop/Main.swift:9: any Logger is not registered
                  no module is loaded in this context
                  fix: register it in a loaded module: registry.register((any Logger).self) { … }
                """)
        #expect(
            text((any Logger).self, qualifier: "file") == """
                Shop/Main.swift:9: any Logger "file" is not registered
                  no module is loaded in this context
                  fix: register it in a loaded module: registry.register((any Logger).self, qualifier: "file") { … }
                """)
        #expect(
            text(FileLogger.self) == """
                Shop/Main.swift:9: FileLogger is not registered
                  no module is loaded in this context
                  fix: register it in a loaded module: registry.register(FileLogger.self) { … }
                """)
    }

    @Test func missing_namesTheChain() throws {
        try context.load(catalogs())
        #expect(
            text(Shop.self) == """
                Shop/Shop.swift:41: any Logger is not registered
                  needed by any Catalog (Shop/Shop.swift:41)
                  needed by Shop (Shop/Shop.swift:42)
                  requested: Shop at Shop/Main.swift:9
                  fix: register it in a loaded module: registry.register((any Logger).self) { … }
                """)
    }

    @Test func missing_namesOtherQualifiers() throws {
        let loggers = Module("Loggers") { registry in
            registry.register((any Logger).self, qualifier: "file", fileID: "Shop/Logs.swift", line: 1) {
                FileLogger()
            }
            registry.register((any Logger).self, fileID: "Shop/Logs.swift", line: 2) { FileLogger() }
        }
        try context.load(loggers)
        #expect(
            text((any Logger).self, qualifier: "fil") == """
                Shop/Main.swift:9: any Logger "fil" is not registered
                  near: any Logger "file" (Shop/Logs.swift:1)
                  near: any Logger (Shop/Logs.swift:2)
                  fix: change the qualifier to "file"
                """)
    }

    @Test func missing_namesAnIncludedModuleThatIsOff() throws {
        let loggers = Module("Loggers", when: .profile("prod")) { registry in
            registry.register((any Logger).self, fileID: "Shop/Logs.swift", line: 1) { FileLogger() }
        }
        try context.load(Module("Shop", including: [loggers]) { _ in })
        #expect(
            text((any Logger).self) == """
                Shop/Main.swift:9: any Logger is not registered
                  off: any Logger (Shop/Logs.swift:1) is in module "Loggers", which is off unless profile "prod" is active
                  fix: make the condition true, or register it in a loaded module: registry.register((any Logger).self) { … }
                """)
    }

    @Test func missing_namesModulesThatAreOff() throws {
        let loggers = Module("Loggers", when: .profile("prod")) { registry in
            registry.register((any Logger).self, fileID: "Shop/Logs.swift", line: 1) { FileLogger() }
        }
        try context.load(loggers, catalogs())
        #expect(
            text((any Catalog).self) == """
                Shop/Shop.swift:41: any Logger is not registered
                  needed by any Catalog (Shop/Shop.swift:41)
                  requested: any Catalog at Shop/Main.swift:9
                  off: any Logger (Shop/Logs.swift:1) is in module "Loggers", which is off unless profile "prod" is active
                  fix: make the condition true, or register it in a loaded module: registry.register((any Logger).self) { … }
                """)
    }

    @Test func missing_namesNearTypes() throws {
        let loggers = Module("Loggers") { registry in
            registry.register(FileLogger.self, fileID: "Shop/Logs.swift", line: 1) { FileLogger() }
        }
        struct FileLoger {}
        try context.load(loggers)
        #expect(
            text(FileLoger.self) == """
                Shop/Main.swift:9: FileLoger is not registered
                  near: FileLogger (Shop/Logs.swift:1)
                  fix: register it in a loaded module: registry.register(FileLoger.self) { … }
                """)
    }

    @Test func missing_forWrappersAndCollections() throws {
        struct Screen {
            @Dependency(fileID: "Shop/Screen.swift", line: 5) var logger: any Logger
            @Dependency(qualifierBy: "storage", fileID: "Shop/Screen.swift", line: 6) var chosen: any Logger
        }
        let screen = AppContext.withContext(context) { Screen() }
        #expect(
            message { try screen.$logger.resolved() } == """
                Shop/Screen.swift:5: any Logger is not registered
                  no module is loaded in this context
                  fix: register it in a loaded module: registry.register((any Logger).self) { … }
                """)
        #expect(
            message { try screen.$chosen.resolved() } == """
                Shop/Screen.swift:6: storage is missing (expected String)
                  no settings are loaded in this context
                  its value is the qualifier of any Logger
                  fix: load them before the first access: try context.loadProperties(from: "Config"), or pass `properties:` to a module
                """)
        try context.load(Module("S", properties: ["storage": "disk"]))
        #expect(
            message { try screen.$chosen.resolved() } == """
                Shop/Screen.swift:6: any Logger "disk" is not registered
                  qualifier: the value of setting "storage" (module "S")
                  fix: register it in a loaded module: registry.register((any Logger).self, qualifier: "disk") { … }
                """)
    }

    // MARK: Ambiguous

    @Test func ambiguous_listsTheCandidates() throws {
        let loggers = Module("Loggers") { registry in
            registry.register((any Logger).self, fileID: "Shop/Logs.swift", line: 1) { FileLogger() }
            registry.register(FileLogger.self, fileID: "Shop/Logs.swift", line: 2) { FileLogger() }
                .alias((any Logger).self, fileID: "Shop/Logs.swift", line: 3) { $0 }
        }
        try context.load(loggers, catalogs())
        #expect(
            text((any Logger).self) == """
                Shop/Main.swift:9: 2 registrations match any Logger, and none of them is primary
                  candidate: any Logger (Shop/Logs.swift:1)
                  candidate: any Logger (Shop/Logs.swift:3)
                  fix: give them qualifiers and request one by its qualifier, mark one of them .primary(), or get all of them with resolveAll
                """)
        #expect(
            text(Shop.self) == """
                Shop/Shop.swift:41: 2 registrations match any Logger, and none of them is primary
                  candidate: any Logger (Shop/Logs.swift:1)
                  candidate: any Logger (Shop/Logs.swift:3)
                  needed by any Catalog (Shop/Shop.swift:41)
                  needed by Shop (Shop/Shop.swift:42)
                  requested: Shop at Shop/Main.swift:9
                  fix: give them qualifiers and choose one with `parameterQualifiers: ["…"]` in the registration, \
                mark one of them .primary(), or take all of them as [any Logger]
                """)
    }

    // MARK: Factory closures

    @Test func failingClosure_keepsTheCause_andNamesTheChain() throws {
        let loggers = Module("Loggers") { registry in
            registry.register((any Logger).self, fileID: "Shop/Logs.swift", line: 1) { () throws -> any Logger in
                throw Refusal()
            }
        }
        try context.load(loggers, catalogs())
        let error = locatorError { try context.resolve(Shop.self, fileID: "Shop/Main.swift", line: 9) }
        #expect(
            error?.description == """
                Shop/Logs.swift:1: making any Logger failed: the disk is full
                  needed by any Catalog (Shop/Shop.swift:41)
                  needed by Shop (Shop/Shop.swift:42)
                  requested: Shop at Shop/Main.swift:9
                """)
        guard case .initializationFailed(let key, let cause) = error?.kind else {
            Issue.record("another error")
            return
        }
        #expect(key == Key((any Logger).self))
        #expect(cause is Refusal)
        #expect(error?.requested == Key(Shop.self))
        #expect(error?.requestLocation?.description == "Shop/Main.swift:9")
        #expect(error?.chain.map(\.key) == [Key(Shop.self), Key((any Catalog).self), Key((any Logger).self)])
    }

    @Test func failingDecorator_namesItself() throws {
        let loggers = Module("Loggers") { registry in
            registry.register((any Logger).self, fileID: "Shop/Logs.swift", line: 1) { FileLogger() }
            registry.decorate((any Logger).self, fileID: "Shop/Logs.swift", line: 2) { _ in throw Refusal() }
        }
        try context.load(loggers)
        #expect(
            text((any Logger).self) == """
                Shop/Logs.swift:2: decorating any Logger failed: the disk is full
                  requested: any Logger at Shop/Main.swift:9
                """)
    }

    @Test func failingInjection_namesTheRegistration() throws {
        let loggers = Module("Loggers") { registry in
            registry.register((any Logger).self, fileID: "Shop/Logs.swift", line: 1) { FileLogger() }
                .injecting { _ in throw Refusal() }
        }
        try context.load(loggers, catalogs())
        #expect(
            text((any Logger).self) == """
                Shop/Logs.swift:1: injecting into any Logger failed: the disk is full
                  requested: any Logger at Shop/Main.swift:9
                """)
        #expect(
            text(Shop.self) == """
                Shop/Logs.swift:1: injecting into any Logger failed: the disk is full
                  needed by any Catalog (Shop/Shop.swift:41)
                  needed by Shop (Shop/Shop.swift:42)
                  requested: Shop at Shop/Main.swift:9
                """)
    }

    @Test func cycleThroughAnAliasAndADecorator_namesBoth() throws {
        let loggers = Module("Loggers") { registry in
            registry.register(FileLogger.self, fileID: "Shop/Logs.swift", line: 1) { (_: any Catalog) in FileLogger() }
                .alias((any Logger).self, fileID: "Shop/Logs.swift", line: 2) { $0 }
            registry.decorate((any Catalog).self, fileID: "Shop/Logs.swift", line: 3) { $0 }
        }
        try context.load(loggers, catalogs())
        #expect(
            text((any Catalog).self) == """
                Shop/Logs.swift:3: any Catalog depends on itself
                  decorator of any Catalog (Shop/Logs.swift:3)
                  needs any Catalog (Shop/Shop.swift:41)
                  needs alias any Logger (Shop/Logs.swift:2)
                  needs FileLogger (Shop/Logs.swift:1)
                  needs decorator of any Catalog (Shop/Logs.swift:3)
                  requested: any Catalog at Shop/Main.swift:9
                  fix: resolve one of them lazily (Lazy<…> or a wrapper), or pass it with .injecting
                """)
    }

    // MARK: Payloads

    @Test func payload_isNeeded_orOfAnotherType() throws {
        let factories = Module("Factories") { registry in
            registry.factory(Shop.self, fileID: "Shop/Logs.swift", line: 1) { (name: String) in
                Shop(catalog: CatalogService(logger: FileLogger()))
            }
            registry.factory(Shop.self, fileID: "Shop/Logs.swift", line: 2) { (numbers: [Int]) in
                Shop(catalog: CatalogService(logger: FileLogger()))
            }
            registry.register(Int.self, fileID: "Shop/Logs.swift", line: 3) { (_: Shop) in 1 }
            registry.register(Double.self, fileID: "Shop/Logs.swift", line: 4) { (make: Factory<Bool, Shop>) in
                _ = try make(true)
                return 1
            }
        }
        try context.load(factories)
        #expect(
            text(Shop.self) == """
                Shop/Main.swift:9: Shop is made by a factory from a payload of type String or [Int]
                  fix: call `resolve(Shop.self, with: …)`, or take a Factory<String, Shop> or Factory<[Int], Shop>
                """)
        #expect(
            text(Int.self) == """
                Shop/Logs.swift:3: Shop is made by a factory from a payload of type String or [Int]
                  needed by Int (Shop/Logs.swift:3)
                  requested: Int at Shop/Main.swift:9
                  fix: call `resolve(Shop.self, with: …)`, or take a Factory<String, Shop> or Factory<[Int], Shop>
                """)
        #expect(
            message { try context.resolve(Shop.self, with: 3, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: no factory of Shop takes a payload of type Int, only String or [Int]
                  fix: pass String or [Int], or register a factory for this payload: registry.factory(Shop.self) { (payload: Int) in … }
                """)
        #expect(
            text(Double.self) == """
                Shop/Logs.swift:4: no factory of Shop takes a payload of type Bool, only String or [Int]
                  needed by Double (Shop/Logs.swift:4)
                  requested: Double at Shop/Main.swift:9
                  fix: pass String or [Int], or register a factory for this payload: registry.factory(Shop.self) { (payload: Bool) in … }
                """)
        #expect(
            message { try context.resolve(FileLogger.self, with: 3, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: no factory of FileLogger takes a payload of type Int
                  fix: register a factory for this payload: registry.factory(FileLogger.self) { (payload: Int) in … }
                """)
    }

    // MARK: Properties

    @Test func properties_missingOrWrong() throws {
        struct Server: ConfigProperty {
            static let path = "server"
            let port: Int
        }
        struct Client: Sendable { let server: Server }
        let settings = Module("Settings", properties: ["logger.level": "info", "server.port": "x"]) { registry in
            registry.register(Client.self, fileID: "Shop/Client.swift", line: 7, Client.init)
            registry.register(String.self, fileID: "Shop/Client.swift", line: 8) { (resolver: Resolver) in
                try resolver.value("server.host")
            }
            registry.register(
                Int.self, parameterQualifiers: [.property("logger.storage")], fileID: "Shop/Client.swift", line: 9
            ) { (_: String) in 1 }
        }
        try context.load(settings)
        #expect(
            message { try context.value("logger.lvl", as: String.self, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: logger.lvl is missing (expected String); did you mean logger.level?
                  fix: add it to a profile file or to the `properties:` of a module, or use an optional or a default value
                """)
        #expect(
            message { try context.value("logger.level", as: Int.self, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: logger.level: expected Int, found string "info" (module "Settings")
                  fix: correct its value, or the type that the program expects
                """)
        #expect(
            text(Client.self) == """
                Shop/Client.swift:7: server.port: expected Int, found string "x" (module "Settings")
                  needed by Client (Shop/Client.swift:7)
                  requested: Client at Shop/Main.swift:9
                  fix: correct its value, or the type that the program expects
                """)
        #expect(
            text(Server.self) == """
                Shop/Main.swift:9: server.port: expected Int, found string "x" (module "Settings")
                  fix: correct its value, or the type that the program expects
                """)
        #expect(
            text(String.self) == """
                Shop/Client.swift:8: server.host is missing (expected String)
                  needed by String (Shop/Client.swift:8)
                  requested: String at Shop/Main.swift:9
                  fix: add it to a profile file or to the `properties:` of a module, or use an optional or a default value
                """)
        #expect(
            text(Int.self) == """
                Shop/Client.swift:9: logger.storage is missing (expected String)
                  needed by Int (Shop/Client.swift:9)
                  requested: Int at Shop/Main.swift:9
                  its value is the qualifier of String
                  fix: add it to a profile file or to the `properties:` of a module
                """)
        #expect(
            message { try context.value("a..b", as: Int.self, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: malformed path "a..b": expected a key at column 3, found "."
                  fix: correct the path
                """)
        try context.unload(settings)
        #expect(
            text(Server.self) == """
                Shop/Main.swift:9: server is missing (expected Server)
                  no settings are loaded in this context
                  fix: load them before the first access: try context.loadProperties(from: "Config"), or pass `properties:` to a module
                """)
    }
}
