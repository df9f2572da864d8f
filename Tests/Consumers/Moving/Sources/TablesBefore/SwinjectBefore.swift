import Shop
import Swinject

private final class Editor {
    var logger: (any Logger)!
}

private final class Player {
    let catalog: Lazy<any Catalog>
    let basket: Provider<Basket>

    init(catalog: Lazy<any Catalog>, basket: Provider<Basket>) {
        self.catalog = catalog
        self.basket = basket
    }
}

extension ObjectScope {
    fileprivate static let session = ObjectScope(storageFactory: PermanentStorage.init)
}

private struct PlayerAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Player.self) { r in
            Player(catalog: r.resolve(Lazy<any Catalog>.self)!, basket: r.resolve(Provider<Basket>.self)!)
        }
    }

    func loaded(resolver: any Resolver) { _ = resolver.resolve(Player.self) }
}

private func use(_ container: Container) {
    let resolver = container.synchronize()
    if container.hasAnyRegistration(of: Basket.self) { container.resetObjectScope(.session) }
    container.removeAll()
    _ = resolver
}

private func assemble(_ container: Container) {
    container.register(Basket.self) { _ in Basket() }.inObjectScope(.transient)
    container.register(Session.self) { _ in Session() }.inObjectScope(.weak)
    container.register(Editor.self) { _ in Editor() }
        .initCompleted { r, editor in editor.logger = r.resolve((any Logger).self)! }
    container.register(FakeCatalog.self) { _ in FakeCatalog() }
        .implements((any Catalog).self)
    let child = Container(parent: container)
    let logger: (any Logger)? = child.resolve((any Logger).self)
    _ = logger
}
