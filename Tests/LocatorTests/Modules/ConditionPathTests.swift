import Locator
import TestSupport
import Testing

@Suite("A pushed setting controls the conditions that depend on it, in whatever form their paths are written")
struct ConditionPathTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let file: String
        let path: String
        let pushed: [String: JSONValue]
        let value: JSONValue

        init(file: String = "{}", _ path: String, _ pushed: [String: JSONValue], value: JSONValue = true) {
            self.file = file
            self.path = path
            self.pushed = pushed
            self.value = value
        }

        var testDescription: String { "\(path) under \(pushed.keys.sorted()) in \(file)" }
    }

    private static let cases = [
        Case("mail", ["mail": true]),
        Case("mail.isOn", ["mail.isOn": true]),
        Case("mail.isOn", ["mail": ["isOn": true]]),
        Case("a.b.c", ["a.b": ["c": true]]),
        Case(#"levels["com.shop"].isOn"#, ["levels['com.shop'].isOn": true]),
        Case("['com.shop'].isOn", [#"["com.shop"].isOn"#: true]),
        Case("['mail'].isOn", ["mail.isOn": true]),
        Case("servers[0].name", ["servers": [["name": "first"]]], value: "first"),
        Case(#"['a.b']["c"]"#, ["['a.b'].c": true]),
        Case("a['0']", ["a.0": true]),
        Case(file: #"{ "mail": "${flags.mail:false}" }"#, "mail", ["flags.mail": true]),
        Case(file: #"{ "mail": "${flag:false}", "flag": "${other:false}" }"#, "mail", ["other": true]),
        Case(file: #"{ "flag": true }"#, "mail", ["mail": "${flag}"]),
    ]

    @Test("Paths", arguments: cases)
    private func push_turnsTheModuleOn_andThePopOff(_ row: Case) throws {
        let folder = try TemporaryFolder(["application.json": row.file])
        let context = try AppContext().loadProperties(from: folder.path, environment: [:])
        // Others, so that the condition is one of many.
        for number in 0..<20 {
            try context.load(.text("\(number)", when: .property("other\(number).isOn", equals: true)))
        }
        try context.load(
            .text("on", when: .property(row.path, equals: row.value)),
            .text("off", when: .not(.property(row.path, equals: row.value))))
        for _ in 1...3 {
            #expect(try context.texts() == ["off"])
            let push = try context.push(Module("Settings", properties: row.pushed))
            #expect(try context.texts() == ["on"])
            push.pop()
        }
        let settings = Module("Settings", properties: row.pushed)
        for _ in 1...3 {
            #expect(try context.texts() == ["off"])
            try context.load(settings, priority: .high)
            #expect(try context.texts() == ["on"])
            try context.unload(settings)
        }
    }

    /// An array and a single value replace what is below them, and settings below a path make it an object.
    @Test(
        "Settings that change a condition on another path",
        arguments: [
            ("a.b.c", ["a": 1]), ("a.b.c", ["a.b": .null]), ("a.b", ["a.b.c.d": 1]), ("a", ["a.b": 1]),
            ("list[1]", ["list": [1]]), ("list[1]", ["list.x": 1]), ("list[1]", ["list": 1]), ("list", ["list": [1]]),
            ("items[0].a", ["items": [["b": 1]]]), ("text.y", ["text.x": 1]), ("text.y", ["text": ["x": 1]]),
        ] as [(String, [String: JSONValue])])
    func settingsOnAnotherPath(_ path: String, _ pushed: [String: JSONValue]) throws {
        let file = ##"{ "a": { "b": { "c": 0 } }, "list": [0, 0], "items": [{ "a": 0 }], "text": "{\"y\": 1}" }"##
        let folder = try TemporaryFolder(["application.json": file])
        let context = try AppContext().loadProperties(from: folder.path, environment: [:])
        func texts() throws -> [String] {
            // Modules that are loaded later see the settings at once.
            let all = try AppContext().loadProperties(from: folder.path, environment: [:])
            try all.push(Module("Settings", properties: pushed))
            try load(to: all)
            return try all.texts()
        }
        func load(to context: AppContext) throws {
            try context.load(
                .text("set", when: .property(path)), .text("zero", when: .property(path, equals: 0)),
                .text("one", when: .property(path, equals: 1)))
        }
        try load(to: context)
        let before = try context.texts()
        try context.push(Module("Settings", properties: pushed))
        #expect(try context.texts() == texts())
        context.pop()
        #expect(try context.texts() == before)
    }

    @Test func placeholderOfAModule_isFollowedToAnotherModule() throws {
        let context = try AppContext().load(
            Module("Settings", properties: ["mail": "${flag:false}"]),
            .text("mail", when: .property("mail", equals: true)))
        #expect(try context.texts() == [])
        try context.push(Module("Flag", properties: ["flag": true]))
        #expect(try context.texts() == ["mail"])
        context.pop()
        #expect(try context.texts() == [])
    }

    @Test func placeholderThatLeadsElsewhere_isFollowedThere() throws {
        let context = try AppContext().load(
            Module("Settings", properties: ["mail": "${first:false}"]),
            .text("mail", when: .property("mail", equals: true)))
        try context.push(Module("First", properties: ["first": "${second:false}"]))
        #expect(try context.texts() == [])
        try context.push(Module("Second", properties: ["second": true]))
        #expect(try context.texts() == ["mail"])
        try context.push(Module("Other", properties: ["first": false]))
        #expect(try context.texts() == [])
        context.pop()
        #expect(try context.texts() == ["mail"])
        context.pop()
        #expect(try context.texts() == [])
    }

    @Test func moduleThatWasTurnedOnAndOff_endsWhenItIsUnloaded() throws {
        final class Captured: Sendable {}
        let context = try AppContext().load(.text("first"), .text("second", when: .not(.property("isOn"))))
        weak var captured: Captured?
        try {
            let object = Captured()
            captured = object
            let module = Module("Captures", when: .property("isOn", equals: true)) { registry in
                registry.register { object }
            }
            try context.load(module)
            let settings = Module("Settings", properties: ["isOn": true])
            for _ in 1...100 {
                try context.load(settings)
                #expect(try context.texts() == ["first"])
                #expect(try context.resolve(Captured?.self) === object)
                try context.unload(settings)
                #expect(try context.texts() == ["first", "second"])
                #expect(try context.resolve(Captured?.self) == nil)
            }
            try context.unload(module)
        }()
        #expect(captured == nil)
        #expect(try context.texts() == ["first", "second"])
    }

    @Test func moduleThatTwoInclude_endsWithTheLastOfThem() throws {
        final class Captured: Sendable {}
        for isLastFirst in [false, true] {
            let context = try AppContext().load(.text("before"))
            weak var captured: Captured?
            try {
                let object = Captured()
                captured = object
                let included = Module("Included") { registry in registry.register { object } }
                let includers = [1, 2, 3].map { Module.text("\($0)", including: [included]) }
                for includer in includers { try context.load(includer) }
                try context.load(.text("after"))
                for includer in isLastFirst ? includers.reversed() : includers {
                    #expect(try context.resolve(Captured?.self) === object)
                    try context.unload(includer)
                }
                #expect(try context.resolve(Captured?.self) == nil)
            }()
            #expect(captured == nil)
            #expect(try context.texts() == ["before", "after"])
        }
    }

    @Test(arguments: 0..<4)
    func moduleThatTwoInclude_oneOfThemBesideAConditionThatChanged_endsWithTheLastOfThem(changes: Int) throws {
        let on = Module("On", properties: ["mail": true]) { _ in }
        let included = Module.text("included")
        let mail = Module("Mail", when: .property("mail", equals: true)) { _ in }
        let first = Module("First", including: [mail, included]) { _ in }
        let second = Module("Second", including: [included]) { _ in }
        let context = try AppContext().load(first).load(second)
        for number in 0..<changes {
            if number.isMultiple(of: 2) { try context.load(on) } else { try context.unload(on) }
        }
        try context.unload(second)
        #expect(try context.texts() == ["included"])
        try context.unload(first)
        #expect(try context.texts() == [])
    }
}
