import LocatorProperties
import LocatorTool
import Testing

@Suite("`locator reference` writes a table of all settings")
struct ReferenceCommandTests {
    private func run(
        _ words: String..., files: FileSystem, configure: (inout Surroundings) -> Void = { _ in }
    ) -> Outcome {
        locator(words: ["reference"] + words) {
            $0.fileSystem = files
            configure(&$0)
        }
    }

    @Test func files_tellValues() throws {
        let expected = Outcome(output: try SettingFixture.text("Files.md"))
        #expect(run(files: ShopProgram.config) == expected)
        // What the environment chooses and sets is not in it.
        #expect(
            run(files: ShopProgram.config) { $0.environment = ["LOCATOR_PROFILE": "dev", "SHOP_HOST": "x"] } == expected
        )
    }

    @Test func sources_tellMore() throws {
        let expected = Outcome(output: try SettingFixture.text("Shop.md"))
        let files = ShopProgram.files.fileSystem
        #expect(run("Build", "--prefix", "SHOP_", files: files) { $0.folder = "/Shop" } == expected)
        #expect(
            run("Build", "--prefix", "SHOP_", files: files) {
                $0.folder = "/Shop"
                $0.environment = ["SHOP_HOST": "x"]
            } == expected)
    }

    @Test("Lines of a source may end with a carriage return")
    func lineBreaks_doNotMatter() throws {
        let expected = Outcome(output: try SettingFixture.text("Shop.md"))
        let files = ShopProgram.files(lineBreak: "\r\n").fileSystem
        #expect(run("Build", "--prefix", "SHOP_", files: files) { $0.folder = "/Shop" } == expected)
    }

    @Test("Variables of the machine change nothing, and need not be set")
    func placeholders() {
        let files = FileSystem.config([
            "application.json": #"{ "a": "${env:DB_HOST}", "b": "${env:DB_URL:none}/shop" }"#
        ])
        let outcome = run(files: files)
        #expect(outcome.output.contains(#"`"${env:DB_HOST}"`"#))
        #expect(outcome.output.contains(#"`"${env:DB_URL:none}/shop"`"#))
        #expect(run(files: files) { $0.environment = ["DB_HOST": "h", "DB_URL": "//h?token=abc"] } == outcome)
    }

    @Test func cells_areEscaped() {
        let base = #"{ "a|b": "x|y\u001b`z`", "c": "${env:SHOP_C:1}", "d": "${env:HOME}" }"#
        let outcome = run(files: .config(["application.json": base])) { $0.environment = ["HOME": "/root"] }
        #expect(
            outcome
                == Outcome(
                    output: #"""
                        | Setting | Type | application.json |
                        | --- | --- | --- |
                        | `['a\|b']` | string | ``"x\|y\u001b`z`"`` |
                        | `c` |  | `"${env:SHOP_C:1}"` |
                        | `d` |  | `"${env:HOME}"` |

                        """#))
    }

    @Test func mistakes_areReported() {
        #expect(run("Biuld", files: ShopProgram.config).errors == "error: Biuld: there is no such folder\n")
        #expect(run(files: .config(["application.json": #"{ "a": "${b}" }"#])).status == 1)
    }
}
