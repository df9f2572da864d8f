import Locator
import TestSupport
import Testing

// What a visitor has viewed lives as long as the login. The presenter needs a configuration that is downloaded at
// login. Its module is loaded then and unloaded at logout, so nothing in it is optional.

extension Scope {
    fileprivate static let session = Scope("session")
}

private final class LastViewedProducts: Sendable {
    private let products = Late<[String]>([])

    var all: [String] { products.value ?? [] }
    func add(_ product: String) { products.value = all + [product] }
}

private struct AccountConfiguration: Sendable {
    let greeting: String
}

private final class AccountPresenter: Sendable {
    private let configuration: AccountConfiguration
    private let lastViewed: LastViewedProducts

    init(configuration: AccountConfiguration, lastViewed: LastViewedProducts) {
        self.configuration = configuration
        self.lastViewed = lastViewed
    }

    var text: String { "\(configuration.greeting) You saw: \(lastViewed.all.joined(separator: ", "))." }
}

extension Module {
    fileprivate static let shop = Module("Shop") { registry in
        registry.register(scope: .session, LastViewedProducts.init)
    }

    /// What exists while somebody is logged in.
    fileprivate static func account(_ configuration: AccountConfiguration) -> Module {
        Module("Account") { registry in
            registry.register(instance: configuration)
            registry.register(AccountPresenter.init)
        }
    }
}

private final class ProductScreen {
    @Dependency var lastViewed: LastViewedProducts
    @Dependency var presenter: AccountPresenter?
}

@Suite("Session: instances that live from login to logout")
struct SessionScenario {
    private let context: AppContext

    init() throws {
        context = try AppContext().load(.shop)
    }

    @Test func store_isSharedWithinASession_andGoneAfterIt() throws {
        let screen = AppContext.withContext(context) { ProductScreen() }
        screen.lastViewed.add("tea")
        #expect(try context.resolve(LastViewedProducts.self).all == ["tea"])

        try context.reset(.session)

        #expect(screen.lastViewed.all == [])
        #expect(try context.resolve(LastViewedProducts.self) === screen.lastViewed)
    }

    @Test func presenter_existsBetweenLoginAndLogout() throws {
        let screen = AppContext.withContext(context) { ProductScreen() }
        #expect(screen.presenter == nil)

        // Login: the configuration was downloaded.
        let account = Module.account(AccountConfiguration(greeting: "Welcome, Ada!"))
        try context.load(account)
        screen.lastViewed.add("tea")
        screen.lastViewed.add("cups")
        #expect(screen.presenter?.text == "Welcome, Ada! You saw: tea, cups.")

        // Logout.
        try context.unload(account)
        try context.reset(.session)
        #expect(screen.presenter == nil)
        #expect(screen.lastViewed.all == [])

        // Another user logs in.
        try context.load(.account(AccountConfiguration(greeting: "Welcome, Alan!")))
        #expect(screen.presenter?.text == "Welcome, Alan! You saw: .")
    }

    @Test func presenter_isMadeAgain_whenTheStoreItHoldsIsReset() throws {
        try context.load(.account(AccountConfiguration(greeting: "Hello!")))
        let first = try context.resolve(AccountPresenter.self)
        try context.reset(.session)
        let second = try context.resolve(AccountPresenter.self)
        #expect(first !== second)
        try context.resolve(LastViewedProducts.self).add("tea")
        #expect(second.text == "Hello! You saw: tea.")
    }
}
