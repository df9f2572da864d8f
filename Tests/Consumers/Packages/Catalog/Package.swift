// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Catalog",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "CatalogAPI", targets: ["CatalogAPI"]),
        .library(name: "Catalog", targets: ["Catalog"]),
    ],
    dependencies: [.package(path: "../../Locator")],
    targets: [
        .target(name: "CatalogAPI"),
        .target(
            name: "Catalog", dependencies: ["CatalogAPI", .product(name: "Locator", package: "Locator")]),
    ],
    swiftLanguageModes: [.v6]
)
