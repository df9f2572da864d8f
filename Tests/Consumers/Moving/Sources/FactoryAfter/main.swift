import Locator
import Shop

extension Scope {
    static let session = Scope("session")
}

extension Module {
    static let shop = Module("Shop") { registry in
        registry.register((any Logger).self, scope: .prototype, ConsoleLogger.init)
        registry.register((any Catalog).self, CatalogService.init)
        registry.register(scope: .session, Session.init)
        registry.register(scope: .graph, onMainActor: Basket.init)
        registry.register(scope: .prototype, onMainActor: Shelf.init)
        registry.register(scope: .prototype, onMainActor: CheckoutModel.init)
        registry.factory(given: Int.self, String.self, Invoice.init)
    }

    static let fakes = Module("Fakes") { registry in
        registry.register((any Catalog).self) { FakeCatalog() }
    }
}

final class CheckoutModel {
    let shelf: Shelf
    let basket: Basket

    init(shelf: Shelf, basket: Basket) {  // one request, and so one basket
        self.shelf = shelf
        self.basket = basket
    }
}

final class Screen {
    @Dependency var catalog: any Catalog
    @Dependency var session: Session
}

let context = try AppContext.shared.load(.shop)
let checkout = try context.resolve(CheckoutModel.self)
checkout.shelf.takeAll()
print(checkout.basket.titles)
print(try context.resolve(Invoice.self, with: 7, "Ada").text)

let session = Screen().session
print(Screen().session === session)
try context.reset(.session)
print(Screen().session === session)

let push = try context.push(.fakes)
print(Screen().catalog.titles)
push.pop()
print(Screen().catalog.titles)
