import Locator
import TestSupport
import Testing

private let file: StaticString = "Shop/Shop.swift"

private protocol Logger: Sendable {}
private struct FileLogger: Logger {}
private struct Printer: Logger {}
private struct FakeLogger: Logger {}
private struct Report: Sendable { let logger: any Logger }

/// What beginners do.
@Suite("A beginner's mistake is reported with what to write instead")
struct BeginnerTests {
    private func context(_ register: @escaping @Sendable (Registry) -> Void) throws -> AppContext {
        try AppContext().load(Module("Shop", register))
    }

    private func errors(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    private func text<Value>(_ context: AppContext, _ type: Value.Type) -> String? {
        message { try context.resolve(type, fileID: "Shop/Main.swift", line: 9) }
    }

    // MARK: Types

    @Test func asking_forTheClass_whenTheProtocolIsRegistered() throws {
        let context = try context { registry in
            registry.register((any Logger).self, fileID: file, line: 2) { FileLogger() }
        }
        // Before it is made, only the name suggests it.
        #expect(
            text(context, FileLogger.self) == """
                Shop/Main.swift:9: FileLogger is not registered
                  near: any Logger (Shop/Shop.swift:2), which may return a FileLogger
                  fix: register it in a loaded module: registry.register(FileLogger.self) { … }
                """)
        _ = try context.resolve((any Logger).self)
        #expect(
            text(context, FileLogger.self) == """
                Shop/Main.swift:9: FileLogger is not registered
                  near: any Logger (Shop/Shop.swift:2), whose instance is a FileLogger
                  fix: request any Logger instead, or register FileLogger.self itself
                """)
        #expect(
            text(context, Printer.self) == """
                Shop/Main.swift:9: Printer is not registered
                  fix: register it in a loaded module: registry.register(Printer.self) { … }
                """)
    }

    @Test func validate_namesTheProtocol_butNotForAnOptional() throws {
        let context = try context { registry in
            registry.register((any Logger).self, fileID: file, line: 2) { FileLogger() }
            registry.register(Int.self, fileID: file, line: 3) { (_: FileLogger) in 1 }
            registry.register(String.self, fileID: file, line: 4) { (_: FileLogger?) in "" }
        }
        #expect(
            context.validate().description == """
                Shop/Shop.swift:3: error: Int needs FileLogger, which is not registered
                Shop/Shop.swift:2: note: near: any Logger, which may return a FileLogger
                  fix: register it in a loaded module: registry.register(FileLogger.self) { … }
                1 error in 3 registrations
                """)
    }

    @Test func asking_forAny() throws {
        let context = try context { $0.register(Int.self) { 1 } }
        #expect(
            message { () throws -> Any in try context.resolve(fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: Any is not registered
                  the compiler inferred Any
                  fix: specify the type to resolve
                """)
    }

    @Test func registering_whatReturnsNothing() {
        #expect(
            message {
                try context { registry in
                    registry.register(fileID: file, line: 2) { _ = FileLogger() }
                }
            } == """
                Shop/Shop.swift:2: () cannot be registered: the closure returns nothing
                  fix: return the instance; if the closure has several statements, write its return type
                """)
    }

    // MARK: Contexts

    @Test func resolving_fromAnotherContext_insideAClosure() throws {
        let other = AppContext()
        let filled = try AppContext().load(Module("Other") { $0.register(Int.self) { 1 } })
        let context = try context { registry in
            registry.register(Report.self, fileID: file, line: 2) {
                Report(logger: try other.resolve((any Logger).self))
            }
            registry.register(String.self, fileID: file, line: 3) { "\(try filled.resolve(FileLogger.self))" }
            registry.register((any Logger).self) { FileLogger() }
        }
        #expect(
            text(context, Report.self) == """
                Shop/Shop.swift:2: any Logger is not registered
                  needed by Report (Shop/Shop.swift:2)
                  requested: Report at Shop/Main.swift:9
                  no module is loaded in this context
                  requested from a context other than the one that makes Report: take it as a parameter, or use AppContext.current
                  fix: register it in a loaded module: registry.register((any Logger).self) { … }
                """)
        #expect(
            text(context, String.self) == """
                Shop/Shop.swift:3: FileLogger is not registered
                  needed by String (Shop/Shop.swift:3)
                  requested: String at Shop/Main.swift:9
                  requested from a context other than the one that makes String: take it as a parameter, or use AppContext.current
                  fix: register it in a loaded module: registry.register(FileLogger.self) { … }
                """)
    }

    @Test func testing_withoutTheModulesOfTheProgram() throws {
        let fakes = Module("Fakes") { $0.register(FileLogger.self) { FileLogger() } }
        let unloaded = AppContext()
        #expect(
            text(try unloaded.fork(pushing: fakes), Int.self) == """
                Shop/Main.swift:9: Int is not registered
                  this context is a fork of one without modules, so it only has pushed modules
                  fix: load the modules of the program into the context that is forked, such as the base: of the test trait, \
                or push one that registers Int
                """)
        // In a fork of a context with modules, and in a context that only pushes, it is the registration that is missing.
        try unloaded.push(fakes)
        for context in [unloaded, try unloaded.fork(pushing: Module("More"))] {
            #expect(
                text(context, Int.self) == """
                    Shop/Main.swift:9: Int is not registered
                      fix: register it in a loaded module: registry.register(Int.self) { … }
                    """)
        }
    }

    @Test func asking_theSharedContext_whenNothingIsLoaded() async {
        // In a separate process, because other tests also use the shared context.
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let logger = Dependency<any Logger>(fileID: "Shop/Screen.swift", line: 5)
            let context = try AppContext().load(Module("Shop") { $0.register((any Logger).self) { FileLogger() } })
            AppContext.withContext(context) { _ = logger() }
        }
        #expect(
            errors(result).contains(
                """
                Shop/Screen.swift:5: Fatal error: any Logger is not registered
                  no module is loaded in AppContext.shared. It is the current context unless another one is entered
                  fix: load its module before the first access, or create the wrapper in the context that has it: \
                AppContext.withContext(context) { … }. Detached tasks, threads, and dispatch blocks do not inherit a context
                """))
    }

    @Test(arguments: [true, false])
    func asking_theSharedContext_forASetting(isWrapper: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isWrapper] in
            let port = PropertyValue<Int>("server.port", fileID: "Shop/Screen.swift", line: 5)
            let context = try AppContext().load(Module("Shop", properties: ["server.port": 80]))
            let text = AppContext.withContext(context) {
                message {
                    isWrapper
                        ? try port.resolved()
                        : try AppContext.shared.value("server.port", fileID: "Shop/Screen.swift", line: 5)
                }
            }
            fatalError(text ?? "no error")
        }
        #expect(
            errors(result).contains(
                """
                Shop/Screen.swift:5: server.port is missing (expected Int)
                  no settings are loaded in AppContext.shared. It is the current context unless another one is entered
                  fix: load them before the first access: try context.loadProperties(from: "Config"), or pass `properties:` \
                to a module, or \(isWrapper ? "create the wrapper in" : "enter") the context that has them: \
                AppContext.withContext(context) { … }. Detached tasks, threads, and dispatch blocks do not inherit a context
                """))
    }

    @Test func registering_afterTheClosureHasReturned() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            nonisolated(unsafe) var kept: Registry?
            let module = Module("Late", fileID: "Shop/Late.swift", line: 4) { kept = $0 }
            try AppContext().load(module)
            kept?.register(Int.self) { 1 }
        }
        #expect(
            errors(result).contains(
                """
                Shop/Late.swift:4: Fatal error: module "Late" uses its registry after its closure has returned
                  fix: register inside the closure; do not keep the registry or what it returns
                """))
    }

    // MARK: Settings

    @Test func condition_onAStringThatSpellsABool() throws {
        let settings = Module(
            "Settings",
            properties: [
                "feature.mail": "true", "retries": 3, "token": "1", "on": true, "id": 9_007_199_254_740_993,
            ])
        func report(_ condition: Condition) throws -> String {
            try AppContext().load(settings, Module("Mail", when: condition, fileID: file, line: 2)).validate()
                .description
        }
        #expect(
            try report(.property("feature.mail", equals: true)) == """
                Shop/Shop.swift:2: warning: module "Mail" is off unless setting "feature.mail" equals true, \
                but it is the string "true" (module "Settings")
                  fix: remove the quotes in the profile file, or compare it with "true"
                1 warning in 0 registrations
                """)
        #expect(
            try report(.property("retries", equals: "3")) == """
                Shop/Shop.swift:2: warning: module "Mail" is off unless setting "retries" equals "3", \
                but it is 3 (module "Settings")
                  fix: compare it with 3, without quotes
                1 warning in 0 registrations
                """)
        #expect(
            try report(.property("retries", equals: true)) == """
                Shop/Shop.swift:2: warning: module "Mail" is off unless setting "retries" equals true, \
                but it is 3 (module "Settings")
                  fix: set "retries" to true or false
                1 warning in 0 registrations
                """)
        #expect(
            try report(.not(.property("on", equals: 1))) == """
                Shop/Shop.swift:2: warning: module "Mail" is on unless setting "on" equals 1, \
                but it is true (module "Settings")
                  fix: set "on" to a number
                1 warning in 0 registrations
                """)
        for right in [
            Condition.property("feature.mail", equals: "true"), .property("retries", equals: 4),
            .property("token", equals: 1), .property("retries"), .property("on", equals: false),
            .property("feature.mail", equals: "false"), .property("id", equals: 5),
        ] {
            #expect(try report(right) == "nothing found in 0 registrations")
        }
    }

    @Test(
        "A condition on a text that is no Bool or number",
        arguments: [
            ("true", true, nil), ("off", true, "set \"mail.on\" to true or false"),
            ("false", false, nil), ("ture", false, "set \"mail.on\" to true or false"),
            ("12", 12, nil), ("8", 12, nil), ("many", 12, "set \"mail.on\" to a number"),
        ] as [(String, JSONValue, String?)])
    func condition_onAText(text: String, value: JSONValue, fix: String?) throws {
        let folder = try TemporaryFolder(["application.json": "{}"])
        let context = try AppContext()
            .loadProperties(
                from: folder.path, environment: ["SHOP_MAIL__ON": text], overrides: .environment(prefix: "SHOP_")
            )
            .load(Module("Mail", when: .property("mail.on", equals: value), fileID: file, line: 2))
        let found = fix.map { fix in
            """
            Shop/Shop.swift:2: warning: module "Mail" is off unless setting "mail.on" equals \(value), \
            but it is the string "\(text)" (environment variable SHOP_MAIL__ON)
              fix: \(fix)
            1 warning in 0 registrations
            """
        }
        #expect(context.validate().description == found ?? "nothing found in 0 registrations")
    }

    @Test func properties_ofAWholeAndOfItsPart() throws {
        func error(_ properties: [String: JSONValue]) -> String? {
            message { try AppContext().load(Module("M", properties: properties, fileID: "Shop/Shop.swift", line: 2)) }
        }
        #expect(
            error(["server": "x", "server.port": 1, "server.a.b": 2]) == """
                server.a.b: expected an object at server, found a string; keep one of them (Shop/Shop.swift:2: module "M")
                server.port: expected an object at server, found a string; keep one of them (Shop/Shop.swift:2: module "M")
                """)
        #expect(
            error(["password": "x", "password.old": 1]) == """
                password.old: expected an object at password, found a string; keep one of them \
                (Shop/Shop.swift:2: module "M")
                """)
        // Only the module's own settings, or a file, say that this is a secret.
        #expect(
            error(["locator.secrets": ["pin"], "pin": "hunter2", "pin.old": 1])
                == #"pin.old: expected an object at pin, found a string; keep one of them (Shop/Shop.swift:2: module "M")"#
        )
        let context = try AppContext().load(
            Module("M", properties: ["server": ["host": "h"], "server.port": 1, "client": nil, "client.port": 2]))
        #expect(try context.value("server.port", as: Int.self) == 1)
        #expect(try context.value("client.port", as: Int.self) == 2)
    }

    @Test(
        "A malformed list of secrets does not expose a secret",
        arguments: [
            ("lic.code", #"locator.secrets: expected an array of paths, found string "lic.code""#),
            (["lic.code": true], "locator.secrets: expected an array of paths, found an object"),
            ([1], "locator.secrets[0]: expected a path, found number 1"),
            (
                ["lic..code"],
                #"locator.secrets[0]: malformed path "lic..code": expected a key at column 5, found ".""#
            ),
        ] as [(JSONValue, String)])
    func properties_withAMalformedListOfSecrets(list: JSONValue, expected: String) throws {
        let module = Module(
            "M", properties: ["locator.secrets": list, "lic.code": "hunter2"], fileID: "Shop/Shop.swift", line: 2)
        let context = AppContext()
        #expect(message { try context.load(module) } == #"\#(expected) (Shop/Shop.swift:2: module "M")"#)
        #expect(message { try context.push(module) } == #"\#(expected) (Shop/Shop.swift:2: module "M")"#)
        #expect(context.properties["lic.code"] == nil)
    }

    @Test func properties_thatOnlyAFileCanSet() throws {
        let context = try AppContext().load(
            Module("M", properties: ["locator.secret": ["pin"]], fileID: file, line: 2),
            Module("N", properties: ["locator.profiles.groups": ["prod": ["eu"]]], fileID: file, line: 3))
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: warning: locator.secret has no meaning; did you mean locator.secrets? (module "M")
                  fix: correct the key, or remove it
                Shop/Shop.swift:3: warning: locator.profiles has no meaning (module "N")
                  fix: move it to a profile file
                2 warnings in 0 registrations
                """)
    }

    // MARK: Scopes

    @Test func scope_withTheNameOfOneOfTheLibrary() throws {
        let context = try context { registry in
            registry.register(Int.self, scope: Scope("prototype"), fileID: file, line: 2) { 1 }
            registry.register(String.self, scope: Scope("Singelton"), fileID: file, line: 3) { "" }
            registry.register(Double.self, scope: Scope("week"), fileID: file, line: 4) { 1 }
        }
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: warning: Int has scope .prototype, which is a custom scope, not the predefined .prototype
                  fix: write `scope: .prototype`, or give the custom scope another name
                Shop/Shop.swift:3: warning: String has scope .Singelton, which is a custom scope with a name similar to .singleton
                  fix: write `scope: .singleton`, or give the custom scope another name
                2 warnings in 3 registrations
                """)
    }

    @Test func scopeOfAWrapper_thatBelongsToTheOuterContext() throws {
        let context = try context { registry in
            registry.register(
                Int.self, scope: Scope("request", requiresOpening: true), fileID: file, line: 2
            ) { 1 }
        }
        defer { withExtendedLifetime(context) {} }
        let number = AppContext.withContext(context) { Dependency<Int>(fileID: "Shop/Screen.swift", line: 5) }
        #expect(
            message { try number.resolved() } == """
                Shop/Shop.swift:2: Int has scope .request, which is not open in this context
                  requested: Int at Shop/Screen.swift:5
                  fix: create the wrapper in a child that opens the scope: give its owner the scope .request, \
                or pass the instance to its methods
                """)
    }

    // MARK: Qualifiers

    @Test func qualifierAndSetting_mixedUp() throws {
        struct Screen {
            @Dependency(qualifierBy: "file", fileID: "Shop/Screen.swift", line: 5) var byName: any Logger
            @Dependency(qualifier: "logger.storage", fileID: "Shop/Screen.swift", line: 6) var byPath: any Logger
        }
        struct Right {
            @Dependency(qualifier: "file") var byName: any Logger
            @Dependency(qualifierBy: "logger.storage") var byPath: any Logger
        }
        let module = Module("Shop", properties: ["logger.storage": "file"]) { registry in
            registry.register((any Logger).self, qualifier: "file", fileID: file, line: 2) { FileLogger() }
        }
        let context = try AppContext().load(module)
        defer { withExtendedLifetime(context) {} }
        let screen = AppContext.withContext(context) { Screen() }
        #expect(
            message { try screen.$byName.resolved() } == """
                Shop/Screen.swift:5: file is missing (expected String)
                  its value is the qualifier of any Logger, registered as "file"
                  fix: "file" is a qualifier: write qualifier: "file"; qualifierBy: takes the path of a setting
                """)
        #expect(
            message { try screen.$byPath.resolved() } == """
                Shop/Screen.swift:6: any Logger "logger.storage" is not registered
                  near: any Logger "file" (Shop/Shop.swift:2)
                  fix: "logger.storage" is a setting: write qualifierBy: "logger.storage", or .property("logger.storage")
                """)
        let right = AppContext.withContext(context) { Right() }
        #expect(right.byName is FileLogger && right.byPath is FileLogger)
    }

    // MARK: Fakes

    @Test func fake_thatIsRegisteredAsItsClass() throws {
        let context = try context { registry in
            registry.register((any Logger).self, fileID: file, line: 2) { FileLogger() }
            registry.register(fileID: file, line: 3, Report.init)
        }
        let wrong = Module("Fakes") { $0.register(fileID: "Tests/Fakes.swift", line: 4) { Printer() } }
        let near = Module("Fakes") { $0.register(fileID: "Tests/Fakes.swift", line: 4) { FakeLogger() } }
        let right = Module("Fakes") { registry in
            registry.register { FakeLogger() }
            registry.register((any Logger).self) { FakeLogger() }
        }
        func report(_ module: Module) throws -> String {
            let push = try context.push(module)
            defer { push.pop() }
            return context.validate().description
        }
        #expect(
            try report(near) == """
                Tests/Fakes.swift:4: warning: FakeLogger in module "Fakes" is pushed but replaces nothing, \
                although any Logger is registered
                Shop/Shop.swift:2: note: near: any Logger, which may return a FakeLogger
                  fix: register it with the key it replaces: registry.register((any Logger).self) { … }
                1 warning in 3 registrations
                """)
        #expect(try report(right) == "nothing found in 4 registrations")
        // Something new, which replaces nothing on purpose.
        #expect(try report(wrong) == "nothing found in 3 registrations")
        try context.load(near)
        #expect(context.validate().description == "nothing found in 3 registrations")
    }

    @Test func fake_withAMisspelledQualifier() throws {
        let context = try context { registry in
            for (line, name) in zip(UInt(2)..., ["file", "console", "shard1"]) {
                registry.register((any Logger).self, qualifier: .named(name), fileID: file, line: line) { FileLogger() }
            }
        }
        func report(_ names: String...) throws -> String {
            let fakes = Module("Fakes") { registry in
                for name in names {
                    registry.register((any Logger).self, qualifier: .named(name), fileID: "Tests/Fakes.swift", line: 4)
                    {
                        FakeLogger()
                    }
                }
            }
            let push = try context.push(fakes)
            defer { push.pop() }
            return context.validate().description
        }
        #expect(
            try report("fiel") == """
                Tests/Fakes.swift:4: warning: any Logger "fiel" in module "Fakes" is pushed but replaces nothing, \
                although any Logger "file" is registered
                Shop/Shop.swift:2: note: near: any Logger "file"
                  fix: register it with the key it replaces: registry.register((any Logger).self, qualifier: "file") { … }
                1 warning in 4 registrations
                """)
        #expect(try report("file") == "nothing found in 4 registrations")
        // Something new, which replaces nothing on purpose.
        #expect(try report("other") == "nothing found in 4 registrations")
        #expect(try report("shard2") == "nothing found in 4 registrations")
        #expect(try report("files", "file") == "nothing found in 5 registrations")
    }

    @Test func fakes_thatReplaceTheCollectionOfAnotherType() throws {
        let context = try context { registry in
            registry.register((any Logger).self, qualifier: "file", fileID: file, line: 2) { FileLogger() }
        }
        func report<T>(_ type: T.Type) throws -> String {
            let push = try context.push(Module("Fakes", fileID: "Tests/Fakes.swift", line: 4) { $0.replaceAll(type) })
            defer { push.pop() }
            return context.validate().description
        }
        #expect(
            try report(FileLogger.self) == """
                Tests/Fakes.swift:4: warning: replaceAll(FileLogger.self) in module "Fakes" replaces nothing: \
                no module after it registers FileLogger
                Shop/Shop.swift:2: note: near: any Logger "file", which may return a FileLogger
                  fix: pass the type of the elements to replace, or remove it
                1 warning in 1 registration
                """)
        #expect(try report((any Logger).self) == "nothing found in 1 registration")
        // Elements that a condition turns off are missing on purpose.
        try context.load(
            Module("Off", when: .profile("none")) { $0.register(FileLogger.self, qualifier: "x") { FileLogger() } })
        #expect(!(try report(FileLogger.self).contains("replaceAll")))
    }
}
