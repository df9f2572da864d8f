import Locator

extension Tour {
    /// Shows the values of the storefront's wrappers, and the reasons for them.
    func showWiring() throws {
        heading("Wiring")
        row("serverURL", "\(storefront.serverURL)", because: reason("server.url"))
        row("retries", "\(storefront.retries)", because: reason("server.retries"))
        row("logger", storefront.logger.target, because: reason("logger.storage"))
        row("catalog", "\(storefront.catalog.books.count) books", because: "made at this first read, kept from now on")
        row(
            "recommendations", storefront.recommendations == nil ? "nil" : "there",
            because: reason("features.recommendations"))
        row(
            "notifiers", storefront.notifiers.map(\.name).joined(separator: ", "),
            because: reason("mail.enabled"))
        let database = try context.resolve(Database.self)
        row("database", "\(database.connections) connections", because: reason("orders.database.poolSize"))
    }

    private func reason(_ path: String) -> String {
        let explanation = context.properties.explain(path)
        guard let value = explanation.value, let origin = explanation.origin else { return "no \(path): the default" }
        return "\(path) = \(value) (\(origin))"
    }
}
