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
