import Locator
import Testing

@Suite("If the setting of a qualifier is missing, the error lists the registered qualifiers")
struct QualifierMessageTests {
    private protocol Store {}
    private struct Disk: Store {}
    private struct Screen {
        @Dependency(qualifierBy: "storage", fileID: "Shop/Screen.swift", line: 6) var store: any Store
    }
    private final class Shop: Sendable {
        init(_ store: any Store) {}
    }

    private let stores = Module("Stores") { registry in
        registry.register((any Store).self, qualifier: "disk", scope: .prototype) { Disk() }
        registry.register((any Store).self, qualifier: "cloud", scope: .prototype) { Disk() }
        registry.register((any Store).self, qualifier: "disk", scope: .prototype) { Disk() }
    }

    @Test("In an error")
    func error_listsQualifiers() throws {
        let context = AppContext()
        try context.load(stores)
        let screen = AppContext.withContext(context) { Screen() }
        #expect(
            message { try screen.$store.resolved() } == """
                Shop/Screen.swift:6: storage is missing (expected String)
                  no settings are loaded in this context
                  its value is the qualifier of any Store, registered as "disk", "cloud"
                  fix: load them before the first access: try context.loadProperties(from: "Config"), or pass `properties:` to a module
                """)
    }

    @Test("In an error of an optional or an array")
    func errorOfAnOptional_listsQualifiers() throws {
        let context = try AppContext().load(stores)
        func text<Value>(_ type: Value.Type) -> String? {
            message {
                try context.resolve(type, qualifier: .property("storage"), fileID: "Shop/Main.swift", line: 6)
            }
        }
        for text in [text((any Store)?.self), text([any Store].self)] {
            #expect(
                text == """
                    Shop/Main.swift:6: storage is missing (expected String)
                      no settings are loaded in this context
                      its value is the qualifier of any Store, registered as "disk", "cloud"
                      fix: load them before the first access: try context.loadProperties(from: "Config"), or pass `properties:` to a module
                    """)
        }
    }

    @Test("A name that is secret is masked")
    func secretName_isMasked() throws {
        let stores = Module("Stores", properties: ["storage.token": "ZX"]) { registry in
            registry.register(
                (any Store).self, qualifier: "disk", scope: .prototype, fileID: "Shop/Shop.swift", line: 3
            ) { Disk() }
        }
        let context = try AppContext().load(stores)
        #expect(
            message {
                try context.resolve(
                    (any Store).self, qualifier: .property("storage.token"), fileID: "Shop/Screen.swift", line: 6)
            } == """
                Shop/Screen.swift:6: any Store "<secret>" is not registered
                  qualifier: the value of setting "storage.token" (module "Stores")
                  near: any Store "disk" (Shop/Shop.swift:3)
                  fix: set "storage.token" to "disk", or register it in a loaded module: registry.register((any Store).self, qualifier: "<secret>") { … }
                """)
    }

    @Test("A name that is secret is masked in a request to a child, too")
    func secretName_isMasked_inAChild() throws {
        struct Refusal: Error {}
        final class Token: Sendable {}
        let request = Scope("request")
        let tokens = Module("Tokens", properties: ["storage.token": "ZX"]) { registry in
            registry.register(Token.self, qualifier: "ZX", scope: request) { () throws -> Token in throw Refusal() }
        }
        let context = try AppContext().load(tokens)
        for _ in 0..<3 {
            let text = message {
                try context.child(opening: request).resolve(
                    Token.self, qualifier: .property("storage.token"), fileID: "Shop/Screen.swift", line: 6)
            }
            #expect(text?.hasSuffix("\n  requested: Token \"<secret>\" at Shop/Screen.swift:6") == true)
        }
    }

    @Test("In an error about a name that is not registered")
    func error_listsQualifiers_whenTheSettingNamesNone() throws {
        let context = AppContext()
        let stores = Module("Stores", properties: ["storage": "tape"]) { registry in
            for name: Qualifier in ["disk", "cloud"] {
                registry.register(
                    (any Store).self, qualifier: name, scope: .prototype, fileID: "Shop/Shop.swift", line: 3
                ) { Disk() }
            }
        }
        try context.load(stores)
        let screen = AppContext.withContext(context) { Screen() }
        #expect(
            message { try screen.$store.resolved() } == """
                Shop/Screen.swift:6: any Store "tape" is not registered
                  qualifier: the value of setting "storage" (module "Stores")
                  near: any Store "disk" (Shop/Shop.swift:3)
                  near: any Store "cloud" (Shop/Shop.swift:3)
                  fix: set "storage" to "disk" or "cloud", or register it in a loaded module: \
                registry.register((any Store).self, qualifier: "tape") { … }
                """)
    }

    @Test("In a validation finding")
    func validate_listsQualifiers() throws {
        let context = AppContext()
        let shop = Module("Shop") { registry in
            registry.register(
                Shop.self, scope: .prototype, parameterQualifiers: [.property("storage")], fileID: "Shop/Shop.swift",
                line: 3
            ) { (store: any Store) in Shop(store) }
        }
        try context.load(stores, shop)
        let finding = try #require(context.validate().errors.first)
        #expect(finding.suggestion == #"set "storage" to the name of a qualifier in each profile: "disk" or "cloud""#)
    }
}

@Suite("If qualifiers do not have the order of the parameters, the fix has that order")
struct QualifierOrderTests {
    private struct Row: Sendable {
        let qualifiers: [Qualifier?]
        let fix: String
    }

    private func context(_ qualifiers: [Qualifier?]) throws -> AppContext {
        try AppContext().load(
            Module("Shop") { registry in
                registry.register(Int.self, qualifier: "small") { 1 }
                registry.register(String.self, qualifier: "long") { "" }
                registry.register(String.self, qualifier: "short") { "" }
                registry.register(
                    Bool.self, parameterQualifiers: qualifiers, fileID: "Shop/Shop.swift", line: 3
                ) { (_: Int, _: String, _: String) in true }
            })
    }

    private static let registering = "or register it in a loaded module: registry.register(Int.self, qualifier: "

    private static let rows = [
        Row(
            qualifiers: ["long", "short", "small"],
            fix: """
                pass the qualifiers in the order of the parameters, \
                `parameterQualifiers: ["small", "long", "short"]`, \(registering)"long") { … }
                """),
        Row(
            qualifiers: ["short", nil, "long"],
            fix: """
                pass the qualifiers in the order of the parameters, \
                `parameterQualifiers: [nil, "short", "long"]`, \(registering)"short") { … }
                """),
        // Another order does not help.
        Row(
            qualifiers: ["big", "long", "short"],
            fix: #"register it in a loaded module: registry.register(Int.self, qualifier: "big") { … }"#),
        Row(qualifiers: ["smal", "long", "short"], fix: #"change the qualifier to "small""#),
    ]

    @Test(arguments: rows)
    private func fix_namesTheOrder(row: Row) throws {
        let context = try context(row.qualifiers)
        #expect(message { try context.resolve(Bool.self) }?.hasSuffix("\n  fix: \(row.fix)") == true)
        #expect(context.validate().errors.first?.suggestion == row.fix)
    }

    @Test func fix_works_whenItIsFollowed() throws {
        for qualifiers: [Qualifier?] in [["small", "long", "short"], [nil, "short", "long"]] {
            let context = try context(qualifiers)
            #expect(context.validate().findings.isEmpty)
            #expect(try context.resolve(Bool.self))
        }
    }
}
