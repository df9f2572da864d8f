import Foundation
import Locator

/// A small shop that runs on `Config/`: `swift run LocatorDemo`, or `LOCATOR_PROFILE=prod swift run LocatorDemo`.
@main
struct LocatorDemo {
    static func main() async {
        do {
            try await run(config: CommandLine.arguments.dropFirst().first ?? "Config")
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(config: String) async throws {
        let context = AppContext.shared
        try context
            .loadProperties(
                from: config,  // application.json, then application-<profile>.json
                default: "dev",  // unless LOCATOR_PROFILE=prod
                overrides: .environment(prefix: "SHOP_")
            )  // SHOP_SERVER__PORT=9090
            .load(.shop)
        try await context.start()  // runs the asynchronous makers

        let tour = Tour(context: context, storefront: Storefront())
        tour.showSettings()
        try tour.showWiring()
        try await tour.sell()
        try tour.test()

        try await context.shutdown()
    }
}
