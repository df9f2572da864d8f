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

    @Test(
        "A malformed list of profiles is a mistake in the command line",
        arguments: [
            ["properties", "--profile", "a/b"], ["properties", "--profile", "prod,,dev"], ["diff", "prod,prod"],
            ["explain", "server.url", "--profile", ""],
        ])
    func malformedProfiles_haveStatus2(arguments: [String]) throws {
        let result = try Subprocess.run(Built.locator, arguments + ["--config", Self.config])
        #expect(result.status == 2)
        #expect(result.output == "")
        let unknown = try Subprocess.run(Built.locator, ["properties", "--profile", "nope", "--config", Self.config])
        #expect(unknown.status == 1)
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
        @Test func variableThatIsNotUTF8_isAnError() throws {
            let command = "'\(Built.locator)' check --config '\(Self.config)' --prefix S_"
            let result = try Subprocess.run("/bin/sh", ["-c", "S_SERVER__HOST=$(printf 'a\\377') \(command)"])
            #expect(result.status == 1)
            #expect((result.output + result.errors).contains("S_SERVER__HOST"))
        }

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
