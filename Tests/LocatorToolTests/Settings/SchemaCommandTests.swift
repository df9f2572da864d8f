import LocatorProperties
import LocatorTool
import Testing

@Suite("`locator schema` describes the profile files")
struct SchemaCommandTests {
    private func run(_ words: String..., files: FileSystem) -> Outcome {
        locator(words: ["schema"] + words) { $0.fileSystem = files }
    }

    /// The schema of one setting in these files, on one line.
    private func schema(of path: String, base: String, dev: String = "{}") throws -> String? {
        let outcome = run(files: .config(["application.json": base, "application-dev.json": dev]))
        var schema: JSONValue? = try JSONValue(parsing: outcome.output)
        for key in path.split(separator: ".") { schema = schema?["properties"]?[String(key)] }
        return schema?.text()
    }

    @Test func files_tellTypesAndDefaults() throws {
        let outcome = run(files: ShopProgram.config)
        #expect(outcome == Outcome(output: try SettingFixture.text("Files.schema.json")))
    }

    @Test func sources_tellMore() throws {
        let outcome = run("Build", files: ShopProgram.files.fileSystem)
        #expect(outcome == Outcome(output: try SettingFixture.text("Shop.schema.json")))
    }

    @Test(
        "If a list of secrets cannot be read, no default is written",
        arguments: [
            (#"{"locator": {"secrets": "license.code"}, "license": {"code": "hunter2"}}"#, "{}"),
            (
                #"{"license": {"code": "hunter2"}}"#, #"{"locator": {"secrets": [1]}}"#
            ),
        ])
    func unreadableSecrets(base: String, dev: String) {
        let outcome = run(files: .config(["application.json": base, "application-dev.json": dev]))
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("locator.secrets"))
        #expect(!outcome.errors.contains("hunter2"))
    }

