import Foundation
import LocatorProperties
import LocatorTool
import TestSupport
import Testing

@Suite("Shells complete the command line")
struct CompletionTests {
    private static let files = FileSystem.config([
        "application.json": """
        {
          "locator": { "profiles": { "groups": { "staging": ["prod", "dev"] } } },
          "server": { "host": "x", "port": 1 }, "a b": { "$(touch /tmp/x)": 1, "c\\u0007\\nd": 2 }, "password": "hunter2"
        }
        """,
        "application-dev.json": #"{ "server": { "pool": 2 } }"#, "application-prod.json": "{}",
    ])

    private func complete(_ words: [String]) -> [String] {
        let outcome = locator(words: ["__complete"] + words) { $0.fileSystem = Self.files }
        #expect(outcome.errors == "" && outcome.status == 0)
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        ([""], "properties explain diff check env wiring graph schema reference completions help --help --version"),
        (["e"], "explain env"), (["--v"], "--version"), (["help", "g"], "graph"), (["help", "graph", ""], ""),
        (["nothing", ""], ""),
        ([], "properties explain diff check env wiring graph schema reference completions help --help --version"),
        (["check", "--"], "--config --prefix --directory --files --secret --strict --help"),
        (["check", "--strict", "--s"], "--secret"),
        (["check", "--config", "x", "--"], "--prefix --directory --files --secret --strict --help"),
        (["check", "--config=x", "--c"], ""),
        (["check", "--config", ""], ""), (["check", ""], ""),
        (["properties", "--format", ""], "table json"), (["properties", "--format", "j"], "json"),
        (["properties", "--format=j"], "--format=json"), (["properties", "--format", "=", "j"], "json"),
        (["properties", "--format", "="], "table json"),
        (["properties", "--profile", ""], "dev prod staging"),
        (["properties", "--profile", "dev,"], "dev,prod dev,staging"),
        (["properties", "--profile=p"], "--profile=prod"),
        (["properties", "--config", "Nowhere", "--profile", ""], ""),
        (["properties", "--config", "Config", ":", "Config", "--profile", "p"], "prod"),
        (["diff", "d"], "dev"), (["diff", "dev", ""], "dev prod staging"), (["diff", "dev", "prod", ""], ""),
        (["explain", "server."], "server.host server.port server.pool"),
        (["explain", "--profile", "prod", "server.p"], "server.port"),
        (["explain", "--profile", "pord", ""], ""), (["explain", "pass"], "password"),
        (["completions", ""], "bash zsh"), (["graph", ""], ""),
    ])
    func word_becomesWhatFits(words: [String], expected: String) {
        #expect(complete(words) == expected.split(separator: " ").map(String.init))
    }

    @Test func oddKeys_areOneWord() {
        #expect(
            complete(["explain", "['a b']"]) == ["['a b']['$(touch /tmp/x)']", #"['a b']['c\u{7}\u{A}d']"#])
    }

    @Test func otherShells_areAMistake() {
        #expect(
            locator("completions", "fish")
                == Outcome(
                    errors: """
                        error: the argument SHELL is one of bash, zsh, not "fish"
                        Try: locator completions --help

                        """, status: 2))
    }

    @Test func shell_isNeeded() {
        #expect(
            locator("completions")
                == Outcome(
                    errors: """
                        error: the argument bash|zsh is missing
                        Try: locator completions --help

                        """, status: 2))
    }

    // MARK: bash

    private static let bash = "/bin/bash"
    private static let hasBash = FileManager.default.isExecutableFile(atPath: bash)

    /// How bash itself completes a line, with the script of the command and the settings of a folder.
    private func inBash(_ words: String, count: Int) throws -> Subprocess.Result {
        let folder = try TemporaryFolder([
            "application.json":
                #"{ "server": { "host": "x", "port": 1 }, "a b": { "$(touch hurt)": 1 }, "c;d": "x" }"#,
            "application-dev.json": "{}",
        ])
        let script = """
            cd '\(folder.path)' && mkdir Config && mv *.json Config && source <('\(Built.locator)' completions bash) && complete -p locator
            COMP_WORDS=(\(words)); COMP_CWORD=\(count); _locator '\(Built.locator)'
            printf '%s\\n' "${COMPREPLY[@]}"; ls
            """
        return try Subprocess.run(Self.bash, ["--norc", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
    }

    @Test(
        .enabled(if: hasBash),
        arguments: [
            ("locator ex", 1, ["explain"]), ("locator explain server.", 2, ["server.host", "server.port"]),
            (
                "locator explain ''", 2,
                ["server.host", "server.port", #"\[\'a\ b\'\]\[\'\$\(touch\ hurt\)\'\]"#, #"\[\'c\;d\'\]"#]
            ),
            ("locator properties --format = j", 4, ["json"]), ("locator properties --format =", 3, ["table", "json"]),
            ("locator diff d ignored", 2, ["dev"]), ("locator check --config ''", 3, [""]),
        ])
    func bash_completes(words: String, count: Int, expected: [String]) throws {
        let result = try inBash(words, count: count)
        let lines = ["complete -o default -F _locator locator"] + expected + ["Config"]
        #expect(result == .init(output: lines.joined(separator: "\n") + "\n", errors: "", status: 0))
    }
}
