import FactoryKit
import Shop

extension Container {
    fileprivate var catalog: Factory<any Catalog> {
        self { CatalogService(logger: FileLogger()) }
            .cached
            .onPreview { FakeCatalog() }
    }
    fileprivate var session: Factory<Session> { self { Session() }.shared }
    fileprivate var basket: Factory<Basket> { self { Basket() }.unique }
}
