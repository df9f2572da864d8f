// swift-tools-version: 6.2
// A program whose features are separate packages and targets. The article about several packages shows parts of it.
import PackageDescription

let package = Package(
    name: "PackagesShop",
    platforms: [.macOS(.v15)],
    // `.ci/consumers` puts the package there, so that its name does not depend on the folder of the clone.
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
