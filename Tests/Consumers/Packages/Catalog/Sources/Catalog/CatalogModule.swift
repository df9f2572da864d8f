import CatalogAPI
public import Locator

extension Module {
    /// Registers `any Catalog`, which reads the setting `catalog.prices`.
    public static let catalog = Module("Catalog") { registry in
        registry.register((any Catalog).self, PriceList.init)
    }
}

struct CatalogSettings: ConfigProperty {
    static let path = "catalog"
    let prices: [String: Int]
}

/// Internal: no other package can depend on it.
final class PriceList: Catalog {
    private let settings: CatalogSettings

    init(settings: CatalogSettings) {
        self.settings = settings
    }

    func price(of title: String) -> Int? { settings.prices[title] }
}
