import LocatorProperties

/// A program that was built, with one of everything that sources tell of settings.
enum ShopProgram {
    private typealias Values = ConstantValues

    static let base = """
        {
          "server": { "port": 8080, "url": "http://${host}", "hosts": ["a"] },
          "level": "info",
          "theme": { "color": "red", "accounts": [{ "code": "c-0817" }], "token": "hunter2", "extra": 1.5, "nested": { "on": true } },
          "host": "localhost",
          "mixed": 1
        }
        """
    static let dev = #"{ "theme": { "sizes": { "a": 3 } }, "only": { "dev": [{ "a": 1 }] }, "mixed": "x" }"#

    /// Only the profile files.
    static let config = FileSystem.config(["application.json": base, "application-dev.json": dev])

    /// The profile files, the build and the source.
    static var files: BuiltFiles { files(lineBreak: "\n") }

    /// The profile files, the build and the source, whose lines end with this text.
    static func files(lineBreak: String) -> BuiltFiles {
        var files = BuiltFiles()
        files.add("Config/application.json", base)
        files.add("Config/application-dev.json", dev)
        files.add("/Shop/Shop.swift", types: types)
        files.add(
            "/Shop/Shop.swift",
            """
            final class Screen {
                @PropertyValue("server.port") var port: UInt16
                @PropertyValue("server.retries", default: 3) var retries: Int
                @PropertyValue("server.timeout", default: .seconds(3)) var timeout: Duration
                @PropertyValue("level", default: .info) var level: Level
                @PropertyValue("server.apiKey", default: "hunter3") var key: String
            }
            """.replacing("\n", with: lineBreak))
        files.add(symbols: symbols)
        return files
    }

    private static let types: [String] = [
        Values.type("Shop.Level", rawType: "Swift.String", rawValues: ["info", "debug"]),
        Values.type("Shop.Size", rawType: "Swift.Int", rawValues: ["1", "10"]),
        Values.type("Shop.Price", Values.stored("cents", "Swift.Int")),
        Values.type(
            "Shop.Theme", line: 30, conformances: ["LocatorProperties.ConfigProperty"],
            Values.member("path", Values.literal("theme")), Values.stored("color", "Swift.String"),
            Values.stored("token", "LocatorProperties.Secret<Swift.String>"),
            Values.stored("sizes", "Swift.Dictionary<Swift.String, Shop.Size>"),
            Values.stored("price", "Swift.Optional<Shop.Price>"),
            Values.stored("fixed", "Swift.Int", Values.literal("3")),
            Values.stored("shelves", "Swift.Array<Shop.Shelf>"), Values.stored("ignored", "Swift.Int"),
            Values.stored("accounts", "Swift.Set<Shop.Account>"), Values.stored("_wrapped", "Shop.Wrapper<Swift.Int>"),
            Values.computedProperty("wrapped", "Swift.Int"), Values.computedProperty("area", "Swift.Int")),
        Values.type(
            "Shop.Theme.CodingKeys", rawType: "Swift.String",
            rawValues: ["color", "token", "sizes", "price", "fixed", "shelves", "accounts", "wrapped", "area"]),
        Values.type("Shop.Account", Values.stored("code", "LocatorProperties.Secret<Swift.String>")),
        Values.type(
            "Shop.Shelf", Values.stored("name", "Swift.String"), Values.stored("width", "Swift.Optional<Swift.Int8>"),
            Values.stored("inner", "Swift.Array<Shop.Shelf>"),
            Values.stored("sizes", "Swift.Array<Swift.Optional<Shop.Size>>"),
            Values.stored("back", "Swift.Optional<Shop.Back>")),
        Values.type("Shop.Back", Values.stored("depth", "Swift.UInt")),
        Values.type(
            "Shop.Screen", Values.property("server.port", "Swift.UInt16", line: 2),
            Values.wrapper(
                "PropertyValue", "Swift.Int", line: 3,
                ["": Values.literal("server.retries"), "default": Values.computed]),
            Values.wrapper(
                "PropertyValue", "Swift.Duration", line: 4,
                ["": Values.literal("server.timeout"), "default": Values.computed]),
            Values.wrapper(
                "PropertyValue", "Shop.Level", line: 5, ["": Values.literal("level"), "default": Values.computed]),
            Values.wrapper(
                "PropertyValue", "Swift.String", line: 6,
                ["": Values.literal("server.apiKey"), "default": Values.computed]),
            Values.property("server.url", "Foundation.URL", line: 7),
            Values.property("server.hosts", "Swift.Array<Swift.String>", line: 8),
            Values.property("server.port", "Swift.Int", line: 9),
            Values.dependency("any Shop.Logger", line: 10, ["qualifierBy": Values.literal("logger.kind")]),
            Values.property("level", "Shop.Level", line: 12)),
    ]

    private static let symbols: [String] = [
        Symbols.symbol("Theme", "How it looks.", "", "More of it."), Symbols.decoding("Theme"),
        Symbols.symbol("Theme.color", "A name", "or a number."), Symbols.symbol("Theme.fixed", keyword: "let"),
        Symbols.decoding("Shelf"), Symbols.decoding("Account"), Symbols.decoding("Back"),
        Symbols.symbol("Shelf.width", "In metres."),
        Symbols.decoding("Price", isWritten: true), Symbols.symbol("Screen.value2", "Where it listens."),
    ]
}
