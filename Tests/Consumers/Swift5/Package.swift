// swift-tools-version: 5.9
// The oldest manifest that names these platforms, and so Swift 5 mode: what a project has that is not yet on Swift 6.
import PackageDescription

let package = Package(
    name: "Swift5Shop",
    platforms: [.macOS("15.0")],
    // `.ci/consumers` puts the package there, so that its name does not depend on the folder of the clone.
    dependencies: [.package(path: "../Locator")],
    targets: [
        .executableTarget(
            name: "Swift5Shop",
            dependencies: [.product(name: "Locator", package: "Locator")],
            // Without it, `register(CatalogService.init)` is accepted with a warning.
            swiftSettings: [.enableUpcomingFeature("InferSendableFromCaptures")])
    ]
)
