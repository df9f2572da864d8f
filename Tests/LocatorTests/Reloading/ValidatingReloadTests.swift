import Locator
import Testing

private final class Meter: Sendable {
    let level: Int
    init(level: Int) { self.level = level }
}

private struct Limits: ConfigProperty {
    static let path = "limits"
    let most: Int
}

private struct Level: ConfigProperty {
    static let path = "level"
    @TaskLocal static var lateModule: LateModule?
    let level: Int

    init(from decoder: any Decoder) throws {
        Self.lateModule?.load()
        level = try decoder.singleValueContainer().decode(Int.self)
    }
}

/// A module that is loaded while a value is decoded.
private final class LateModule: Sendable {
    let context: AppContext
    let module: Module

    init(_ module: Module, in context: AppContext) {
        self.module = module
        self.context = context
    }

    func load() { _ = try? context.load(module) }
}

private protocol Mail: Sendable {}

private final class Letters: Sendable {
    init(mail: any Mail) {}
}

@Suite("A validating reload rejects properties that cause validation errors")
struct ValidatingReloadTests {
    private let log = Log()
    private let context = AppContext()
    private let files = MemoryFiles(Self.right)

    private static let right = #"{ "level": 1, "limits": { "most": 3 } }"#

    init() throws {
        let shop = Module("Shop", fileID: "Shop/Shop.swift", line: 1) { [log] registry in
            registry.register(Meter.self, fileID: "Shop/Shop.swift", line: 2) { (resolver: Resolver) in
                Meter(level: try resolver.value("level"))
            }
            .onDispose { log("dispose of meter \($0.level)") }
            registry.register(String.self, fileID: "Shop/Shop.swift", line: 3) { (limits: Limits) in "\(limits.most)" }
        }
        try context.loadProperties(files.source).load(shop)
    }

    @Test("Errors are thrown with the findings; nothing has changed, and nothing was disposed of")
    func errors_changeNothing() throws {
        let meter = try context.resolve(Meter.self)
        files.content = #"{ "level": 2, "limits": { "most": "few" } }"#
        #expect(
            message { try context.reloadProperties(validating: true) } == """
                the new settings are not used, because they cause these errors:
                  Shop/Shop.swift:3: error: String needs Limits: the setting limits.most: expected Int, found string "few" (application.json:1:35)
                    fix: correct its value, or the type that the program expects
                  1 error, 1 note in 2 registrations
                  fix: correct the profile files; `context.validate()` reports the same errors once they are loaded
                """)
        #expect(try context.resolve(Meter.self) === meter)
        #expect(try context.value("level") == 1)
        #expect(try context.resolve(String.self) == "3")
        #expect(log.take() == [])
    }

    @Test("The error contains the report")
    func error_hasTheReport() throws {
        files.content = #"{ "level": 2 }"#
        guard
            case .validationFailed(let report) = locatorError({ try context.reloadProperties(validating: true) })?.kind
        else {
            Issue.record("no error of this kind")
            return
        }
        #expect(report.errors.count == 1)
    }

    @Test("Properties without errors are applied")
    func right_isTakenOver() throws {
        let meter = try context.resolve(Meter.self)
        files.content = #"{ "level": 2, "limits": { "most": 4 } }"#
        try context.reloadProperties(validating: true)
        #expect(log.take() == ["dispose of meter 1"])
        #expect(try context.resolve(Meter.self) !== meter)
        #expect(try context.resolve(Meter.self).level == 2)
        #expect(try context.resolve(String.self) == "4")
    }

    @Test("Warnings reject nothing")
    func warnings_refuseNothing() throws {
        try context.load(Module("Shop") { _ in })
        #expect(!context.validate().warnings.isEmpty)
        files.content = #"{ "level": 2, "limits": { "most": 4 } }"#
        try context.reloadProperties(validating: true)
        #expect(try context.value("level") == 2)
    }

    @Test("Modules that a condition turns on are also checked")
    func conditions_areEvaluated() throws {
        try context.load(
            Module("Letters", when: .property("letters", equals: true)) { $0.register(Letters.init) })
        files.content = #"{ "level": 2, "limits": { "most": 4 }, "letters": true }"#
        #expect(
            message { try context.reloadProperties(validating: true) }?
                .contains("Letters needs any Mail, which is not registered") == true)
        #expect(try context.value("level") == 1)
        // Without it, the error shows where it is used.
        try context.reloadProperties()
        #expect(try context.value("level") == 2)
    }

    @Test("A module that is loaded during the validation is also checked")
    func laterModule_isChecked() throws {
        try context.load(
            Module("Levels") { registry in registry.register(Int.self) { (level: Level) in level.level } })
        let letters = Module("Letters", fileID: "Shop/Letters.swift", line: 1) { registry in
            registry.register(Letters.self, fileID: "Shop/Letters.swift", line: 2, Letters.init)
        }
        files.content = #"{ "level": 2, "limits": { "most": 4 } }"#
        let text = Level.$lateModule.withValue(LateModule(letters, in: context)) {
            message { try context.reloadProperties(validating: true) }
        }
        #expect(
            text == """
                the new settings are not used, because they cause these errors:
                  Shop/Letters.swift:2: error: Letters needs any Mail, which is not registered
                    fix: register it in a loaded module: registry.register((any Mail).self) { … }
                  1 error, 1 note in 4 registrations
                  fix: correct the profile files; `context.validate()` reports the same errors once they are loaded
                """)
        #expect(try context.value("level") == 1)
    }

    @Test("An unreadable file is the same error as without validation")
    func brokenFile_isAnError() throws {
        files.content = "{"
        let plain = message { try context.reloadProperties() }
        #expect(plain != nil)
        #expect(message { try context.reloadProperties(validating: true) } == plain)
    }

    @Test("It works on a fork, and is an error in a child and in a factory closure")
    func places() throws {
        let fork = try context.fork()
        files.content = #"{ "level": 2, "limits": { "most": 4 } }"#
        try fork.reloadProperties(validating: true)
        #expect(try fork.value("level") == 2)
        #expect(try context.value("level") == 1)
        let child = try context.child()
        #expect(message { try child.reloadProperties(validating: true) }?.contains("cannot load its own") == true)
        try context.load(
            Module("Maker") { registry in
                registry.register(Int.self) { () throws -> Int in
                    try AppContext.current.reloadProperties(validating: true)
                    return 1
                }
            })
        #expect(
            message { try context.resolve(Int.self) }?.contains("reloadProperties was called inside a factory closure")
                == true)
    }
}
