import Foundation
import LocatorTool
import TestSupport
import Testing

@Suite("Commands follow placeholders to files of the directories that --directory names")
struct MountedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["Config", "d"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        try folder.write(
            #"{"port": 1, "note": "${file:DIR/d/note}", "copy": "${server}", "server": {"host": "a"}}"#
                .replacingOccurrences(of: "DIR", with: folder.path), to: "Config/application.json")
        try folder.write(#"{"extra": 2}"#, to: "Config/application-dev.json")
        try folder.write("mounted", to: "d/note")
        try folder.write("9", to: "d/port")
    }

    /// Runs a command line.
    ///
    /// `…` stands for the folder in it and in its output.
    private func run(_ words: String...) -> Outcome {
        let words = words.map { $0.replacingOccurrences(of: "…", with: folder.path) }
        var outcome = locator(words: words + ["--config", "\(folder.path)/Config"]) { $0.environment = [:] }
        outcome.output = outcome.output.replacingOccurrences(of: folder.path, with: "…")
        outcome.errors = outcome.errors.replacingOccurrences(of: folder.path, with: "…")
        return outcome
    }

    @Test("The reference shows neither what overrides nor what is mounted")
    func reference_readsTheFiles() {
        #expect(
            run("reference", "--directory", "…/d")
                == Outcome(
                    output: """
                        | Setting | Type | application.json | dev |
                        | --- | --- | --- | --- |
                        | `port` | number | `1` | `1` |
                        | `note` |  | `"${file:…/d/note}"` | `"${file:…/d/note}"` |
                        | `copy` |  | `{"host":"a"}` | `{"host":"a"}` |
                        | `server.host` | string | `"a"` | `"a"` |
                        | `extra` | number |  | `2` |

                        """))
    }

    @Test("The error of an undeclared directory says the fix for the program and for the command line")
    func undeclaredDirectory_namesTheOption() {
        #expect(
            run("properties")
                == Outcome(
                    errors: """
                        error: note: ${file:…/d/note} is in a directory that is not declared; in the program, add .directory("…/d"), \
                        and for the locator command, --directory "…/d" (application.json:1:21)

                        """, status: 1))
    }

    @Test("A broken placeholder does not empty the completions")
    func completions_listAllKeys() {
        func complete(_ words: String...) -> [String] {
            let config = ["--config", "\(folder.path)/Config"]
            let outcome = locator(words: ["__complete", "explain"] + config + words) { $0.environment = [:] }
            return outcome.output.split(separator: "\n").map(String.init)
        }
        #expect(complete("") == ["port", "note", "copy", "server.host", "extra"])
        #expect(complete("--profile", "dev", "") == ["port", "note", "copy", "server.host", "extra"])
    }
}
