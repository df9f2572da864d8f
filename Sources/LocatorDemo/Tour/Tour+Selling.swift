import Locator

extension Tour {
    /// Runs sessions, each with a login and a logout.
    func sell() async throws {
        heading("Ada logs in, buys, and logs out")
        try await session(of: Customer(name: "Ada"), buying: storefront.catalog.books)

        heading("Ada comes back: an empty basket, and a discount (orders ask customers, and customers orders)")
        try await session(of: Customer(name: "Ada"), buying: storefront.catalog.books.suffix(2))

        heading("Ben buys too little")
        do {
            try await session(of: Customer(name: "Ben"), buying: storefront.catalog.books.suffix(1))
        } catch let error as OrderTooSmall {
            print("    \(error)")
        }
    }

    private func session(of customer: Customer, buying books: some Sequence<Book>) async throws {
        let visit = Module.visit(of: customer)
        try context.load(visit)  // login: now there is a customer
        defer { logout(visit) }

        let basket = try context.resolve(Basket.self)
        for book in books { await basket.add(book) }
        let order = try await context.resolve((any Orders).self).place(basket.books, for: basket.owner)

        // The order is the payload of the factory. The settings of the shop come from the context.
        let invoice = try await context.resolve(Invoice.self, with: order)
        print("    \(invoice.text)")
        if let book = storefront.recommendations?.suggestion(besides: order.books) {
            print("    perhaps also: \(book.title), \(book.price)")
        }
    }

    private func logout(_ visit: Module) {
        do {
            try context.reset(.session)  // disposes of everything that belongs to the session
            try context.unload(visit)
        } catch {
            print("    logout: \(error)")
        }
    }
}
