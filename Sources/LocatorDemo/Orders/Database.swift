/// Represents something that takes time to open: it has an asynchronous initializer, which `start()` calls.
actor Database {
    let connections: Int

    private init(connections: Int) {
        self.connections = connections
    }

    static func open(settings: DatabaseSettings) async throws -> Database {
        try await Task.sleep(for: .milliseconds(20))
        return Database(connections: settings.poolSize)
    }

    func close() {
        print("\nThe database is closed.")
    }
}
