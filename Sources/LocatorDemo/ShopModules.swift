import Foundation
import Locator

extension Module {
    /// The parts of the shop in every profile.
    static let shop = Module("Shop", including: [.mail, .mailSandbox, .recommendations]) { registry in
        registry.register((any Logger).self, qualifier: "console") { ConsoleLogger() }
        registry.register((any Logger).self, qualifier: "file", FileLogger.init)

        // `CatalogSettings` needs no qualifier. The setting `logger.storage` chooses the logger.
        registry.register(
            (any Catalog).self, parameterQualifiers: [nil, .property("logger.storage")], CatalogService.init)
        registry.register((any Orders).self, OrderService.init)
        registry.register((any Customers).self, CustomerService.init)
        registry.register((any Notifier).self) { ReceiptPrinter() }
        registry.factory(Invoice.init)

        registry.register(Database.self, async: Database.open)
            .onShutdown { database in await database.close() }

        // `validate` does not know settings that only wrappers read, unless a module requires them.
        registry.requires("server.url", as: URL.self)
    }

    /// Sends mail if it is enabled.
    static let mail = Module("Mail", when: .property("mail.enabled", equals: true)) { registry in
        registry.register((any Notifier).self, MailNotifier.init)
    }

    /// Keeps mail from being sent, for developers.
    static let mailSandbox = Module("Mail sandbox", when: .profile("dev")) { registry in
        registry.register((any Notifier).self, MailSandbox.init)
    }

    /// A feature that a setting turns on.
    static let recommendations = Module(
        "Recommendations", when: .property("features.recommendations", equals: true)
    ) { registry in
        registry.register((any Recommendations).self, BargainRecommendations.init)
    }

    /// The registrations of a session.
    ///
    /// They are loaded at login and unloaded at logout, so that no type needs an optional customer.
    static func visit(of customer: Customer) -> Module {
        Module("Visit of \(customer.name)") { registry in
            registry.register(instance: customer)
            registry.register(scope: .session, Basket.init)
                .onDispose { basket in print("    the basket of \(basket.owner.name) is gone") }
        }
    }
}
