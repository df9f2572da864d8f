import Locator
import Shop

extension Module {
    static let shop = Module("Shop") { registry in
        registry.register((any Logger).self, qualifier: "console", ConsoleLogger.init)
        registry.register((any Logger).self, qualifier: "file", FileLogger.init)
        registry.register((any Catalog).self, parameterQualifiers: ["file"], CatalogService.init)
        registry.register(scope: .graph, onMainActor: Basket.init)
        registry.register(scope: .prototype, onMainActor: Shelf.init)
        registry.register(scope: .prototype, onMainActor: Checkout.init)
        registry.factory(given: Int.self, String.self, Invoice.init)
    }

    static let fakes = Module("Fakes") { registry in
        registry.register((any Catalog).self) { FakeCatalog() }
    }
}

let context = try AppContext.shared.load(.shop)
let checkout = try context.resolve(Checkout.self)
checkout.shelf.takeAll()
print(checkout.basket.titles)
print(try context.resolve(Invoice.self, with: 7, "Ada").text)

let push = try context.push(.fakes)  // of two loads, the first would win
print(try context.resolve(Invoice.self, with: 8, "Bob").text)
push.pop()
