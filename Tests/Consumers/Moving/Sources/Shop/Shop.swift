// The types of the programs. None of them changes when a program moves.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol Logger: Sendable {
    var target: String { get }
}

public struct ConsoleLogger: Logger {
    public let target = "console"
    public init() {}
}

public struct FileLogger: Logger {
    public let target = "file"
    public init() {}
}

public protocol Catalog: Sendable {
    var titles: [String] { get }
}

public final class CatalogService: Catalog {
    public let titles = ["Frankenstein"]
    public let logger: any Logger
    public init(logger: any Logger) { self.logger = logger }
}

public struct FakeCatalog: Catalog {
    public let titles = ["Emma"]
    public init() {}
}

/// What a customer has chosen, which is not `Sendable`.
public final class Basket {
    public var titles: [String] = []
    public init() {}
}

/// Changes a basket.
public final class Shelf {
    public let catalog: any Catalog
    public let basket: Basket

    public init(catalog: any Catalog, basket: Basket) {
        self.catalog = catalog
        self.basket = basket
    }

    public func takeAll() { basket.titles += catalog.titles }
}

/// Shows the same basket.
public final class Checkout {
    public let shelf: Shelf
    public let basket: Basket

    public init(shelf: Shelf, basket: Basket) {
        self.shelf = shelf
        self.basket = basket
    }
}

public struct Invoice {
    public let text: String

    public init(number: Int, customer: String, catalog: any Catalog) {
        text = "invoice \(number) for \(customer): \(catalog.titles)"
    }
}

/// Who is signed in.
public final class Session: Sendable {
    public init() {}
}
