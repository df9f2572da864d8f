import Locator
import TestSupport
import Testing

private let file: StaticString = "Shop/Shop.swift"

private protocol Plugin: Sendable {}
private struct Spelling: Plugin {}
private struct Editor: Sendable { let plugins: [any Plugin] }
private struct Tags: Sendable { let tags: [String] }
private struct Shop: Sendable {}
private struct Stock: Sendable {}
private final class Basket: Sendable {}
private final class Screen {}
private final class Window: Sendable {}
private struct Report: Sendable {}
private struct Server: ConfigProperty {
    static let path = "server"
    let port: Int
}
private struct Mail: Sendable { let name: String }

extension Scope {
    fileprivate static let request = Scope("request", requiresOpening: true)
    fileprivate static let reqest = Scope("reqest", requiresOpening: true)
    fileprivate static let session = Scope("session")
    fileprivate static let sesion = Scope("sesion")
}

@Suite("Validation finds asynchronous factory closures that need the main actor")
struct MainActorFindingTests {
    private let reports = Module("Report") { registry in
        registry.register(Report.self, fileID: file, line: 3, async: { (_: Screen) in Report() })
    }

    @Test func asynchronousClosure_takesWhatBelongsToTheMainActor() async throws {
        let screen = Module("Screen") { registry in
            registry.register(Screen.self, fileID: file, line: 2, onMainActor: { Screen() })
        }
        let context = try AppContext().load(screen, reports)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:3: error: Report has an asynchronous factory closure and needs Screen, \
                which belongs to the main actor: start() will fail
                Shop/Shop.swift:2: note: Screen is registered here
                  fix: pass Screen to its methods on the main actor, or make the type Sendable
                1 error in 2 registrations
                """)
        let error = await locatorError { try await context.start() }
        guard case .wrongActor(let key, isSendable: false) = error?.kind else {
            Issue.record("start() gave \(String(describing: error))")
            return
        }
        #expect(key == Key(Screen.self))
    }

    @Test func asynchronousClosure_needsItThroughAPrototype() throws {
        let text = try report { registry in
            registry.register(Screen.self, fileID: file, line: 2, onMainActor: { Screen() })
            registry.register(Stock.self, scope: .prototype, fileID: file, line: 3) { (_: Screen) in Stock() }
            registry.register(Report.self, fileID: file, line: 4, async: { (_: Stock) in Report() })
            // The main actor may have made this one before.
            registry.register(Shop.self, fileID: file, line: 5) { (_: Screen) in Shop() }
            registry.register(Int.self, fileID: file, line: 6, async: { (_: Shop, _: Lazy<Stock>) in 1 })
        }
        #expect(
            text == """
                Shop/Shop.swift:4: error: Report has an asynchronous factory closure and needs Screen, \
                which belongs to the main actor: start() will fail
                Shop/Shop.swift:4: note: Report needs Stock
                Shop/Shop.swift:3: note: Stock needs Screen
                  fix: pass Screen to its methods on the main actor, or make the type Sendable
                1 error in 5 registrations
                """)
    }

    @Test func asynchronousClosure_needsAPrototypeThatIsMadeThere() async throws {
        let module = Module("Shop") { registry in
            registry.register(Basket.self, scope: .prototype, fileID: file, line: 5) { Basket() }
                .injecting(onMainActor: { _ in })
            registry.register(Int.self, fileID: file, line: 6, async: { (_: Basket) in 1 })
        }
        let context = try AppContext().load(module)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:6: error: Int has an asynchronous factory closure and needs Basket, \
                which is made on the main actor: start() will fail
                Shop/Shop.swift:5: note: Basket is registered here
                  fix: pass Basket to its methods on the main actor
                1 error in 2 registrations
                """)
        let error = await locatorError { try await context.start() }
        guard case .madeOnMainActor? = error?.kind else {
            Issue.record("start() gave \(String(describing: error))")
            return
        }
    }

    @Test func nothingIsFound_whenInjectionsOfWhatStartMakesNeedTheMainActor() async throws {
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Stock.self, async: { Stock() })
                registry.register(Basket.self, async: { (_: Stock) in Basket() }).injecting(onMainActor: { _ in })
                registry.decorate(Basket.self) { $0 }
                registry.register(Report.self, async: { (_: Basket) in Report() })
            })
        #expect(context.validate().findings.isEmpty)
        try await context.start()
    }

    /// An asynchronous factory is called on any actor, and injections that need the main actor run there.
    @MainActor @Test func nothingIsFound_whereTheMainActorIsUsed() async throws {
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Screen.self, onMainActor: { Screen() })
                registry.register(Basket.self, onMainActor: { Basket() })
                registry.factory(Stock.self, given: Int.self, async: { (_: Int, _: Basket) in Stock() })
                registry.register(Report.self, async: { Report() }).injecting(onMainActor: { (_, _: Screen) in })
            })
        #expect(context.validate().findings.map(\.kind).filter { $0 == .wrongActor } == [])
        try await context.start()
        _ = try context.resolve(Report.self)
        _ = try await context.resolve(Stock.self, with: 1)
    }
}

