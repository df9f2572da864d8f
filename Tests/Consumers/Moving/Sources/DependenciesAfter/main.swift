import Locator
import Shop

extension Module {
    static let shop = Module("Shop") { registry in
        registry.register((any Logger).self, ConsoleLogger.init)
        registry.register((any Catalog).self, CatalogService.init)
    }

    static let fakes = Module("Fakes") { registry in
        registry.register((any Catalog).self) { FakeCatalog() }
    }
}

struct Screen {
    @Dependency var catalog: any Catalog
}

let context = try AppContext.shared.load(.shop)
let screen = Screen()
print(screen.catalog.titles)

let fork = try context.fork(pushing: .fakes)
let preview = AppContext.withContext(fork) {
    Screen()
}
print(preview.catalog.titles)
print(screen.catalog.titles)
