import Locator

/// `catalog` of the profile files.
struct CatalogSettings: ConfigProperty {
    static let path = "catalog"

    struct Shelf: Decodable, Sendable {
        let name: String
        let genres: [String]
        let discount: Double?
    }

    let pageSize: Int
    let refresh: Duration
    let languages: [String]
    let shelves: [Shelf]
}
