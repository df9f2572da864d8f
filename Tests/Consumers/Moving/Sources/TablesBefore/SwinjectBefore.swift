import Shop
import Swinject

private final class Editor {
    var logger: (any Logger)!
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
