/// An optional feature.
///
/// Its module is on if `features.recommendations` is true.
protocol Recommendations: Sendable {
    func suggestion(besides books: [Book]) -> Book?
}

/// Recommends the cheapest book that is not in the basket yet.
final class BargainRecommendations: Recommendations {
    private let catalog: any Catalog

    init(catalog: any Catalog) {
        self.catalog = catalog
    }

    func suggestion(besides books: [Book]) -> Book? {
        catalog.books.filter { !books.contains($0) }.min { $0.price < $1.price }
    }
}
