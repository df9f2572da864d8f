import Foundation
import Locator

/// The storefront, with dependencies that come from the context.
final class Storefront {
    @Dependency var catalog: any Catalog
    @Dependency(qualifierBy: "logger.storage") var logger: any Logger  // the setting names the qualifier
    @Dependency var recommendations: (any Recommendations)?  // nil if nothing is registered
    @DependencyArray var notifiers: [any Notifier]
    @PropertyValue("server.url") var serverURL: URL
    @PropertyValue("server.retries", default: 3) var retries: Int
}
