// swift-tools-version: 6.2
// The programs of the article `Migrating`. The libraries are stand-ins with the names that the programs use.
// Programs that print the same have one name in front of `Before`, `After` and `Beside`.
import PackageDescription

let locator: Target.Dependency = .product(name: "Locator", package: "Locator")

/// A project that does not use Swift 6 yet.
let swift5: [SwiftSetting] = [.swiftLanguageMode(.v5)]

let package = Package(
    name: "Moving",
    platforms: [.macOS("15.0")],
    // `.ci/consumers` puts the package there, so that its name does not depend on the folder of the clone.
    dependencies: [.package(path: "../Locator")],
    targets: [
        .target(name: "Swinject", swiftSettings: swift5),
        .target(name: "FactoryKit", swiftSettings: swift5),
        .target(name: "Dependencies", swiftSettings: swift5),
        .target(name: "Deli", swiftSettings: swift5),
        .target(name: "Resolver", swiftSettings: swift5),
        .target(name: "NeedleFoundation", swiftSettings: swift5),

        .target(name: "Shop"),
        .executableTarget(name: "SwinjectBefore", dependencies: ["Shop", "Swinject"], swiftSettings: swift5),
        .executableTarget(name: "SwinjectAfter", dependencies: ["Shop", locator]),
        .executableTarget(name: "SwinjectBeside", dependencies: ["Shop", "Swinject", locator]),
        .executableTarget(name: "FactoryBefore", dependencies: ["Shop", "FactoryKit"], swiftSettings: swift5),
        .executableTarget(name: "FactoryAfter", dependencies: ["Shop", locator]),
        .executableTarget(name: "DependenciesBefore", dependencies: ["Shop", "Dependencies"], swiftSettings: swift5),
        .executableTarget(name: "DependenciesAfter", dependencies: ["Shop", locator]),
        .target(
            name: "TablesBefore",
            dependencies: ["Shop", "Swinject", "FactoryKit", "Dependencies", "Deli", "Resolver", "NeedleFoundation"],
            swiftSettings: swift5),
        .executableTarget(name: "TablesAfter", dependencies: ["Shop", locator]),
    ]
)