@Suite("Validation finds conditions on profiles and settings that do not exist")
struct ConditionFindingTests {
    private static let files = [
        "application.json": """
        { "locator": { "profiles": { "groups": { "live": ["prod", "metrics"] } } }, "feature": { "mail": true } }
        """,
        "application-prod.json": "{}", "application-metrics.json": "{}",
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(Self.files)
    }

    private func context(_ module: Module) throws -> AppContext {
        try AppContext().loadProperties(from: folder.path, environment: [:]).load(module)
    }

    private func module(_ condition: Condition) -> Module {
        Module("Mail", when: condition, fileID: file, line: 2) { $0.register { Mail(name: "mail") } }
    }

    @Test func profileThatIsMisspelled_isFound_withTheNearName() throws {
        for (condition, effect) in [(Condition.profile("pord"), "off"), (.not(.profile("pord")), "on")] {
            let context = try self.context(module(condition))
            #expect(
                context.validate(profiles: ["prod", "live"]).description == """
                    Shop/Shop.swift:2: warning: module "Mail" is \(effect) unless profile "pord" is active, \
                    but profile "pord" has no file and is not a group; did you mean "prod"? [prod, live]
                    note: existing profiles: live, metrics, prod
                      fix: correct the name of the profile
                    1 warning in \(effect == "on" ? "1 registration" : "0 registrations") \
                    (prod, live)
                    """)
        }
    }

    @Test func profileWithoutANearName_namesTheFileThatIsMissing() throws {
        let context = try self.context(module(.profile("staging")))
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: warning: module "Mail" is off unless profile "staging" is active, \
                but profile "staging" has no file and is not a group
                note: existing profiles: live, metrics, prod
                  fix: add the file application-staging.json, or correct the name
                1 warning in 0 registrations
                """)
    }

    @Test func memberOfAGroupWithoutAFile_isFound() throws {
        let folder = try TemporaryFolder([
            "application.json": #"{ "locator": { "profiles": { "groups": { "live": ["prod", "trace"] } } } }"#,
            "application-prod.json": "{}",
        ])
        let context = try AppContext().loadProperties(from: folder.path, environment: [:])
        try context.load(module(.profile("trace")))
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: warning: module "Mail" is off unless profile "trace" is active, \
                but profile "trace" has no file and is not a group
                note: existing profiles: live, prod
                  fix: add the file application-trace.json, or correct the name
                1 warning in 0 registrations
                """)
    }

    @Test(arguments: ["prod", "metrics", "live"])
    func profileOrGroupThatExists_isNotAFinding_andHolds(name: String) throws {
        let context = try self.context(module(.profile(name)))
        #expect(context.validate().findings.isEmpty)
        let fork = try context.fork(profile: "live")
        #expect(try fork.resolve(Mail.self).name == "mail")
    }

    @Test func profile_whenNoFilesAreLoaded_isFoundOnce() throws {
        let other = Module("Trace", when: .not(.profile("dev")), fileID: file, line: 9)
        let context = try AppContext().load(module(.profile("prod")), other)
        for context in [context, try context.child(), try context.fork()] {
            #expect(
                context.validate().description == """
                    Shop/Shop.swift:9: warning: module "Trace" is on unless profile "dev" is active, \
                    but no profile files are loaded, so no profile is active
                    Shop/Shop.swift:2: note: module "Mail" is off unless profile "prod" is active
                      fix: load them: try context.loadProperties(from: "Config"), or name the profiles: \
                    context.validate(profiles: […])
                    1 warning in 0 registrations
                    """)
        }
        // With the suggested fixes, and where a profile is chosen in another way.
        #expect(context.validate(profiles: ["prod"]).findings.isEmpty)
        #expect(try context.fork(profile: "prod").validate().findings.isEmpty)
        try context.loadProperties(
            from: TemporaryFolder([
                "application.json": "{}", "application-prod.json": "{}", "application-dev.json": "{}",
            ]).path)
        #expect(context.validate().findings.isEmpty)
    }

    @Test func anyNameMayBeAProfile_whenFilesAreNamed() throws {
        let folder = try TemporaryFolder(["settings.json": "{}"])
        let context = AppContext()
        try context.load(module(.profile("pord")))
        try context.loadProperties(files: [folder.path + "/settings.json"], environment: [:])
        #expect(context.validate().findings.isEmpty)
    }

    @Test func pathThatIsMisspelled_isFound_withTheNearPath() throws {
        let context = try self.context(module(.property("feature.mial", equals: true)))
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: warning: module "Mail" is off unless setting "feature.mial" equals true, \
                but nothing sets "feature.mial"
                note: near: feature.mail (application.json:1:98)
                  fix: correct the path, or set "feature.mial"
                1 warning in 0 registrations
                """)
        // With the suggested fix.
        let corrected = try self.context(module(.property("feature.mail", equals: true)))
        #expect(corrected.validate().findings.isEmpty)
        #expect(try corrected.resolve(Mail.self).name == "mail")
    }

    @Test("A condition that only checks whether a setting exists, although the setting is false")
    func settingThatIsFalse_exists() throws {
        func report(_ condition: Condition, _ environment: [String: String] = [:]) throws -> String {
            let folder = try TemporaryFolder([
                "application.json": #"{ "mail": { "on": false, "off": true }, "password": false }"#
            ])
            return try AppContext().loadProperties(
                from: folder.path, environment: environment, overrides: .environment(prefix: "SHOP_")
            ).load(module(condition)).validate().description
        }
        // A message would tell a secret.
        #expect(try report(.property("password")) == "nothing found in 1 registration")
        #expect(
            try report(.property("mail.on")) == """
                Shop/Shop.swift:2: warning: module "Mail" is on, because "mail.on" exists, although it is false \
                (application.json:1:19)
                  fix: write .property("mail.on", equals: true)
                1 warning in 1 registration
                """)
        #expect(
            try report(.not(.property("mail.off")), ["SHOP_MAIL__OFF": "false"]) == """
                Shop/Shop.swift:2: warning: module "Mail" is off, because "mail.off" exists, although it is false \
                (environment variable SHOP_MAIL__OFF)
                  fix: write .not(.property("mail.off", equals: true))
                1 warning in 0 registrations
                """)
        #expect(try report(.property("mail.off")) == "nothing found in 1 registration")
    }

    @Test func settingOfAModuleWithACondition_isNotReportedAsFalse() throws {
        let defaults = Module(
            "Defaults", properties: ["mail": ["on": false]], when: .property("feature.mail"), fileID: file, line: 3)
        // The condition reads the setting of the other module, which is true.
        let on = Module("On", properties: ["mail": ["on": true]])
        let both = try self.context(defaults).load(on, module(.property("mail.on")))
        #expect(try both.value("mail.on", as: Bool.self) == false)
        #expect(both.validate().findings.isEmpty)
        let context = try self.context(defaults).load(module(.property("mail.on")))
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: warning: module "Mail" is off, although setting "mail.on" exists: \
                conditions do not read the settings of a module that has a condition
                Shop/Shop.swift:3: note: module "Defaults" has a condition, and sets "mail.on"
                  fix: set "mail.on" in a profile file or in a module without a condition
                1 warning in 0 registrations
                """)
    }

    /// Conditions do not read the settings of a module that only a module with a condition includes.
    @Test func settingOfAModuleThatAConditionIncludes_isReported() throws {
        let defaults = Module("Defaults", properties: ["mail": ["on": true]], fileID: file, line: 4) { _ in }
        let own = try context(
            Module("Mail", including: [defaults], when: .property("mail.on"), fileID: file, line: 2) {
                $0.register(Int.self) { 1 }
            })
        #expect(
            own.validate().description == """
                Shop/Shop.swift:2: warning: module "Mail" is off, although module "Defaults", which it includes, sets \
                "mail.on": conditions do not read the settings of a module that has a condition, or that only such a \
                module includes
                  fix: set "mail.on" in a profile file or in a module without a condition
                1 warning in 0 registrations
                """)
        let error = try #require(throws: LocatorError.self) { try own.resolve(Int.self) }
        #expect(
            error.description.contains(
                "module \"Mail\", which is off, although module \"Defaults\", which it includes, sets \"mail.on\": "))
        let other = try context(
            Module("Including", including: [defaults], when: .property("feature.mail"), fileID: file, line: 5) { _ in })
        try other.load(module(.property("mail.on", equals: true)))
        #expect(
            other.validate().description == """
                Shop/Shop.swift:2: warning: module "Mail" is off, although setting "mail.on" equals true: \
                conditions do not read the settings of a module that has a condition
                Shop/Shop.swift:4: note: module "Defaults" is included only by modules with a condition, and sets "mail.on"
                  fix: set "mail.on" in a profile file or in a module without a condition
                1 warning in 0 registrations
                """)
        // A module without a condition includes it, too.
        try other.load(Module("Plain", including: [defaults]) { _ in })
        #expect(other.validate().findings.isEmpty)
    }

    @Test(arguments: ["tracing.enabled", "tracing.mail", "features.chat.mail", "feature.sms"])
    func pathThatNothingIsNear_mayBeAbsentOnPurpose(path: String) throws {
        struct Traces: ConfigProperty {
            static let path = "traces.mail"
            let mail: Bool
        }
        let context = try self.context(module(.property(path, equals: true)))
        try context.load(Module("Traces") { $0.register(Shop.self) { (_: Traces?) in Shop() } })
        #expect(context.validate().findings.isEmpty)
    }

    @Test(arguments: ["mail", "features.mail", "featureMail", "shop.feature.mail", "feature.Mail"])
    func pathThatIsProbablyMeant_isFound(path: String) throws {
        let context = try self.context(module(.property(path, equals: true)))
        #expect(context.validate().findings.map(\.notes.first?.text) == ["near: feature.mail (application.json:1:98)"])
    }

    @Test func variableForASettingThatAModuleReads_isNoMistake() throws {
        let context = try AppContext().loadProperties(
            from: folder.path, environment: ["SHOP_FEATURE__MAILS": "true", "SHOP_FEATURE__MAIK": "true"],
            overrides: .environment(prefix: "SHOP_"))
        try context.load(module(.property("feature.mails", equals: true)))
        #expect(
            context.validate().findings.map { $0.message.contains("SHOP_FEATURE__MAIK overrides nothing") } == [true])
    }

    @Test func settingOfItsOwn_isFoundOnce() throws {
        let own = Module("Mail", properties: ["tracing.mail": true], when: .property("tracing.mail", equals: true)) {
            _ in
        }
        #expect(try context(own).validate().findings.count == 1)
    }

    @Test func malformedPath_isAnErrorOfTheLoad() throws {
        let error = locatorError { _ = try context(module(.property("feature..mail"))) }
        #expect(error?.description.hasPrefix("Shop/Shop.swift:2: the condition of module \"Mail\"") == true)
    }
}

