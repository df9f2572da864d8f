import LocatorProperties
import LocatorTool
import TestSupport
import Testing

@Suite("`locator wiring` compares what wrappers request with profiles and wiring")
struct WiringCommandTests {
    private func run(_ words: String..., files: BuiltFiles) -> Outcome {
        locator(words: ["wiring", "Build"] + words) { $0.fileSystem = files.fileSystem }
    }

    /// A program with one type, and a base file without profiles.
    private func program(_ properties: String..., config: String, more types: [String] = []) -> BuiltFiles {
        var files = BuiltFiles()
        let own = properties.map { ConstantValues.type("Shop.Screen", $0) }
        files.add("/Shop/Shop.swift", types: own + types)
        files.add("Config/application.json", config)
        return files
    }

    private static let unwired = "; registrations are not checked without --wiring FILE"

    private func errors(_ files: BuiltFiles, _ words: String...) -> [String] {
        let output = locator(words: ["wiring", "Build"] + words) { $0.fileSystem = files.fileSystem }.output
        return output.split(separator: "\n").dropLast().map(String.init)
    }

    // MARK: Values

    @Test(arguments: [
        ("Swift.Int", "8080", nil), ("Swift.Int", "1.5", "expected Int, found number 1.5"),
        ("Swift.Int8", "300", "expected Int8, found number 300"), ("Swift.Bool", "true", nil),
        ("Swift.Double", "1.5", nil), ("Swift.String", "1", "expected String, found number 1"),
        ("FoundationEssentials.URL", "\"http://a\"", nil), ("Foundation.URL", "\"http://a\"", nil),
        ("Foundation.URL", "\"a b\"", "expected URL, found string \"a b\""),
        ("Swift.Duration", "\"1h30m\"", nil),
        ("Swift.Duration", "\"soon\"", "expected Duration (such as \"250ms\" or \"1h30m\"), found string \"soon\""),
        ("FoundationEssentials.Data", "\"aGk=\"", nil),
        ("FoundationEssentials.UUID", "\"1\"", "expected UUID, found string \"1\""),
        ("FoundationEssentials.Decimal", "1.25", nil),
        ("Swift.Array<Swift.Int>", "[1, 2]", nil),
        ("Swift.Dictionary<Swift.String, Swift.Optional<Swift.Int>>", "{ \"a\": null }", nil),
        ("Swift.Optional<Swift.Int>", "\"x\"", "expected Int, found string \"x\""),
        ("Shop.Level", "\"info\"", nil),
        ("Shop.Level", "\"loud\"", "expected Level (\"info\" or \"debug\"), found string \"loud\""),
        ("Shop.Level", "1", "expected Level (\"info\" or \"debug\"), found number 1"),
        ("Shop.Size", "10", nil), ("Shop.Size", "5", "expected Size (1 or 10), found number 5"),
        ("Shop.Flag", "16", nil), ("Shop.Flag", "1000", nil), ("Shop.Flag", "-3", nil),
        ("Shop.Flag", "17", "expected Flag (16, 1000 or -3), found number 17"),
        ("Shop.Ratio", "1.5", nil), ("Shop.Ratio", "2000", nil), ("Shop.Ratio", "3", nil),
        ("Shop.Ratio", "4", "expected Ratio (1.5, 2000.0 or 3.0), found number 4.0"),
        ("Swift.Array<Shop.Level>", "\"info\"", "expected [Level], found string \"info\""),
        ("Swift.Optional<Shop.Level>", "null", nil),
        // It is only known that these have a value.
        ("Shop.Limits", "\"anything\"", nil), ("T", "\"anything\"", nil),
        ("Swift.Dictionary<Shop.Level, Swift.Int>", "\"anything\"", nil),
    ])
    func value_isDecodedAsItsType(type: String, value: String, problem: String?) {
        let files = program(
            ConstantValues.property("key", type, line: 7), config: "{ \"key\": \(value) }",
            more: [
                ConstantValues.type("Shop.Level", rawType: "Swift.String", rawValues: ["info", "debug"]),
                ConstantValues.type("Shop.Size", rawType: "Swift.Int", rawValues: ["1", "10"]),
                ConstantValues.type("Shop.Flag", rawType: "Swift.Int", rawValues: ["0x10", "1_000", "-0b11"]),
                ConstantValues.type("Shop.Ratio", rawType: "Swift.Double", rawValues: ["1.50", "2e3", "3"]),
            ])
        let expected = problem.map { "/Shop/Shop.swift:7: error: key: \($0) (application.json:1:10)" }
        #expect(errors(files) == [expected].compactMap { $0 })
    }

