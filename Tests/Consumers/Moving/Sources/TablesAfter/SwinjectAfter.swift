import Locator
import Shop

private final class Editor {
    var logger: (any Logger)!
}

extension Module {
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
    let child = try context.child()
    let logger = try child.resolve((any Logger)?.self)
    _ = logger
}
