import Dispatch
import Locator
import TestSupport
import Testing

/// A child that is opened with modules that only register instances also stays lean.
///
/// It must not be visible when it becomes a full one.
@Suite("A lean child that pushes modules does what a full one does")
struct LeanPushTests {
    final class Database: Sendable {}
    final class Clock: Sendable {}
    final class Info: Sendable {}
    final class Session: Sendable {
        let info: Info
        let database: Database
        init(_ info: Info, _ database: Database) {
            self.info = info
            self.database = database
        }
    }
    final class Page: Sendable {
        let session: Session
        init(_ session: Session) { self.session = session }
    }
    struct Line {
        let info: Info
        let session: Session
        let database: Database
    }
    struct Refusal: Error {}

    /// `#expect` for closures in a table.
    private static func check(_ isTrue: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(isTrue, sourceLocation: sourceLocation)
    }

    static let request = Scope("request")

    static let server = Module("Server") { registry in
        registry.register(Database.init)
        registry.register(Clock.init)
        registry.register(scope: request, Session.init)
        registry.register(scope: request, Page.init)
        registry.register(Line.self, scope: .prototype) { Line(info: $0, session: $1, database: $2) }
    }

    /// A context whose own instances are made and ready.
    static func parent(_ modules: Module...) throws -> AppContext {
        let context = AppContext()
        try context.load(server)
        for module in modules { try context.load(module) }
        for _ in 0..<2 { _ = try (context.resolve(Database.self), context.resolve(Clock.self)) }
        return context
    }

    /// A module for one request.
    static func module(_ info: Info = Info()) -> Module { Module("Request") { $0.register { info } } }

