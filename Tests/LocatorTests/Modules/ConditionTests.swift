import Locator
import TestSupport
import Testing

@Suite("A module is on while its condition is true")
struct ConditionTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let condition: Condition
        let holds: Bool

        init(_ condition: Condition, _ holds: Bool) {
            self.condition = condition
            self.holds = holds
        }

        var testDescription: String { condition.description }
    }

    private static let cases = [
        Case(.profile("prod"), true),
        Case(.profile("metrics"), true),
        Case(.profile("dev"), false),
        Case(.profile("Prod"), false),
        Case(.property("feature.mail", equals: true), true),
        Case(.property("feature.mail", equals: false), false),
        Case(.property("feature.mail", equals: "true"), false),
        Case(.property("feature.level", equals: 3), true),
        Case(.property("feature.level", equals: 3.0), true),
        Case(.property("feature.name", equals: "basic"), true),
        Case(.property("feature.list", equals: [1, 2]), true),
        Case(.property("feature.list", equals: [2, 1]), false),
        Case(.property("feature.missing", equals: true), false),
        Case(.property("feature.mail"), true),
        Case(.property("feature"), true),
        Case(.property("feature.missing"), false),
        Case(.not(.profile("dev")), true),
        Case(.not(.property("feature.mail")), false),
    ]

    @Test("Kinds of conditions", arguments: cases)
    private func condition_decides(_ row: Case) throws {
        let folder = try TemporaryFolder([
            "application.json": """
            { "feature": { "mail": true, "level": 3, "name": "basic", "list": [1, 2] } }
            """,
            "application-prod.json": "{}",
            "application-metrics.json": "{}",
        ])
        let context = try AppContext()
            .loadProperties(from: folder.path, profiles: ["prod", "metrics"])
            .load(.text("conditional", when: row.condition))
        #expect(try context.texts() == (row.holds ? ["conditional"] : []))
    }

    @Test func variable_countsAsTheNumberOrBoolThatItSpells() throws {
        let folder = try TemporaryFolder(["application.json": #"{ "feature": { "mail": false, "level": 1 } }"#])
        let context = try AppContext().loadProperties(
            from: folder.path, environment: ["SHOP_FEATURE__MAIL": "true", "SHOP_FEATURE__LEVEL": "7"],
            overrides: .environment(prefix: "SHOP_"))
        try context.load(
            .text("mail", when: .property("feature.mail", equals: true)),
            .text("seven", when: .property("feature.level", equals: 7)))
        #expect(try context.texts() == ["mail", "seven"])
    }

    @Test func condition_seesUnconditionalModules_loadedBefore() throws {
        let context = try AppContext().load(Module("Settings", properties: ["feature": true]))
        try context.load(.text("feature", when: .property("feature", equals: true)))
        #expect(try context.texts() == ["feature"])
    }

    @Test func condition_seesUnconditionalModules_loadedTogether() throws {
        let settings = Module("Settings", properties: ["feature": true])
        let context = try AppContext().load(.text("feature", when: .property("feature", equals: true)), settings)
        #expect(try context.texts() == ["feature"])
    }

    @Test func condition_doesNotSeeConditionalModules() throws {
        let settings = Module("Settings", properties: ["feature": true], when: .not(.profile("none")))
        let context = try AppContext().load(settings, .text("feature", when: .property("feature", equals: true)))
        #expect(try context.texts() == [])
        #expect(try context.value("feature", as: Bool.self))
    }

    @Test func condition_isEvaluatedAgain_afterAReload() throws {
        let folder = try TemporaryFolder(["application.json": #"{ "feature": true }"#])
        let context = try AppContext().loadProperties(from: folder.path, environment: [:])
        try context.load(
            .text("on", when: .property("feature", equals: true)),
            .text("off", when: .property("feature", equals: false)))
        #expect(try context.texts() == ["on"])

        try folder.write(#"{ "feature": false }"#, to: "application.json")
        #expect(try context.texts() == ["on"])
        try context.reloadProperties()
        #expect(try context.texts() == ["off"])

        try folder.write(#"{ "feature": true }"#, to: "application.json")
        try context.reloadProperties()
        #expect(try context.texts() == ["on"])
    }

    @Test func condition_isEvaluatedAgain_whenFurtherPropertiesAreLoaded() throws {
        let folder = try TemporaryFolder([
            "base.json": #"{ "feature": false }"#, "more.json": #"{ "feature": true }"#,
        ])
        let context = try AppContext().load(.text("feature", when: .property("feature", equals: true)))
        #expect(try context.texts() == [])
        try context.loadProperties(files: ["\(folder.path)/base.json"], environment: [:])
        #expect(try context.texts() == [])
        try context.loadProperties(files: ["\(folder.path)/more.json"], environment: [:])
        #expect(try context.texts() == ["feature"])
    }

    @Test func failingReload_changesNothing() throws {
        let folder = try TemporaryFolder(["application.json": #"{ "feature": true }"#])
        let context = try AppContext().loadProperties(from: folder.path, environment: [:])
        try context.load(.text("feature", when: .property("feature", equals: true)))
        try folder.write(#"{ "feature": "#, to: "application.json")
        #expect(message { try context.reloadProperties() } != nil)
        #expect(try context.texts() == ["feature"])
        #expect(try context.value("feature", as: Bool.self))
    }

    @Test func wrapper_followsTheCondition() throws {
        struct Holder {
            @Dependency var text: String
        }
        let folder = try TemporaryFolder(["application.json": #"{ "feature": true }"#])
        let context = try AppContext().loadProperties(from: folder.path, environment: [:])
        try context.load(.text("feature", when: .property("feature", equals: true)), .text("otherwise"))
        let holder = AppContext.withContext(context) { Holder() }
        #expect(holder.text == "feature")
        try folder.write(#"{ "feature": false }"#, to: "application.json")
        try context.reloadProperties()
        #expect(holder.text == "otherwise")
    }

    @Test func included_areOff_whileTheirIncluderIs() throws {
        let included = Module.text("included")
        let off = Module.text("off", including: [included], when: .profile("none"))
        let context = try AppContext().load(off)
        #expect(try context.texts() == [])
        try context.load(.text("on", including: [included]))
        #expect(try context.texts() == ["on", "included"])
    }

    @Test func moduleThatIsSwitchedOn_makesItsAlwaysInstances() throws {
        let made = Counter()
        let folder = try TemporaryFolder(["application.json": "{}"])
        let context = try AppContext().loadProperties(from: folder.path, environment: [:])
        let module = Module("Feature", when: .property("feature", equals: true)) { registry in
            registry.register(Int.self, scope: .always) { made.next() }
        }
        try context.load(module)
        #expect(made.value == 0)
        try folder.write(#"{ "feature": true }"#, to: "application.json")
        try context.reloadProperties()
        #expect(made.value == 1)
        #expect(try context.resolve(Int.self) == 1)
    }

    @Test func moduleThatIsOff_makesNoAlwaysInstances() throws {
        let made = Counter()
        let module = Module("Off", when: .profile("none")) { registry in
            registry.register(Int.self, scope: .always) { made.next() }
        }
        try AppContext().load(module)
        #expect(made.value == 0)
    }

    @Test("A value that is nested more deeply than any setting never equals one, and does not fill the stack")
    func deepValue_equalsNothing() throws {
        let text = try onThread {
            var deep: JSONValue = 1
            for _ in 0..<20_000 { deep = .array([deep]) }
            let condition = Condition.property("a", equals: deep)
            let context = AppContext()
            try context.load(
                Module("Settings", properties: ["a": [[1]]]),
                Module("Deep", when: condition) { registry in registry.register { 1 } },
                Module("Else", when: .not(condition)) { registry in registry.register { 2 } })
            #expect(try context.resolve(Int.self) == 2)
            return "\(condition)\n\(context.validate())"
        }
        #expect(text == "setting \"a\" equals \"…\"\nnothing found in 1 registration")
    }

    @Test(
        "A condition describes in words when it is true",
        arguments: [
            (Condition.profile("prod"), "profile \"prod\" is active"),
            (.property("a.b", equals: true), "setting \"a.b\" equals true"),
            (.property("a.b", equals: "x"), "setting \"a.b\" equals \"x\""),
            (.property("a.b"), "setting \"a.b\" exists"),
            (.not(.profile("prod")), "profile \"prod\" is not active"),
        ])
    func description_isInWords(condition: Condition, expected: String) {
        #expect(condition.description == expected)
    }
}
