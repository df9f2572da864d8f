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
            "1e400", "-1e400", "1e-400", "10e999999999999999999999999999999999999999999",
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

    @Test(
        "Numbers of variables are compared exactly, even if no type is large enough for them",
        arguments: [
            ("1e400", "1e400", true), ("10e399", "1e400", true), ("1e400", "1e401", false), ("1e400", "-1e400", false),
            ("1e-400", "0", false), ("9007199254740993", "9007199254740993", true),
            ("9007199254740993", "9007199254740992", false),
            ("1e999999999999999999999999999999999999999999", "1e400", false),
        ])
    func numbers_areComparedExactly(text: String, number: String, expected: Bool) throws {
        let value = JSONValue.number(try #require(JSONNumber(number)))
        #expect(try load(text).hasValue(value, at: "v") == expected)
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