@Suite("Validation finds collections without elements")
struct EmptyCollectionFindingTests {
    @Test func emptyCollection_isAWarning_withAllThatNeedIt() throws {
        let text = try report { registry in
            registry.register(Tags.self, fileID: file, line: 2, Tags.init)
            registry.register(Shop.self, fileID: file, line: 3) { (_: Lazy<[String]>) in Shop() }
            registry.register(Editor.self, fileID: file, line: 4, Editor.init)
        }
        #expect(
            text == """
                Shop/Shop.swift:2: warning: Tags gets an empty array, because there are no registrations of String
                Shop/Shop.swift:3: note: Shop gets one, too
                  fix: register an element, pass the array in a closure, or declare that it may be empty: \
                registry.mayBeEmpty(String.self)
                Shop/Shop.swift:4: warning: Editor gets an empty array, because there are no registrations of any Plugin
                  fix: register an element, pass the array in a closure, or declare that it may be empty: \
                registry.mayBeEmpty((any Plugin).self)
                2 warnings in 3 registrations
                """)
    }

    @Test func collectionThatMayBeEmpty_isNotAFinding() throws {
        let text = try report { registry in
            registry.mayBeEmpty((any Plugin).self)
            registry.register(Editor.self, fileID: file, line: 4, Editor.init)
        }
        #expect(text == "nothing found in 1 registration")
    }

    @Test func otherMends_work() throws {
        let context = try AppContext().load(
            Module("Editor") { registry in
                registry.register(Editor.init)
                registry.register { Tags(tags: ["new"]) }
                registry.register((any Plugin).self) { Spelling() }
            })
        #expect(context.validate().findings.isEmpty)
        #expect(try context.resolve(Editor.self).plugins.count == 1)
        #expect(try context.resolve(Tags.self).tags == ["new"])
    }

    @Test func elementsThatAConditionSwitchesOff_mayBeMissingOnPurpose() throws {
        let plugins = Module("Plugins", when: .property("plugins", equals: true)) { registry in
            registry.register((any Plugin).self) { Spelling() }
        }
        let editor = Module("Editor") { $0.register(Editor.init) }
        #expect(try report(on: plugins, editor) == "nothing found in 1 registration")
    }
}

