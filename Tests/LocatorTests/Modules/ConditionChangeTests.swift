import Locator
import TestSupport
import Testing

private final class Mail: Sendable {}

/// Made from the mail, if there is any.
private final class Office: Sendable {
    let mail: Mail?
    init(mail: Mail?) { self.mail = mail }
}

private final class Unrelated: Sendable {}

@Suite("A condition is evaluated again whenever what it reads changes")
struct ConditionChangeTests {
    private let log = Log()
    private let context = AppContext()

    private func mail(when condition: Condition? = .property("mail", equals: true)) -> Module {
        Module("Mail", when: condition) { [log] registry in
            registry.register(Mail.init).onDispose { _ in log("dispose of mail") }
        }
    }

    private var office: Module {
        Module("Office") { [log] registry in
            registry.register(Office.init)
                .onDispose { log("dispose of the office with\($0.mail == nil ? "out" : "") mail") }
            registry.register(Unrelated.init)
        }
    }

    private let on = Module("On", properties: ["mail": true])
    private let off = Module("Off", properties: ["mail": false])

    @Test func push_turnsAModuleOn_andPopTurnsItOff() throws {
        try context.load(mail(), office)
        let (office, unrelated) = (try context.resolve(Office.self), try context.resolve(Unrelated.self))
        #expect(office.mail == nil)
        try context.push(on)
        let mail = try context.resolve(Mail.self)
        #expect(try context.resolve(Office.self).mail === mail)
        #expect(log.take() == [])
        context.pop()
        #expect(log.take() == ["dispose of the office with mail", "dispose of mail"])
        #expect(try context.resolve(Office.self) === office)
        #expect(try context.resolve(Mail?.self) == nil)
        #expect(try context.resolve(Unrelated.self) === unrelated)
    }

    @Test func push_turnsAModuleOff_andPopBringsBackTheIdenticalObjects() throws {
        try context.load(Module("Settings", properties: ["mail": true]), mail(), office)
        let office = try context.resolve(Office.self)
        let mail = try #require(office.mail)
        try context.push(off)
        #expect(try context.resolve(Mail?.self) == nil)
        #expect(try context.resolve(Office.self).mail == nil)
        try context.push(on)
        #expect(try context.resolve(Office.self) === office)
        context.pop()
        #expect(try context.resolve(Mail?.self) == nil)
        context.pop()
        #expect(log.take() == ["dispose of the office without mail"])
        #expect(try context.resolve(Office.self) === office)
        #expect(try context.resolve(Mail.self) === mail)
    }

    @Test func decoratorAndAlias_ofAModule_comeAndGoWithItsCondition() throws {
        let decorating = Module("Decorating", when: .property("mail", equals: true)) { registry in
            registry.decorate(Mail.self) { _ in Mail() }
        }
        try context.load(decorating, mail(when: nil), office)
        let plain = try context.resolve(Mail.self)
        let office = try context.resolve(Office.self)
        #expect(office.mail === plain)
        try context.push(on)
        let decorated = try context.resolve(Mail.self)
        #expect(decorated !== plain)
        try context.push(off)
        #expect(try context.resolve(Office.self) === office)
        context.pop()
        #expect(try context.resolve(Mail.self) === decorated)
        context.pop()
        #expect(try context.resolve(Office.self) === office)
        #expect(try context.resolve(Mail.self) === plain)
    }

    @Test func popFromTheMiddle_disposesOfWhatCannotReturn() throws {
        let fake = Module("Fake") { $0.register(Mail.init) }
        try context.load(mail())
        try context.push(on)
        _ = try context.resolve(Mail.self)
        try context.push(fake)
        _ = try context.resolve(Mail.self)
        #expect(log.take() == [])
        // Without `on`, no state that can come back has the mail of the conditional module.
        try context.pop(on)
        #expect(log.take() == ["dispose of mail"])
        context.pop()
        #expect(try context.resolve(Mail?.self) == nil)
    }

    @Test func unloading_aModuleThatIsOff_disposesOfWhatWasSetAside() throws {
        let mail = mail()
        try context.load(Module("Settings", properties: ["mail": true]), mail)
        _ = try context.resolve(Mail.self)
        try context.push(off)
        #expect(log.take() == [])
        try context.unload(mail)
        #expect(log.take() == ["dispose of mail"])
    }

