import Locator
import Shop

private final class Editor {
    var logger: (any Logger)!
}

private final class Player: Sendable {
    let catalog: Lazy<any Catalog>
    let basket: Provider<Basket>

    init(catalog: Lazy<any Catalog>, basket: Provider<Basket>) {
        self.catalog = catalog
        self.basket = basket
    }
}

extension Module {
    static let player = Module("Player") { registry in
        registry.register(scope: .prototype, Basket.init)
        registry.register((any Catalog).self, FakeCatalog.init)
        registry.register(scope: .always, Player.init)
    }

    static let editor = Module("Editor") { registry in
        registry.register((any Logger).self, FileLogger.init)
        registry.register(scope: .prototype, Basket.init)
        registry.register(scope: .weak, Session.init)
        registry.register(scope: .prototype) { Editor() }
            .injecting { (editor, logger: any Logger) in editor.logger = logger }
        registry.register(FakeCatalog.init)
            .alias((any Catalog).self) { $0 }
    }
}

private func use(_ context: AppContext) throws {
    if context.isRegistered(Basket.self) { try context.reset(.session) }
    try context.unloadAll()
    let child = try context.child(pushing: .editor)
    let logger = try child.resolve((any Logger)?.self)
    _ = logger
}
