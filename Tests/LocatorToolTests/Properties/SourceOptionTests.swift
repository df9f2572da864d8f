import Foundation
import LocatorTool
import TestSupport
import Testing

@Suite("Commands read the folders, variables and directories that the options name")
struct SourceOptionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for (path, text) in [
            "A/application.json": #"{"port": 1, "host": "a", "pin": "0"}"#,
            "A/application-dev.json": #"{"host": "a dev"}"#,
            "B/application.json": #"{"host": "b"}"#, "B/application-prod.json": #"{"port": 2}"#,
            "secrets/PORT": "3\n", "secrets/pin": "7", "more/port": "4",
        ] {
            let name = path.prefix { $0 != "/" }
            try FileManager.default.createDirectory(atPath: self.path(String(name)), withIntermediateDirectories: true)
            try folder.write(text, to: path)
        }
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// Runs a command line in which `…` stands for the folder, as in its output.
    private func run(_ words: String..., environment: [String: String] = [:]) -> String {
        let words = words.map { $0.replacingOccurrences(of: "…", with: folder.path) }
        let outcome = locator(words: words) { surroundings in
            surroundings.environment = environment.mapValues { $0.replacingOccurrences(of: "…", with: folder.path) }
        }
        return (outcome.output + outcome.errors).replacingOccurrences(of: folder.path, with: "…")
    }

    @Test("The last of --prefix and --directory wins, in the order they are given")
    func options_haveAnOrder() {
        let environment = ["S_PORT": "5", "T_PORT": "6"]
        func explain(_ options: String...) -> String {
            let words = ["explain", "port", "--config", path("A")]
            let outcome = locator(words: words + options.map { $0.replacingOccurrences(of: "…", with: folder.path) }) {
                $0.environment = environment
            }
            return (outcome.output + outcome.errors).replacingOccurrences(of: folder.path, with: "…")
        }
        #expect(
            explain("--directory", "…/secrets", "--prefix", "S_", "--directory=…/more", "--prefix", "T_") == """
                port = "<secret>"
                  from environment variable T_PORT "<secret>"
                  over …/more/port "<secret>"
                  over environment variable S_PORT "<secret>"
                  over …/secrets/PORT "<secret>"
                  over application.json:1:10 1

                """)
        #expect(
            explain("--prefix", "S_", "--directory", "…/secrets").hasPrefix(
                "port = \"<secret>\"\n  from …/secrets/PORT"))
        #expect(
            explain("--directory", "…/nowhere") == """
                error: …/nowhere: there is no such directory; it was looked for at …/nowhere. Mount it there, or allow it \
                to be missing: .directory(…, optional: true)

                """)
    }

    @Test("Several folders, by the option or by the variable")
    func folders_areSeveral() {
        let explained = """
            host = "b"
              from …/B/application.json:1:10 "b"
              over …/A/application-dev.json:1:10 "a dev"
              over …/A/application.json:1:21 "a"

            """
        #expect(run("explain", "host", "--profile", "dev", "--config", "…/A:…/B") == explained)
        let environment = ["LOCATOR_CONFIG": "…/A:…/B"]
        #expect(
            run("explain", "host", "--profile", "dev", environment: environment)
                == explained.replacingOccurrences(
                    of: #"(…/./application\S*:\d+)"#, with: "$1 (folder from LOCATOR_CONFIG)",
                    options: .regularExpression))
        #expect(
            run("explain", "host", "--profile", "dev", "--config", "…/B:…/A", environment: environment)
                .hasPrefix(#"host = "a dev""#))
        #expect(
            run("diff", "dev", "prod", environment: environment) == """
                         dev  prod
                ~  port  1    2

                1 value differs

                """)
    }

    @Test("The check covers the files of all folders, and the directory")
    func check_seesAll() throws {
        try folder.write("{", to: "B/application-prod.json")
        try folder.write("1", to: "secrets/pinn")
        let environment = ["LOCATOR_CONFIG": "…/A:…/B"]
        #expect(
            run("check", "--directory", "…/secrets", environment: environment) == """
                …/B/application-prod.json:1:2: error: expected a key in double quotes or '}', found the end of the text; the \
                object from 1:1 is not closed
                warning: …/secrets/pinn overrides nothing and adds pinn; did you mean pin? [dev]
                1 error, 1 warning in 4 files (dev, prod)

                """)
        let emptyItem = "error: item 2 of the environment variable LOCATOR_CONFIG is empty\n"
        for command in [["check"], ["explain", "port"], ["properties"]] {
            #expect(
                locator(words: command) { $0.environment = ["LOCATOR_CONFIG": path("A") + ":"] }.errors == emptyItem)
        }
        #expect(
            run("check", environment: ["LOCATOR_CONFIG": "…/A:…/C"]) == """
                error: …/C: there is no such folder; the environment variable LOCATOR_CONFIG names it, and it was looked for at …/C

                """)
    }

    @Test("The text of a file may be a number if the profile has a number")
    func check_takesTextForANumber() throws {
        try folder.write(#"{"port": 5}"#, to: "A/application-dev.json")
        try folder.write(#"{"port": 6}"#, to: "A/application-prod.json")
        #expect(run("check", "--config", "…/A", "--directory", "…/secrets").hasPrefix("nothing found"))
    }
}
