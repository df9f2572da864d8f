/// What other packages know of the catalog.
public protocol Catalog: Sendable {
    func price(of title: String) -> Int?
}