    @Test("Unloading the settings that turned a module on disposes of its set-aside instances")
    func unloadingOfSettingsUnderAPush() throws {
        let settings = Module("Settings", properties: ["mail": true])
        try context.load(settings, mail(), office)
        #expect(try context.resolve(Office.self).mail != nil)
        try context.push(off)
        let office = try context.resolve(Office.self)
        #expect(office.mail == nil)
        #expect(log.take() == [])
        try context.unload(settings)
        #expect(log.take() == ["dispose of the office with mail", "dispose of mail"])
        context.pop()
        #expect(try context.resolve(Office.self) === office)
    }

    @Test func reload_thatTurnsAModuleOff_disposes() throws {
        let folder = try TemporaryFolder(["application.json": #"{ "mail": true }"#])
        try context.loadProperties(from: folder.path, environment: [:]).load(mail(), office)
        _ = try context.resolve(Office.self)
        try folder.write("{}", to: "application.json")
        try context.reloadProperties()
        #expect(log.take() == ["dispose of the office with mail", "dispose of mail"])
        #expect(try context.resolve(Office.self).mail == nil)
    }

    @Test func reload_underAPush_disposesOfWhatNoPopBringsBack() throws {
        let folder = try TemporaryFolder(["application.json": #"{ "mail": true }"#])
        try context.loadProperties(from: folder.path, environment: [:]).load(mail())
        _ = try context.resolve(Mail.self)
        try context.push(off)
        try folder.write("{}", to: "application.json")
        try context.reloadProperties()
        #expect(log.take() == ["dispose of mail"])
        context.pop()
        #expect(try context.resolve(Mail?.self) == nil)
    }

    @Test func push_thatTurnsAModuleOn_makesItsAlwaysInstances() throws {
        struct Refusal: Error {}
        let isBroken = Late(true)
        let always = Module("Always", when: .property("mail", equals: true)) { [log] registry in
            registry.register(Int.self, scope: .always) {
                if isBroken.value == true { throw Refusal() }
                log("make")
                return 1
            }
        }
        try context.load(always)
        #expect(message { try context.push(on) } != nil)
        #expect(try context.resolve(Int?.self) == nil)
        isBroken.value = false
        try context.push(on)
        #expect(log.take() == ["make"])
        context.pop()
        #expect(try context.resolve(Int?.self) == nil)
    }

    @Test func alwaysInstances_ofAnIncludedModule_areMade_whenItIsLoadedByItself() throws {
        let inner = Module("Inner") { [log] registry in
            registry.register(Int.self, scope: .always) {
                log("make")
                return 1
            }
        }
        try context.load(Module("Outer", including: [inner], when: .profile("none")))
        #expect(log.take() == [])
        try context.load(inner)
        #expect(log.take() == ["make"])
        // What is already active is not made again.
        try context.push(inner)
        #expect(log.take() == [])
    }

    @Test func child_decidesConditions_byItsOwnModules() throws {
        try context.load(mail(), office)
        let office = try context.resolve(Office.self)
        let child = try context.child(pushing: on)
        let mail = try child.resolve(Mail.self)
        #expect(try child.resolve(Office.self).mail === mail)
        #expect(try context.resolve(Office.self) === office)
        #expect(try context.resolve(Mail?.self) == nil)
        #expect(try child.resolve(Unrelated.self) === context.resolve(Unrelated.self))
    }

    @Test func includedModule_leavesWithItsIncludersCondition() throws {
        let outer = Module("Outer", including: [mail(when: nil)], when: .property("mail", equals: true))
        try context.load(outer, office)
        let office = try context.resolve(Office.self)
        #expect(office.mail == nil)
        try context.push(on)
        #expect(try context.resolve(Office.self).mail != nil)
        context.pop()
        #expect(log.take() == ["dispose of the office with mail", "dispose of mail"])
        #expect(try context.resolve(Office.self) === office)
    }

    @Test(
        "A malformed path in a condition is an error at load",
        arguments: [
            Condition.property("a..b"), .property("a..b", equals: true), .not(.property("a..b")),
        ])
    func malformedPath_isAnErrorAtLoad(condition: Condition) throws {
        let module = Module("Mail", when: condition, fileID: "Shop/Shop.swift", line: 7)
        #expect(
            message { try context.load(module) } == """
                Shop/Shop.swift:7: the condition of module "Mail": malformed path "a..b": expected a key at column 3, found "."
                """)
        #expect(try context.texts() == [])
    }

    @Test func wrapper_followsAConditionThatAPushChanges() throws {
        struct Holder {
            @Dependency var text: String
        }
        try context.load(.text("mail", when: .property("mail", equals: true)), .text("otherwise"))
        let holder = AppContext.withContext(context) { Holder() }
        #expect(holder.text == "otherwise")
        try context.push(on)
        #expect(holder.text == "mail")
        context.pop()
        #expect(holder.text == "otherwise")
    }
}
