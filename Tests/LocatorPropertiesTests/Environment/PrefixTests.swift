import LocatorProperties
import Testing

@Suite("Typos in variables and paths are reported")
struct PrefixTests {
    private func source(
        _ environment: [String: String] = [:], prefix: String? = nil, folderVariable: String? = nil
    ) -> PropertiesSource {
        var source = PropertiesSource(
            .folder("Config"), environment: environment, overrides: prefix.map { .environment(prefix: $0) },
            folderVariable: folderVariable)
        source.fileSystem = FileSystem.inMemory(["Config/application.json": Self.file])
        return source
    }

    private static let file = """
        {"server": {"port": 1}, "hosts": ["a", {"name": "b"}], "levels": {"0": "info"}}
        """

    // MARK: Prefixes

    @Test func prefix_withoutUnderscore_isToldWhereAVariableHasOne() {
        #expect(
            message { _ = try source(["SHOP_SERVER__PORT": "2"], prefix: "SHOP").load() } == """
                SHOP_SERVER__PORT names no setting, because the prefix "SHOP" does not end with "_"; write "SHOP_"
                """)
    }

    @Test func prefix_withoutUnderscore_isAWarning_whenNoVariableHasIt() throws {
        for prefix in ["SHOP", "SHOP.", "SHOP-"] {
            let warning =
                #"the prefix "\#(prefix)" of the environment variables does not end with "_"; did you mean "SHOP_"?"#
            #expect(try source(prefix: prefix).load().profileWarnings == [warning])
        }
        #expect(try source(prefix: "SHOP_").load().profileWarnings == [])
        #expect(try source(["SHOP_SERVER__PORT": "2"], prefix: "SHOP_").load().value("server.port", as: Int.self) == 2)
    }

    @Test(
        "A prefix that variables have only in another case is a warning",
        arguments: [
            ("Shop_", "SHOP_SERVER__PORT", "SHOP_"), ("SHOP_", "shop_server__port", "shop_"),
            ("shop_", "SHOP_NEW", "SHOP_"),
        ])
    func prefix_inAnotherCase(prefix: String, variable: String, start: String) throws {
        #expect(
            try source([variable: "2"], prefix: prefix).load().profileWarnings == [
                "no environment variable begins with the prefix \"\(prefix)\", but \(variable) begins with \"\(start)\"; "
                    + "write both in the same case"
            ])
        // One variable with the prefix is enough.
        #expect(source([variable: "2", "\(prefix)HOSTS": "[]"], prefix: prefix).variableWarnings == [])
    }

    @Test func prefix_isPrintedWithoutControlCharacters() {
        #expect(
            source(["SHOP\u{1B}_PORT": "2"], prefix: "Shop\u{1B}_").variableWarnings == [
                #"no environment variable begins with the prefix "Shop\u{1B}_", but SHOP\u{1B}_PORT begins with "SHOP\u{1B}_"; "#
                    + "write both in the same case"
            ])
    }

    @Test func prefix_ofTheVariableThatChoosesProfiles_isNoWarning() {
        #expect(source(["LOCATOR_PROFILE": "dev"], prefix: "Locator_").variableWarnings == [])
        // Only letters have another case.
        #expect(source(["shop\u{7F}SERVER__PORT": "2"], prefix: "SHOP_").variableWarnings == [])
        #expect(source(["SHOP_": "1", "SHOPPING_X": "1", "SHOP__X": "1"], prefix: "Shop_").variableWarnings == [])
    }

    // MARK: Folders

    @Test func folderVariable_thatTheProgramDoesNotRead() throws {
        let environment = ["LOCATOR_CONFIG": "Elsewhere"]
        #expect(
            try source(environment).load().profileWarnings == [
                "the environment variable LOCATOR_CONFIG chooses no folder: the program does not read it; "
                    + "pass `folderVariable: PropertiesSource.folderVariable` where it loads its settings"
            ])
        #expect(source().variableWarnings == [])
        #expect(source(environment, folderVariable: "LOCATOR_CONFIG").variableWarnings == [])
        var named = source(environment)
        named.files = .files(["Config/application.json"])
        #expect(named.variableWarnings == [])
    }

    // MARK: Elements

    private static let paths: [(path: String, text: String)] = [
        ("hosts.0", "hosts.0 is missing (expected String); did you mean hosts[0]? (application.json:1:34)"),
        (
            "hosts.1.name",
            "hosts.1.name is missing (expected String); did you mean hosts[1].name? (application.json:1:34)"
        ),
        (
            "hosts.2",
            "hosts.2 is missing (expected String), because hosts has no such part: found an array (application.json:1:34)"
        ),
        (
            "hosts.01",
            "hosts.01 is missing (expected String), because hosts has no such part: found an array (application.json:1:34)"
        ),
        (
            "hosts.-1",
            "hosts.-1 is missing (expected String), because hosts has no such part: found an array (application.json:1:34)"
        ),
    ]

    @Test(arguments: paths)
    func element_thatIsWrittenAsAKey(row: (path: String, text: String)) throws {
        let properties = try source().load()
        #expect(
            message { _ = try properties.value(row.path, as: String.self) } == row.text)
    }

    @Test func element_asTheFixSays() throws {
        let properties = try source().load()
        #expect(try properties.value("hosts[0]", as: String.self) == "a")
        #expect(try properties.value("hosts[1].name", as: String.self) == "b")
        #expect(try properties.value("levels.0", as: String.self) == "info")
        #expect(properties.explain("hosts.0").near == ["hosts[0]"])
    }
}
