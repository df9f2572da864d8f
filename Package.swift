// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

// For the thread sanitizer, the gate optimizes only the libraries: to optimize the tests and the command takes many minutes.
let clientSettings =
    Context.environment["LOCATOR_UNOPTIMIZED_TESTS"] == nil ? settings : settings + [.unsafeFlags(["-Onone"])]

let package = Package(
    name: "Locator",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Locator", targets: ["Locator"]),
        .library(name: "LocatorTesting", targets: ["LocatorTesting"]),
        .library(name: "LocatorProperties", targets: ["LocatorProperties"]),
        .executable(name: "locator", targets: ["LocatorTool"]),
        // A plugin finds a tool by the name of its target only where a product has that name as well.
        .executable(name: "LocatorTool", targets: ["LocatorTool"]),
        .plugin(name: "CheckWiring", targets: ["CheckWiringPlugin"]),
    ],
    targets: [
        .target(name: "LocatorProperties", swiftSettings: settings),
        .target(name: "Locator", dependencies: ["LocatorProperties"], swiftSettings: settings),
        .target(name: "LocatorTesting", dependencies: ["Locator"], swiftSettings: settings),
        .executableTarget(name: "LocatorTool", dependencies: ["Locator"], swiftSettings: clientSettings),
        .plugin(
            name: "CheckWiringPlugin",
            capability: .command(
                intent: .custom(
                    verb: "check-wiring", description: "Check what wrappers ask for against profiles and wiring")),
            dependencies: ["LocatorTool"],
            path: "Sources/CheckWiringPlugin"),
        .executableTarget(name: "LocatorDemo", dependencies: ["Locator"], swiftSettings: settings),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: clientSettings),
        .testTarget(
            name: "LocatorPropertiesTests", dependencies: ["LocatorProperties", "TestSupport"],
            swiftSettings: clientSettings),
        .testTarget(name: "LocatorTests", dependencies: ["Locator", "TestSupport"], swiftSettings: clientSettings),
        .testTarget(name: "LocatorTestingTests", dependencies: ["LocatorTesting"], swiftSettings: clientSettings),
        .testTarget(
            name: "LocatorToolTests",
            dependencies: ["LocatorTool", "TestSupport"],
            exclude: ["Fixtures"],
            swiftSettings: clientSettings),
        .executableTarget(
            name: "LocatorBenchmarks",
            dependencies: ["Locator"],
            path: "Tests/LocatorBenchmarks",
            exclude: ["compile-500.sh", "start.sh"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
