import Catalog
import Locator
import Orders

struct HalfPrice: Discount {
    func applied(to total: Int) -> Int { total / 2 }
}

extension Module {
    /// The only place that knows all packages.
    static let shop = Module("Shop", including: [.catalog, .orders]) { registry in
        registry.register((any Discount).self, qualifier: "sale") { HalfPrice() }
    }
}

let settings = Module(
    "Settings", properties: ["catalog": ["prices": ["Emma": 12, "Persuasion": 10]], "orders": ["discount": "sale"]])
let context = try AppContext.shared.load(settings, .shop)
print(try context.validate().orThrow().summary)

let total = try context.resolve((any Orders).self).total(of: ["Emma", "Persuasion"])
precondition(total == 11)

let noSale = Module("No sale", properties: ["orders.discount": "orders.none"])
try context.pushing(noSale) {
    let total = try context.resolve((any Orders).self).total(of: ["Emma", "Persuasion"])
    precondition(total == 22)
}
print("Packages: the modules of three targets in two packages work together")
