import Locator

/// `orders` of the profile files, without the database.
struct OrderSettings: ConfigProperty {
    static let path = "orders"
    let minimum: Price
}

/// `orders.database` of the profile files.
///
/// The URL contains the password, so explanations mask it.
struct DatabaseSettings: ConfigProperty {
    static let path = "orders.database"
    let url: String
    let poolSize: Int
}
