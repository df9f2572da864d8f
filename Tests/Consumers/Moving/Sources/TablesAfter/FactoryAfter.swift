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

private func launch() throws {
    try AppContext.shared.load(.preview).load(.previewFakes, priority: .profile)
}
