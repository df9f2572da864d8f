import NeedleFoundation
import Shop

private final class User: Sendable {}
private final class Greeting { init(user: User, catalog: any Catalog) {} }

private final class RootComponent: BootstrapComponent {
    var logger: any Logger { FileLogger() }
    var catalog: any Catalog { shared { CatalogService(logger: logger) } }

    func signedIn(_ user: User) -> SignedInComponent { SignedInComponent(parent: self, user: user) }
}

private protocol SignedInDependency: Dependency {
    var catalog: any Catalog { get }
}

private final class SignedInComponent: Component<any SignedInDependency> {
    let user: User

    init(parent: RootComponent, user: User) {
        self.user = user
        super.init(parent: parent)
    }

    var session: Session { shared { Session() } }
    var greeting: Greeting { Greeting(user: user, catalog: dependency.catalog) }
}

// The generator writes this function.
private func registerProviderFactories() {}

private func launch() {
    registerProviderFactories()
    let root = RootComponent()
    let component = root.signedIn(User())
    _ = component.greeting
}
