import LocatorProperties
import TestSupport
import Testing

@Suite("A condition is evaluated on the value that reading returns")
struct ConditionValueTests {
    private func load(_ text: String, _ file: String = "{}") throws -> Properties {
        let folder = try TemporaryFolder()
        try folder.write(file, to: "application.json")
        return try Properties.load(
            from: folder.path, profiles: [], environment: ["SHOP_V": text], overrides: .environment(prefix: "SHOP_"))
    }

    @Test(
        "A variable is true, false, or a number in a condition if it can be read as one",
        arguments: [
            "true", "True", "TRUE", "false", "False", "FALSE", " true", "true ", "yes", "1", "null", "\"true\"", "10",
            " 10", "10 ", "1e1", "10.0", "+10", "0xA", "",
        ])
    func variable_agreesWithReading(text: String) throws {
        let properties = try load(text)
        let boolean = try? properties.value("v", as: Bool.self)
        #expect(try properties.hasValue(true, at: "v") == (boolean == true))
        #expect(try properties.hasValue(false, at: "v") == (boolean == false))
        let number = try? properties.value("v", as: Double.self)
        #expect(try properties.hasValue(10, at: "v") == (number == 10))
        #expect(try properties.hasValue(1, at: "v") == (number == 1))
        #expect(try properties.hasValue(.string(text), at: "v"))
        #expect(try !properties.hasValue(.null, at: "v"))
    }

    @Test("Values of variables also match within arrays and objects, and as JSON")
    func parts_agreeWithReading() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"list": [1, 2], "mail": {"on": false, "n": 1}}"#, to: "application.json")
        let properties = try Properties.load(
            from: folder.path, profiles: [],
            environment: ["S_LIST__0": "3", "S_MAIL__ON": "True", "S_JSON": #"{"a": [1]}"#],
            overrides: .environment(prefix: "S_"))
        #expect(try properties.value("list", as: [Int].self) == [3, 2])
        #expect(try properties.hasValue([3, 2], at: "list"))
        #expect(try !properties.hasValue([1, 2], at: "list"))
        #expect(try !properties.hasValue([3], at: "list"))
        #expect(try properties.hasValue(["n": 1, "on": true], at: "mail"))
        #expect(try !properties.hasValue(["n": 1, "off": true], at: "mail"))
        #expect(try properties.hasValue(["a": [1]], at: "json"))
        #expect(try !properties.hasValue(["a": [2]], at: "json"))
    }
}
