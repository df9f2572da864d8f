import Locator
import TestSupport
import Testing

private let file: StaticString = "Shop/Shop.swift"

private protocol Logger: Sendable {}
private struct FileLogger: Logger {}
private struct Shop: Sendable { let logger: any Logger }
private final class Friends: Sendable {
    private let messages: Lazy<Messages>
    let early: Messages?
    init(messages: Lazy<Messages>, readsAtOnce: Bool) throws {
        self.messages = messages
        early = readsAtOnce ? try messages.resolved() : nil
    }
    var later: Messages { messages() }
}
private final class Messages: Sendable {
    let friends: Friends
    init(friends: Friends) { self.friends = friends }
}
private struct Clock: Sendable {}
private struct Timer: Sendable {}
private struct Leaf: Sendable {}
private struct Failure: Error {}
private struct Server: ConfigProperty {
    static let path = "server"
    let port: Int
}
private struct Page: Sendable {}

@Suite("Following the fix in an error or a finding works")
struct FollowedFixTests {
    /// The text of the error that resolving a type throws.
    private func text<Value>(_ context: AppContext, _ type: Value.Type) -> String? {
        message { try context.resolve(type, fileID: "Shop/Main.swift", line: 9) }
    }

    // MARK: Cycles that a Lazy closes already

    private func friends(readsAtOnce: Bool) throws -> AppContext {
        try AppContext().load(
            Module("Friends") { registry in
                registry.register(Friends.self, fileID: file, line: 2) { (messages: Lazy<Messages>) in
                    try Friends(messages: messages, readsAtOnce: readsAtOnce)
                }
                registry.register(Messages.self, fileID: file, line: 3, Messages.init)
            })
    }

