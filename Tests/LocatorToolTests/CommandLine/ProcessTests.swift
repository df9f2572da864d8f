import Foundation
import Testing

@Suite("The command as a process")
struct ProcessTests {
    /// The settings of the demo.
    private static let config = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Config").path

    @Test func settingsOfTheDemo_areSound() throws {
        let result = try Subprocess.run(Built.locator, ["check", "--strict", "--config", Self.config])
        #expect(result.status == 0)
        #expect(result.errors == "")
        #expect(result.output.hasSuffix(" in 3 files (dev, prod, staging)\n"))
    }

    @Test func environment_isThatOfTheProcess() throws {
        let result = try Subprocess.run(
            Built.locator, ["explain", "server.port", "--config", Self.config, "--prefix", "SHOP_"],
            environment: ["LOCATOR_PROFILE": "prod", "SHOP_SERVER__PORT": "9090"])
        #expect(
            result
                == .init(
                    output: """
                        server.port = "9090"
                          from environment variable SHOP_SERVER__PORT "9090"
                          over application-prod.json:5:13 443
                          over application.json:20:13 8080

                        """, errors: "", status: 0))
    }

    #if os(Linux)
        @Test func outputThatCannotBeWritten_isAnError() throws {
            let result = try Subprocess.run("/bin/sh", ["-c", "'\(Built.locator)' --help > /dev/full"])
            #expect(
                result
                    == .init(
                        output: "", errors: "error: the output cannot be written: No space left on device\n", status: 1)
            )
        }
    #endif

    @Test func mistakes_endWithTheirStatus() throws {
        #expect(try Subprocess.run(Built.locator, ["explain", "nothing", "--config", Self.config]).status == 1)
        #expect(try Subprocess.run(Built.locator, ["chek"]).status == 2)
        #expect(try Subprocess.run(Built.locator, ["--help"]).status == 0)
    }
}