@Suite("Validation finds scopes whose names are nearly equal")
struct ScopeNameFindingTests {
    @Test func scopeThatIsMisspelled_isFound_whenFewerRegistrationsHaveIt() throws {
        let text = try report { registry in
            registry.register(Basket.self, scope: .sesion, fileID: file, line: 2) { Basket() }
            registry.register(Shop.self, scope: .session, fileID: file, line: 3) { Shop() }
            registry.register(Stock.self, scope: .session, fileID: file, line: 4) { Stock() }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: warning: Basket has scope .sesion, whose name is similar to .session
                Shop/Shop.swift:3: note: Shop has scope .session
                  fix: correct the name, and declare each scope once: static let session = Scope("session")
                1 warning in 3 registrations
                """)
    }

    @Test(
        arguments: [
            ("user-session", "user-sesion", #"Scope("user-session")"#, "userSession"),
            ("default", "defalt", ".default", "`default`"),
            ("2fa-login", "2fa-logn", #"Scope("2fa-login")"#, "…"),
            ("static", "statik", ".static", "`static`"),
        ])
    func fixForAMisspelledScope_isADeclaration(name: String, misspelled: String, shown: String, constant: String) throws
    {
        let text = try report { registry in
            registry.register(Basket.self, scope: Scope(misspelled), fileID: file, line: 2) { Basket() }
            registry.register(Shop.self, scope: Scope(name), fileID: file, line: 3) { Shop() }
            registry.register(Stock.self, scope: Scope(name), fileID: file, line: 4) { Stock() }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: warning: Basket has scope \(Scope(misspelled)), whose name is similar to \(shown)
                Shop/Shop.swift:3: note: Shop has scope \(shown)
                  fix: correct the name, and declare each scope once: static let \(constant) = Scope("\(name)")
                1 warning in 3 registrations
                """)
    }

