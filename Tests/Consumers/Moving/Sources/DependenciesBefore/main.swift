import Dependencies
import Shop

enum LoggerKey: DependencyKey {
    static let liveValue: any Logger = ConsoleLogger()
}

enum CatalogKey: DependencyKey {
    static var liveValue: any Catalog {
        @Dependency(\.logger) var logger
        return CatalogService(logger: logger)
    }
}

extension DependencyValues {
    var logger: any Logger {
        get { self[LoggerKey.self] }
        set { self[LoggerKey.self] = newValue }
    }
    var catalog: any Catalog {
        get { self[CatalogKey.self] }
        set { self[CatalogKey.self] = newValue }
    }
}

struct Screen {
    @Dependency(\.catalog) var catalog
}

let screen = Screen()
print(screen.catalog.titles)

let preview = withDependencies {
    $0.catalog = FakeCatalog()
} operation: {
    Screen()
}
print(preview.catalog.titles)
print(screen.catalog.titles)
