import Locator

extension Tour {
    /// Shows the profile, and where settings come from.
    func showSettings() {
        heading("Settings")
        row("profile", context.properties.profiles.joined(separator: ", "))
        row("settings", "\(context.properties.paths.count), of which these show how they come about:")
        for path in ["server.url", "server.maxConnections", "logger.storage", "orders.database.url", "mail.apiKey"] {
            // The value, its place, its placeholders, and what it hides. Secrets are masked.
            show("\(context.properties.explain(path))")
        }
    }
}
