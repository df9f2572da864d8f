import Foundation
import Locator
import Shop

enum Level: String, Decodable { case info, debug }
enum Size: Int, Decodable { case small = 1, large = 10 }
struct Limits: Decodable { let connections: Int }

/// Every form of every wrapper, and nothing wrong.
final class Screen {
    @Dependency var catalog: any Catalog
    @Dependency(qualifier: "console") var console: any Logger
    @Dependency(qualifier: .console) var constant: any Logger
    @Dependency(qualifier: .property("logger.screen")) var screen: any Logger
    @Dependency(qualifierBy: "logger.storage") var storage: any Logger
    @Dependency var clock: (any Shop.Clock)?
    @Dependency var lazy: Lazy<any Catalog>
    @Dependency var shelf: any Shelf<Int>
    @Dependency var receipts: Factory<Int, Receipt>
    @Dependency var theme: Theme
    @DependencyArray var loggers: [any Logger]
    @DependencyArray(qualifier: "console", from: .first) var consoles: [any Logger]
    @PropertyValue("server.url") var url: URL
    @PropertyValue(Keys.url) var sameURL: URL
    @PropertyValue(Keys.port) var port: Int
    @PropertyValue("server.retries", default: 3) var retries: Int
    @PropertyValue("server.gateway") var gateway: URL?
    @PropertyValue("server.timeout") var timeout: Duration
    @PropertyValue("server.limits") var limits: Limits
    @PropertyValue("levels") var levels: [String: [Level]]
    @PropertyValue("sizes") var sizes: [Size]
    @PropertyValue("levels['com.shop'][0]") var first: Level
    let constantLogger = Dependency<any Logger>(qualifierBy: "logger.storage")
    let given = Dependency<any Shop.Clock>.value(Noon())
}

private struct Noon: Shop.Clock {}

struct Page<Item: Decodable & Sendable> {
    struct Header {
        @PropertyValue("theme.color") var color: String
    }
    @PropertyValue("page") var item: Item
    @Dependency var catalog: any Catalog
}

actor Worker {
    @PropertyValue("server.port") var port: UInt16
}

@main
enum Sound {
    static func main() throws {
        let context = AppContext()
        try context.loadProperties(from: "Config/Sound", profiles: [CommandLine.arguments[1]])
        try context.load(.shop, .logging)
        print(String(decoding: try context.graph().json(), as: UTF8.self))
    }
}
