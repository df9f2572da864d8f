import Locator
import Shop

private struct Analytics: Sendable {}

private final class Editor {
    var logger: (any Logger)!
    init(isNew: Bool) {}
}

extension Scope {
    static let session = Scope("session")
}

extension Module {
    static let shop = Module("Shop") { registry in
        registry.register(CatalogService.init)
            .alias((any Catalog).self) { $0 }
        registry.register((any Logger).self, qualifier: "file", FileLogger.init)
        registry.register(scope: .graph, onMainActor: Basket.init)
        registry.register(scope: .graph, onMainActor: Shelf.init)
        registry.register(scope: .prototype, onMainActor: Checkout.init)
        registry.register(scope: .session, Session.init)
        registry.factory(Editor.self) { (isNew: Bool) in Editor(isNew: isNew) }
            .injecting { (editor, logger: any Logger) in editor.logger = logger }
    }

    fileprivate static let fakes = Module("Fakes") { registry in
        registry.register((any Catalog).self) { FakeCatalog() }
    }
}

private final class Screen {
    @Dependency var catalog: any Catalog
    @Dependency(qualifier: "file") var logger: any Logger
    @Dependency var session: Session
    @Dependency var analytics: Analytics?
}

private func use(_ context: AppContext) throws {
    let catalog: any Catalog = try context.resolve()
    let editor = try context.resolve(Editor.self, with: true)
    let analytics = try context.resolve(Analytics?.self)
    try context.reset(.session)
    try context.push(.fakes)
    _ = (catalog, editor, analytics)
}
