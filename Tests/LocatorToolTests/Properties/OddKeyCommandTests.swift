import LocatorProperties
import LocatorTool
import Testing

@Suite("Commands list every key, and never print terminal control characters")
struct OddKeyCommandTests {
    private static let base = #"{"\u0301a":1,"\u009b":{"'\u0301":"x"},"\u00e9":1,"o\u0308":2}"#

    private func run(_ words: String..., files: [String: String]) -> Outcome {
        locator(words: words) { $0.fileSystem = .config(files) }
    }

    @Test("properties lists them")
    func properties_listsAllKeys() {
        #expect(
            run("properties", files: ["application.json": Self.base]).output == #"""
                ['\u{301}a']      1    application.json:1:12
                ['\u{9B}']['\'́']  "x"  application.json:1:34
                é                 1    application.json:1:48
                ö                 2    application.json:1:60

                """#)
    }

    @Test("diff and check compare them")
    func profiles_areCompared() {
        let files = [
            "application.json": "{}", "application-a.json": Self.base,
            "application-b.json": #"{"\u0301a":2,"\u009b":{"'\u0301":1},"\u00e9":1}"#,
        ]
        #expect(
            run("diff", "a", "b", files: files).output.hasSuffix("1 value differs, 1 type differs, 1 key only in a\n"))
        let check = run("check", files: files)
        #expect(check.output.hasSuffix("1 error, 1 warning in 3 files (a, b)\n"))
        #expect(check.output.contains("is a text in a (application-a.json:1:34), a number in b"))
    }

    @Test("A file name without a profile and an unreadable file are reported once")
    func files_areNamedOnce() {
        let files = ["application.json": #"{"a":1}"#, "application-.json": "{", "application-dev.json": "{}"]
        let outcome = locator("check") {
            $0.fileSystem = .config(files)
            let read = $0.fileSystem.read
            $0.fileSystem.read = { path throws(FileProblem) in
                if path == "Config/application-dev.json" { throw .folderInsteadOfFile }
                return try read(path)
            }
        }
        #expect(
            outcome.output == """
                Config/application-dev.json: error: expected a file, found a folder
                Config/application-.json: warning: no profile can have this file, so it is never read; a profile's name \
                consists of letters, digits, ".", "_" and "-"
                1 error, 1 warning in 3 files (dev)

                """)
    }

    @Test("check warns of a variable with nearly the name of the one that chooses the profiles")
    func check_warnsOfProfileVariable() {
        let outcome = locator("check") {
            $0.fileSystem = .config(["application.json": "{}"])
            $0.environment = ["locator_profile": "prod"]
        }
        #expect(
            outcome.output == """
                warning: the environment variable locator_profile chooses no profile; did you mean LOCATOR_PROFILE?
                1 warning in 1 file

                """)
    }

    @Test("File names and command-line arguments are also escaped")
    func names_areEscaped() {
        let outcomes = [
            run("explain", "a\u{9B}", files: ["application.json": "{}"]),
            run("explain", "a\u{9B}[", files: ["application.json": "{}"]),
            run("properties", "--profile", "\u{1B}[2J", files: ["application.json": "{}"]),
            run("check", "--config", "\u{202E}x", files: ["application.json": "{}"]),
            run("\u{9B}", files: [:]), run("diff", "--\u{9B}", files: [:]),
            run("check", files: ["application.json": "{}", "application-\u{9B}.json": "{}"]),
        ]
        for outcome in outcomes {
            #expect(!(outcome.output + outcome.errors).unicodeScalars.contains { $0.isHidden && $0 != "\n" })
        }
    }
}
