import Locator

/// What the customer pays; made by a factory from an order, which the caller gives, and settings, which the context
/// gives.
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
