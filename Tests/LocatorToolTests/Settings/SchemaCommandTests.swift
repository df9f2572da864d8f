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

    /// `~` stands for what is a string with a placeholder.
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
        // A placeholder may lead to anything, and so may a default with one.
        (#""${b:1}""#, "{}", #"{"default":"${b:1}"}"#),
        (#""${b:1}""#, #"{"a": 2}"#, #"{"type":["number","string","null"],"pattern":"~","default":"${b:1}"}"#),
        // Files that do not agree say nothing.
        ("1", #"{"a": "x"}"#, #"{"default":1}"#),
        ("1", #"{"a": null}"#, #"{"type":["number","string","null"],"pattern":"~","default":1}"#),
        ("null", #"{"a": 1}"#, #"{"type":["number","string","null"],"pattern":"~"}"#),
        (
            #"{"x": 1}"#, #"{"a": 1}"#,
            #"{"type":["object","string","null"],"pattern":"~","properties":{"x":{"type":["number","string","null"],"pattern":"~","default":1}}}"#
        ),
    ])
    func values_tellTheType(value: String, dev: String, expected: String) throws {
        let schema = try schema(of: "a", base: #"{"a": \#(value)}"#, dev: dev)
        #expect(schema == expected.replacing("~", with: #"\\$\\{"#))
    }

    @Test func secrets_haveNoDefault() throws {
        #expect(try schema(of: "password", base: #"{"password": "hunter2"}"#) == #"{"type":["string","null"]}"#)
        #expect(try schema(of: "url", base: #"{"url": "https://me:hunter2@x"}"#) == #"{"type":["string","null"]}"#)
        #expect(
            try schema(of: "a", base: #"{"a": ["hunter2"]}"#, dev: #"{"locator": {"secrets": ["a[0]"]}}"#)
                == #"{"type":["array","string","null"],"pattern":"\\$\\{","items":{"type":"string"}}"#)
    }

    @Test func namedSchema_isNoSetting() throws {
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

    @Test func mistakes_areTold() {
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
