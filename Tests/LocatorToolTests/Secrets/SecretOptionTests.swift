import LocatorTool
import TestSupport
import Testing

@Suite("Commands mask what --secret names, like secrets: in the program")
struct SecretOptionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "application.json": #"{"licence": {"code": "hunter2", "old": ["hunter2", 1]}, "port": 1}"#,
            "application-dev.json": #"{"licence": {"code": 7}}"#,
            "application-prod.json": #"{"licence": {"code": "hunter2-prod"}}"#,
        ])
    }

    private func run(_ words: [String]) -> Outcome {
        locator(words: words + ["--config", folder.path]) { $0.environment = ["S_LICENCE__CODE": "hunter2-variable"] }
    }

    @Test(
        "In every command that reads settings",
        arguments: [
            ["properties"], ["properties", "--format", "json"], ["properties", "--profile", "prod"],
            ["explain", "licence.code", "--profile", "prod"], ["explain", "licence"], ["diff", "dev", "prod"],
            ["diff", "prod"], ["check"], ["env"], ["env", "--format", "json"], ["env", "--format", "dotenv"],
            ["schema"],
            ["reference"],
        ])
    func value_isMasked(command: [String]) {
        let prefixed = command[0] == "schema" || command[0] == "reference" ? [] : ["--prefix", "S_"]
        for options in [prefixed, command[0] == "env" ? prefixed : []] {
            let outcome = run(command + options + ["--secret", "licence", "--secret=other.one"])
            let text = outcome.output + outcome.errors
            #expect(!text.contains("hunter2"), "\(command): \(text)")
            #expect(!text.isEmpty)
        }
    }

    @Test("A malformed path is an error, because the secret would be shown")
    func malformedPath_isRefused() {
        #expect(
            run(["properties", "--secret", "licence[", "--format", "json"])
                == Outcome(
                    errors: """
                        error: the option --secret takes the path of a setting: malformed path "licence[": expected an index or a \
                        quoted key at column 9, found the end
                        Try: locator properties --help

                        """, status: 2))
    }

    @Test("A file in a directory that --files names is for placeholders, and is not a setting")
    func files_areNotSettings() throws {
        let secrets = try TemporaryFolder(["tls.crt": "certificate", "tls": "x"])
        try folder.write(#"{"cert": "${file:\#(secrets.path)/tls.crt}"}"#, to: "application.json")
        let outcome = run(["properties", "--files", secrets.path])
        #expect(outcome.errors == "")
        #expect(outcome.output.contains("cert"))
        #expect(!outcome.output.contains("certificate") && !outcome.output.contains("tls "))
    }
}
