import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

private protocol Logger: Sendable {}
private struct FileLogger: Logger {}
private struct Shop: Sendable {}
private struct Stock: Sendable {}

@Suite("Validation finds parts of modules that have no effect")
struct ModuleFindingTests {
    // MARK: Decorators

    @Test func decorator_thatWrapsNothing() throws {
        let shop = Module("Shop") { registry in
            registry.register((any Logger).self, qualifier: "file", fileID: file, line: 2) { FileLogger() }
            registry.decorate(Stock.self, fileID: file, line: 3) { $0 }
            registry.decorate((any Logger).self, qualifier: "fil", fileID: file, line: 4) { $0 }
            registry.decorate((any Logger).self, fileID: file, line: 5) { $0 }
        }
        let found = try AppContext().load(shop).validate()
        #expect(found.findings.map { "\($0.keys)" } == ["[Stock]", "[any Logger \"fil\"]"])
        #expect(
            found.description == """
                Shop/Shop.swift:3: error: the decorator of Stock wraps nothing: \
                neither module "Shop" nor any module after it registers Stock
                  fix: correct the decorated type, register it, or remove the decorator
                Shop/Shop.swift:4: error: the decorator of any Logger "fil" wraps nothing: \
                neither module "Shop" nor any module after it registers any Logger "fil"
                Shop/Shop.swift:2: note: near: any Logger "file"
                  fix: correct the decorated type, register it, or remove the decorator
                2 errors in 1 registration
                """)
    }

    @Test func decorator_thatStandsBehindWhatItShouldWrap() throws {
        let shop = Module("Shop") { registry in
            registry.register(Stock.self, fileID: file, line: 2) { Stock() }
        }
        let behind = Module("Behind") { registry in
            registry.decorate(Stock.self, fileID: "Shop/Behind.swift", line: 2) { $0 }
        }
        #expect(
            try report(on: shop, behind) == """
                Shop/Behind.swift:2: error: the decorator of Stock wraps nothing: \
                neither module "Behind" nor any module after it registers Stock
                Shop/Shop.swift:2: note: Stock is registered before it
                  fix: load its module before those that register Stock, or give it a higher priority
                1 error in 1 registration
                """)
        #expect(try report(on: behind, shop) == "nothing found in 1 registration")
    }

    @Test func decorator_thatStandsBehindAFactory() throws {
        let context = try AppContext().load(
            Module("App") { $0.factory(String.self, fileID: "Shop/App.swift", line: 2) { (_: Int) in "" } },
            Module("Loud") { $0.decorate(String.self, fileID: "Shop/Loud.swift", line: 3) { (base: String) in base } })
        #expect(
            context.validate().errors.map(\.description) == [
                """
                Shop/Loud.swift:3: error: the decorator of String wraps nothing: neither module "Loud" nor any module after it \
                registers String
                Shop/App.swift:2: note: String is registered before it
                  fix: load its module before those that register String, or give it a higher priority
                """
            ])
    }

    @Test func decorator_ofWhatAConditionSwitchesOff_isAWarning() throws {
        let mail = Module("Mail", when: .property("mail.on")) { registry in
            registry.register(Stock.self, fileID: "Shop/Mail.swift", line: 2) { Stock() }
        }
        let shop = Module("Shop") { registry in
            registry.decorate(Stock.self, fileID: file, line: 2) { $0 }
        }
        #expect(
            try report(on: shop, mail) == """
                Shop/Shop.swift:2: warning: the decorator of Stock wraps nothing: \
                neither module "Shop" nor any module after it registers Stock
                Shop/Mail.swift:2: note: module "Mail" registers Stock, but is off unless setting "mail.on" exists
                  fix: make the condition true, or move the decorator into the module with the condition
                1 warning in 0 registrations
                """)
    }

    @Test func decorator_ofWhatAConditionSwitchesOff_isAWarning_underAFake() throws {
        let context = try AppContext().load(
            Module("Shop") { registry in registry.decorate(Stock.self, fileID: file, line: 2) { $0 } },
            Module("Mail", when: .property("mail.on")) { registry in registry.register(Stock.self) { Stock() } })
        let own = context.validate().warnings.map(\.description)
        let fork = try context.fork(pushing: Module("Fakes") { $0.register(Stock.self) { Stock() } })
        #expect(own.count == 1)
        #expect(fork.validate().warnings.map(\.description) == own)
        #expect(fork.validate().errors.isEmpty)
    }

    @Test func decorator_ofAnAlias_orOfAFactory_wrapsIt() throws {
        let text = try report { registry in
            registry.register(FileLogger.self) { FileLogger() }.alias((any Logger).self) { $0 }
            registry.factory(Stock.self) { (_: String) in Stock() }
            registry.decorate((any Logger).self) { $0 }
            registry.decorate(Stock.self) { $0 }
        }
        #expect(text == "nothing found in 2 registrations")
    }

    // MARK: Hidden registrations

    @Test func registration_thatAnotherModuleHides() throws {
        let front = Module("Front") { registry in
            registry.register(Stock.self, fileID: "Shop/Front.swift", line: 2) { Stock() }
            registry.register((any Logger).self, qualifier: "file", fileID: "Shop/Front.swift", line: 3) {
                FileLogger()
            }
            registry.factory(Shop.self, fileID: "Shop/Front.swift", line: 4) { (_: String) in Shop() }
        }
        let behind = Module("Behind") { registry in
            registry.register(Stock.self, fileID: file, line: 2) { Stock() }
            registry.register((any Logger).self, qualifier: "console", fileID: file, line: 3) { FileLogger() }
            registry.factory(Shop.self, fileID: file, line: 4) { (_: String) in Shop() }
            registry.factory(Shop.self, fileID: file, line: 5) { (_: Int) in Shop() }
        }
        let context = try AppContext().load(front, priority: 700).load(behind)
        let fix =
            "  fix: remove one of them, give them qualifiers, or load the fallback with priority .low"
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: warning: Stock in module "Behind" is hidden: another module comes first
                Shop/Front.swift:2: note: module "Front" (priority 700) comes first
                \(fix)
                Shop/Shop.swift:4: warning: Shop in module "Behind" is hidden: another module comes first
                Shop/Front.swift:4: note: module "Front" (priority 700) comes first
                \(fix)
                2 warnings in 7 registrations
                """)
    }

    @Test func hiddenRegistration_isReported_notTheDecoratorAroundIt() throws {
        let caching = Module("Caching") { $0.decorate(Stock.self) { $0 } }
        let front = Module("Front") { registry in
            registry.register(Stock.self, fileID: "Shop/Front.swift", line: 2) { Stock() }
        }
        let behind = Module("Behind") { registry in
            registry.register(Stock.self, fileID: file, line: 2) { Stock() }
        }
        let context = try AppContext().load(caching, front, behind)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: warning: Stock in module "Behind" is hidden: another module comes first
                Shop/Front.swift:2: note: module "Front" (priority normal) comes first
                  fix: among modules of equal priority, the first one loaded wins: push the intended one, load the fallback with priority .low, remove one of them, or give them qualifiers
                1 warning in 2 registrations
                """)
        let nodes = context.graph().nodes
        #expect(nodes.filter { $0.kind == .registration && $0.isHidden }.map(\.module) == ["Behind"])
        #expect(nodes.filter { $0.kind == .decorator }.map(\.isHidden) == [false, true])
    }

    @Test func factory_ofAnotherPayload_isNotHidden() throws {
        let front = Module("Front") { $0.factory(Shop.self) { (_: String) in Shop() } }
        let behind = Module("Behind") { registry in
            registry.factory(Shop.self, fileID: file, line: 2) { (_: Int, _: Stock) in Shop() }
        }
        #expect(
            try report(on: front, behind) == """
                Shop/Shop.swift:2: error: Shop needs Stock, which is not registered
                  fix: register it in a loaded module: registry.register(Stock.self) { … }
                1 error in 2 registrations
                """)
    }

    @Test(arguments: [Priority.normal, .high])
    func fixOfAHiddenRegistration_works(_ priority: Priority) throws {
        func context(fallback: Priority) throws -> AppContext {
            try AppContext()
                .load(Module("Real") { $0.register(Stock.self) { Stock() } }, priority: priority)
                .load(Module("Fallback") { $0.register(Stock.self) { Stock() } }, priority: fallback)
        }
        let fix = try context(fallback: .normal).validate().findings.first?.suggestion
        #expect(fix?.contains("load the fallback with priority .low") == true)
        #expect(try context(fallback: .low).validate().findings.isEmpty)
    }

    @Test func registration_thatNothingCanRequest() throws {
        let front = Module("Front") { registry in
            registry.register(Stock.self, fileID: "Shop/Front.swift", line: 2) { Stock() }
            registry.replaceAll(Stock.self)
        }
        let behind = Module("Behind") { registry in
            registry.register(Stock.self, fileID: file, line: 2) { Stock() }
        }
        #expect(
            try report(on: front, behind) == """
                Shop/Shop.swift:2: warning: Stock in module "Behind" is never used: another module comes first, \
                and replaces its collections
                Shop/Front.swift:2: note: module "Front" (priority normal) comes first
                  fix: remove it, or move its module forward in the lookup order
                1 warning in 2 registrations
                """)
    }

    @Test func pushedModule_hidesOnPurpose() throws {
        let shop = Module("Shop") { registry in
            registry.register(Stock.self) { Stock() }
            registry.register(Shop.self) { Shop() }
        }
        let included = Module("Included") { $0.register(Shop.self) { Shop() } }
        let fakes = Module("Fakes", including: [included]) { registry in
            registry.register(Stock.self) { Stock() }
            registry.replaceAll(Stock.self)
        }
        let context = try AppContext().load(shop).push(fakes).context
        #expect(context.validate().description == "nothing found in 4 registrations")
        #expect(try context.child().validate().description == "nothing found in 4 registrations")
    }

    @Test func collection_withoutSingleRequests_isNotAFinding() throws {
        let first = Module("First") { registry in
            registry.register((any Logger).self) { FileLogger() }
            registry.register((any Logger).self) { FileLogger() }
            registry.register((any Logger).self, qualifier: "file") { FileLogger() }
            registry.register((any Logger).self, qualifier: "file") { FileLogger() }
        }
        #expect(try report(on: first) == "nothing found in 4 registrations")
    }

    @Test func registration_thatIsRequestedInACollection_isNotHidden() throws {
        let front = Module("Front") { registry in
            registry.register((any Logger).self) { FileLogger() }
            registry.register(Shop.self) { (_: [any Logger]) in Shop() }
        }
        let behind = Module("Behind") { registry in
            registry.register((any Logger).self) { FileLogger() }
        }
        #expect(try report(on: front, behind) == "nothing found in 3 registrations")
    }

    // MARK: Names

    @Test func modules_ofOneName() throws {
        let first = Module("Shop", fileID: file, line: 1)
        let second = Module("Shop", fileID: "Shop/Other.swift", line: 9)
        #expect(
            try report(on: first, second) == """
                Shop/Other.swift:9: warning: two modules are named "Shop", \
                so errors and selections cannot tell them apart
                Shop/Shop.swift:1: note: the other module
                  fix: rename one of them, or load the same module constant
                1 warning in 0 registrations
                """)
        #expect(try report(on: first, first) == "nothing found in 0 registrations")
    }

    // MARK: Optionals

    @Test func optional_thatNothingAnswers_whileSomethingNearDoes() throws {
        struct Stok: Sendable {}
        let settings = Module("Settings", properties: ["logger.storage": "disk"])
        let shop = Module("Shop") { registry in
            registry.register((any Logger).self, qualifier: "file", fileID: file, line: 2) { FileLogger() }
            registry.register(Stock.self, fileID: file, line: 3) { Stock() }
            registry.register(
                Shop.self, parameterQualifiers: ["fil", nil], fileID: file, line: 4
            ) { (_: (any Logger)?, _: Lazy<Stok?>) in Shop() }
            registry.register(
                Int.self, parameterQualifiers: [.property("logger.storage")], fileID: file, line: 5
            ) { (_: (any Logger)?) in 1 }
        }
        let fix = "  fix: use what is registered, or register what is missing"
        #expect(
            try report(on: settings, shop) == """
                Shop/Shop.swift:4: warning: Shop gets nil for any Logger "fil", although something similar is registered
                Shop/Shop.swift:2: note: near: any Logger "file"
                \(fix)
                Shop/Shop.swift:4: warning: Shop gets nil for Stok, although something similar is registered
                Shop/Shop.swift:3: note: near: Stock
                \(fix)
                Shop/Shop.swift:5: warning: Int gets nil for any Logger "disk", although something similar is registered
                note: the qualifier is the value of setting "logger.storage" (module "Settings")
                Shop/Shop.swift:2: note: near: any Logger "file"
                \(fix)
                3 warnings in 4 registrations
                """)
    }

    @Test func optional_withAQualifierUnlikeOthers_isAsItShouldBe() throws {
        let shop = Module("Shop") { registry in
            registry.register((any Logger).self, qualifier: "file1") { FileLogger() }
            registry.register(Shop.self, parameterQualifiers: ["audit"]) { (_: (any Logger)?) in Shop() }
            registry.register(Int.self, parameterQualifiers: ["file2"]) { (_: (any Logger)?) in 1 }
        }
        #expect(try report(on: shop) == "nothing found in 3 registrations")
    }

    @Test func optional_thatNothingAnswers_isAsItShouldBe() throws {
        let off = Module("Off", when: .property("stock.on")) { $0.register(Stock.self) { Stock() } }
        let shop = Module("Shop") { registry in
            registry.register(Shop.self) { (_: Stock?, _: (any Logger)?) in Shop() }
        }
        #expect(try report(on: off, shop) == "nothing found in 1 registration")
    }

    // MARK: Notes

    @Test func resolver_isListedAsNotChecked() throws {
        let text = try report { registry in
            registry.register(Stock.self, fileID: file, line: 2) { (_: Resolver) in Stock() }
            registry.register(Shop.self, fileID: file, line: 3) { Shop() }.injecting { (_: Shop, _: Resolver) in }
            registry.decorate(Shop.self, fileID: file, line: 4) { (base: Shop, _: Resolver) in base }
            registry.factory(Int.self, fileID: file, line: 5) { (_: String, _: Resolver) in 1 }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: note: Stock takes a Resolver: what it resolves is not checked
                Shop/Shop.swift:4: note: the decorator of Shop takes a Resolver: what it resolves is not checked
                Shop/Shop.swift:5: note: Int takes a Resolver: what it resolves is not checked
                Shop/Shop.swift:3: note: Shop takes a Resolver: what it resolves is not checked
                4 notes in 3 registrations
                """)
    }

    @Test func pushedRegistration_thatOthersNeed_mayReplaceNothing() throws {
        let context = try AppContext().load(
            Module("Base") { $0.register((any Logger).self) { FileLogger() } })
        try context.push(
            Module("Fake") { registry in
                registry.register(FileLogger.self) { FileLogger() }
                registry.register(Shop.self) { (_: FileLogger) in Shop() }
            })
        #expect(context.validate().description == "nothing found in 3 registrations")
    }

    @Test func replacedCollection_whoseOnlyElementIsOfTheSameModule_replacesNothing() throws {
        let context = try AppContext().load(Module("Base") { $0.register(Shop.self) { (_: [any Logger]) in Shop() } })
        try context.push(
            Module("Fake", fileID: file, line: 2) { registry in
                registry.replaceAll((any Logger).self)
                registry.register((any Logger).self) { FileLogger() }
            })
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: warning: replaceAll((any Logger).self) in module "Fake" replaces nothing: \
                no module after it registers any Logger
                  fix: pass the type of the elements to replace, or remove it
                1 warning in 2 registrations
                """)
    }

    @Test func replacedCollection_withElementsBeforeAndAfterIt_replacesThose() throws {
        func module(_ name: String) -> Module { Module(name) { $0.register((any Logger).self) { FileLogger() } } }
        let text = try report(
            on: module("First"), Module("Replacing") { $0.replaceAll((any Logger).self) }, module("Last"),
            Module("Shop") { $0.register(Shop.self) { (_: [any Logger]) in Shop() } })
        #expect(!text.contains("replaces nothing"), "\(text)")
    }

    @Test func replacedCollection_whoseElementsAreInModulesLoadedBefore_replacesNothing() throws {
        let base = Module("Base") { $0.register(Stock.self, fileID: file, line: 2) { Stock() } }
        let late = Module("Late", fileID: file, line: 3) { registry in
            registry.replaceAll(Stock.self)
            registry.register(Stock.self, fileID: file, line: 4) { Stock() }
        }
        #expect(
            try report(on: base, late) == """
                Shop/Shop.swift:3: warning: replaceAll(Stock.self) in module "Late" replaces nothing: \
                the modules that register Stock come before it
                Shop/Shop.swift:2: note: Stock is registered before it
                  fix: push module "Late", or load the others with priority .low
                1 warning in 2 registrations
                """)
        let pushed = try AppContext().load(base)
        try pushed.push(late)
        #expect(pushed.validate().description == "nothing found in 2 registrations")
        let low = try AppContext().load(base, priority: .low).load(late)
        #expect(low.validate().description == "nothing found in 2 registrations")
        // Elements of a module with a higher priority stay on purpose.
        let high = try AppContext().load(base, priority: .high).load(Module("Late") { $0.replaceAll(Stock.self) })
        #expect(high.validate().description == "nothing found in 1 registration")
    }

    @Test func elementOfAnExtensionPoint_thatCollectionsLeaveOut_isNeverUsed() throws {
        let text = try report(
            on: Module("Front", fileID: file, line: 1) { registry in
                registry.replaceAll((any Logger).self)
                registry.register((any Logger).self, fileID: file, line: 2) { FileLogger() }
            },
            Module("Base", fileID: file, line: 3) { registry in
                registry.mayBeEmpty((any Logger).self)
                registry.register((any Logger).self, fileID: file, line: 4) { FileLogger() }
            })
        #expect(
            text == """
                Shop/Shop.swift:4: warning: any Logger in module "Base" is never used: another module comes first, \
                and replaces its collections
                Shop/Shop.swift:2: note: module "Front" (priority normal) comes first
                  fix: remove it, or move its module forward in the lookup order
                1 warning in 2 registrations
                """)
    }

    @Test func instances_thatAForkShares() throws {
        let shop = Module("Shop") { registry in
            registry.register(instance: Stock(), fileID: file, line: 2)
            registry.register(Shop.self, fileID: file, line: 3) { Shop() }
        }
        let context = try AppContext().load(shop)
        #expect(context.validate().description == "nothing found in 2 registrations")
        #expect(try context.child().validate().description == "nothing found in 2 registrations")
        let text = """
            Shop/Shop.swift:2: note: Stock is registered as an instance, \
            which this fork shares with the context it was forked from
              fix: register a factory closure, so that each fork makes its own; whatever a module's closure captures is shared, too
            1 note in 2 registrations
            """
        #expect(try context.fork().validate().description == text)
        #expect(try context.fork().fork().validate().description == text)
    }
}
