import Locator
import Shop

private final class User: Sendable {}
private final class Greeting { init(user: User, catalog: any Catalog) {} }

extension Scope {
    static let signedIn = Scope("signedIn", requiresOpening: true)
}

extension Module {
    static let root = Module("Root", including: [.account]) { registry in
        registry.register((any Logger).self, scope: .prototype, FileLogger.init)
        registry.register((any Catalog).self, CatalogService.init)
    }

    static let account = Module("Account") { registry in
        registry.input(User.self, scope: .signedIn)
        registry.register(scope: .signedIn, Session.init)
        registry.register(scope: .prototype, Greeting.init)
    }
}

private func launch() throws {
    let context = try AppContext.shared.load(.root)
    try context.validate().orThrow()
    let child = try context.child(opening: .signedIn, giving: User())
    _ = try child.resolve(Greeting.self)
}
