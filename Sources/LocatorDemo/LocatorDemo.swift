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
        // application.json, then application-dev.json or what LOCATOR_PROFILE says, then variables such as
        // SHOP_SERVER__PORT=9090.
        try context
            .loadProperties(from: config, default: "dev", overrides: .environment(prefix: "SHOP_"))
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
