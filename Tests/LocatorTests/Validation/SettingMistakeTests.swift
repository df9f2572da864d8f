import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

private struct Mail: ConfigProperty {
    static let path = "mail"
    let from: String
}
private struct Broken: ConfigProperty {
    static let path = "server."
    let port: Int
}
private protocol Logger: Sendable {}
private struct Console: Logger {}
private struct Sender: Sendable {}

@Suite("Findings about settings name what to correct")
struct SettingMistakeTests {
    @Test("A qualifier at the position of a type that is decoded from settings")
    func qualifierOfDecodedType() throws {
        let module = Module("Shop", properties: ["mail.from": "shop@example.com"], fileID: file, line: 1) { registry in
            registry.register((any Logger).self, qualifier: "file") { Console() }
            registry.register(Sender.self, parameterQualifiers: ["file", nil], fileID: file, line: 3) {
                (_: Mail, _: any Logger) in Sender()
            }
        }
        #expect(
            try report(on: module) == """
                Shop/Shop.swift:3: error: Sender needs Mail "file", which is not registered
                  fix: pass nil at its position in `parameterQualifiers:`, because Mail is decoded from settings; the \
                qualifiers have the order of the parameters
                1 error in 2 registrations
                """)
    }

    @Test("A malformed path of such a type")
    func malformedPath() throws {
        let module = Module("Shop", properties: ["server.port": 1], fileID: file, line: 1) { registry in
            registry.register(Sender.self, fileID: file, line: 2) { (_: Broken) in Sender() }
        }
        #expect(
            try report(on: module) == """
                Shop/Shop.swift:2: error: Sender needs Broken: malformed path "server.": expected a key at column 8, \
                found the end
                  fix: correct Broken.path
                1 error in 1 registration
                """)
    }

    @Test("A condition on a setting of a module that has a condition")
    func conditionalSetting() throws {
        let switches = Module("Switches", properties: ["b.on": true], when: .property("a.on"), fileID: file, line: 2)
        let mail = Module("Mail", when: .property("b.on", equals: true), fileID: file, line: 3) { registry in
            registry.register(Sender.self) { Sender() }
        }
        #expect(
            try report(on: Module("Base", properties: ["a.on": true]), switches, mail) == """
                Shop/Shop.swift:3: warning: module "Mail" is off, although setting "b.on" equals true: conditions do not \
                read the settings of a module that has a condition
                Shop/Shop.swift:2: note: module "Switches" has a condition, and sets "b.on"
                  fix: set "b.on" in a profile file or in a module without a condition
                1 warning in 0 registrations
                """)
        let always = Module("Switches", properties: ["b.on": true])
        #expect(try report(on: always, mail) == "nothing found in 1 registration")
    }

    @Test("A condition on a setting that only the module itself sets")
    func ownSetting() throws {
        func mail(_ condition: Condition) -> Module {
            Module("Mail", properties: ["mail.on": true], when: condition, fileID: file, line: 3) { registry in
                registry.register(Sender.self) { Sender() }
            }
        }
        for condition in [Condition.property("mail.on", equals: true), .property("mail.on"), .property("mail")] {
            let path = condition.description.contains("mail.on") ? "mail.on" : "mail"
            #expect(
                try report(on: mail(condition)) == """
                    Shop/Shop.swift:3: warning: module "Mail" is off, although it sets "\(path)" itself: conditions do not \
                    read the settings of a module that has a condition
                      fix: set "\(path)" in a profile file or in a module without a condition
                    1 warning in 0 registrations
                    """)
        }
        let on = mail(.property("mail.on", equals: true))
        #expect(try report(on: Module("Base", properties: ["mail.on": true]), on) == "nothing found in 1 registration")
        // It may be off on purpose.
        let off = "nothing found in 0 registrations"
        #expect(try report(on: Module("Base", properties: ["mail.on": false]), on) == off)
        #expect(try report(on: mail(.property("mail.on", equals: false))) == off)
        #expect(try AppContext().load(mail(.profile("prod"))).fork(profile: "dev").validate().description == off)
    }

    @Test("The error of a request says why a module is off although its condition is true")
    func requestOfOwnSetting() throws {
        let condition = Condition.property("mail.on", equals: true)
        let own = Module("Mail", properties: ["mail.on": true], when: condition) { registry in
            registry.register(Sender.self, fileID: file, line: 4) { Sender() }
        }
        let other = Module("Mail", when: condition) { registry in
            registry.register(Sender.self, fileID: file, line: 4) { Sender() }
        }
        let switches = Module("Switches", properties: ["mail.on": true], when: .not(.profile("prod")))
        for (modules, truth) in [
            ([own], #"it sets "mail.on" itself"#), ([other, switches], #"setting "mail.on" equals true"#),
        ] {
            let context = try AppContext().load(modules)
            #expect(
                message { try context.resolve(Sender.self, fileID: file, line: 9) } == """
                    Shop/Shop.swift:9: Sender is not registered
                      off: Sender (Shop/Shop.swift:4) is in module "Mail", which is off, although \(truth): conditions do \
                    not read the settings of a module that has a condition
                      fix: set "mail.on" in a profile file or in a module without a condition, or register it in a loaded \
                    module: registry.register(Sender.self) { … }
                    """)
            try context.load(
                Module("Office") { $0.register(Int.self, fileID: file, line: 6) { (_: Sender) in 1 } })
            #expect(
                "\(context.validate().errors[0])" == """
                    Shop/Shop.swift:6: error: Int needs Sender, which is not registered
                    Shop/Shop.swift:4: note: module "Mail" registers Sender, but is off, although \(truth): conditions do \
                    not read the settings of a module that has a condition
                      fix: set "mail.on" in a profile file or in a module without a condition, or register it in a loaded \
                    module: registry.register(Sender.self) { … }
                    """)
        }
    }

    @Test("Elements of an extension point, which only the arrays of wrappers take, are not hidden")
    func extensionPoint() throws {
        let modules = ["First", "Second"].map { name in
            Module(name, fileID: file, line: name == "First" ? 1 : 2) { registry in
                registry.register((any Logger).self, fileID: file, line: 3) { Console() }
            }
        }
        #expect(
            try report(on: modules[0], modules[1]) == """
                Shop/Shop.swift:3: warning: any Logger in module "Second" is hidden: another module comes first
                Shop/Shop.swift:3: note: module "First" (priority normal) comes first
                  fix: among modules of equal priority, the first one loaded wins: push the intended one, load the \
                fallback with priority .low, remove one of them, or give them qualifiers; if only arrays take them, declare \
                registry.mayBeEmpty((any Logger).self)
                1 warning in 2 registrations
                """)
        let point = Module("Point") { $0.mayBeEmpty((any Logger).self) }
        #expect(try report(on: point, modules[0], modules[1]) == "nothing found in 2 registrations")
    }
}