    @Test func missingValue_ofAGenericType_isAnError() {
        let files = program(
            ConstantValues.property("key", "T", line: 7), ConstantValues.property("other", "Shop.Limits", line: 8),
            config: "{}")
        #expect(
            errors(files) == [
                "/Shop/Shop.swift:7: error: key is missing (expected a value)",
                "/Shop/Shop.swift:8: error: other is missing (expected Limits)",
            ])
    }

    @Test func findings_areInTheOrderOfTheirLines() {
        let files = program(
            ConstantValues.property("a", "Swift.Int", line: 20), ConstantValues.property("b", "Swift.Int", line: 7),
            ConstantValues.property("c", "Swift.Int", line: 100), config: "{}")
        #expect(
            errors(files) == [
                "/Shop/Shop.swift:7: error: b is missing (expected Int)",
                "/Shop/Shop.swift:20: error: a is missing (expected Int)",
                "/Shop/Shop.swift:100: error: c is missing (expected Int)",
            ])
    }

    @Test("Without settings in the program, the folder is read only if it is named")
    func folder_ofAProgramWithoutSettings() {
        var files = program(ConstantValues.dependency("any Shop.Logger", line: 9), config: "{}")
        files.add("Config/application-dev.json", "{}")
        #expect(run(files: files) == Outcome(output: "nothing found in 1 wrapper of Shop\(Self.unwired)\n"))
        #expect(
            run("--config", "Config", files: files)
                == Outcome(output: "nothing found in 1 wrapper of Shop (dev)\(Self.unwired)\n"))
    }

    @Test func parts_areNamedByTheirPaths() {
        let files = program(
            ConstantValues.property("key", "Swift.Dictionary<Swift.String, Swift.Array<Shop.Level>>", line: 7),
            config: #"{ "key": { "com.shop": ["info", "loud"], "b": 1 } }"#,
            more: [ConstantValues.type("Shop.Level", rawType: "Swift.String", rawValues: ["info"])])
        #expect(
            errors(files) == [
                "/Shop/Shop.swift:7: error: key['com.shop'][1]: expected Level (\"info\"), found string \"loud\" (application.json:1:33)",
                "/Shop/Shop.swift:7: error: key.b: expected [Level], found number 1 (application.json:1:47)",
            ])
    }

    @Test(
        "The elements and values of a variable's JSON are checked, whether or not a file has the setting",
        arguments: [("{}", "", ""), (#"{ "list": [], "levels": {} }"#, ":1:10", ":1:7")])
    func partsOfAVariable_areChecked(config: String, element: String, value: String) {
        let files = program(
            ConstantValues.property("list", "Swift.Array<Shop.Level>", line: 7),
            ConstantValues.property("levels", "Swift.Dictionary<Swift.String, Shop.Level>", line: 8), config: config,
            more: [ConstantValues.type("Shop.Level", rawType: "Swift.String", rawValues: ["info"])])
        let outcome = locator("wiring", "Build", "--prefix", "SHOP_") {
            $0.fileSystem = files.fileSystem
            $0.environment = ["SHOP_LIST": #"["info", "loud"]"#, "SHOP_LEVELS": #"{"a": "loud", "b": "info"}"#]
        }
        #expect(
            outcome.output.split(separator: "\n").dropLast() == [
                "/Shop/Shop.swift:7: error: list[1]: expected Level (\"info\"), found string \"loud\" (environment variable SHOP_LIST\(element))",
                "/Shop/Shop.swift:8: error: levels.a: expected Level (\"info\"), found string \"loud\" (environment variable SHOP_LEVELS\(value))",
            ])
    }

    @Test func secret_isNotShown() {
        let files = program(
            ConstantValues.property("server.password", "Shop.Level", line: 7),
            config: #"{ "server": { "password": "hunter2" } }"#,
            more: [ConstantValues.type("Shop.Level", rawType: "Swift.String", rawValues: ["info"])])
        #expect(
            errors(files) == [
                "/Shop/Shop.swift:7: error: server.password: expected Level (\"info\"), found a string that is not shown, because it is secret (application.json:1:27)"
            ])
    }

    @Test func skippedPaths_areNotChecked() {
        let files = program(
            ConstantValues.property("database.password", "Swift.String", line: 7),
            ConstantValues.property("databases", "Swift.String", line: 8), config: "{}")
        #expect(
            errors(files, "--skip", "database,other") == [
                "/Shop/Shop.swift:8: error: databases is missing (expected String)"
            ])
        #expect(run("--skip", "a b", files: files).status == 1)
    }

    @Test(arguments: [
        ("server.retires", true), ("server.proxy", false), ("orders.retries", false), ("retries", false),
        ("sever.retires", false),
    ])
    func missingOptional_isAWarning_onlyWhereASlipExplainsIt(path: String, isSlip: Bool) {
        let files = program(
            ConstantValues.property(path, "Swift.Optional<Swift.Int>", line: 7),
            config: #"{ "server": { "retries": 3, "port": 1 } }"#)
        let warning =
            "/Shop/Shop.swift:7: warning: server.retires is missing, so it is nil; did you mean server.retries?"
        #expect(errors(files) == (isSlip ? [warning] : []))
    }

    // MARK: Paths

    @Test func members_areFollowed_andTheRestIsListed() {
        let path = { ConstantValues.wrapper("PropertyValue", "Swift.Int", line: $0, ["": $1]) }
        let files = program(
            path(1, ConstantValues.reference("Shop.Keys", "first")),
            path(2, ConstantValues.reference("Shop.Keys", "gone")),
            path(3, ConstantValues.reference("Shop.Keys", "round")), path(4, ConstantValues.computed),
            path(5, ConstantValues.literal("a[")),
            config: "{}",
            more: [
                ConstantValues.type(
                    "Shop.Keys", ConstantValues.member("first", ConstantValues.reference("Shop.Keys", "second")),
                    ConstantValues.member("second", ConstantValues.literal("a.b")),
                    ConstantValues.member("round", ConstantValues.reference("Shop.Keys", "round")))
            ])
        #expect(
            errors(files) == [
                "/Shop/Shop.swift:1: error: a.b is missing (expected Int)",
                "/Shop/Shop.swift:2: note: value2 is not checked: its path is computed",
                "/Shop/Shop.swift:3: note: value3 is not checked: its path is computed",
                "/Shop/Shop.swift:4: note: value4 is not checked: its path is computed",
                "/Shop/Shop.swift:5: error: malformed path \"a[\": expected an index or a quoted key at column 3, found the end",
            ])
    }

    @Test func configuration_isCheckedAtItsPath() {
        let theme = ConstantValues.type(
            "Shop.Theme", conformances: ["LocatorProperties.ConfigProperty"],
            ConstantValues.member("path", ConstantValues.literal("theme")))
        let files = program(ConstantValues.dependency("Shop.Theme", line: 3), config: "{}", more: [theme])
        #expect(errors(files) == ["/Shop/Shop.swift:3: error: theme is missing (expected Theme)"])
        let optional = program(
            ConstantValues.dependency("Swift.Optional<Shop.Theme>", line: 3), config: "{}", more: [theme])
        #expect(errors(optional) == [])
    }

    @Test(
        "The folder is read also if all settings are those of optional or lazy types",
        arguments: [
            ("Swift.Optional<Shop.Theme>", "warning: theme is missing, so it is nil; did you mean themes?"),
            ("Locator.Lazy<Shop.Theme>", "error: theme is missing (expected Theme); did you mean themes?"),
        ])
    func configuration_isCheckedInsideOtherTypes(type: String, finding: String) {
        let theme = ConstantValues.type(
            "Shop.Theme", conformances: ["LocatorProperties.ConfigProperty"],
            ConstantValues.member("path", ConstantValues.literal("theme")))
        let files = program(
            ConstantValues.dependency(type, line: 3), config: #"{ "themes": "dark" }"#, more: [theme])
        #expect(errors(files) == ["/Shop/Shop.swift:3: \(finding)"])
    }

    @Test func configuration_isCheckedAtItsPath_unlessTheWiringRegistersIt() {
        let theme = ConstantValues.type(
            "Shop.Theme", conformances: ["LocatorProperties.ConfigProperty"],
            ConstantValues.member("path", ConstantValues.literal("theme")))
        var files = program(ConstantValues.dependency("Shop.Theme", line: 3), config: "{}", more: [theme])
        var graph = SampleGraph()
        files.add("wiring.json", graph.json)
        #expect(
            errors(files, "--wiring", "wiring.json") == ["/Shop/Shop.swift:3: error: theme is missing (expected Theme)"]
        )
        graph.add("Theme", type: "Shop.Theme")
        files.add("wiring.json", graph.json)
        #expect(errors(files, "--wiring", "wiring.json") == [])

        let factory = ConstantValues.dependency("Locator.Factory<Swift.Int, Shop.Theme>", line: 3)
        files = program(factory, config: "{}", more: [theme])
        files.add("wiring.json", graph.json)
        #expect(
            errors(files, "--wiring", "wiring.json") == [
                "/Shop/Shop.swift:3: error: no factory of Theme takes a payload of type Int; "
                    + "near: Theme (Shop/Shop.swift:1)"
            ])
    }

    // MARK: Providers

    private static let wiring: String = {
        var graph = SampleGraph()
        graph.add("any Catalog", type: "any Shop.Catalog", location: "Shop/Shop.swift:20")
        graph.add("any Box<Self.Box.Item == Int>", type: "any Shop.Box<Self.Shop.Box.Item == Swift.Int>")
        graph.add("Hidden", type: "Shop.(unknown context at $55f042165c30).Hidden")
        graph.add("any Logger", type: "any Shop.Logger", qualifier: "file", location: "Shop/Shop.swift:21")
        graph.add("Receipt", type: "Shop.Receipt", payload: "Int")
        graph.add("Parcel", type: "Shop.Parcel", payload: "(Int, String)")
        graph.add("Later", type: "Shop.Later", payload: "Int", isAsynchronous: true)
        graph.add("Profile", type: "Shop.Profile", payload: "ID", qualifiedPayload: "Shop.User.ID")
        graph.add(
            "Feed", type: "Shop.Feed", payload: "AsyncStream<Int>", qualifiedPayload: "Swift.AsyncStream<Swift.Int>")
        graph.add("any Executor", type: "any Swift.Executor")
        graph.add("RequestInfo", kind: "input", type: "Shop.RequestInfo", scope: "request")
        graph.add("any Clock", type: "any Other.Clock", location: "Other/Clock.swift:3")
        graph.add("ID", type: "Shop.User.ID", qualifier: "old", location: "Shop/Shop.swift:60")
        graph.add("any Store", type: "any Shop.Store", qualifier: "near", location: "Shop/Shop.swift:30")
        graph.add("any Store", type: "any Shop.Store", qualifier: "far", location: "Shop/Shop.swift:31")
        graph.add("any Printer", type: "any Shop.Printer", location: "Shop/Shop.swift:40")
        graph.nodes[graph.add("any Printer", type: "any Shop.Printer", location: "Shop/Shop.swift:41")].isPrimary = true
        graph.add("any Cache", type: "any Shop.Cache", qualifier: "disk")
        graph.add("any Cache", type: "any Shop.Cache")
        graph.add("any Sink", type: "any Shop.Sink", qualifier: "a")
        graph.add("any Sink", type: "any Shop.Sink", qualifier: "b", module: "Other")
        graph.add("any Sink", type: "any Shop.Sink", qualifier: "c", module: "Other")
        graph.add("any Source", type: "any Shop.Source")
        graph.add("Ticket", type: "Shop.Ticket", qualifier: "day", location: "Shop/Shop.swift:50")
        graph.add("Ticket", type: "Shop.Ticket", payload: "Int", location: "Shop/Shop.swift:51")
        graph.add("any Source", kind: "alias", type: "any Shop.Source")
        graph.modules = [
            .init(
                name: "Shop", components: ["Shop.Page<Swift.Int>"],
                mayBeEmpty: ["any Shop.Plugin", "any Shop.Row<Swift.Int>"])
        ]
        return graph.json
    }()

    @Test(
        arguments: [
            ("any Shop.Catalog", nil, nil), ("Swift.Optional<any Shop.Catalog>", nil, nil),
            ("Locator.Lazy<Swift.Optional<any Shop.Catalog>>", nil, nil), ("Swift.Array<any Shop.Catalog>", nil, nil),
            ("Locator.Provider<any Shop.Catalog>", nil, nil), ("Locator.Resolver", nil, nil),
            ("any Shop.Box<Swift.Int>", nil, nil), ("Shop.Hidden", nil, nil), ("Shop.RequestInfo", nil, nil),
            ("any Shop.Box<Swift.String>", nil, "error: any Box<String> is not registered"),
            ("any Shop.Logger", nil, nil), ("any Shop.Logger", "file", nil),
            (
                "any Shop.Logger", "flie",
                "error: any Logger \"flie\" is not registered; near: any Logger \"file\" (Shop/Shop.swift:21)"
            ),
            (
                "any Shop.Catalogue", nil,
                "error: any Catalogue is not registered; near: any Catalog (Shop/Shop.swift:20)"
            ),
            (
                "Swift.Optional<any Shop.Catalogue>", nil,
                "warning: any Catalogue is not registered, so it is nil; near: any Catalog (Shop/Shop.swift:20)"
            ),
            ("Swift.Optional<any Shop.Elsewhere>", nil, nil),
            ("Swift.Array<any Shop.Plugin>", nil, nil),
            ("Locator.Lazy<Swift.Array<any Shop.Row<Swift.Int>>>", nil, nil),
            (
                "Swift.Array<any Shop.Step>", nil,
                "warning: any Step is not registered, so the array is empty"
            ),
            (
                "Swift.Array<any Shop.Catalogue>", nil,
                "warning: any Catalogue is not registered, so the array is empty; near: any Catalog (Shop/Shop.swift:20)"
            ),
            ("any Shop.Store", "far", nil), ("Swift.Array<any Shop.Store>", nil, nil),
            // One is primary, one has no qualifier, one is in the first module, and an alias may be primary.
            ("any Shop.Printer", nil, nil), ("any Shop.Cache", nil, nil), ("any Shop.Sink", nil, nil),
            ("any Shop.Source", nil, nil),
            (
                "any Shop.Store", nil,
                "error: 2 registrations match any Store, and none of them is primary; "
                    + "candidates: any Store \"near\" (Shop/Shop.swift:30), any Store \"far\" (Shop/Shop.swift:31)"
            ),
            (
                "any Shop.Clock", nil,
                "error: any Shop.Clock is not registered; near: any Other.Clock (Other/Clock.swift:3)"
            ),
            (
                "Swift.Optional<Shop.Order.ID>", "new",
                "warning: Shop.Order.ID \"new\" is not registered, so it is nil; near: Shop.User.ID \"old\" (Shop/Shop.swift:60)"
            ),
            ("Locator.Factory<Swift.Int, Shop.Receipt>", nil, nil),
            (
                "Locator.Factory<Swift.String, Shop.Receipt>", nil,
                "error: no factory of Receipt takes a payload of type String; the registered factories take Int"
            ),
            (
                "Shop.Receipt", nil,
                "error: Receipt is not registered; it is made by a factory: take a Factory<Int, Receipt>"
            ),
            (
                "Swift.Optional<Shop.Receipt>", nil,
                "error: Receipt is not registered; it is made by a factory: take a Factory<Int, Receipt>"
            ),
            (
                "Swift.Optional<Shop.Receipt>", "copy",
                "warning: Receipt \"copy\" is not registered, so it is nil; "
                    + "it is made by a factory: take a Factory<Int, Receipt>"
            ),
            (
                "Locator.Factory<Swift.Int, any Shop.Catalog>", nil,
                "error: no factory of any Catalog takes a payload of type Int; near: any Catalog (Shop/Shop.swift:20)"
            ),
            (
                "Shop.Ticket", "week",
                "error: Ticket \"week\" is not registered; "
                    + "near: Ticket \"day\" (Shop/Shop.swift:50), Ticket (Shop/Shop.swift:51)"
            ),
            ("Locator.Factory<(Swift.Int, Swift.String), Shop.Parcel>", nil, nil),
            (
                "Locator.Factory<(Swift.String, Swift.Int), Shop.Parcel>", nil,
                "error: no factory of Parcel takes a payload of type (String, Int); "
                    + "the registered factories take (Int, String)"
            ),
            ("Locator.Factory<Shop.User.ID, Shop.Profile>", nil, nil),
            (
                "Locator.Factory<Shop.Order.ID, Shop.Profile>", nil,
                "error: no factory of Profile takes a payload of type Shop.Order.ID; "
                    + "the registered factories take Shop.User.ID"
            ),
            (
                "Locator.Factory<Swift.Int, Shop.Profile>", nil,
                "error: no factory of Profile takes a payload of type Int; the registered factories take ID"
            ),
            // A running program writes the types of the concurrency library as those of the standard library.
            ("Locator.Factory<_Concurrency.AsyncStream<Swift.Int>, Shop.Feed>", nil, nil),
            ("any _Concurrency.Executor", nil, nil),
            ("Locator.AsyncFactory<Swift.Int, Shop.Later>", nil, nil),
            ("Locator.AsyncFactory<Swift.Int, Shop.Receipt>", nil, nil),
            (
                "Locator.Factory<Swift.Int, Shop.Later>", nil,
                "error: the factory of Later from Int is asynchronous; take an AsyncFactory<Int, Later>"
            ),
            ("T", nil, "note: value9 is not checked: its type is generic"),
            (
                "(id: Swift.Int, name: Swift.String)", nil, "error: (id: Int, name: String) is not registered"
            ),
            ("@Sendable (Swift.Int) -> Swift.Bool", nil, "error: @Sendable (Int) -> Bool is not registered"),
            (
                "Shop.Price_List", nil, "error: Price_List is not registered"
            ),
            (
                "Shop.Pair<Swift.Optional<any Shop.Catalog>, Swift.Optional<Swift.Int>>", nil,
                "error: Pair<(any Catalog)?, Int?> is not registered"
            ),
        ] as [(String, String?, String?)])
    func dependency_needsAProvider(type: String, qualifier: String?, finding: String?) {
        var files = BuiltFiles()
        let wrapper =
            if let qualifier {
                ConstantValues.dependency(type, line: 9, ["qualifier": ConstantValues.literal(qualifier)])
            } else {
                ConstantValues.dependency(type, line: 9)
            }
        files.add("/Shop/Shop.swift", types: [ConstantValues.type("Shop.Screen", wrapper)])
        files.add("wiring.json", Self.wiring)
        // There is no folder of settings, and nothing needs one.
        #expect(
            errors(files, "--wiring", "wiring.json") == [finding].compactMap { $0 }.map { "/Shop/Shop.swift:9: \($0)" })
    }

    @Test(
        "An empty array may get its elements from a module that is off",
        arguments: [
            ("any Shop.Step", nil),
            (
                "any Shop.Catalogue",
                "warning: any Catalogue is not registered, so the array is empty; near: any Catalog (Shop/Shop.swift:20)"
            ),
        ] as [(String, String?)])
    func emptyArray_whileAModuleIsOff(type: String, finding: String?) {
        var graph = SampleGraph()
        graph.add("any Catalog", type: "any Shop.Catalog", location: "Shop/Shop.swift:20")
        graph.modules = [.init(name: "Mail", offUnless: "profile \"prod\" is active")]
        var files = BuiltFiles()
        let wrapper = ConstantValues.dependency("Swift.Array<\(type)>", line: 9)
        files.add("/Shop/Shop.swift", types: [ConstantValues.type("Shop.Screen", wrapper)])
        files.add("wiring.json", graph.json)
        files.add("Config/application.json", "{}")
        #expect(
            errors(files, "--wiring", "wiring.json") == [finding].compactMap { $0 }.map { "/Shop/Shop.swift:9: \($0)" })
    }

    @Test("A wiring without modules that are off is the wiring of every profile that has no other")
    func profileWithoutOwnWiring() {
        var files = program(ConstantValues.dependency("any Shop.Logger", line: 9), config: "{}")
        files.add("Config/application-dev.json", "{}")
        files.add("Config/application-prod.json", "{}")
        var graph = SampleGraph()
        files.add("wiring.json", graph.json)
        graph.profiles = ["prod"]
        graph.add("any Logger", type: "any Shop.Logger")
        files.add("prod.json", graph.json)
        #expect(
            errors(files, "--config", "Config", "--wiring", "wiring.json,prod.json") == [
                "/Shop/Shop.swift:9: error: any Logger is not registered [dev]"
            ])
    }

    @Test func components_areListed() {
        var files = BuiltFiles()
        files.add(
            "/Shop/Shop.swift",
            types: [
                ConstantValues.type("Shop.Page<Item>", line: 4, conformances: ["Locator.Component"]),
                ConstantValues.type("Shop.Letter", line: 5, conformances: ["Locator.Component"]),
            ])
        files.add("wiring.json", Self.wiring)
        #expect(
            errors(files, "--wiring", "wiring.json") == [
                "/Shop/Shop.swift:5: error: Letter is a component, and no module lists it"
            ])
    }

    // MARK: Builds and files

    @Test func deletedSource_andOtherTargets_doNotCount() {
        var files = program(ConstantValues.property("a", "Swift.Int", line: 1), config: #"{ "a": 1 }"#)
        let wrong = ConstantValues.type("Shop.Gone", ConstantValues.property("gone", "Swift.Int", line: 2))
        files.add("Build/Shop.build/Gone.swift.swiftconstvalues", "[\(wrong)]")
        files.add("/Other/Other.swift", of: "Other", types: [wrong])
        let summary = "nothing found in 1 wrapper of Shop\(Self.unwired)\n"
        #expect(run("--targets", "Shop", files: files) == Outcome(output: summary))
    }

    @Test func folderWithoutBuild_isAnError() {
        var files = program(config: "{}")
        #expect(
            run("--targets", "Shpo", files: files)
                == Outcome(
                    errors: "error: Build: there is no build of a target \"Shpo\"; did you mean Shop?\n", status: 1))
        files.add("Build/Shop.build/output-file-map.json", "{}")
        files.add("/Shop/Late.swift", types: [])
        files.add("Build/Shop.build/Late.swift.swiftconstvalues", "[")
        #expect(
            run(files: files)
                == Outcome(
                    errors: """
                        error: Build/Shop.build/Late.swift.swiftconstvalues:1:2: expected a value or ']', found the end of the text; the array from 1:1 is not closed

                        """, status: 1))
        #expect(
            run(files: BuiltFiles())
                == Outcome(errors: "error: Build: there is no such folder\n", status: 1))
        var other = BuiltFiles()
        other.add("Build/C.build/a.o", "")
        #expect(
            run(files: other)
                == Outcome(errors: "error: Build: there is no build of a Swift target\n", status: 1))
        other.add("Build/Shop.build/output-file-map.json", #"{ "/Shop/Shop.swift": {} }"#)
        #expect(
            run(files: other)
                == Outcome(
                    errors: """
                        error: Build: the compiler has not described /Shop/Shop.swift; build with: swift package check-wiring

                        """, status: 1))
    }

    @Test func profileThatCannotBeLoaded_isAnError_andTheOthersAreChecked() {
        var files = program(ConstantValues.property("a", "Swift.Int", line: 1), config: "{}")
        files.add("Config/application-dev.json", #"{ "a": "x" }"#)
        files.add("Config/application-prod.json", #"{ "a": "${b}" }"#)
        #expect(
            run(files: files)
                == Outcome(
                    output: """
                        Config/application-prod.json:1:8: error: a: ${b} needs b, which is missing [prod]
                        /Shop/Shop.swift:1: error: a: expected Int, found string "x" (application-dev.json:1:8) [dev]
                        2 errors in 1 wrapper of Shop (dev)\(Self.unwired)

                        """, status: 1))
    }

    @Test func strict_takesWarningsForErrors() {
        let files = program(
            ConstantValues.property("server.prot", "Swift.Optional<Swift.Int>", line: 1),
            config: #"{ "server": { "port": 1 } }"#)
        let output = """
            /Shop/Shop.swift:1: warning: server.prot is missing, so it is nil; did you mean server.port?
            1 warning in 1 wrapper of Shop\(Self.unwired)

            """
        #expect(run(files: files) == Outcome(output: output))
        #expect(run("--strict", files: files) == Outcome(output: output, status: 1))
    }
}
