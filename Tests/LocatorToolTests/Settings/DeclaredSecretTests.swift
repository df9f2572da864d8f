import LocatorProperties
import LocatorTool
import Testing

@Suite("Commands with build information never show what a type in the sources declares secret")
struct DeclaredSecretTests {
    @Test(
        arguments: [
            "LocatorProperties.Secret<Swift.String>", "Swift.Optional<LocatorProperties.Secret<Swift.String>>",
            "LocatorProperties.Secret<Shop.Pair>",
            "Swift.Dictionary<Swift.String, LocatorProperties.Secret<Swift.Int>>",
            "Swift.Array<LocatorProperties.Secret<Swift.Int>>", "Swift.Array<Shop.Holder>",
            "Swift.Dictionary<Swift.String, Shop.Holder>", "LocatorProperties.Secret<Swift.Array<Shop.Pair>>",
        ],
        [
            #""Pl4nted""#, #"{ "a": "Pl4nted", "other": { "x": "Pl4nted" } }"#, #"["Pl4nted"]"#,
            #"[{ "a": "Pl4nted", "other": 4711471147 }]"#,
        ])
    func value_isMasked(type: String, value: String) {
        var files = BuiltFiles()
        files.add("Config/application.json", #"{ "key": \#(value), "copy": "${key}", "list": ["${key}"] }"#)
        files.add("Config/application-dev.json", #"{ "key": \#(value) }"#)
        files.add("/Shop/Shop.swift", #"@PropertyValue("key", default: "Pl4nted") var key: Secret<String>"#)
        let wrapper = ConstantValues.wrapper(
            "PropertyValue", type, line: 1, ["": ConstantValues.literal("key"), "default": ConstantValues.computed])
        files.add(
            "/Shop/Shop.swift",
            types: [
                ConstantValues.type("Shop.Screen", wrapper),
                ConstantValues.type("Shop.Pair", ConstantValues.stored("a", "Swift.String")),
                ConstantValues.type(
                    "Shop.Holder", ConstantValues.stored("a", "LocatorProperties.Secret<Swift.String>")),
            ])
        files.add(symbols: [Symbols.decoding("Pair"), Symbols.decoding("Holder")])
        let commands = [
            ["schema", "Build"], ["reference", "Build", "--prefix", "S_"], ["env", "Build", "--prefix", "S_"],
            ["env", "Build", "--prefix", "S_", "--format", "dotenv"],
            ["env", "Build", "--prefix", "S_", "--format", "json", "--profile", "dev"],
        ]
        for words in commands {
            let outcome = locator(words: words) { $0.fileSystem = files.fileSystem }
            #expect(outcome.status == 0 && !outcome.output.isEmpty)
            #expect(Planting.range(in: outcome.output) == nil, "\(words)")
        }
    }
}
