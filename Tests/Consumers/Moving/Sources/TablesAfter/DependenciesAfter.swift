import Locator
import Shop

private struct Analytics {}

extension Module {
    static let analytics = Module("Analytics") { registry in
        registry.register(Analytics.init)
    }
}

private final class Shelves {
    @Dependency var analytics: Analytics?

    func next() -> Shelves { AppContext.withContext($analytics.context) { Shelves() } }
}

private func test(_ context: AppContext) throws -> Shelves {
    let fork = try context.fork()
    try fork.unload(.analytics)
    return AppContext.withContext(fork) { Shelves() }
}
