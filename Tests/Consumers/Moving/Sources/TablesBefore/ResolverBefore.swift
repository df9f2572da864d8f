import Resolver
import Shop

private final class Analytics {}

private final class Editor {
    var logger: (any Logger)!
    init(isNew: Bool) {}
}

extension Resolver: ResolverRegistering {
    /// Registers what the table shows.
    public static func registerAllServices() {
        register { CatalogService(logger: resolve()) }
            .implements((any Catalog).self)
            .scope(.application)
        register(name: "file") { FileLogger() as any Logger }
        register { Basket() }
        register { Shelf(catalog: resolve(), basket: resolve()) }
        register { Checkout(shelf: resolve(), basket: resolve()) }.scope(.unique)
        register { Session() }.scope(.cached)
        register { Analytics() }.scope(.shared)
        register { (_, args) in Editor(isNew: args()) }
            .resolveProperties { resolver, editor in editor.logger = resolver.resolve() }
    }
}

private final class Screen {
    @Injected var catalog: any Catalog
    @Injected(name: "file") var logger: any Logger
    @LazyInjected var session: Session
    @OptionalInjected var analytics: Analytics?
}

private func use() {
    let catalog: any Catalog = Resolver.resolve()
    let editor: Editor = Resolver.resolve(args: true)
    let analytics = Resolver.optional(Analytics.self)
    ResolverScope.cached.reset()
    Resolver.defaultScope = .graph
    let fakes = Resolver(child: .main)
    fakes.register { FakeCatalog() as any Catalog }
    Resolver.root = fakes
    _ = (catalog, editor, analytics)
}
