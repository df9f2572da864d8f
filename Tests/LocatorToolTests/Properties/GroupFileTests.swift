import LocatorProperties
import LocatorTool
import Testing

@Suite("`locator check` finds the file of a group that no profile list reads")
struct GroupFileTests {
    private func run(_ groups: String, among files: [String: String] = [:]) -> Outcome {
        locator("check") {
            $0.fileSystem = .config(
                files.merging([
                    "application.json": #"{"locator": {"profiles": {"groups": \#(groups)}}, "port": 1}"#,
                    "application-metrics.json": #"{"port": 2}"#, "application-prod.json": #"{"port": 3}"#,
                ]) { $1 })
            $0.environment = [:]
        }
    }

    @Test func groupWithoutItself_hidesItsFile() {
        #expect(
            run(#"{"prod": ["metrics"]}"#)
                == Outcome(
                    output: """
                        Config/application-prod.json: warning: this file is never read, because the group prod does not \
                        contain prod; add it to the group, or remove the file
                        1 warning in 3 files (prod, metrics)

                        """))
    }

    @Test("Also beside a mistake, such as a missing target of a placeholder")
    func besideAnError() {
        let output = run(
            #"{"prod": ["metrics"]}"#, among: ["application-dev.json": #"{"port": "${prot}"}"#]
        ).output
        #expect(output.contains("error: port: ${prot} needs prot"))
        #expect(output.contains("application-prod.json: warning: this file is never read, because the group prod"))
    }

    @Test func cycleOfGroups_isNoSuchMistake() {
        let output = run(#"{"prod": ["prod", "metrics"], "metrics": ["prod"]}"#).output
        #expect(output.contains("profile groups contain each other"))
        #expect(!output.contains("never read"))
    }

    @Test(arguments: [#"{"prod": ["prod", "metrics"]}"#, #"{"all": ["metrics", "prod"]}"#, "{}"])
    func fileThatIsRead_isFine(groups: String) {
        #expect(!run(groups).output.contains("never read"))
    }

    @Test("A group that contains the group does not read its file either")
    func groupWithinAGroup_readsNoFile() {
        #expect(run(#"{"prod": ["metrics"], "all": ["prod"]}"#).output.contains("application-prod.json: warning"))
    }

    @Test(
        "A null in a later folder removes the groups, as in the program",
        arguments: [
            #"{ "locator": { "profiles": { "groups": null } } }"#, #"{ "locator": { "profiles": null } }"#,
            #"{ "locator": null }"#, #"{ "locator": { "profiles": { "groups": { "staging": null } } } }"#,
        ])
    func null_removesGroups(later: String) {
        let files = [
            "A/application.json": #"{ "locator": { "profiles": { "groups": { "staging": ["prod"] } } }, "x": 1 }"#,
            "A/application-prod.json": #"{ "x": 2 }"#, "B/application.json": later,
        ]
        let folders = FileSystem(
            read: { (path) throws(FileProblem) in
                guard let text = files[path] else { throw .noFile }
                return Array(text.utf8)
            },
            list: { path in
                files.keys.filter { $0.hasPrefix(path + "/") }.map { String($0.dropFirst(path.count + 1)) }.sorted()
            })
        let outcome = locator("check", "--config", "A:B") { $0.fileSystem = folders }
        #expect(outcome == Outcome(output: "nothing found in 3 files (prod)\n"))
    }
}
