import Locator
import Shop
import Swinject

// The container of the old library, with the types that have not moved yet.
let legacy = Container()
legacy.register((any Logger).self) { _ in FileLogger() }
legacy.register(Basket.self) { _ in Basket() }

extension Module {
    static let shop = Module("Shop") { registry in
        registry.register((any Logger).self, onMainActor: { legacy.resolve((any Logger).self)! })
        registry.register(scope: .graph, onMainActor: { legacy.resolve(Basket.self)! })
        registry.register((any Catalog).self, CatalogService.init)
        registry.register(scope: .prototype, onMainActor: Shelf.init)
        registry.register(scope: .prototype, onMainActor: Checkout.init)
        registry.factory(given: Int.self, String.self, Invoice.init)
    }

    static let fakes = Module("Fakes") { registry in
        registry.register((any Catalog).self) { FakeCatalog() }
    }
}

let context = try AppContext.shared.load(.shop)

// For types that have not moved and depend on types that have.
legacy.register((any Catalog).self) { _ in try! context.resolve((any Catalog).self) }
    .inObjectScope(.transient)

let checkout = try context.resolve(Checkout.self)
checkout.shelf.takeAll()
print(checkout.basket.titles)
print(Invoice(number: 7, customer: "Ada", catalog: legacy.resolve((any Catalog).self)!).text)

let push = try context.push(.fakes)
print(Invoice(number: 8, customer: "Bob", catalog: legacy.resolve((any Catalog).self)!).text)
push.pop()
