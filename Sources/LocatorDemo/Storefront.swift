import Foundation
import Locator

/// What a customer sees; everything it needs arrives by annotation.
final class Storefront {
    @Dependency var catalog: any Catalog
    @Dependency(qualifierBy: "logger.storage") var logger: any Logger  // the qualifier is itself a property
    @Dependency var recommendations: (any Recommendations)?  // nil where nothing is registered
    @DependencyArray var notifiers: [any Notifier]
    @PropertyValue("server.url") var serverURL: URL
    @PropertyValue("server.retries", default: 3) var retries: Int
}
