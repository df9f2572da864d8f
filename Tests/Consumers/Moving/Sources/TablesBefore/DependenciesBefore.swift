import Dependencies
import Shop

private enum CatalogKey: DependencyKey {
    static var liveValue: any Catalog { CatalogService(logger: FileLogger()) }
    static var previewValue: any Catalog { FakeCatalog() }
    static var testValue: any Catalog { fatalError("unimplemented") }
}

private func launch() {
    prepareDependencies { $0[CatalogKey.self] = FakeCatalog() }
}
