import Locator
import TestSupport
import Testing

/// Scopes that must be opened, and the errors if they are not, or if other inputs are passed.
@Suite("A scope that must be opened works only where it is open, and is an error elsewhere")
struct OpenedScopeTests {
    struct Info: Sendable {}
    struct Fixed: Clock {}
    protocol Clock: Sendable {}
    final class User: Sendable {}
    final class Page: Sendable {}
    final class Greeting: Sendable { init(user: User) {} }
    final class Report: Sendable { init(page: Page) {} }

    static let request = Scope("request", requiresOpening: true)
    static let plain = Scope("plain")

    static let server = Module("Server", fileID: "Shop/Server.swift", line: 1) { registry in
        registry.register(Page.self, scope: request, fileID: "Shop/Server.swift", line: 2) { Page() }
        registry.input(User.self, scope: plain, fileID: "Shop/Server.swift", line: 3)
        registry.register(scope: plain, fileID: "Shop/Server.swift", line: 4, Greeting.init)
        registry.register(fileID: "Shop/Server.swift", line: 5, Report.init)
        registry.register(String.self, scope: plain, fileID: "Shop/Server.swift", line: 6) { "plain" }
    }

    // MARK: Asking

    @Test func instance_ofAScopeThatIsNotOpened_isAnError() throws {
        let context = try AppContext().load(Self.server)
        let child = try context.child(pushing: .text("own"))
        for context in [context, child, try context.fork(), try context.child()] {
            #expect(
                message { try context.resolve(Page.self, fileID: "Shop/Main.swift", line: 1) } == """
                    Shop/Server.swift:2: Page has scope .request, which is not open in this context
                      requested: Page at Shop/Main.swift:1
                      fix: resolve it in a child that opens the scope: child(opening: .request) or within(.request)
                    """)
            #expect(
                message { try context.resolve(Report.self, fileID: "Shop/Main.swift", line: 2) } == """
                    Shop/Server.swift:2: Page has scope .request, which is not open in this context
                      needed by Report (Shop/Server.swift:5)
                      requested: Report at Shop/Main.swift:2
                      fix: resolve it in a child that opens the scope: child(opening: .request) or within(.request)
                    """)
            #expect(context.existing(Page.self) == nil)
            // Only what is not registered is nil.
            #expect(throws: LocatorError.self) { try context.resolve(Page?.self) }
            #expect(throws: LocatorError.self) { try context.resolveAll(Page.self) }
        }
    }

    @Test func scopeWithInputs_hasToBeOpened() throws {
        let context = try AppContext().load(Self.server)
        #expect(
            message { try context.resolve(Greeting.self, fileID: "Shop/Main.swift", line: 1) } == """
                Shop/Server.swift:4: Greeting has scope .plain, which is not open in this context
                  requested: Greeting at Shop/Main.swift:1
                  fix: resolve it in a child that opens the scope: child(opening: .plain, giving: …) or within(.plain, giving: …)
                """)
        #expect(
            message { try context.resolve(User.self, fileID: "Shop/Main.swift", line: 1) } == """
                Shop/Server.swift:3: User has scope .plain, which is not open in this context
                  requested: User at Shop/Main.swift:1
                  fix: resolve it in a child that opens the scope: child(opening: .plain, giving: …) or within(.plain, giving: …)
                """)
        #expect(throws: LocatorError.self) { try context.resolve(String.self) }
        #expect(try context.child(opening: Self.plain, giving: User()).resolve(String.self) == "plain")
    }

    @Test func otherScopes_liveInTheOutermostContext() throws {
        let context = try AppContext().load(
            .naming(Self.plain), Module("Text") { $0.register(String.self, scope: Self.plain) { "x" } })
        #expect(try context.child().resolve(String.self) == "x")
        #expect(context.existing(String.self) == "x")
        // Only the modules in force count.
        try context.push(Module("Inputs") { $0.input(User.self, scope: Self.plain) })
        #expect(throws: LocatorError.self) { try context.fork().resolve(String.self) }
        context.pop()
        #expect(try context.fork().resolve(String.self) == "x")
    }

    @Test func instanceFromBeforeTheScopeHadInputs_isGivenUnderItsOtherKeysToo() throws {
        let context = try AppContext().load(
            Module("Page") { registry in
                registry.register(Page.self, scope: Self.plain) { Page() }.alias((any Sendable).self) { $0 }
            })
        let page = try context.resolve(Page.self)
        try context.push(Module("Inputs") { $0.input(User.self, scope: Self.plain) })
        #expect(try context.resolve(Page.self) === page)
        #expect(try context.resolve((any Sendable).self) as? Page === page)
    }

    @Test func closureThatCaughtTheError_runsAgainOnceTheScopeHasNoInputs() throws {
        final class Label: Sendable {
            let text: String?
            init(_ text: String?) { self.text = text }
        }
        let context = try AppContext().load(
            Module("Text") { registry in
                registry.register(String.self, scope: Self.plain) { "x" }
                registry.register { (resolver: Resolver) in Label(try? resolver.resolve(String.self)) }
            })
        try context.push(Module("Inputs") { $0.input(User.self, scope: Self.plain) })
        #expect(try context.resolve(Label.self).text == nil)
        context.pop()
        #expect(try context.resolve(Label.self).text == "x")
    }

    @Test("If a scope requires opening, a closure that caught the error does not run again for other inputs")
    func closureThatCaughtTheError_ofAScopeThatRequiresOpening() throws {
        final class Label: Sendable {
            let page: Page?
            init(page: Page?) { self.page = page }
        }
        let context = try AppContext().load(
            Module("Labels") { registry in
                registry.input(Int.self, scope: Self.request)
                registry.register(scope: Self.request) { Page() }
                registry.register { (resolver: Resolver) in Label(page: try? resolver.resolve(Page.self)) }
            })
        let label = try context.resolve(Label.self)
        #expect(label.page == nil)
        try context.push(Module("Numbers") { $0.register(Int.self) { 1 } })
        #expect(try context.resolve(Label.self) === label)
    }

    @Test func openedScope_answersInTheChildrenOfTheChildToo() throws {
        let context = try AppContext().load(Self.server)
        let child = try context.child(opening: Self.request)
        let page = try child.resolve(Page.self)
        #expect(try child.child().resolve(Page.self) === page)
        #expect(try child.child(pushing: .text("own")).resolve(Page.self) === page)
        #expect(try child.child(opening: Self.request).resolve(Page.self) !== page)
        #expect(try child.fork().resolve(Page.self) !== page)
        try child.reset(Self.request)
        #expect(try child.resolve(Page.self) !== page)
        #expect(locatorError { try context.reset(Self.request) } != nil)
        #expect(try child.child().resolve(Page.self) === child.resolve(Page.self))
    }

    @Test func inputThatAModuleLoadedLaterDeclares_wasNotPassed() throws {
        let context = try AppContext().load(Self.server)
        let child = try context.child(opening: Self.request)
        try context.load(
            Module("Late") { $0.input(Info.self, scope: Self.request, fileID: "Shop/Late.swift", line: 2) })
        #expect(
            message { try child.resolve(Info.self, fileID: "Shop/Main.swift", line: 1) } == """
                Shop/Late.swift:2: Info is an input that was not passed when its scope was opened
                  requested: Info at Shop/Main.swift:1
                  fix: pass it when the scope is opened: child(opening: …, giving: …)
                """)
    }

    // MARK: Starting

    @Test func start_makesAsynchronousInstancesOnlyWhereTheirScopeIsOpened() async throws {
        let log = Log()
        let context = try AppContext().load(
            Module("Server") { registry in
                registry.register(
                    Page.self, scope: Self.request,
                    async: {
                        log("page"); return Page()
                    })
                registry.register(
                    Info.self,
                    async: {
                        log("info"); return Info()
                    })
                registry.register(
                    String.self, scope: Self.plain,
                    async: {
                        log("text"); return "plain"
                    })
            })
        try await context.start()
        #expect(Set(log.take()) == ["info", "text"])
        let child = try context.child(opening: Self.request)
        #expect(throws: LocatorError.self) { try child.resolve(Page.self) }
        try await child.start()
        #expect(log.take() == ["page"])
        let page = try child.resolve(Page.self)
        let inner = try child.child(opening: Self.plain)
        try await inner.start()
        #expect(log.take() == ["text"])
        #expect(try inner.resolve(Page.self) === page)
        try await context.pushing(
            Module("Late") { registry in
                registry.register(
                    Page.self, scope: Self.request,
                    async: {
                        log("late"); return Page()
                    })
            }
        ) {}
        #expect(log.take() == [])
    }

    @Test("A start also makes an instance that needs one from before the scope had inputs")
    func start_withAnInstanceFromBeforeTheScopeHadInputs() async throws {
        final class Session: Sendable {
            init(_: Page) {}
        }
        final class Mail: Sendable {
            let session: Session
            init(_ session: Session) { self.session = session }
        }
        let context = try AppContext().load(
            Module("Pages") { registry in
                registry.register(scope: Self.plain) { Page() }
                registry.register(scope: Scope("session"), Session.init)
                registry.register(Mail.self, scope: Scope("session"), async: { (session: Session) in Mail(session) })
            })
        let session = try context.resolve(Session.self)
        try context.push(Module("Inputs") { $0.input(User.self, scope: Self.plain) })
        try await context.start()
        #expect(try context.resolve(Mail.self).session === session)
    }

    @Test func asynchronousClosures_haveInputs() async throws {
        let context = try AppContext().load(
            Module("Server") { registry in
                registry.input(String.self, scope: Self.request)
                registry.register(Int.self, scope: Self.request, async: { (text: String) in text.count })
            })
        try await context.start()
        let child = try context.child(opening: Self.request, giving: "four")
        try await child.start()
        #expect(try child.resolve(Int.self) == 4)
    }

    // MARK: Opening

    @Test func scopeThatNoRegistrationNames_cannotBeOpened() throws {
        let context = try AppContext().load(Self.server)
        #expect(
            message { try context.child(opening: Scope("reqest"), fileID: "Shop/Main.swift", line: 1) } == """
                Shop/Main.swift:1: no registration has scope .reqest, so a child cannot open it
                  near: .request
                  fix: correct its name, or load a module that uses the scope first
                """)
        #expect(
            message {
                try context.child(
                    opening: Self.request, Scope("visit"), pushing: .text("own"), fileID: "Shop/Main.swift", line: 1)
            } == """
                Shop/Main.swift:1: no registration has scope .visit, so a child cannot open it
                  loaded: .plain
                  loaded: .request
                  fix: correct its name, or load a module that uses the scope first
                """)
        let visit = Scope("visit")
        #expect(throws: Never.self) { try context.child(opening: visit, pushing: .naming(visit)) }
        // A module whose condition is false still names its scopes.
        try context.load(
            Module("Off", when: .property("visits", equals: true)) { $0.register(Int.self, scope: visit) { 1 } })
        #expect(throws: Never.self) { try context.child(opening: visit) }
    }

    @Test func lastingScopes_cannotBeOpened_norHaveInputs() throws {
        #expect(
            message { try AppContext().child(opening: .singleton, fileID: "Shop/Main.swift", line: 1) } == """
                Shop/Main.swift:1: a child cannot open scope .singleton: its instances live in the outermost context
                  fix: open a custom scope: Scope("request")
                """)
        #expect(
            message {
                try AppContext().load(
                    Module("Wrong") { registry in
                        registry.input(User.self, scope: .singleton, fileID: "Shop/Wrong.swift", line: 1)
                        registry.input(Info?.self, scope: Self.request, fileID: "Shop/Wrong.swift", line: 2)
                        registry.input(
                            Int.self, qualifier: .property("a"), scope: Self.request, fileID: "Shop/Wrong.swift",
                            line: 3)
                    })
            } == """
                Shop/Wrong.swift:1: User cannot be an input of scope .singleton: that scope is never opened, so no input can be passed
                  fix: use a custom scope, or register the instance
                Shop/Wrong.swift:2: Info? cannot be registered: the context makes it
                  fix: register the type that it wraps; if its initializer can return nil, unwrap the result in a closure, or throw an error
                Shop/Wrong.swift:3: Int cannot be registered with the qualifier .property("a"): the qualifier of a registration is a name
                  fix: register each choice with a name, and request .property("a")
                """)
    }

    // MARK: Handing in

    static let inputs = Module("Inputs") { registry in
        registry.input(Info.self, scope: request, fileID: "Shop/Inputs.swift", line: 1)
        registry.input((any Clock).self, scope: request, fileID: "Shop/Inputs.swift", line: 2)
        registry.input(String.self, qualifier: "region", scope: request, fileID: "Shop/Inputs.swift", line: 3)
        registry.input(User.self, scope: plain, fileID: "Shop/Inputs.swift", line: 4)
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (AppContext) throws -> AppContext
        let text: String

        init(_ name: String, _ run: @escaping @Sendable (AppContext) throws -> AppContext, _ text: String) {
            testDescription = name
            self.run = run
            self.text = text
        }
    }

    static let clock: any Clock = Fixed()
    static let mistakes = [
        Mistake(
            "nothing", { try $0.child(opening: request, fileID: "Shop/Main.swift", line: 9) },
            """
            Shop/Main.swift:9: the inputs passed do not match the inputs of .request
              missing: Info (Shop/Inputs.swift:1)
              missing: any Clock (Shop/Inputs.swift:2)
              missing: String "region" (Shop/Inputs.swift:3)
              fix: pass each declared input once, with `giving:` or `and: .input(…)`
            """),
        Mistake(
            "nothing, and the scope twice", { try $0.child(opening: plain, plain, fileID: "Shop/Main.swift", line: 9) },
            """
            Shop/Main.swift:9: the inputs passed do not match the inputs of .plain
              missing: User (Shop/Inputs.swift:4)
              fix: pass each declared input once, with `giving:` or `and: .input(…)`
            """),
        Mistake(
            "twice, and another qualifier",
            {
                try $0.child(
                    opening: request, giving: Info(), Info(), clock, and: .input("eu", qualifier: "regoin"),
                    .input("x"),
                    fileID: "Shop/Main.swift", line: 9)
            },
            """
            Shop/Main.swift:9: the inputs passed do not match the inputs of .request
              missing: String "region" (Shop/Inputs.swift:3)
              passed twice: Info (Shop/Inputs.swift:1)
              not declared: String "regoin"
                near: String "region" (Shop/Inputs.swift:3)
              not declared: String
                near: String "region" (Shop/Inputs.swift:3)
              fix: pass each declared input once, with `giving:` or `and: .input(…)`
            """),
        Mistake(
            "a type that conforms, and one that nobody declares",
            {
                try $0.child(
                    opening: request, giving: Info(), Fixed(), 7, and: .input("eu", qualifier: "region"),
                    fileID: "Shop/Main.swift", line: 9)
            },
            """
            Shop/Main.swift:9: the inputs passed do not match the inputs of .request
              missing: any Clock (Shop/Inputs.swift:2)
              not declared: Fixed
                it is an instance of any Clock (Shop/Inputs.swift:2): pass it with `and: .input(…, as: (any Clock).self)`
              not declared: Int
              fix: pass each declared input once, with `giving:` or `and: .input(…)`, or declare it: registry.input(Int.self, scope: .request)
            """),
        Mistake(
            "an input of another scope",
            {
                try $0.child(
                    opening: request, giving: Info(), clock, User(), and: .input("eu", qualifier: "region"),
                    fileID: "Shop/Main.swift", line: 9)
            },
            """
            Shop/Main.swift:9: the inputs passed do not match the inputs of .request
              not declared: User
                it is an input of scope .plain, which is not opened: User (Shop/Inputs.swift:4)
              fix: pass each declared input once, with `giving:` or `and: .input(…)`
            """),
        Mistake(
            "without a scope",
            { try $0.child(giving: User(), fileID: "Shop/Main.swift", line: 9) },
            """
            Shop/Main.swift:9: inputs were passed, but no scope is opened
              not declared: User
                it is an input of scope .plain, which is not opened: User (Shop/Inputs.swift:4)
              fix: open the scope that declares them: child(opening: …)
            """),
        Mistake(
            "a qualifier that is a property",
            {
                try $0.child(
                    opening: plain, and: .input(User(), qualifier: .property("a")), fileID: "Shop/Main.swift", line: 9)
            },
            """
            Shop/Main.swift:9: the inputs passed do not match the inputs of .plain
              missing: User (Shop/Inputs.swift:4)
              not declared: User
                its qualifier is a setting; the qualifier of an input is a name
              fix: pass each declared input once, with `giving:` or `and: .input(…)`
            """),
        Mistake(
            "an optional and an array",
            {
                try $0.child(
                    opening: request, giving: Info() as Info?, [Fixed()], clock, and: .input("eu", qualifier: "region"),
                    fileID: "Shop/Main.swift", line: 9)
            },
            """
            Shop/Main.swift:9: the inputs passed do not match the inputs of .request
              missing: Info (Shop/Inputs.swift:1)
              not declared: Info?
                it is optional, and an input always has a value: unwrap it first, with `if let` or `guard let`
              not declared: [Fixed]
                an array cannot be an input: declare and pass a type that holds it
              fix: pass each declared input once, with `giving:` or `and: .input(…)`
            """),
    ]

    @Test(arguments: mistakes)
    func otherInputs_areAnError_andLeaveNothingBehind(_ mistake: Mistake) throws {
        let context = try AppContext().load(Self.inputs, .naming(Self.request, Self.plain))
        let pushed = try context.fork()
        try pushed.push(.text("pushed"))
        let child = try context.child()
        for context in [context, pushed, child] {
            #expect(message { try mistake.run(context) } == mistake.text)
            #expect(
                throws: Never.self,
                performing: {
                    try context.child(
                        opening: Self.request, Self.plain, giving: Info(), Self.clock, User(),
                        and: .input("eu", qualifier: "region"))
                })
        }
    }

    @Test func otherInputs_areAnError_whenTheChildPushes() throws {
        let context = try AppContext().load(Self.server)
        let log = Log()
        let own = Module("Own") { registry in
            registry.input(Info.self, scope: Self.request, fileID: "Shop/Own.swift", line: 1)
            registry.register(Int.self, scope: .always) { 1 }.onDispose { _ in log("gone") }
        }
        #expect(
            message { try context.child(opening: Self.request, pushing: own, fileID: "Shop/Main.swift", line: 9) }
                == """
                Shop/Main.swift:9: the inputs passed do not match the inputs of .request
                  missing: Info (Shop/Own.swift:1)
                  fix: pass each declared input once, with `giving:` or `and: .input(…)`
                """)
        #expect(log.take() == ["gone"])
        #expect(
            message {
                try context.child(
                    opening: Self.plain, giving: User(), User(), pushing: .text("own"), fileID: "Shop/Main.swift",
                    line: 9)
            } == """
                Shop/Main.swift:9: the inputs passed do not match the inputs of .plain
                  passed twice: User (Shop/Server.swift:3)
                  fix: pass each declared input once, with `giving:` or `and: .input(…)`
                """)
    }

    @Test func moduleThatAPushTurnsOn_mayHaveInputs() throws {
        let context = try AppContext().load(
            .naming(Self.request),
            Module("Audit", when: .property("audit", equals: true)) { registry in
                registry.input(Info.self, scope: Self.request, fileID: "Shop/Audit.swift", line: 1)
            })
        let audited = Module("Audited", properties: ["audit": true]) { _ in }
        #expect(throws: Never.self) { try context.child(opening: Self.request) }
        #expect(
            message { try context.child(opening: Self.request, pushing: audited, fileID: "Shop/Main.swift", line: 9) }
                == """
                Shop/Main.swift:9: the inputs passed do not match the inputs of .request
                  missing: Info (Shop/Audit.swift:1)
                  fix: pass each declared input once, with `giving:` or `and: .input(…)`
                """)
        #expect(throws: Never.self) {
            _ = try context.child(opening: Self.request, giving: Info(), pushing: audited).resolve(Info.self)
        }
    }

    @Test func asynchronousInstance_thatNeedsWhatIsNotOpen_saysSo() async throws {
        final class Session: Sendable { init(info: Info) async {} }
        let context = try AppContext().load(
            Module("Sessions") { registry in
                registry.input(Info.self, scope: Self.request, fileID: "Shop/Server.swift", line: 1)
                registry.register(
                    Session.self, scope: Scope("session"), fileID: "Shop/Server.swift", line: 2, async: Session.init)
            })
        try await context.start()
        let child = try context.child(opening: Scope("session"))
        try await child.start()
        for context in [context, child] {
            #expect(
                message { try context.resolve(Session.self, fileID: "Shop/Main.swift", line: 9) } == """
                    Shop/Server.swift:2: Session has an asynchronous factory closure that has not run yet
                      requested: Session at Shop/Main.swift:9
                      it needs Info of scope .request, which is not open in this context
                      fix: resolve it in a child that opens the scope: child(opening: .request, giving: …) or \
                    within(.request, giving: …)
                    """)
        }
    }

    @Test func scopesOfOneName_areEqual() {
        #expect(Scope("request") == Self.request)
        #expect(Set([Scope("request"), Self.request]).count == 1)
        #expect(Self.request.requiresOpening)
        #expect(!Scope("request").requiresOpening)
    }
}