    @Test func fixForAMisspelledScope_requiresOpening_ifOneOfThemDoes() throws {
        let text = try report { registry in
            registry.register(Basket.self, scope: Scope("reqest"), fileID: file, line: 2) { Basket() }
            registry.register(Stock.self, scope: Scope("reqest"), fileID: file, line: 3) { Stock() }
            registry.register(Shop.self, scope: .request, fileID: file, line: 4) { Shop() }
        }
        #expect(text.contains(#"static let reqest = Scope("reqest", requiresOpening: true)"#))
        let tied = try report { registry in
            registry.register(Basket.self, scope: Scope("reqest"), fileID: file, line: 2) { Basket() }
            registry.register(Shop.self, scope: .request, fileID: file, line: 4) { Shop() }
        }
        #expect(tied.contains(#"static let request = Scope("request", requiresOpening: true)"#))
    }

    @Test func scopeThatOnlyAMisspelledNameOpens_isFound_andTheFixWorks() throws {
        func context(_ scope: Scope) throws -> AppContext {
            try AppContext().load(
                Module("Shop") { registry in
                    registry.input(String.self, scope: .request, fileID: file, line: 2)
                    registry.register(Stock.self, scope: scope, fileID: file, line: 3) { Stock() }
                })
        }
        let misspelt = try context(.reqest)
        #expect(
            misspelt.validate().description == """
                Shop/Shop.swift:3: warning: Stock has scope .reqest, whose name is similar to .request
                Shop/Shop.swift:2: note: String has scope .request
                  fix: correct the name, and declare each scope once: \
                static let request = Scope("request", requiresOpening: true)
                1 warning in 2 registrations
                """)
        let error = locatorError { try misspelt.child(opening: .request, giving: "x").resolve(Stock.self) }
        #expect(error?.description.contains("Stock has scope .reqest, which is not open in this context") == true)
        let corrected = try context(.request)
        #expect(corrected.validate().findings.isEmpty)
        _ = try corrected.child(opening: .request, giving: "x").resolve(Stock.self)
    }

    @Test func scopesWithOtherNames_areNotFindings() throws {
        let text = try report { registry in
            registry.register(Basket.self, scope: .session) { Basket() }
            registry.register(Shop.self, scope: Scope("document")) { Shop() }
        }
        #expect(text == "nothing found in 2 registrations")
    }
}

