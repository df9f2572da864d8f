import LocatorTool
import TestSupport
import Testing

@Suite("`locator wiring` names the setting of a qualifier, and its place")
struct QualifierOriginTests {
    private func output(path: String = "logger.storage", setting: String) -> String {
        var files = BuiltFiles()
        let wrapper = ConstantValues.dependency(
            "any Shop.Logger", line: 9, ["qualifierBy": ConstantValues.literal(path)])
        files.add("/Shop/Shop.swift", types: [ConstantValues.type("Shop.Screen", wrapper)])
        files.add("Config/application.json", setting)
        var graph = SampleGraph()
        graph.add("any Logger", type: "any Shop.Logger", qualifier: "file", location: "Shop/Shop.swift:21")
        files.add("wiring.json", graph.json)
        return locator(words: ["wiring", "Build", "--wiring", "wiring.json"]) {
            $0.fileSystem = files.fileSystem
        }.output
    }

    @Test func unknownQualifier_isReported_withTheSettingAndItsPlace() {
        #expect(
            output(setting: #"{ "logger": { "storage": "flie" } }"#) == """
                /Shop/Shop.swift:9: error: any Logger "flie" is not registered \
                (the qualifier is the value of logger.storage, application.json:1:26); \
                near: any Logger "file" (Shop/Shop.swift:21)
                1 error in 1 wrapper of Shop

                """)
    }

    @Test func secretQualifier_isMasked() {
        #expect(
            output(path: "logger.secret", setting: #"{ "logger": { "secret": "flie" } }"#) == """
                /Shop/Shop.swift:9: error: any Logger "<secret>" is not registered \
                (the qualifier is the value of logger.secret, application.json:1:25); \
                near: any Logger "file" (Shop/Shop.swift:21)
                1 error in 1 wrapper of Shop

                """)
    }

    @Test func knownQualifier_isNotAFinding() {
        #expect(
            output(setting: #"{ "logger": { "storage": "file" } }"#) == "nothing found in 1 wrapper of Shop\n")
    }
}
