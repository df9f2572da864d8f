import Locator
import Shop

extension Module {
    static let preview = Module("Preview") { registry in
        registry.register((any Catalog).self) { CatalogService(logger: FileLogger()) }
        registry.register(scope: .weak, Session.init)
        registry.register(scope: .prototype, Basket.init)
    }

    static let previewFakes = Module("Fakes", when: .profile("preview")) { registry in
        registry.register((any Catalog).self) { FakeCatalog() }
    }
}

private final class Analytics {}

private final class Report {
    @Dependency var analytics: Analytics?
}

extension Module {
    static let logs = Module("Logs") { registry in
        registry.register((any Logger).self, FileLogger.init)
        registry.decorate((any Logger).self) { (logger: any Logger) in
            print(logger.target)
            return logger
        }
    }

    static let verbose = Module("Verbose", when: .property("verbose", equals: true)) { registry in
        registry.register((any Logger).self, ConsoleLogger.init)
    }
}

private func test(_ context: AppContext) throws {
    try context.push(.verbose)
    context.pop()
    try context.reset()
}

private func launch() throws {
    try AppContext.shared.load(.preview).load(.previewFakes, priority: .profile)
}
