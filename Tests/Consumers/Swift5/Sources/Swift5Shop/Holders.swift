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

actor ActorHolder {
    @Dependency var catalog: any Catalog
    @PropertyValue("server.port") var port: Int

    var text: String { "\(catalog.titles) at \(port)" }
}

@MainActor
final class ScreenModel {
    @Dependency var catalog: any Catalog
    @PropertyValue("server.port") var port: Int

    var text: String { "\(catalog.titles) at \(port)" }
}

/// A `Sendable` class has no `var`: it keeps the wrappers as constants and calls them.
final class SendableHolder: Sendable {
    private let catalog = Dependency<any Catalog>()
    private let port = PropertyValue<Int>("server.port")

    var text: String { "\(catalog().titles) at \(port())" }
}

actor Database {
    static func open(catalog: any Catalog) async throws -> Database { Database() }
}
