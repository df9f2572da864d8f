import LocatorTesting

extension LocatorTrait {
    /// Runs a test in its own context, and returns the mistakes in how it used contexts.
    func findings(performing function: @Sendable () async throws -> Void) async throws -> [Finding] {
        var found: [Finding] = []
        try await run(function) { found = $0 }
        return found
    }
}
