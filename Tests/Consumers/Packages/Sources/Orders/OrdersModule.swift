import CatalogAPI
public import Locator

/// What other packages know of the orders.
public protocol Orders: Sendable {
    func total(of titles: [String]) -> Int
}

extension Module {
    /// Registers `any Orders`, which needs an `any Catalog` from any module.
    public static let orders = Module("Orders") { registry in
        registry.register((any Orders).self, OrderService.init)
        registry.register((any Discount).self, qualifier: .noDiscount) { NoDiscount() }
        registry.requires("orders.discount", as: String.self)
    }
}

extension Qualifier {
    /// The discount of this package.
    ///
    /// Others add theirs under other names.
    public static let noDiscount: Qualifier = "orders.none"
}

/// A discount.
///
/// The setting `orders.discount` names the active one.
public protocol Discount: Sendable {
    func applied(to total: Int) -> Int
}

struct NoDiscount: Discount {
    func applied(to total: Int) -> Int { total }
}

final class OrderService: Orders {
    private let catalog: any Catalog
    private let discount = Dependency<any Discount>(qualifierBy: "orders.discount")

    init(catalog: any Catalog) {
        self.catalog = catalog
    }

    func total(of titles: [String]) -> Int {
        discount().applied(to: titles.compactMap(catalog.price).reduce(0, +))
    }
}
