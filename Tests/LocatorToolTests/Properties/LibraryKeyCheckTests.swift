import LocatorProperties
import LocatorTool
import Testing

@Suite("`locator check` finds typos in the library's own keys, and in the only profile")
struct LibraryKeyCheckTests {
    private func run(_ files: [String: String]) -> Outcome {
        locator("check") {
            $0.fileSystem = .config(files)
            $0.environment = [:]
        }
    }

    @Test func unknownKeys_areWarnings() {
        let outcome = run([
            "application.json":
                #"{ "locator": { "secret": ["a"], "profile": { "groups": {} }, "profiles": { "group": {}, "x y": 1 } } }"#,
            "application-dev.json": #"{ "locator": { "secrets": [], "other": 1 } }"#,
        ])
        #expect(
            outcome
                == Outcome(
                    output: """
                        Config/application.json:1:26: warning: locator.secret has no meaning; did you mean locator.secrets?
                        Config/application.json:1:44: warning: locator.profile has no meaning; did you mean locator.profiles?
                        Config/application.json:1:85: warning: locator.profiles.group has no meaning; did you mean locator.profiles.groups?
                        Config/application.json:1:96: warning: locator.profiles['x y'] has no meaning
                        Config/application-dev.json:1:40: warning: locator.other has no meaning
                        5 warnings in 2 files (dev)

                        """))
    }

    @Test func secretsOfNoSetting_areWarnings() {
        let files = [
            "application.json": """
            { "locator": { "secrets": ["mail.pni", "mail.pin", "mail", "mail.code", "list[0].a", "extra", "nothing"] },
              "mail": { "pin": "7", "code": null }, "list": [{ "a": 1 }] }
            """,
            "application-dev.json": #"{ "extra": 1 }"#,
        ]
        #expect(
            run(files)
                == Outcome(
                    output: """
                        Config/application.json:1:28: warning: locator.secrets lists mail.pni, and no profile has it; did you mean mail.pin?
                        Config/application.json:1:95: warning: locator.secrets lists nothing, and no profile has it
                        2 warnings in 2 files (dev)

                        """))
        // The settings of a profile that cannot be loaded are unknown.
        let broken = files.merging(["application-prod.json": #"{ "x": "${y}" }"#]) { $1 }
        #expect(!run(broken).output.contains("locator.secrets lists"))
    }

    @Test(arguments: [("True", true), ("FALSE", true), ("true", true), (" true", false), ("yes", false)])
    func variableThatReadsAsABoolean_isOne(text: String, isBoolean: Bool) {
        let outcome = locator("check") {
            $0.fileSystem = .config([
                "application.json": "{}", "application-dev.json": #"{ "on": "${env:ON}" }"#,
                "application-prod.json": #"{ "on": true }"#,
            ])
            $0.environment = ["ON": text]
        }
        #expect(outcome.output.contains("error: on is") == !isBoolean)
    }

    @Test func onlyProfile_isComparedWithTheBase() {
        #expect(
            run([
                "application.json": #"{ "server": { "port": 8080, "host": "a" } }"#,
                "application-prod.json": #"{ "server": { "prot": 443, "host": 1 }, "metrics": { "on": true } }"#,
            ])
                == Outcome(
                    output: """
                        Config/application-prod.json:1:36: error: server.host is a number in prod (application-prod.json:1:36), a text in application.json (application.json:1:37)
                        Config/application-prod.json:1:23: warning: server.prot is in prod, and not in application.json; did you mean server.port?
                        1 error, 1 warning in 2 files (prod)

                        """, status: 1))
    }
}
