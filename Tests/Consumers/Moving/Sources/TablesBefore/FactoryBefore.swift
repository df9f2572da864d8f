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
    fileprivate var analytics: Factory<Analytics?> { self { nil } }
    fileprivate var logger: Factory<any Logger> {
        self { FileLogger() }
            .onTest { ConsoleLogger() }
            .onArg("verbose") { ConsoleLogger() }
            .decorator { logger in print(logger.target) }
    }
}

private final class Analytics {}

private func test(_ container: Container) {
    container.manager.push()
    container.manager.pop()
    container.manager.reset()
}
