import Shop
import Swinject

struct ShopAssembly: Assembly {
    func assemble(container: Container) {
        container.register((any Logger).self, name: "console") { _ in ConsoleLogger() }
        container.register((any Logger).self, name: "file") { _ in FileLogger() }
        container.register((any Catalog).self) { r in
            CatalogService(logger: r.resolve((any Logger).self, name: "file")!)
        }
        .inObjectScope(.container)
        container.register(Basket.self) { _ in Basket() }
        container.register(Shelf.self) { r in
            Shelf(catalog: r.resolve((any Catalog).self)!, basket: r.resolve(Basket.self)!)
        }
        container.register(Checkout.self) { r in
            Checkout(shelf: r.resolve(Shelf.self)!, basket: r.resolve(Basket.self)!)
        }
        container.register(Invoice.self) { (r, number: Int, customer: String) in
            Invoice(number: number, customer: customer, catalog: r.resolve((any Catalog).self)!)
        }
    }
}

struct FakeAssembly: Assembly {
    func assemble(container: Container) {
        container.register((any Catalog).self) { _ in FakeCatalog() }
    }
}

let assembler = Assembler([ShopAssembly()])
let checkout = assembler.resolver.resolve(Checkout.self)!
checkout.shelf.takeAll()
print(checkout.basket.titles)
print(assembler.resolver.resolve(Invoice.self, arguments: 7, "Ada")!.text)

let test = Assembler([ShopAssembly(), FakeAssembly()])  // the last registration wins
print(test.resolver.resolve(Invoice.self, arguments: 8, "Bob")!.text)
