// swift-tools-version: 6.2
// A program whose features are packages and targets of their own; the article about several packages shows parts of it.
import PackageDescription

let package = Package(
    name: "PackagesShop",
    platforms: [.macOS(.v15)],
    // `.ci/consumers` puts the package there: its name must not depend on the folder of the clone.
    dependencies: [.package(path: "../Locator"), .package(path: "Catalog")],
    targets: [
        .target(
            name: "Orders",
            dependencies: [
                .product(name: "CatalogAPI", package: "Catalog"), .product(name: "Locator", package: "Locator"),
            ]),
        .executableTarget(
            name: "PackagesShop",
            dependencies: [
                "Orders", .product(name: "Catalog", package: "Catalog"),
                .product(name: "Locator", package: "Locator"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
