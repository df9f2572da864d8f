import Foundation
import Locator
import Shop

enum Level: String, Decodable { case info, debug }

/// Eight mistakes, the eighth of which is below, and code that is nearly one.
final class Screen {
    @PropertyValue("server.url") var url: URL
    @PropertyValue("server.port") var port: Int
    @PropertyValue("levels") var levels: [Level]
    @Dependency(qualifierBy: "logger.storage") var storage: any Logger
    @Dependency(qualifierBy: "logger.screen") var screen: any Logger
    @Dependency var clock: any Shop.Clock
    @DependencyArray(qualifier: "consle") var consoles: [any Logger]

    @PropertyValue("server.retires", default: 3) var retries: Int
    @Dependency var catalogue: (any Catalogue)?
    @PropertyValue("server." + "host") var host: String
}

protocol Catalogue: Sendable {}

struct Forgotten: Component {
    static func register(in registry: Registry) {}
}

@main
enum Mistaken {
    static func main() {}
}
