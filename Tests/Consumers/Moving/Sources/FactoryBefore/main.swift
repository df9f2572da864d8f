import FactoryKit
import Shop

extension Scope {
    static let session = Cached()
}

extension Container {
    var logger: Factory<any Logger> { self { ConsoleLogger() } }
    var catalog: Factory<any Catalog> { self { CatalogService(logger: self.logger()) }.singleton }
    var session: Factory<Session> { self { Session() }.scope(.session) }
    var basket: Factory<Basket> { self { Basket() }.graph }
    var shelf: Factory<Shelf> { self { Shelf(catalog: self.catalog(), basket: self.basket()) } }
    var checkout: Factory<CheckoutModel> { self { CheckoutModel() } }
    var invoice: ParameterFactory<(Int, String), Invoice> {
        self { Invoice(number: $0.0, customer: $0.1, catalog: self.catalog()) }
    }
}

final class CheckoutModel {
    @Injected(\.shelf) var shelf
    @Injected(\.basket) var basket
}

final class Screen {
    @Injected(\.catalog) var catalog
    @LazyInjected(\.session) var session
}

let container = Container.shared
let checkout = container.checkout()
checkout.shelf.takeAll()
print(checkout.basket.titles)
print(container.invoice((7, "Ada")).text)

let session = Screen().session
print(Screen().session === session)
container.manager.reset(scope: .session)
print(Screen().session === session)

container.catalog.register { FakeCatalog() }
print(Screen().catalog.titles)
container.catalog.reset()
print(Screen().catalog.titles)
