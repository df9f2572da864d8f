// swift-tools-version: 6.2
// Swift 6 with everything on the main actor unless it says otherwise: what Xcode sets up for a new app.
import PackageDescription

let package = Package(
    name: "MainActorShop",
    platforms: [.macOS(.v15)],
    // `.ci/consumers` puts the package there, so that its name does not depend on the folder of the clone.
    dependencies: [.package(path: "../Locator")],
    targets: [
        .executableTarget(
            name: "MainActorShop",
            dependencies: [.product(name: "Locator", package: "Locator")],
            swiftSettings: [
                .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
