import Foundation
import Locator

/// A small shop that runs on `Config/`: `swift run LocatorDemo`, or `LOCATOR_PROFILE=prod swift run LocatorDemo`.
@main
struct LocatorDemo {
    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.wantsHelp {
                print(Options.usage)
            } else {
                try await run(options)
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options) async throws {
        let context = AppContext.shared
        let initializations = SlowestInitializations(limit: 1)
        context.observe(initializations.record)

        // application.json, then application-dev.json or what LOCATOR_PROFILE says, then variables such as
        // SHOP_SERVER__PORT=9090.
        try context
            .loadProperties(from: options.config, default: "dev", overrides: .environment(prefix: "SHOP_"))
            .load(.shop)
        // Reports everything that is missing or ambiguous, and creates nothing.
        let report = try context.validate().orThrow()
        try await context.start()  // creates what has an asynchronous initializer

        let tour = Tour(context: context, storefront: Storefront())
        tour.showSettings()
        tour.show(report)
        try tour.showWiring()
        tour.showExplanations()
        try await tour.sell()
        try tour.test()
        tour.show(initializations)
        if let file = options.graph {
            try context.graph().json().write(to: URL(filePath: file))
            print("\nThe graph of the wiring is in \(file); draw it with: swift run locator graph \(file)")
        }

        try await context.shutdown()
    }
}
