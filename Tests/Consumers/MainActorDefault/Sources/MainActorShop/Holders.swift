import Locator

/// A wrapper in each position that Swift allows.
struct StructHolder {
    @Dependency var catalog: any Catalog
    @PropertyValue("server.port") var port: Int
}

class ClassHolder {
    @Dependency var catalog: any Catalog
    @Dependency(qualifier: "console") var logger: any Logger
    @DependencyArray var catalogs: [any Catalog]
    @PropertyValue("server.port", default: 80) var port: Int
}

/// Off the main actor, types of the main actor must be `Sendable`, and are awaited.
actor ActorHolder {
    @Dependency var prices: Prices
    @Dependency var catalog: any Catalog
    @PropertyValue("server.port") var port: Int

    var text: String { "\(prices.currency) at \(port)" }

    func titles() async -> [String] { await catalog.titles }
}

final class ScreenModel {
    @Dependency var catalog: any Catalog
    @PropertyValue("server.port") var port: Int

    var text: String { "\(catalog.titles) at \(port)" }
}

/// A `Sendable` class that is used from anywhere keeps the wrappers as constants and calls them.
nonisolated final class SendableHolder: Sendable {
    private let prices = Dependency<Prices>()
    private let port = PropertyValue<Int>("server.port")

    var text: String { "\(prices().currency) at \(port())" }
}

nonisolated struct PlainHolder {
    @Dependency var prices: Prices
}

actor Database {
    static func open(prices: Prices) async throws -> Database { Database() }
}
