import Locator
import Testing

@Suite("Validation finds conditions that compare a setting with a value of another kind")
struct NeverEqualFindingTests {
    private let settings = Module(
        "Settings", properties: ["mail": ["enabled": true], "level": 5, "on": true, "hosts": ["a"], "name": "shop"])

    private func report(_ condition: Condition) throws -> String {
        try AppContext().load(settings, Module("Mail", when: condition, fileID: "Shop/Shop.swift", line: 2)).validate()
            .description
    }

    struct Mistake: Sendable {
        let path: String
        let value: JSONValue
        let words: String
        let found: String
        let fix: String
    }

    @Test(arguments: [
        Mistake(
            path: "mail", value: true, words: "true", found: "an object",
            fix: "compare a setting in it, or set \"mail\" to true or false"),
        Mistake(
            path: "level", value: "high", words: "\"high\"", found: "5",
            fix: "compare it with 5, or set \"level\" to a string"),
        Mistake(
            path: "on", value: "on", words: "\"on\"", found: "true",
            fix: "compare it with true, or set \"on\" to a string"),
        Mistake(path: "hosts", value: 1, words: "1", found: "an array", fix: "set \"hosts\" to a number"),
        Mistake(
            path: "name", value: .array(["shop"]), words: "[\"shop\"]", found: "the string \"shop\"",
            fix: "set \"name\" to an array"),
    ])
    func otherKind_isReported(_ mistake: Mistake) throws {
        #expect(
            try report(.property(mistake.path, equals: mistake.value)) == """
                Shop/Shop.swift:2: warning: module "Mail" is off unless setting "\(mistake.path)" equals \
                \(mistake.words), but it is \(mistake.found) (module "Settings")
                  fix: \(mistake.fix)
                1 warning in 0 registrations
                """)
    }

    @Test func null_isReported() throws {
        #expect(
            try report(.property("name", equals: nil)) == """
                Shop/Shop.swift:2: warning: module "Mail" is off unless setting "name" equals null, \
                but a setting is never null
                  fix: write .not(.property("name"))
                1 warning in 0 registrations
                """)
        #expect(
            try report(.not(.property("name", equals: nil))) == """
                Shop/Shop.swift:2: warning: module "Mail" is on unless setting "name" equals null, \
                but a setting is never null
                  fix: write .property("name")
                1 warning in 0 registrations
                """)
    }

    @Test(
        "A text is a number without its quotes only if JSON can write it so",
        arguments: [("5", true), ("1e3", true), ("+5", false), ("0x1F", false), (".5", false), ("nan", false)])
    func textOfANumber_losesItsQuotes(text: String, isNumber: Bool) throws {
        let context = try AppContext().load(
            Module("Settings", properties: ["level": .string(text)]),
            Module("Mail", when: .property("level", equals: 5)))
        #expect(
            context.validate().findings.map(\.suggestion) == [
                isNumber
                    ? "remove the quotes in the profile file, or compare it with \"\(text)\""
                    : "set \"level\" to a number"
            ])
    }

    @Test(
        arguments: [
            ("mail", .object(["enabled": false])), ("level", 6), ("on", false), ("hosts", .array(["b"])),
            ("name", "other"),
            ("absent", .array(["x"])),
        ] as [(String, JSONValue)])
    func otherValueOfTheSameKind_isNotReported(path: String, value: JSONValue) throws {
        #expect(try report(.property(path, equals: value)) == "nothing found in 0 registrations")
    }
}
