import Locator

/// A catalog for tests.
final class FakeCatalog: Catalog {
    let books = [Book(title: "A Test in Time", genre: "fake", price: Price(cents: 100))]
}

extension Tour {
    /// Shows what a test does: it pushes a module with a fake, and pops it.
    func test() throws {
        heading("A test")
        let catalog = try context.resolve((any Catalog).self)
        row("before the push", titles)

        let fakes = Module("Fakes", properties: ["server.url": "http://test"]) { registry in
            registry.register((any Catalog).self) { FakeCatalog() }
        }
        let push = try context.push(fakes)
        row("under the push", "\(titles), at \(storefront.serverURL)")

        push.pop()
        row("after the pop", titles)
        row("the same object", "\(try context.resolve((any Catalog).self) as AnyObject === catalog as AnyObject)")
    }

    private var titles: String {
        storefront.catalog.books.map(\.title).joined(separator: ", ")
    }
}
