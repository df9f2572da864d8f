import Locator

/// `orders` of the profile files, as far as orders need it.
struct OrderSettings: ConfigProperty {
    static let path = "orders"
    let minimum: Price
}

/// `orders.database` of the profile files; its address holds the password, so explanations mask it.
struct DatabaseSettings: ConfigProperty {
    static let path = "orders.database"
    let url: String
    let poolSize: Int
}