    @Test func lazyThatIsReadTooEarly_isNotAdvisedToResolveLazily() throws {
        #expect(
            text(try friends(readsAtOnce: true), Friends.self) == """
                Shop/Shop.swift:2: Friends depends on itself
                  Friends (Shop/Shop.swift:2)
                  needs Messages (Shop/Shop.swift:3)
                  needs Friends (Shop/Shop.swift:2)
                  requested: Friends at Shop/Main.swift:9
                  Friends takes Messages as a Lazy or a Provider, but reads it while it is being made
                  fix: read it after both are made, not in the initializer or factory closure of either
                """)
        let context = try friends(readsAtOnce: false)
        let friends = try context.resolve(Friends.self)
        #expect(friends.later.friends === friends)
    }

    @Test func parametersThatNeedEachOther_areAdvisedToResolveLazily() throws {
        let context = try AppContext().load(
            Module("Clocks") { registry in
                registry.register(Clock.self, fileID: file, line: 2) { (_: Timer) in Clock() }
                registry.register(Timer.self, fileID: file, line: 3) { (_: Clock) in Timer() }
            })
        #expect(
            text(context, Clock.self)?.hasSuffix(
                "fix: resolve one of them lazily (Lazy<…> or a wrapper), or pass it with .injecting") == true
        )
        let fixed = try AppContext().load(
            Module("Clocks") { registry in
                registry.register(Clock.self) { (_: Timer) in Clock() }
                registry.register(Timer.self) { (_: Lazy<Clock>) in Timer() }
            })
        #expect(fixed.validate().findings.isEmpty)
        _ = try fixed.resolve(Clock.self)
    }

    @Test func injectionThatAsksLazily_isNotACycle() throws {
        let context = try AppContext().load(
            Module("Clocks") { registry in
                registry.register(Clock.self, scope: .prototype) { Clock() }.injecting { (_: Clock, _: Lazy<Timer>) in }
                registry.register(Timer.self, scope: .prototype) { (_: Clock) in Timer() }
            })
        #expect(context.validate().findings.isEmpty)
        _ = try context.resolve(Timer.self)
    }

    // MARK: Components

    private struct Stamp: Component {
        static func register(in registry: Registry) { registry.register { Stamp() } }
    }

    @Test func componentThatNoModuleLists_isListed() throws {
        let shop = Module("Shop") { registry in
            registry.register(Clock.self, fileID: file, line: 2) { (_: Stamp) in Clock() }
        }
        let context = try AppContext().load(shop)
        #expect(
            text(context, Stamp.self) == """
                Shop/Main.swift:9: Stamp is not registered
                  fix: list it in a module: components: [Stamp.self]
                """)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: error: Clock needs Stamp, which is not registered
                  fix: list it in a module: components: [Stamp.self]
                1 error in 1 registration
                """)
        try context.load(Module("Stamps", components: [Stamp.self]))
        #expect(context.validate().findings.isEmpty)
        _ = try context.resolve(Clock.self)
    }

    @Test func componentThatRegistersNothingAsItsType_isNotAdvisedToBeListed() throws {
        struct Other: Component {
            static func register(in registry: Registry) { registry.register { Leaf() } }
        }
        let context = try AppContext().load(Module("Other", components: [Other.self]))
        #expect(text(context, Other.self)?.hasSuffix("registry.register(Other.self) { … }") == true)
    }

    // MARK: Qualifiers

    @Test func qualifierThatIsMisspelled_isCorrected_andNotRegistered() throws {
        func context(_ qualifier: Qualifier, storage: String = "file") throws -> AppContext {
            try AppContext().load(
                Module("Shop", properties: ["logger": .init(stringLiteral: storage)]) { registry in
                    registry.register((any Logger).self, qualifier: "file", fileID: file, line: 2) { FileLogger() }
                    registry.register(Shop.self, parameterQualifiers: [qualifier], fileID: file, line: 3, Shop.init)
                })
        }
        #expect(
            try context("flie").validate().description == """
                Shop/Shop.swift:3: error: Shop needs any Logger "flie", which is not registered
                Shop/Shop.swift:2: note: near: any Logger "file"
                  fix: change the qualifier to "file"
                1 error in 2 registrations
                """)
        #expect(
            try context(.property("logger"), storage: "flie").validate().errors.first?.suggestion
                == #"set "logger" to "file""#)
        for followed in [try context("file"), try context(.property("logger"))] {
            #expect(followed.validate().findings.isEmpty)
            _ = try followed.resolve(Shop.self)
        }
    }

    // MARK: What is made at load

    @Test func alwaysWhoseDependencyIsLoadedLater_isLoadedWithIt() throws {
        let timers = Module("Timers") { registry in
            registry.register(Timer.self, scope: .always, fileID: file, line: 3) { (_: Clock) in Timer() }
        }
        let clocks = Module("Clocks") { $0.register(Clock.self) { Clock() } }
        #expect(
            message { try AppContext().load(timers, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Shop.swift:3: Clock is not registered
                  needed by Timer (Shop/Shop.swift:3)
                  requested: Timer at Shop/Main.swift:9
                  Timer has scope .always: it is made when its module is loaded
                  fix: register it in a loaded module: registry.register(Clock.self) { … }; if another module registers it, \
                load that module first, or both in one call
                """)
        try AppContext().load(timers, clocks)
        try AppContext().load(clocks).load(timers)
    }

    @Test func asynchronousInstanceLoadedAfterTheStart_isStartedAgain() async throws {
        let clocks = Module("Clocks") { $0.register(Clock.self, async: { Clock() }) }
        let timers = Module("Timers") { $0.register(Timer.self, fileID: file, line: 3, async: { Timer() }) }
        let context = try AppContext().load(clocks)
        try await context.start()
        try context.load(timers)
        #expect(
            text(context, Timer.self) == """
                Shop/Shop.swift:3: Timer has an asynchronous factory closure that has not run yet
                  requested: Timer at Shop/Main.swift:9
                  fix: call `try await context.start()` again; for a push, use `try await context.pushing`, which starts what it adds
                """)
        try await context.start()
        _ = try context.resolve(Timer.self)
        let newClocks = Module("New") { $0.register(Clock.self, fileID: file, line: 4, async: { Clock() }) }
        func pushingWithoutAwait() throws -> String? {
            try context.pushing(newClocks) { text(context, Clock.self) }
        }
        #expect(
            try pushingWithoutAwait() == """
                Shop/Shop.swift:4: Clock has an asynchronous factory closure that has not run yet
                  requested: Clock at Shop/Main.swift:9
                  fix: call `try await context.start()` again; for a push, use `try await context.pushing`, which starts what \
                it adds
                """)
        try await context.pushing(newClocks) { _ = try context.resolve(Clock.self) }
    }

    @Test func alwaysThatNeedsStart_isNotAdvisedToStart() throws {
        func shop(_ scope: Scope) -> Module {
            Module("Shop") { registry in
                registry.register(Clock.self, fileID: file, line: 2, async: { Clock() })
                registry.register(Timer.self, scope: scope, fileID: file, line: 3) { (_: Clock) in Timer() }
            }
        }
        let text = message { try AppContext().load(shop(.always), fileID: "Shop/Main.swift", line: 9) }
        #expect(
            text == """
                Shop/Shop.swift:2: Clock has an asynchronous factory closure that has not run yet
                  needed by Timer (Shop/Shop.swift:3)
                  requested: Timer at Shop/Main.swift:9
                  Timer has scope .always: it is made at load, before start() can run
                  fix: give it the scope .singleton, take a Lazy, or register it with `async:` as well
                """)
    }

    @Test func mendsOfWhatIsMadeAtLoad_work() async throws {
        let shops = [
            Module("Singleton") { registry in
                registry.register(Clock.self, async: { Clock() })
                registry.register(Timer.self) { (_: Clock) in Timer() }
            },
            Module("Lazy") { registry in
                registry.register(Clock.self, async: { Clock() })
                registry.register(Timer.self, scope: .always) { (_: Lazy<Clock>) in Timer() }
            },
            Module("Asynchronous") { registry in
                registry.register(Clock.self, async: { Clock() })
                registry.register(Timer.self, async: { (_: Clock) in Timer() })
            },
        ]
        for shop in shops {
            let context = try AppContext().load(shop)
            try await context.start()
            _ = try context.resolve(Timer.self)
        }
    }

    // MARK: Settings

    @Test func partOfASettingThatIsMissing_isAdvisedToBeAnOptional() throws {
        let context = try AppContext().load(
            Module("Shop", properties: ["server.host": "localhost"]) { registry in
                registry.register(Page.self, fileID: file, line: 2) { (_: Server?) in Page() }
            })
        #expect(
            text(context, Page.self) == """
                Shop/Shop.swift:2: server.port is missing (expected Int)
                  needed by Page (Shop/Shop.swift:2)
                  requested: Page at Shop/Main.swift:9
                  it is part of Server, which is decoded from "server"
                  fix: add it to a profile file or to the `properties:` of a module, or declare it as Int?
                """)
        try context.load(Module("Settings", properties: ["server.port": 80]))
        _ = try context.resolve(Page.self)
    }

    @Test func settingThatIsMissing_isAdvisedToUseAnOptional() throws {
        let context = try AppContext().load(Module("M", properties: ["server.name": "shop"]))
        #expect(
            message { try context.value("server.port", as: Int.self) }?.hasSuffix(
                "or use an optional or a default value") == true)
        #expect(try context.value("server.port", as: Int?.self) == nil)
        #expect(try context.value("server.port", default: 80) == 80)
    }

    // MARK: Types as they are written

    @Test func typesAreWrittenAsTheCompilerTakesThem() throws {
        let context = try AppContext().load(Module("Empty"))
        func registering(_ type: String) -> String {
            "fix: register it in a loaded module: registry.register(\(type)) { … }"
        }
        let texts = [
            (text(context, [String: Leaf].self), "[String: Leaf].self"),
            (text(context, (any Logger).self), "(any Logger).self"),
            (text(context, Result<Leaf, Failure>.self), "Result<Leaf, Failure>.self"),
            (text(context, Leaf.self), "Leaf.self"),
        ]
        for (text, type) in texts { #expect(text?.hasSuffix(registering(type)) == true, "\(text ?? "")") }
        // The suggestion is what can be registered.
        try context.load(
            Module("Leaves") { registry in
                registry.register([String: Leaf].self) { [:] }
                registry.register(Result<Leaf, Failure>.self) { .success(Leaf()) }
            })
        #expect(try context.resolve([String: Leaf].self).isEmpty)
    }
}
