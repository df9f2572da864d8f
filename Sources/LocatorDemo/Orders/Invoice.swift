import Locator

/// An invoice for an order.
///
/// A factory creates it from an order, which the caller passes, and from settings, which the
/// context passes.
struct Invoice {
    let order: Order
    let shop: ShopSettings

    var text: String {
        "\(shop.name), invoice \(order.number): \(order.customer.name) pays \(order.total) \(shop.currency)"
    }
}

/// `shop` of the profile files.
struct ShopSettings: ConfigProperty {
    static let path = "shop"
    let name: String
    let motto: String
    let currency: String
}