@Suite("The first of two loads at one priority wins, and validation says how to change that")
struct EqualPriorityFindingTests {
    private let real = Module("Real") { $0.register(Mail.self, fileID: file, line: 2) { Mail(name: "real") } }
    private let fake = Module("Fake") { $0.register(Mail.self, fileID: file, line: 3) { Mail(name: "fake") } }

    @Test func fallbackOfALowPriority_isHiddenOnPurpose() throws {
        let fallback = Module("Defaults") { $0.register(Stock.self) { Stock() } }
        let own = Module("App") { $0.register(Stock.self) { Stock() } }
        let context = try AppContext().load(fallback, priority: .low).load(own)
        #expect(context.validate().findings.isEmpty)
        let other = Module("Other") { $0.register(Stock.self) { Stock() } }
        try context.load(other, priority: .low)
        #expect(context.validate().findings.isEmpty)
        try context.unload(own)
        #expect(context.validate().findings.map(\.kind) == [.shadowed])
    }

    @Test func laterLoad_isHidden_withBothPlaces() throws {
        let context = try AppContext().load(real).load(fake)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:3: warning: Mail in module "Fake" is hidden: another module comes first
                Shop/Shop.swift:2: note: module "Real" (priority normal) comes first
                  fix: among modules of equal priority, the first one loaded wins: push the intended one, load the fallback with priority .low, remove one of them, or give them qualifiers
                1 warning in 2 registrations
                """)
        #expect(try context.resolve(Mail.self).name == "real")
    }

    @Test func mends_work() throws {
        let pushed = try AppContext().load(real)
        try pushed.push(fake)
        #expect(pushed.validate().findings.isEmpty)
        #expect(try pushed.resolve(Mail.self).name == "fake")
        let loaded = try AppContext().load(real).load(fake, priority: .high)
        #expect(try loaded.resolve(Mail.self).name == "fake")
    }
}

@Suite("One mistake is one finding that lists everything affected")
struct OneFindingTests {
    @Test func missingKey_isOneFinding() throws {
        let text = try report { registry in
            registry.register(Shop.self, fileID: file, line: 2) { (_: Stock, _: Lazy<Stock>) in Shop() }
            registry.register(Int.self, fileID: file, line: 3) { (_: Stock) in 1 }
            registry.register(UInt.self, fileID: file, line: 4) { (_: Provider<Stock>) in 1 }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: Shop needs Stock, which is not registered
                Shop/Shop.swift:3: note: Int needs it, too
                Shop/Shop.swift:4: note: UInt needs it, too
                  fix: register it in a loaded module: registry.register(Stock.self) { … }
                1 error in 3 registrations
                """)
    }

    @Test func missingSetting_isOneFinding() throws {
        let text = try report { registry in
            registry.register(Shop.self, fileID: file, line: 2) { (_: Server) in Shop() }
            registry.register(Stock.self, fileID: file, line: 3) { (_: Server, _: Shop) in Stock() }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: Shop needs Server: the setting \
                server is missing (expected Server)
                note: no settings are loaded
                Shop/Shop.swift:3: note: Stock needs Shop
                Shop/Shop.swift:3: note: Stock needs it, too
                  fix: load them before the first access: try context.loadProperties(from: "Config"), or pass `properties:` to a module
                1 error in 2 registrations
                """)
    }

    @Test func findingKnowsTheKeysOfAll() throws {
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Shop.self) { (_: Stock) in Shop() }
                registry.register(Int.self) { (_: Stock) in 1 }
            })
        #expect(context.validate().errors.map(\.keys) == [[Key(Stock.self), Key(Shop.self), Key(Int.self)]])
    }

    @Test func instanceOfScopeGraph_isOneFinding_howeverManyHoldIt() throws {
        let text = try report { registry in
            registry.register(Basket.self, scope: .graph, fileID: file, line: 2) { Basket() }
            registry.register(Shop.self, fileID: file, line: 3) { (_: Basket) in Shop() }
            registry.register(Stock.self, fileID: file, line: 4) { (_: Basket) in Stock() }
            registry.register(Report.self, fileID: file, line: 5) { (_: Basket) in Report() }
            registry.register(Tags.self, fileID: file, line: 6) { (_: Basket) in Tags(tags: []) }
        }
        #expect(
            text == """
                Shop/Shop.swift:3: error: Shop (.singleton) holds Basket (.graph), which has a shorter lifetime
                Shop/Shop.swift:2: note: Basket is registered here
                Shop/Shop.swift:4: note: Stock (.singleton) holds it, too
                Shop/Shop.swift:5: note: Report (.singleton) holds it, too
                Shop/Shop.swift:6: note: Tags (.singleton) holds it, too
                  fix: take a Provider, or register it as .prototype if each holder may have its own
                1 error in 5 registrations
                """)
    }
}