    /// What makes a child full, or its parent change.
    struct Event: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (_ parent: AppContext, _ child: AppContext) throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (AppContext, AppContext) throws -> Void) {
            testDescription = name
            self.run = run
        }
    }

    final class Holder {
        @Dependency var session: Session
        @Dependency var info: Info
        @Dependency var database: Database
    }

    static let events: [Event] = [
        Event("nothing") { _, _ in },
        Event("a look at what is made") { _, child in _ = child.existing(Database.self) },
        Event("a collection") { _, child in try check(child.resolveAll(Info.self).count == 1) },
        Event("an optional") { _, child in try check(child.resolve(Info?.self) != nil) },
        Event("what is missing") { _, child in _ = try? child.resolve(String.self) },
        Event("a name that is missing") { _, child in
            check(message { try child.resolve(Info.self, qualifier: "eu") } != nil)
        },
        Event("a dump") { _, child in check(child.dump().contains("Request")) },
        Event("a report") { _, child in _ = child.validate() },
        Event("wrappers") { _, child in
            let holder = AppContext.withContext(child) { Holder() }
            check(holder.info === holder.session.info)
            check(holder.database === holder.session.database)
        },
        Event("a child of its own") { _, child in
            let inner = try child.child(opening: request)
            try check(inner.resolve(Info.self) === child.resolve(Info.self))
            try check(inner.resolve(Session.self).info === child.resolve(Info.self))
        },
        Event("a push and a pop") { _, child in
            try child.push(.text("pushed"))
            child.pop()
        },
        Event("a push and a pop of what it pushes") { _, child in
            let info = try child.resolve(Info.self)
            try child.push(module())
            try check(child.resolve(Info.self) !== info)
            child.pop()
        },
        Event("a push and a pop of the parent") { parent, child in
            try parent.push(Module("Other") { $0.register(Database.init) })
            try check(child.resolve(Session.self).database === parent.resolve(Database.self))
            parent.pop()
        },
        Event("a push and a pop of the parent that hides nothing") { parent, child in
            try parent.push(module())
            _ = try child.resolve(Info.self)
            parent.pop()
        },
        Event("a load of the parent") { parent, _ in try parent.load(.text("loaded")) },
        Event("a reset of another scope") { parent, _ in
            try parent.load(.naming(Scope("other")))
            try parent.reset(Scope("other"))
        },
        Event("an observer") { parent, child in
            let observation = parent.observe { _ in }
            _ = try child.resolve(Page.self)
            observation.end()
        },
    ]

    @Test(arguments: events, [true, false])
    func instances_stayTheSame_whateverMakesTheChildFull(_ event: Event, isMadeBefore: Bool) throws {
        let parent = try Self.parent()
        let info = Info()
        let child = try parent.child(opening: Self.request, pushing: Self.module(info))
        let before = isMadeBefore ? try child.resolve(Page.self) : nil
        try event.run(parent, child)
        let page = try child.resolve(Page.self)
        if let before { #expect(page === before) }
        #expect(try child.resolve(Page.self) === page)
        #expect(try child.resolve(Session.self) === page.session)
        #expect(try child.resolve(Info.self) === info)
        #expect(page.session.info === info)
        #expect(try page.session.database === parent.resolve(Database.self))
        #expect(try child.resolve(Clock.self) === parent.resolve(Clock.self))
        let line = try child.resolve(Line.self)
        #expect(line.info === info && line.session === page.session)
        #expect(parent.existing(Info.self) == nil && parent.existing(Session.self) == nil)
    }

    @Test(arguments: events, [true, false])
    func change_ofWhatAnInstanceWasMadeFrom_setsItAside_andThePopBringsItBack(
        _ event: Event, isOfThePush: Bool
    ) throws {
        let parent = try Self.parent()
        let child = try parent.child(opening: Self.request, pushing: Self.module())
        let page = try child.resolve(Page.self)
        try event.run(parent, child)
        let other =
            isOfThePush ? Self.module() : Module("Other") { $0.register(Database.init) }
        for context in isOfThePush ? [child] : [parent, child] {
            try context.push(other)
            let replaced = try child.resolve(Page.self)
            #expect(replaced !== page)
            #expect(replaced.session !== page.session)
            #expect(try replaced.session.database === child.resolve(Database.self))
            #expect(try replaced.session.info === child.resolve(Info.self))
            context.pop()
            #expect(try child.resolve(Page.self) === page)
        }
    }

    @Test(arguments: [true, false])
    func instance_madeUnderAPushOfTheParent_isMadeAgainAfterThePop(isAskedBetween: Bool) throws {
        let log = Log()
        let parent = try Self.parent(
            Module("Hooks") { registry in
                registry.register(Keeper.self, scope: Self.request) { (page: Page) in
                    Keeper(Reader(info: page.session.info))
                }
                .onDispose { _ in log("keeper") }
            })
        let info = Info()
        do {
            let child = try parent.child(opening: Self.request, pushing: Self.module(info))
            if isAskedBetween { #expect(try child.resolve(Info.self) === info) }
            try parent.push(Module("Other") { $0.register(Database.init) })
            #expect(try child.resolve(Keeper.self).reader.info === info)
            let page = try child.resolve(Page.self)
            #expect(page.session.info === info)
            #expect(try page.session.database === parent.resolve(Database.self))
            parent.pop()
            let later = try child.resolve(Page.self)
            #expect(later !== page && later.session.info === info)
            #expect(try later.session.database === parent.resolve(Database.self))
            #expect(log.take() == ["keeper"])
        }
        #expect(log.take() == [])
    }

    // MARK: What the parent has

    final class Reader: Sendable {
        let info: Info?
        init(info: Info?) { self.info = info }
    }
    final class Keeper: Sendable {
        let reader: Reader
        init(_ reader: Reader) { self.reader = reader }
    }
    final class Desk: Sendable {
        let keeper: Keeper
        init(_ keeper: Keeper) { self.keeper = keeper }
    }
    protocol Source: Sendable {}
    final class Feed: Source {}

    /// A way for an instance of the parent to depend on what the child pushes.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let register: @Sendable (Registry) -> Void

        init(_ name: String, _ register: @escaping @Sendable (Registry) -> Void) {
            testDescription = name
            self.register = register
        }
    }

    final class WrapperReader: Sendable {
        let info = Dependency<Info>()
    }

    static let ways: [Way] = [
        Way("a parameter") { $0.register { (info: Info) in Reader(info: info) } },
        Way("an optional parameter") { $0.register { (info: Info?) in Reader(info: info) } },
        Way("a collection") { $0.register { (infos: [Info]) in Reader(info: infos.first) } },
        Way("a request at run time") { registry in
            registry.register { (resolver: Resolver) in Reader(info: try resolver.resolve()) }
        },
        Way("a request that may fail") { registry in
            registry.register { (resolver: Resolver) in Reader(info: try? resolver.resolve(Info.self)) }
        },
        Way("a wrapper") { $0.register { Reader(info: try WrapperReader().info.resolved()) } },
        Way("a prototype") { registry in
            registry.register(Line.self, qualifier: "line", scope: .prototype) { (info: Info, database: Database) in
                Line(info: info, session: Session(info, database), database: database)
            }
            registry.register(Reader.self, parameterQualifiers: ["line"]) { (line: Line) in Reader(info: line.info) }
        },
        Way("a decorator") { registry in
            registry.register { Reader(info: nil) }
            registry.decorate(Reader.self) { (_: Reader, info: Info) in Reader(info: info) }
        },
    ]

    @Test("The child makes its own instances of what depends on a pushed type", arguments: ways, [true, false])
    func dependents(_ way: Way, hasParentOne: Bool) throws {
        let parent = try Self.parent(
            Module("Readers") { registry in
                if hasParentOne { registry.register(Info.init) }
                way.register(registry)
                registry.register(Keeper.init)
                registry.register(scope: Self.request, Desk.init)
            })
        let own = try? parent.resolve(Keeper.self)
        if own != nil { #expect(try parent.resolve(Keeper.self) === own) }
        for isReader in [true, false] {
            let info = Info()
            let child = try parent.child(opening: Self.request, pushing: Self.module(info))
            #expect(try child.resolve(Clock.self) === parent.resolve(Clock.self))
            let desk = try parent.child(opening: Self.request, pushing: Self.module(info)).resolve(Desk.self)
            #expect(desk.keeper.reader.info === info)
            if isReader { #expect(try child.resolve(Reader.self).info === info) }
            let keeper = try child.resolve(Keeper.self)
            #expect(keeper.reader.info === info)
            #expect(keeper !== own)
            #expect(try child.resolve(Reader.self) === keeper.reader)
            child.pop()
            if let own { #expect(try child.resolve(Keeper.self) === own) }
        }
    }

    @Test func aliases_ofAPushedType_areAnsweredByThePush() throws {
        final class User: Sendable {
            let source: any Source
            init(_ source: any Source) { self.source = source }
        }
        struct Visit { let user: User }
        let parent = try Self.parent(
            Module("Feeds") { registry in
                registry.register(Feed.init).alias((any Source).self) { $0 }
                registry.register(User.init)
                registry.register(scope: .prototype) { (user: User, _: Clock) in Visit(user: user) }
            })
        for _ in 0..<2 {
            _ = try (parent.resolve(User.self), parent.resolve((any Source).self), parent.resolveAll((any Source).self))
        }
        let feed = Feed()
        func child() throws -> AppContext {
            try parent.child(opening: Self.request, pushing: Module("Feed") { $0.register { feed } })
        }
        #expect(try child().resolve((any Source).self) as? Feed === feed)
        #expect(try child().resolve(User.self).source as? Feed === feed)
        #expect(try child().resolve(Visit.self).user.source as? Feed === feed)
        #expect(try child().resolveAll((any Source).self).map { $0 as? Feed === feed } == [true])
        #expect(try parent.resolve(User.self).source as? Feed !== feed)
    }

    @Test func aliases_ofAPushedTypeOfTheScope_areAnsweredByThePush() throws {
        let parent = try Self.parent(
            Module("Feeds") { registry in
                registry.register(scope: Self.request, Feed.init).alias((any Source).self) { $0 }
            })
        for _ in 0..<2 { _ = try parent.child(opening: Self.request).resolve((any Source).self) }
        let pushed = Module("Feed") { $0.register(scope: Self.request, Feed.init) }
        let child = try parent.child(opening: Self.request, pushing: pushed)
        let source = try child.resolve((any Source).self)
        #expect(try source as? Feed === child.resolve(Feed.self))
    }

    @Test func collections_haveWhatIsPushedFirst() throws {
        let parent = try Self.parent(.text("a"), .text("b"), Module("N") { $0.register { 1 } })
        for _ in 0..<2 { _ = try (parent.texts(), parent.resolveAll(Int.self)) }
        let child = try parent.child(pushing: .text("c"), .text("d"))
        #expect(try child.resolve(String.self) == "c")
        #expect(try child.resolveAll(Int.self) == [1])
        #expect(try child.texts() == ["c", "d", "a", "b"])
        child.pop()
        #expect(try child.texts() == ["d", "a", "b"])
        #expect(try child.resolve(String.self) == "d")
        child.pop()
        #expect(try child.texts() == ["a", "b"])
    }

    @Test func names_areAnsweredByTheParent() throws {
        let parent = try Self.parent(.text("named", qualifier: "name"))
        for _ in 0..<2 { _ = try parent.resolve(String.self, qualifier: "name") }
        let child = try parent.child(pushing: .text("plain"))
        #expect(try child.resolve(String.self) == "plain")
        #expect(try child.resolve(String.self, qualifier: "name") == "named")
        let other = try parent.child(pushing: .text("other", qualifier: "other"))
        #expect(try other.resolve(String.self, qualifier: "other") == "other")
        #expect(try other.resolve(String.self, qualifier: "name") == "named")
    }

    @Test func modulesOfHigherPriority_standInFront() throws {
        let parent = AppContext()
        try parent.load(.text("first"), priority: 2000)
        try parent.load(Module("Marks") { $0.decorate(Int.self) { $0 * 10 } }, priority: 2000)
        for _ in 0..<2 { _ = try parent.resolve(String.self) }
        let child = try parent.child(
            pushing: .text("pushed"), Module("Number") { $0.register { 1 } })
        #expect(try child.resolve(String.self) == "first")
        #expect(try child.resolve(Int.self) == 10)
    }

    @Test func pushesOfTheParent_areBehind_alsoLaterOnes() throws {
        let parent = AppContext()
        try parent.push(.text("before"))
        let child = try parent.child(pushing: .text("pushed"))
        #expect(try child.resolve(String.self) == "pushed")
        try parent.push(.text("after"))
        #expect(try child.texts() == ["pushed", "after", "before"])
        try parent.load(.text("first"), priority: 2000)
        #expect(try child.resolve(String.self) == "first")
    }

    @Test func moduleOfHigherPriority_thatIsLoadedLater_isInFront() throws {
        let parent = try Self.parent(Module("Parts") { $0.register(scope: Self.request) { [1] as Set } })
        let child = try parent.child(opening: Self.request, pushing: .text("pushed"))
        try parent.load(.text("first"), priority: 2000)
        // It has made nothing yet.
        #expect(try child.resolve(Set<Int>.self) == [1])
        #expect(try child.resolve(String.self) == "first")
    }

    /// The context that resolves an alias's target also resolves the alias, even if none of it is shared.
    @Test func aliases_ofPrototypes_areAnsweredByThePush() throws {
        final class User: Sendable {
            let source: any Source
            init(_ source: any Source) { self.source = source }
        }
        let parent = try Self.parent(
            Module("Feeds") { registry in
                registry.register(Feed.self, scope: .prototype) { Feed() }.alias((any Source).self) { $0 }
                registry.register(User.init)
            })
        let user = try parent.resolve(User.self)
        #expect(try parent.resolve(User.self) === user)
        let feed = Feed()
        let child = try parent.child(opening: Self.request, pushing: Module("Feed") { $0.register { feed } })
        #expect(try child.resolve(User.self).source as? Feed === feed)
        child.pop()
        #expect(try child.resolve(User.self) === user)
    }

    /// So many pushed types that some share an entry in the table of pushed types.
    @Test func instancesOfTheParent_areGiven_howeverManyTypesArePushed() throws {
        struct Numbered<Digit>: Sendable {}
        var registers: [@Sendable (Registry) -> Void] = []
        func add<Value>(_ type: Value.Type, depth: Int) {
            registers.append { $0.register { Numbered<Value>() } }
            if depth > 0 { add(Numbered<Value>.self, depth: depth - 1) }
        }
        add(Int.self, depth: 150)
        add(String.self, depth: 150)
        add(Bool.self, depth: 150)
        add(Double.self, depth: 150)
        let registrations = registers
        let parent = try Self.parent(
            Module("Keeper") { registry in
                registry.register { (_: Database, _: Clock, info: Info?) in Reader(info: info) }
                registry.register(Keeper.init)
            })
        let keeper = try parent.resolve(Keeper.self)
        #expect(try parent.resolve(Keeper.self) === keeper)
        let wide = Module("Wide") { registry in for register in registrations { register(registry) } }
        let child = try parent.child(opening: Self.request, pushing: wide)
        #expect(try child.resolve(Keeper.self) === keeper)
        #expect(try child.resolve(Keeper.self).reader === child.resolve(Reader.self))
        #expect(try child.resolve(Clock.self) === parent.resolve(Clock.self))
        let info = Info()
        let other = try parent.child(opening: Self.request, pushing: wide, Self.module(info))
        #expect(try other.resolve(Keeper.self).reader.info === info)
        #expect(try other.resolve(Clock.self) === parent.resolve(Clock.self))
        #expect(try other.resolve(Session.self).database === parent.resolve(Database.self))
    }

    // MARK: Modules

    /// Something in a module that a lean child cannot do, and the text of the module.
    static let modules: [Way] = [
        Way("a plain one") { _ in },
        Way("a name") { $0.register(Int.self, qualifier: "one") { 1 } },
        Way("several of one type") { registry in
            registry.register(Int.self) { 1 }.primary()
            registry.register(Int.self) { 2 }
        },
        Way("an alias") { $0.register(Feed.init).alias((any Source).self) { $0 } },
        Way("a decorator") { $0.decorate(Int.self) { $0 + 1 } },
        Way("a replaced collection") { $0.replaceAll(Int.self) },
        Way("a factory") { $0.factory(Int.self) { (text: String) in text.count } },
        Way("a prototype") { $0.register(Int.self, scope: .prototype) { 1 } },
        Way("an instance") { $0.register(Int.self, instance: 1) },
        Way("a weak instance") { $0.register(Feed.self, scope: .weak) { Feed() } },
        Way("something at load") { $0.register(Int.self, scope: .always) { 1 } },
        Way("an opened scope") { $0.register(Int.self, scope: request) { 1 } },
        Way("a scope that is not opened") { $0.register(Int.self, scope: Scope("other")) { 1 } },
        Way("an asynchronous one") { $0.register(Int.self, async: { 1 }) },
        Way("one of the main actor") { $0.register(Feed.self, onMainActor: { Feed() }) },
        Way("an injection") { $0.register(Feed.init).injecting { (_: Feed, _: Clock) in } },
        Way("an input") { $0.input(Feed.self, scope: Scope("unused")) },
    ]

    @Test("The closure of a pushed module runs once", arguments: modules)
    func closures(_ way: Way) throws {
        let runs = Counter()
        let pushed = Module("Pushed") { registry in
            runs.next()
            registry.register { "pushed" }
            way.register(registry)
        }
        let parent = try Self.parent(.text("text"))
        for _ in 0..<2 { _ = try parent.resolve(String.self) }
        let child = try parent.child(opening: Self.request, pushing: pushed, Self.module())
        let session = try child.resolve(Session.self)
        #expect(try child.resolve(String.self) == "pushed")
        #expect(try child.resolve(Session.self) === session)
        #expect(child.dump().contains("Pushed"))
        #expect(runs.value == 1)
        #expect(try child.texts() == ["pushed", "text"])
        try child.pop(pushed)
        #expect(try child.texts() == ["text"])
        #expect(try child.resolve(Session.self) === session)
        #expect(runs.value == 1)
    }

    @Test func name_isAnotherKeyThanNone() throws {
        let parent = try Self.parent(Module("Feeds") { $0.register(Feed.init) })
        let shared = try parent.resolve(Feed.self)
        let named = Module("Named") { $0.register(qualifier: "one", Feed.init) }
        let child = try parent.child(opening: Self.request, pushing: named)
        #expect(try child.resolve(Feed.self) === shared)
        #expect(try child.resolve(Feed.self, qualifier: "one") !== shared)
    }

    @Test func moduleThatIsOff_changesNothing() throws {
        let parent = try Self.parent(Module("Feeds") { $0.register(Feed.init) })
        let shared = try parent.resolve(Feed.self)
        let off = Module("Off", when: .property("feeds", equals: true)) { $0.register(Feed.init) }
        let child = try parent.child(opening: Self.request, pushing: off)
        #expect(try child.resolve(Feed.self) === shared)
    }

    @Test func injection_runs() throws {
        let clock = Late<Clock>()
        let parent = try Self.parent()
        let injected = Module("Feeds") { registry in
            registry.register(Feed.init).injecting { (_: Feed, injected: Clock) in clock.value = injected }
        }
        _ = try parent.child(opening: Self.request, pushing: injected).resolve(Feed.self)
        #expect(try clock.value === parent.resolve(Clock.self))
    }

    @Test func scopeThatIsNotOpened_isAnError() throws {
        let other = Module("Other") { registry in
            registry.register(
                Feed.self, scope: Scope("other", requiresOpening: true), fileID: "Shop/Shop.swift", line: 3
            ) { Feed() }
        }
        let child = try Self.parent().child(opening: Self.request, pushing: other)
        #expect(
            message { try child.resolve(Feed.self, fileID: "Shop/Page.swift", line: 8) } == """
                Shop/Shop.swift:3: Feed has scope .other, which is not open in this context
                  requested: Feed at Shop/Page.swift:8
                  fix: resolve it in a child that opens the scope: child(opening: .other) or within(.other)
                """)
    }

    @Test func instanceOfTheMainActor_isAnErrorElsewhere() throws {
        let feeds = Module("Feeds") { registry in
            registry.register(Feed.self, fileID: "Shop/Shop.swift", line: 3, onMainActor: { Feed() })
        }
        let child = try Self.parent().child(opening: Self.request, pushing: feeds)
        let text = try onThread { message { try child.resolve(Feed.self, fileID: "Shop/Page.swift", line: 8) } }
        #expect(
            text == """
                Shop/Shop.swift:3: Feed is made on the main actor, but was requested off the main actor before it was made
                  requested: Feed at Shop/Page.swift:8
                  fix: resolve it on the main actor first
                """)
    }

    @Test func moduleThatTheParentHasLoaded_isTheSame() throws {
        let module = Module("Feeds") { $0.register(Feed.init) }
        let parent = try Self.parent(module)
        let feed = try parent.resolve(Feed.self)
        let child = try parent.child(opening: Self.request, pushing: module)
        #expect(try child.resolve(Feed.self) === feed)
        child.pop()
        #expect(try child.resolve(Feed.self) === feed)
    }

    @Test func moduleThatIsPushedTwice_isPoppedTwice() throws {
        let runs = Counter()
        let module = Module("Twice") { registry in
            runs.next()
            registry.register { "twice" }
        }
        let child = try AppContext().load(.text("text")).child(pushing: module, module)
        #expect(runs.value == 1)
        #expect(try child.texts() == ["twice", "text"])
        child.pop()
        #expect(try child.texts() == ["twice", "text"])
        child.pop()
        #expect(try child.texts() == ["text"])
    }

    @Test func moduleThatTheParentLoadsLater_changesNothingUntilThePop() throws {
        let module = Module("Feeds") { $0.register(Feed.init) }
        let parent = try Self.parent()
        let child = try parent.child(opening: Self.request, pushing: module)
        let own = try child.resolve(Feed.self)
        try parent.load(module)
        let shared = try parent.resolve(Feed.self)
        #expect(try child.resolve(Feed.self) === own)
        #expect(shared !== own)
        child.pop()
        #expect(try child.resolve(Feed.self) === shared)
    }

    @Test func inputs_areReplacedByThePush() throws {
        let parent = try AppContext().load(
            Module("Inputs") { registry in
                registry.register(Database.init)
                registry.input(Info.self, scope: Self.request)
                registry.register(scope: Self.request, Session.init)
            })
        let (pushed, given) = (Info(), Info())
        for _ in 0..<3 {
            let plain = try parent.child(opening: Self.request, giving: given)
            #expect(try plain.resolve(Info.self) === given && plain.resolve(Session.self).info === given)
            let child = try parent.child(opening: Self.request, giving: given, pushing: Self.module(pushed))
            #expect(try child.resolve(Session.self).info === pushed)
            child.pop()
            #expect(try child.resolve(Session.self).info === given)
            let other = try parent.child(opening: Self.request, pushing: Self.module(pushed))
            #expect(try other.resolve(Session.self).info === pushed)
        }
    }

    // MARK: Ends

    @Test(arguments: [true, false])
    func hooks_runInReverseOrderOnce(isFull: Bool) throws {
        let log = Log()
        let parent = try AppContext().load(
            Module("Hooks") { registry in
                registry.register(Database.init)
                registry.register(scope: Self.request, Session.init).onDispose { _ in log("session") }
                registry.register(scope: Self.request, Page.init).onDispose { _ in log("page") }
            })
        let module = Module("Request") { registry in
            registry.register(Info.init).onDispose { _ in log("info") }
            registry.register { (session: Session) in Keeper(Reader(info: session.info)) }
                .onDispose { _ in log("keeper") }
        }
        do {
            let child = try parent.child(opening: Self.request, pushing: module)
            _ = try (child.resolve(Keeper.self), child.resolve(Page.self))
            if isFull { _ = child.existing(Int.self) }
        }
        #expect(log.take() == ["page", "keeper", "session", "info"])
        let child = try parent.child(opening: Self.request, pushing: module)
        _ = try (child.resolve(Keeper.self), child.resolve(Page.self))
        if isFull { _ = child.existing(Int.self) }
        child.pop()
        #expect(log.take() == ["page", "keeper", "session", "info"])
        #expect(message { try child.resolve(Session.self) }?.contains("Info") == true)
    }

    @Test func hookThatAsksForWhatIsPushed_isAnswered() throws {
        let log = Log()
        let module = Module("Request") { registry in
            registry.register { "text" }.onDispose { log("dispose of \($0)") }
            registry.register(Info.init).onDispose { _ in
                log((try? AppContext.current.resolve(String.self)) ?? "nothing")
            }
        }
        let parent = try Self.parent()
        _ = try parent.child(opening: Self.request, pushing: module).resolve(Info.self)
        #expect(log.take() == ["text", "dispose of text"])
    }

    @Test func everythingIsFreed_whenTheChildEnds() throws {
        weak var info: Info?
        weak var page: Page?
        weak var shell: AppContext?
        let parent = try Self.parent()
        for isAsked in [true, false] {
            do {
                let new = Info()
                info = new
                let child = try parent.child(opening: Self.request, pushing: Self.module(new))
                shell = child
                if isAsked { page = try child.resolve(Page.self) }
                #expect(info != nil && (page != nil) == isAsked)
            }
            #expect(info == nil && page == nil && shell == nil)
        }
    }

    /// What a module's closure holds is not released while a lock is held, or inside of an outer factory closure.
    @Test func deinit_ofWhatTheClosureKeeps_mayUseTheContext() throws {
        final class Last: @unchecked Sendable {
            // Sendable: constant.
            let parent: AppContext
            let found: Log
            init(_ parent: AppContext, _ found: Log) {
                self.parent = parent
                self.found = found
            }
            deinit {
                _ = try? parent.push(.text("pushed"))
                found((try? parent.resolve(String.self)) ?? "nothing")
                parent.pop()
            }
        }
        let found = Log()
        let child = Late<AppContext?>()
        let parent = try Self.parent(
            .text("text"),
            Module("Nested") { registry in
                registry.register(Int.self, scope: .prototype) {
                    child.value = .some(nil)
                    return 1
                }
            })
        for _ in 0..<3 {
            let new = try parent.child(
                opening: Self.request,
                pushing: Module("Request") { registry in
                    let last = Last(parent, found)
                    registry.register { withExtendedLifetime(last) { 1.5 } }
                })
            _ = try new.resolve(Double.self)
            child.value = .some(new)
        }
        _ = found.take()
        _ = try parent.resolve(Int.self)
        #expect(found.take() == ["pushed"])
    }

    // MARK: Errors

    /// Messages of children, the first of which is full.
    private func messages(_ parent: AppContext, _ modules: [Module], _ ask: (AppContext) throws -> Void) throws
        -> [String?]
    {
        try (0..<3).map { number in
            let child = try parent.child(opening: Self.request, pushing: modules)
            if number == 0 { _ = child.existing(Int.self) }
            return message { try ask(child) }
        }
    }

    @Test func failure_isTheSameError_andLeavesNothing() throws {
        let isRefused = Late(true)
        let module = Module("Request") { registry in
            registry.register { () throws -> Info in
                if isRefused.value == true { throw Refusal() }
                return Info()
            }
        }
        let parent = try Self.parent()
        let texts = try messages(parent, [module]) { child in
            _ = try child.resolve(Page.self, fileID: "Shop/Main.swift", line: 7)
        }
        #expect(texts[0]?.contains("Refusal()") == true)
        #expect(Set(texts).count == 1)
        isRefused.value = true
        let child = try parent.child(opening: Self.request, pushing: module)
        #expect(message { try child.resolve(Info.self) } != nil)
        isRefused.value = false
        let info = try child.resolve(Info.self)
        #expect(try child.resolve(Info.self) === info)
    }

    @Test func cycle_isTheSameError() throws {
        final class Hen: Sendable { init(_: Egg) {} }
        final class Egg: Sendable { init(_: Hen) {} }
        let parent = try AppContext().load(Module("M") { $0.register(scope: Self.request, Hen.init) })
        let texts = try messages(parent, [Module("Eggs") { $0.register(Egg.init) }]) { child in
            _ = try child.resolve(Hen.self, fileID: "Shop/Main.swift", line: 7)
        }
        #expect(texts[0]?.contains("Hen") == true)
        #expect(Set(texts).count == 1)
    }

    /// The pushed registration reads at run time, so that the child becomes full while it is made.
    @Test func whatAMakerReadsAtRunTime_countsToo() throws {
        let parent = try Self.parent(.text("text"))
        for _ in 0..<2 { _ = try parent.resolve(String.self) }
        let module = Module("Request") { registry in
            registry.register { (resolver: Resolver, _: Clock) in
                Reader(info: try resolver.resolve(String.self) == "text" ? Info() : nil)
            }
            registry.register(Keeper.init)
        }
        let child = try parent.child(opening: Self.request, pushing: module)
        let keeper = try child.resolve(Keeper.self)
        #expect(keeper.reader.info != nil)
        try parent.push(.text("pushed"))
        #expect(try child.resolve(Keeper.self).reader.info == nil)
        parent.pop()
        #expect(try child.resolve(Keeper.self) === keeper)
    }

    /// The parent changes while the child, which has made nothing yet, makes a prototype.
    @Test func change_whileAPrototypeIsMade_leavesItTheStateOfItsStart() throws {
        struct Pair { let texts: [String] }
        let parent = try Self.parent(.text("old"))
        let isOvertaken = Late(false)
        try parent.load(
            Module("M") { registry in
                registry.register(Pair.self, scope: .prototype) { (before: Clock, resolver: Resolver) in
                    if isOvertaken.value == true {
                        let done = DispatchSemaphore(value: 0)
                        DispatchQueue.global().async {
                            _ = try? parent.push(.text("new"))
                            done.signal()
                        }
                        done.wait()
                    }
                    return Pair(texts: try resolver.resolveAll(String.self))
                }
            })
        for _ in 0..<2 { _ = try parent.resolve(Pair.self) }
        isOvertaken.value = true
        let child = try parent.child(opening: Self.request, pushing: .text("pushed"))
        #expect(try child.resolve(Pair.self).texts == ["pushed", "old"])
        isOvertaken.value = false
        #expect(try child.resolve(Pair.self).texts == ["pushed", "new", "old"])
        parent.pop()
        #expect(try child.resolve(Pair.self).texts == ["pushed", "old"])
    }

    // MARK: Wrappers and observers

    @Test func wrappers_follow() throws {
        let parent = try Self.parent()
        let child = try parent.child(opening: Self.request, pushing: Self.module())
        let holder = AppContext.withContext(child) { Holder() }
        let (session, info, database) = (holder.session, holder.info, holder.database)
        #expect(session.info === info && session.database === database)
        #expect(holder.session === session && holder.info === info)
        try parent.push(Module("Other") { $0.register(Database.init) })
        #expect(holder.database !== database && holder.session.database === holder.database)
        #expect(holder.info === info)
        parent.pop()
        #expect(holder.database === database && holder.session === session)
        let other = Info()
        try child.push(Self.module(other))
        #expect(holder.info === other && holder.session.info === other)
        child.pop()
        #expect(holder.info === info && holder.session === session && holder.database === database)
    }

    @Test func observers_areToldAboutThePush() throws {
        let parent = try Self.parent()
        let log = Log()
        let observation = parent.observe { event in
            if case .pushed(let module, _, _) = event { log("pushed \(module.name)") }
        }
        let child = try parent.child(opening: Self.request, pushing: Self.module())
        #expect(log.take() == ["pushed Request"])
        observation.end()
        withExtendedLifetime(child) {}
    }

    // MARK: Threads

    /// Several threads use one child.
    ///
    /// Each instance is made once, even if the child becomes full in the meantime.
    @Test func oneInstance_howeverManyThreadsAsk() throws {
        let parent = try Self.parent()
        let rounds = TestScale.count(2000)
        let child = Late<AppContext>()
        let found = Tally<Page>()
        let made = Counter()
        for round in 0..<rounds {
            child.value = try parent.child(
                opening: Self.request,
                pushing: Module("Request") { registry in
                    registry.register { () -> Info in
                        made.next()
                        return Info()
                    }
                })
            try Crowd.run("one instance", threads: 4) { member in
                member.step()
                guard let child = child.value else { return }
                switch (round + member.number) % 5 {
                case 0: break
                case 1: _ = try child.resolve(Session.self)
                case 2: _ = child.existing(Page.self)
                case 3: _ = try child.resolve(Line.self)
                default: _ = try child.resolve(Info.self)
                }
                found.append(try child.resolve(Page.self))
            }
            #expect(Set(found.take().map(ObjectIdentifier.init)).count == 1)
        }
        #expect(made.value == rounds)
    }

    /// Requests open and end children that push, while their parent changes what they need.
    @Test func requests_meetAChangingParent() throws {
        let parent = try Self.parent()
        let rounds = TestScale.count(4000)
        let others = [
            Module("Other") { $0.register(Database.init) }, Self.module(),
            Module("Readers") { $0.register { (info: Info) in Reader(info: info) } },
        ]
        try Crowd.run("a changing parent", threads: 4) { member in
            for round in 0..<rounds {
                member.step()
                if member.number == 0 {
                    if round.isMultiple(of: 2) { try parent.push(others[round / 2 % 3]) } else { parent.pop() }
                    continue
                }
                let info = Info()
                let child = try parent.child(opening: Self.request, pushing: Self.module(info))
                let page = try child.resolve(Page.self)
                #expect(page.session.info === info)
                #expect(try child.resolve(Line.self).info === info)
                if let reader = try? child.resolve(Reader.self) { #expect(reader.info === info) }
                #expect(try child.resolve(Info.self) === info)
                if round.isMultiple(of: 5) { child.pop() }
                _ = try child.resolve(Database.self)
            }
        }
        #expect(try parent.resolve(Database.self) === parent.resolve(Database.self))
    }

    /// A wrapper is read while its child ends.
    @Test func wrapper_asksWhileTheChildEnds() throws {
        let parent = try Self.parent()
        let rounds = TestScale.count(2000)
        let child = Late<AppContext?>()
        let wrapper = Late<Dependency<Page>>()
        for _ in 0..<rounds {
            let info = Info()
            let new = try parent.child(opening: Self.request, pushing: Self.module(info))
            wrapper.value = AppContext.withContext(new) { Dependency<Page>() }
            child.value = .some(new)
            try Crowd.run("an end", threads: 2) { member in
                member.step()
                if member.number == 0 {
                    child.value = .some(nil)
                } else if let page = try? wrapper.value?.resolved() {
                    #expect(page.session.info === info)
                }
            }
        }
    }
}
