/// The catalog of books that the shop sells.
protocol Catalog: Sendable {
    var books: [Book] { get }
}

/// A book that the shop sells.
struct Book: Hashable, Sendable {
    let title: String
    let genre: String
    let price: Price
}

/// The catalog of the shop: every book, at the price of its shelf.
final class CatalogService: Catalog {
    let books: [Book]

    // The initializer is the registration: its parameters are the dependencies.
    init(settings: CatalogSettings, logger: any Logger) {
        books = Self.stock.map { book in
            let shelf = settings.shelves.first { $0.genres.contains(book.genre) }
            return Book(title: book.title, genre: book.genre, price: book.price.reduced(by: shelf?.discount ?? 0))
        }
        logger.log("catalog made: \(books.count) books in \(settings.languages.count) languages")
    }

    private static let stock = [
        Book(title: "Frankenstein", genre: "novel", price: Price(cents: 900)),
        Book(title: "The Moonstone", genre: "crime", price: Price(cents: 1150)),
        Book(title: "The Tale of Peter Rabbit", genre: "picture", price: Price(cents: 800)),
    ]
}
