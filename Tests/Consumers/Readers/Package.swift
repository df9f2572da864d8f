// swift-tools-version: 6.2
// A user's program in release, where the reads of Locator are inlined: many threads read everything while one changes it.
import PackageDescription

let package = Package(
    name: "Readers",
    platforms: [.macOS(.v15)],
    // `.ci/consumers` puts the package there, so that its name does not depend on the folder of the clone.
    dependencies: [.package(path: "../Locator")],
    targets: [
        .executableTarget(name: "Readers", dependencies: [.product(name: "Locator", package: "Locator")])
    ],
    swiftLanguageModes: [.v6]
)
