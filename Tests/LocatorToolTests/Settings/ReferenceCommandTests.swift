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

    @Test(
        "A default is shown if it is the only one of its line, and a literal",
        arguments: [
            (#"@PropertyValue("a", default: 1_000) var a: Int"#, "Int", "`1000`"),
            (#"@PropertyValue("a", default: -1.5 ) var a: Double"#, "Double", "`-1.5`"),
            (#"@PropertyValue("a", default: true) var a: Bool"#, "Bool", "`true`"),
            (#"@PropertyValue("a", default: "x y") var a: String"#, "String", #"`"x y"`"#),
            (#"@PropertyValue("a", default: "") var a: String"#, "String", #"`""`"#),
            (##"@PropertyValue("a", default: #""#) var a: String"##, "String", "in the source"),
            (#"@PropertyValue("a", default: """"#, "String", "in the source"),
            (#"@PropertyValue("a", default: "" + b) var a: String"#, "String", "in the source"),
            (#"@PropertyValue("a", default: "\n") var a: String"#, "String", "in the source"),
            (#"@PropertyValue("a", default: 1 + 2) var a: Int"#, "Int", "in the source"),
            (#"@PropertyValue("a", default: fallback) var a: Int"#, "Int", "in the source"),
            (#"@Clamped(default: 5) @PropertyValue("a", default: 3) var a: Int"#, "Int", "in the source"),
            (#"@PropertyValue("a", default: 3) var a: Int; @PropertyValue("b") var b: Int"#, "Int", "in the source"),
        ])
    func defaults(line: String, type: String, expected: String) {
        let wrapper = ConstantValues.wrapper(
            "PropertyValue", "Swift.\(type)", line: 1,
            ["": ConstantValues.literal("a"), "default": ConstantValues.computed])
        var files = BuiltFiles()
        files.add("Config/application.json", "{}")
        files.add("/Shop/Shop.swift", types: [ConstantValues.type("Shop.Screen", wrapper)])
        files.add("/Shop/Shop.swift", line)
        #expect(
            run("Build", files: files.fileSystem)
                == Outcome(
                    output: """
                        | Setting | Type | Default | Read by | application.json |
                        | --- | --- | --- | --- | --- |
                        | `a` | `\(type)` | \(expected) | `/Shop/Shop.swift:1` |  |

                        """))
    }

    @Test("Only stored properties of instances are decoded from settings")
    func propertiesOfDecodedTypes() {
        var files = BuiltFiles()
        files.add("Config/application.json", "{}")
        files.add(
            "/Shop/Shop.swift",
            types: [
                ConstantValues.type(
                    "Shop.Theme", line: 30, conformances: ["LocatorProperties.ConfigProperty"],
                    ConstantValues.member("path", ConstantValues.literal("theme")),
                    ConstantValues.stored("color", "Swift.String"), ConstantValues.stored("_own", "Swift.Int"),
                    ConstantValues.stored("size", "Swift.Int"),
                    ConstantValues.stored("fixed", "Swift.Int", ConstantValues.literal("3")),
                    ConstantValues.stored("start", "Swift.Int", ConstantValues.literal("4")),
                    ConstantValues.computedProperty("area", "Swift.Int"))
            ])
        files.add(
            symbols: [
                Symbols.decoding("Theme"), Symbols.symbol("Theme.size", keyword: "let"),
                Symbols.symbol("Theme.fixed", keyword: "let"), Symbols.symbol("Theme.start"),
            ])
        #expect(
            run("Build", files: files.fileSystem)
                == Outcome(
                    output: """
                        | Setting | Type | Default | Read by | application.json |
                        | --- | --- | --- | --- | --- |
                        | `theme._own` | `Int` | required | `/Shop/Shop.swift:31` |  |
                        | `theme.color` | `String` | required | `/Shop/Shop.swift:31` |  |
                        | `theme.size` | `Int` | required | `/Shop/Shop.swift:31` |  |
                        | `theme.start` | `Int` | required | `/Shop/Shop.swift:31` |  |

                        """))
    }

    @Test("An optional is not required, and a type is read at its path only if it is a ConfigProperty")
    func requirements() {
        let path = ConstantValues.member("path", ConstantValues.literal("router"))
        var files = BuiltFiles()
        files.add("Config/application.json", "{}")
        files.add(
            "/Shop/Shop.swift",
            types: [
                ConstantValues.type("Shop.Router", path),
                ConstantValues.type(
                    "Shop.Screen", ConstantValues.property("a", "Swift.Optional<Swift.Int>", line: 1),
                    ConstantValues.property("b", "Swift.Int", line: 2),
                    ConstantValues.dependency("Shop.Router", line: 3)),
            ])
        #expect(
            run("Build", files: files.fileSystem)
                == Outcome(
                    output: """
                        | Setting | Type | Default | Read by | application.json |
                        | --- | --- | --- | --- | --- |
                        | `a` | `Int?` |  | `/Shop/Shop.swift:1` |  |
                        | `b` | `Int` | required | `/Shop/Shop.swift:2` |  |

                        """))
    }

    @Test func mistakes_areReported() {
        #expect(run("Biuld", files: ShopProgram.config).errors == "error: Biuld: there is no such folder\n")
        #expect(run(files: .config(["application.json": #"{ "a": "${b}" }"#])).status == 1)
    }
}
