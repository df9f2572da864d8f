import Locator
import Testing

private protocol Catalog: Sendable {
    var logger: FileLogger { get }
}

private final class FileLogger: Sendable, Component {
    static func register(in registry: Registry) {
        registry.register(FileLogger.init)
    }
}

private final class CatalogService: Catalog, Component {
    let logger: FileLogger

    init(logger: FileLogger) {
        self.logger = logger
    }

    static func register(in registry: Registry) {
        registry.register((any Catalog).self, CatalogService.init)
    }
}

@Suite("A module collects types that carry their own registration")
struct ComponentTests {
    @Test func components_areRegisteredInOrder() throws {
        let shop = Module("Shop", components: [CatalogService.self, FileLogger.self])
        let context = try AppContext().load(shop)
        #expect(try context.resolve((any Catalog).self).logger === context.resolve(FileLogger.self))
    }

    @Test func components_takePropertiesIncludesAndConditions() throws {
        let off = Module("Off", when: .profile("none"), components: [FileLogger.self])
        let on = Module("On", properties: ["size": 2], including: [.text("included")], components: [FileLogger.self])
        #expect(try AppContext().load(off).resolve(FileLogger?.self) == nil)
        let context = try AppContext().load(on)
        #expect(try context.resolve(FileLogger?.self) != nil)
        #expect(try context.texts() == ["included"])
        #expect(try context.value("size", as: Int.self) == 2)
    }
}
