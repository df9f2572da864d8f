import Locator

extension Scope {
    /// From login to logout.
    static let session = Scope("session")
}

/// The basket of a customer in a session.
actor Basket {
    let owner: Customer
    private(set) var books: [Book] = []

    init(owner: Customer) {
        self.owner = owner
    }

    func add(_ book: Book) {
        books.append(book)
    }
}