    @Test func misspelledDirectory_ofSecrets() {
        let outcome = run("--directory", "Nowhere", files: .config(["application.json": #"{"code": "hunter2"}"#]))
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
    }

    /// `~` stands for a string with a placeholder.
    @Test(arguments: [
        ("1", "{}", #"{"type":["number","string","null"],"pattern":"~","default":1}"#),
        (#""x""#, "{}", #"{"type":["string","null"],"default":"x"}"#),
        ("true", "{}", #"{"type":["boolean","string","null"],"pattern":"~","default":true}"#),
        ("[]", "{}", #"{"type":["array","string","null"],"pattern":"~","default":[]}"#),
        (
            "[1, 2]", "{}",
            #"{"type":["array","string","null"],"pattern":"~","items":{"type":["number","string"],"pattern":"~"},"default":[1,2]}"#
        ),
        (#"[1, "x"]"#, "{}", #"{"type":["array","string","null"],"pattern":"~","default":[1,"x"]}"#),
        // A placeholder may refer to anything, and so may a default that contains one.
        (#""${b:1}""#, "{}", #"{"default":"${b:1}"}"#),
        (#""${b:1}""#, #"{"a": 2}"#, #"{"type":["number","string","null"],"pattern":"~","default":"${b:1}"}"#),
        // Files that disagree are ignored.
        ("1", #"{"a": "x"}"#, #"{"default":1}"#),
        ("1", #"{"a": null}"#, #"{"type":["number","string","null"],"pattern":"~","default":1}"#),
        ("null", #"{"a": 1}"#, #"{"type":["number","string","null"],"pattern":"~"}"#),
        (
            #"{"x": 1}"#, #"{"a": 1}"#,
            #"{"properties":{"x":{"type":["number","string","null"],"pattern":"~","default":1}}}"#
        ),
        (
            #"{"x": 1}"#, #"{"a": "${b}"}"#,
            #"{"type":["object","string","null"],"pattern":"~","properties":{"x":{"type":["number","string","null"],"pattern":"~","default":1}}}"#
        ),
    ])
    func values_tellTheType(value: String, dev: String, expected: String) throws {
        let schema = try schema(of: "a", base: #"{"a": \#(value)}"#, dev: dev)
        #expect(schema == expected.replacing("~", with: #"\\$\\{"#))
    }

    /// `~` stands for a string with a placeholder.
    @Test(arguments: [
        ("Swift.String", #"{"type":["string","null"]}"#),
        ("Swift.Bool", #"{"type":["boolean","string","null"],"pattern":"~"}"#),
        ("Swift.Int", #"{"type":["integer","string","null"],"pattern":"~"}"#),
        ("Swift.Int8", #"{"type":["integer","string","null"],"pattern":"~","minimum":-128,"maximum":127}"#),
        ("Swift.UInt32", #"{"type":["integer","string","null"],"pattern":"~","minimum":0,"maximum":4294967295}"#),
        ("Swift.UInt64", #"{"type":["integer","string","null"],"pattern":"~","minimum":0}"#),
        ("Swift.Double", #"{"type":["number","string","null"],"pattern":"~"}"#),
        ("FoundationEssentials.Decimal", #"{"type":["number","string","null"],"pattern":"~"}"#),
        ("Foundation.URL", #"{"type":["string","null"]}"#),
        ("Foundation.Data", #"{"type":["string","null"],"pattern":"~|^[A-Za-z0-9+/]*={0,2}$"}"#),
        ("Swift.Optional<Swift.Bool>", #"{"type":["boolean","string","null"],"pattern":"~"}"#),
        ("Swift.Set<Swift.String>", #"{"type":["array","string","null"],"pattern":"~","items":{"type":"string"}}"#),
        (
            "Swift.Dictionary<Swift.String, Swift.Array<Swift.Bool>>",
            #"{"type":["object","string","null"],"pattern":"~","additionalProperties":{"type":["array","string","null"],"pattern":"~","items":{"type":["boolean","string"],"pattern":"~"}}}"#
        ),
        ("LocatorProperties.Secret<Swift.Double>", #"{"type":["number","string","null"],"pattern":"~"}"#),
        ("Shop.Level", #"{"anyOf":[{"enum":["low","high",null]},{"type":"string","pattern":"~"}]}"#),
        (
            "Swift.Array<Shop.Level>",
            #"{"type":["array","string","null"],"pattern":"~","items":{"anyOf":[{"enum":["low","high"]},{"type":"string","pattern":"~"}]}}"#
        ),
        // It is unknown what these are decoded from.
        ("LocatorProperties.JSONValue", "{}"), ("Shop.Written", "{}"), ("Shop.Unknown", "{}"), ("Shop.Cases", "{}"),
        ("Elsewhere.Type", "{}"), ("T", "{}"), ("Swift.Dictionary<Shop.Level, Swift.Int>", "{}"),
        ("(Swift.Int, Swift.Int)", "{}"),
    ])
    func type_tellsTheSchema(type: String, expected: String) throws {
        var files = BuiltFiles()
        files.add("Config/application.json", "{}")
        files.add(
            "/Shop/Shop.swift",
            types: [
                ConstantValues.type("Shop.Screen", ConstantValues.property("key", "Swift.Optional<\(type)>", line: 7)),
                ConstantValues.type("Shop.Level", rawType: "Swift.String", rawValues: ["low", "high"]),
                ConstantValues.type("Shop.Written", rawType: "Swift.String", rawValues: ["low"]),
                ConstantValues.type("Shop.Unknown", ConstantValues.stored("a", "Swift.Int")),
                ConstantValues.type("Shop.Cases", rawValues: ["low"]),
            ])
        files.add(symbols: [Symbols.decoding("Written", isWritten: true), Symbols.decoding("Cases")])
        let outcome = run("Build", files: files.fileSystem)
        let schema = try JSONValue(parsing: outcome.output)["properties"]?["key"]?.text()
        #expect(schema == expected.replacing("~", with: #"\\$\\{"#))
    }

    @Test func oddKeys_andComments_areEscaped() throws {
        let config = #"{ "a\u009b\u202e": "x\u0007", "b\"": 1 }"#
        let output = run(files: .config(["application.json": config])).output
        #expect(output == output.escapingHidden(exceptLineBreaks: true))
        #expect(
            try JSONValue(parsing: output)["properties"]?.objectValue?.keys.dropLast() == [
                "$schema", "a\u{9b}\u{202e}", "b\"",
            ])
    }

    @Test func secrets_haveNoDefault() throws {
        #expect(try schema(of: "password", base: #"{"password": "hunter2"}"#) == #"{"type":["string","null"]}"#)
        #expect(try schema(of: "url", base: #"{"url": "https://me:hunter2@x"}"#) == #"{"type":["string","null"]}"#)
        #expect(
            try schema(of: "a", base: #"{"a": ["hunter2"]}"#, dev: #"{"locator": {"secrets": ["a[0]"]}}"#)
                == #"{"type":["array","string","null"],"pattern":"\\$\\{","items":{"type":"string"}}"#)
    }

    @Test func textThatIsSecretWithItsPlaceholders_isNoDefault() throws {
        let text = """
            {
              "scheme": "Bearer", "header": "${scheme} hunter2", "list": [{"a": "${scheme} hunter2"}], "x": "${y:z}"
            }
            """
        #expect(try schema(of: "header", base: text) == "{}")
        #expect(try schema(of: "list", base: text)?.contains("hunter2") == false)
        #expect(try schema(of: "x", base: text) == #"{"default":"${y:z}"}"#)
    }

    @Test("A text that is a secret with the placeholders of any profile or group is no default")
    func textThatIsSecretInAProfile_isNoDefault() throws {
        let base = #"{"scheme": "Digest", "header": "${scheme} hunter2", "x": "${scheme} ${y:z}"}"#
        let dev = #"{"scheme": "Bearer", "unused": "${missing}"}"#
        #expect(try schema(of: "header", base: base) == #"{"default":"${scheme} hunter2"}"#)
        #expect(try schema(of: "header", base: base, dev: dev) == "{}")
        #expect(try schema(of: "x", base: base, dev: dev) == #"{"default":"${scheme} ${y:z}"}"#)

        let groups = """
            {
              "locator": { "profiles": { "groups": { "all": ["one", "two"] } } },
              "header": "${first:Di}${second:gest} hunter2"
            }
            """
        let files = FileSystem.config([
            "application.json": groups, "application-one.json": #"{ "first": "Bea" }"#,
            "application-two.json": #"{ "second": "rer" }"#,
        ])
        #expect(!run(files: files).output.contains("hunter2"))
    }

    @Test func severalFolders_areRead_andTheLastBaseFileGivesTheDefault() throws {
        var files = BuiltFiles()
        files.add("A/application.json", #"{ "a": 1, "b": 1, "c": 1 }"#)
        files.add("B/application.json", #"{ "a": 2, "c": null }"#)
        files.add("B/application-dev.json", #"{ "d": true }"#)
        let schema = try JSONValue(parsing: run("--config", "A:B", files: files.fileSystem).output)["properties"]
        #expect(schema?.objectValue?.keys == ["$schema", "a", "b", "c", "d", "locator"])
        #expect(schema?["a"]?["default"] == 2)
        #expect(schema?["b"]?["default"] == 1)
        #expect(schema?["c"]?["default"] == nil)
    }

    @Test func namedSchema_isNotASetting() throws {
        let outcome = run(files: .config(["application.json": ##"{ "$schema": "./x.json", "a": 1 }"##]))
        let properties = try JSONValue(parsing: outcome.output)["properties"]?.objectValue
        #expect(properties?.keys == ["$schema", "a", "locator"])
        #expect(properties?["$schema"] == ["type": "string"])
    }

    @Test func output_isWrittenToAFile() {
        let written = Written()
        let outcome = locator("schema", "--output", "schema.json") {
            $0.fileSystem = ShopProgram.config
            $0.writeFile = { text, path in written.set("\(path): \(text.count)") }
        }
        #expect(outcome == Outcome())
        #expect(written.text == "schema.json: \(run(files: ShopProgram.config).output.count)")
    }

    @Test func mistakes_areReported() {
        #expect(
            run(files: .config(["application.json": "{ a }"])).errors
                == "error: application.json:1:3: expected a key in double quotes or '}', found the word a; did you mean \"a\"?\n"
        )
        #expect(
            run(files: .config(["application.json": "{}", "application-dev.json": "[]"])).errors
                == "error: application-dev.json:1:1: expected an object, found an array\n")
        #expect(
            run(files: .config(["application-dev.json": "{}"])).errors
                == "error: Config/application.json: there is no such file\n")
        #expect(
            run("--config", "Confg", files: ShopProgram.config).errors.hasPrefix(
                "error: Confg: there is no such folder; "))
        #expect(run("Biuld", files: ShopProgram.config).errors == "error: Biuld: there is no such folder\n")
        #expect(run("--targets", "Shop", files: ShopProgram.config).status == 0)
    }
}
