import Dependencies
import Shop

private enum CatalogKey: DependencyKey {
    static var liveValue: any Catalog { CatalogService(logger: FileLogger()) }
    static var previewValue: any Catalog { FakeCatalog() }
    static var testValue: any Catalog { fatalError("unimplemented") }
}

private struct Analytics: Sendable {}

private enum AnalyticsKey: DependencyKey {
    static let liveValue: Analytics? = Analytics()
}

extension DependencyValues {
    fileprivate var analytics: Analytics? {
        get { self[AnalyticsKey.self] }
        set { self[AnalyticsKey.self] = newValue }
    }
}

private final class Shelves {
    @Dependency(\.analytics) var analytics

    func next() -> Shelves { withDependencies(from: self) { Shelves() } }

    func later() {
        withEscapedDependencies { continuation in continuation.yield { print(Shelves()) } }
    }
}

private func test() -> Shelves {
    withDependencies {
        $0.analytics = nil
    } operation: {
        Shelves()
    }
}

private func launch() {
    prepareDependencies { $0[CatalogKey.self] = FakeCatalog() }
}
