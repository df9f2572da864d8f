import Dispatch
import Locator
import TestSupport
import Testing

/// A child that resolves only instances of its scopes stays lean: a state, cells and records of reads come only when
/// something needs them.
///
/// It must not be visible when this happens.
@Suite("A lean child does what a full one does")
struct LeanChildTests {
    final class Database: Sendable {}
    final class Session: Sendable {
        let database: Database
        init(_ database: Database) { self.database = database }
    }
    final class Page: Sendable {
        let session: Session
        init(_ session: Session) { self.session = session }
    }
    struct Line {
        let session: Session
        let database: Database
    }
    struct Refusal: Error {}

    static let request = Scope("request")

    static let server = Module("Server") { registry in
        registry.register(Database.init)
        registry.register(scope: request, Session.init)
        registry.register(scope: request, Page.init)
        registry.register(Line.self, scope: .prototype) { Line(session: $0, database: $1) }
    }

    /// A context whose own instances are made and ready.
    static func parent(_ modules: Module...) throws -> AppContext {
        let context = AppContext()
        try context.load(server)
        for module in modules { try context.load(module) }
        for _ in 0..<2 { _ = try context.resolve(Database.self) }
        return context
    }

    /// What makes a child full.
    struct End: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (_ parent: AppContext, _ child: AppContext) throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (AppContext, AppContext) throws -> Void) {
            testDescription = name
            self.run = run
        }
    }

    final class Holder {
        @Dependency var session: Session
    }

    static let ends: [End] = [
        End("nothing") { _, _ in },
        End("a look at what is made") { _, child in _ = child.existing(Database.self) },
        End("a collection") { _, child in _ = try child.resolveAll(Session.self) },
        End("an optional") { _, child in _ = try child.resolve(String?.self) },
        End("what is missing") { _, child in _ = try? child.resolve(String.self) },
        End("a dump") { _, child in _ = child.dump() },
        End("a report") { _, child in _ = child.validate() },
        End("a wrapper") { _, child in _ = AppContext.withContext(child) { Holder() }.session },
        End("a child of its own") { _, child in _ = try child.child(opening: request).resolve(Database.self) },
        End("a push and a pop") { _, child in
            try child.push(.text("pushed"))
            child.pop()
        },
        End("a push and a pop of the parent") { parent, _ in
            try parent.push(Module("Other") { $0.register(Database.init) })
            parent.pop()
        },
        End("a load of the parent") { parent, _ in try parent.load(.text("loaded")) },
        End("a reset of another scope") { parent, _ in
            try parent.load(.naming(Scope("other")))
            try parent.reset(Scope("other"))
        },
        End("an observer") { parent, child in
            let observation = parent.observe { _ in }
            _ = try child.resolve(Page.self)
            observation.end()
        },
    ]

    @Test(arguments: ends)
    func instances_stayTheSame_whateverMakesTheChildFull(_ end: End) throws {
        let parent = try Self.parent()
        let child = try parent.child(opening: Self.request)
        let page = try child.resolve(Page.self)
        #expect(try child.resolve(Session.self) === page.session)
        try end.run(parent, child)
        #expect(try child.resolve(Page.self) === page)
        #expect(try child.resolve(Session.self) === page.session)
        #expect(try page.session.database === parent.resolve(Database.self))
        #expect(parent.existing(Session.self) == nil)
    }

    @Test(arguments: ends)
    func change_ofWhatAnInstanceWasMadeFrom_setsItAside_andThePopBringsItBack(_ end: End) throws {
        let parent = try Self.parent()
        let child = try parent.child(opening: Self.request)
        let page = try child.resolve(Page.self)
        try end.run(parent, child)
        let other = Module("Other") { $0.register(Database.init) }
        for context in [parent, child] {
            try context.push(other)
            let replaced = try child.resolve(Page.self)
            #expect(replaced !== page)
            #expect(replaced.session !== page.session)
            #expect(try replaced.session.database === child.resolve(Database.self))
            context.pop()
            #expect(try child.resolve(Page.self) === page)
        }
    }

    @Test func change_ofWhatAPrototypeWasMadeFrom_setsItsHolderAside() throws {
        final class Owner: Sendable {
            let database: Database
            init(line: Line) { database = line.database }
        }
        let parent = try Self.parent(Module("Owner") { $0.register(scope: Self.request, Owner.init) })
        // The second child finds the prototype's registration ready.
        for _ in 0..<3 {
            let child = try parent.child(opening: Self.request)
            let owner = try child.resolve(Owner.self)
            try child.push(Module("Other") { $0.register(Database.init) })
            #expect(try child.resolve(Owner.self) !== owner)
            child.pop()
            #expect(try child.resolve(Owner.self) === owner)
        }
    }

    /// A child with frequent requests becomes full.
    @Test func instances_stayTheSame_howeverOftenTheyAreRequested() throws {
        let parent = try Self.parent()
        let child = try parent.child(opening: Self.request)
        let page = try child.resolve(Page.self)
        for _ in 0..<200 {
            #expect(try child.resolve(Page.self) === page)
            #expect(try child.resolve(Session.self) === page.session)
        }
        try child.push(Module("Other") { $0.register(Database.init) })
        #expect(try child.resolve(Page.self) !== page)
        child.pop()
        #expect(try child.resolve(Page.self) === page)
    }

    @Test func manyInstances_areMadeOnceEach() throws {
        struct Numbered<Digit>: Sendable { let number: Int }
        let made = Counter()
        var asks: [(AppContext) throws -> Int] = []
        var registers: [@Sendable (Registry) -> Void] = []
        func add<Value>(_ type: Value.Type, depth: Int) {
            registers.append { registry in
                registry.register(Numbered<Value>.self, scope: Self.request) { Numbered<Value>(number: made.next()) }
            }
            asks.append { try $0.resolve(Numbered<Value>.self).number }
            if depth > 0 { add(Numbered<Value>.self, depth: depth - 1) }
        }
        add(Int.self, depth: 40)
        let registrations = registers
        let parent = try AppContext().load(Module("Many") { for register in registrations { register($0) } })
        let child = try parent.child(opening: Self.request)
        let numbers = try asks.map { try $0(child) }
        #expect(numbers == Array(1...41))
        #expect(try asks.map { try $0(child) } == numbers)
    }

    @Test func reset_ofTheParent_endsWhatWasMadeFromItsInstances() throws {
        let parent = try Self.parent()
        let child = try parent.child(opening: Self.request)
        let page = try child.resolve(Page.self)
        try parent.reset()
        #expect(try child.resolve(Page.self) !== page)
        #expect(try child.resolve(Session.self).database === parent.resolve(Database.self))
    }

    @Test func reset_ofTheScope_endsItsInstances() throws {
        let ended = Log()
        let parent = try Self.parent(
            Module("Hooks") { registry in
                registry.register(String.self, scope: Self.request) { (_: Page) in "text" }
                    .onDispose { _ in ended("text") }
            })
        let child = try parent.child(opening: Self.request)
        let page = try child.resolve(Page.self)
        _ = try child.resolve(String.self)
        try child.reset(Self.request)
        #expect(ended.take() == ["text"])
        #expect(try child.resolve(Page.self) !== page)
    }

    @Test func instances_areFreed_whenTheChildEnds() throws {
        weak var page: Page?
        weak var shell: AppContext?
        let parent = try Self.parent()
        do {
            let child = try parent.child(opening: Self.request)
            shell = child
            page = try child.resolve(Page.self)
            #expect(page != nil)
        }
        #expect(page == nil)
        #expect(shell == nil)
    }

    @Test func hooks_runInReverseOrder_whenTheChildEnds() throws {
        let ended = Log()
        let parent = try AppContext().load(
            Module("Hooks") { registry in
                registry.register(Database.init)
                registry.register(scope: Self.request, Session.init).onDispose { _ in ended("session") }
                registry.register(scope: Self.request, Page.init).onDispose { _ in ended("page") }
            })
        for _ in 0..<3 {
            _ = try parent.child(opening: Self.request).resolve(Page.self)
            #expect(ended.take() == ["page", "session"])
        }
    }

    /// The deinit of an instance runs without a lock, and not inside of an outer factory closure.
    @Test func hooks_ofADecoratedInstance_runOnce() throws {
        let ended = Tally<String>()
        let parent = try AppContext().load(
            Module("Texts") { registry in
                registry.register(String.self, scope: Self.request) { "text" }.onDispose { ended.append($0) }
                registry.decorate(String.self) { "decorated \($0)" }
            })
        for _ in 0..<3 {
            #expect(try parent.child(opening: Self.request).resolve(String.self) == "decorated text")
        }
        #expect(ended.elements == ["text", "text", "text"])
    }

    @Test func deinit_mayUseTheContext() throws {
        final class Last: @unchecked Sendable {
            // Sendable: constant.
            let parent: AppContext
            let found: Log
            init(_ parent: AppContext, _ found: Log) {
                self.parent = parent
                self.found = found
            }
            deinit { found((try? parent.resolve(String.self)) ?? "nothing") }
        }
        let found = Log()
        let parent = AppContext()
        try parent.load(.text("text"))
        weak let unretained = parent
        try parent.load(
            Module("Last") { registry in
                registry.register(scope: Self.request) { Last(unretained ?? AppContext(), found) }
            })
        for _ in 0..<3 {
            _ = try parent.child(opening: Self.request).resolve(Last.self)
            #expect(found.take() == ["text"])
        }
    }

    @Test func closuresRunInTheChild_andSoDoTheirTasks() async throws {
        let seen = Late<AppContext>()
        let task = Late<Task<AppContext, Never>>()
        let parent = AppContext()
        try parent.load(
            Module("M") { registry in
                registry.register(scope: Self.request) { () -> Database in
                    seen.value = AppContext.current
                    task.value = Task { AppContext.current }
                    return Database()
                }
            })
        for _ in 0..<3 {
            let child = try parent.child(opening: Self.request)
            _ = try child.resolve(Database.self)
            #expect(seen.value === child)
            #expect(await task.value?.value === child)
        }
    }

    @Test func failure_isTheSameError_andLeavesNothing() throws {
        let isRefused = Late(true)
        let parent = try AppContext().load(
            Module("M") { registry in
                registry.register(Database.self, scope: Self.request) {
                    if isRefused.value == true { throw Refusal() }
                    return Database()
                }
                registry.register(scope: Self.request, Session.init)
            })
        let texts = try (0..<3).map { number in
            let child = try parent.child(opening: Self.request)
            if number == 0 { _ = child.existing(Int.self) }
            return message { try child.resolve(Session.self, fileID: "Shop/Main.swift", line: 7) }
        }
        #expect(texts[0]?.contains("Refusal()") == true)
        #expect(Set(texts).count == 1)
        let child = try parent.child(opening: Self.request)
        #expect(message { try child.resolve(Session.self) } != nil)
        isRefused.value = false
        let session = try child.resolve(Session.self)
        #expect(try child.resolve(Session.self) === session)
    }

    @Test func cycle_isTheSameError() throws {
        final class Hen: Sendable { init(_: Egg) {} }
        final class Egg: Sendable { init(_: Hen) {} }
        let parent = try AppContext().load(
            Module("M") { registry in
                registry.register(scope: Self.request, Hen.init)
                registry.register(scope: Self.request, Egg.init)
            })
        let texts = try (0..<3).map { number in
            let child = try parent.child(opening: Self.request)
            if number == 0 { _ = child.existing(Int.self) }
            return message { try child.resolve(Hen.self, fileID: "Shop/Main.swift", line: 7) }
        }
        #expect(texts[0]?.contains("Hen") == true)
        #expect(Set(texts).count == 1)
    }

    @Test func cycle_overPrototypes_isTheSameError() throws {
        struct Cart { init(_: Bill) {} }
        struct Bill { init(_: Cart, _: String) {} }
        let parent = try AppContext().load(
            Module("M") { registry in
                registry.register(scope: .prototype, Cart.init)
                registry.register(scope: .prototype, Bill.init)
                registry.register(scope: Self.request) { "text" }
            })
        let texts = try (0..<4).map { number in
            let child = try parent.child(opening: Self.request)
            if number == 0 { _ = child.existing(Int.self) }
            return message { try child.resolve(Cart.self, fileID: "Shop/Main.swift", line: 7) }
        }
        #expect(texts[0]?.contains("Cart") == true)
        #expect(Set(texts).count == 1)
    }

    /// The child becomes full while the factory closure runs.
    ///
    /// The reads of the closure must not be lost.
    @Test func whatAClosureReadsAtRunTime_countsToo() throws {
        let parent = try Self.parent(
            Module("M") { registry in
                registry.register { "text" }
                registry.register([String: String].self, scope: Self.request) { (page: Page, resolver: Resolver) in
                    ["text": try resolver.resolve(String.self)]
                }
            })
        for _ in 0..<2 {
            let child = try parent.child(opening: Self.request)
            let page = try child.resolve(Page.self)
            #expect(try child.resolve([String: String].self) == ["text": "text"])
            try child.push(.text("pushed"))
            #expect(try child.resolve([String: String].self) == ["text": "pushed"])
            child.pop()
            #expect(try child.resolve([String: String].self) == ["text": "text"])
            #expect(try child.resolve(Page.self) === page)
        }
    }

    @Test func change_whileAClosureRuns_leavesItTheStateOfItsStart() throws {
        struct Pair: Sendable, Equatable {
            let before: String
            let after: String
        }
        let parent = AppContext()
        let isOvertaken = Late(false)
        try parent.load(.text("old"))
        for _ in 0..<2 { _ = try parent.resolve(String.self) }
        try parent.load(
            Module("M") { registry in
                registry.register(Pair.self, scope: Self.request) { (before: String, resolver: Resolver) in
                    if isOvertaken.value == true {
                        let done = DispatchSemaphore(value: 0)
                        DispatchQueue.global().async {
                            _ = try? parent.push(.text("new"))
                            done.signal()
                        }
                        done.wait()
                    }
                    return try Pair(before: before, after: resolver.resolve())
                }
            })
        #expect(try parent.child(opening: Self.request).resolve(Pair.self) == Pair(before: "old", after: "old"))
        isOvertaken.value = true
        let child = try parent.child(opening: Self.request)
        #expect(try child.resolve(Pair.self) == Pair(before: "old", after: "old"))
        isOvertaken.value = false
        #expect(try child.resolve(Pair.self) == Pair(before: "new", after: "new"))
        parent.pop()
        #expect(try child.resolve(Pair.self) == Pair(before: "old", after: "old"))
    }

    @Test func oneInstance_howeverManyThreadsAsk() throws {
        let parent = AppContext()
        let made = Counter()
        try parent.load(
            Module("M") { registry in
                registry.register(scope: Self.request) { () -> Database in
                    made.next()
                    return Database()
                }
                registry.register(scope: Self.request, Session.init)
                registry.register(scope: Self.request, Page.init)
            })
        let rounds = TestScale.count(2000)
        let child = Late<AppContext>()
        let found = Tally<Page>()
        for round in 0..<rounds {
            child.value = try parent.child(opening: Self.request)
            try Crowd.run("one instance", threads: 4) { member in
                member.step()
                guard let child = child.value else { return }
                let page: Page
                switch (round + member.number) % 4 {
                case 0: page = try child.resolve(Page.self)
                case 1:
                    _ = try child.resolve(Session.self)
                    page = try child.resolve(Page.self)
                case 2:
                    _ = child.existing(Page.self)
                    page = try child.resolve(Page.self)
                default:
                    _ = try child.resolve(Database.self)
                    page = try child.resolve(Page.self)
                }
                found.append(page)
            }
            #expect(Set(found.take().map(ObjectIdentifier.init)).count == 1)
        }
        #expect(made.value == rounds)
    }

    /// Requests open and end children while their parent changes.
    @Test func requests_meetAChangingParent() throws {
        let parent = try Self.parent()
        let rounds = TestScale.count(4000)
        let other = Module("Other") { $0.register(Database.init) }
        try Crowd.run("a changing parent", threads: 4) { member in
            for round in 0..<rounds {
                member.step()
                if member.number == 0 {
                    if round.isMultiple(of: 2) { try parent.push(other) } else { parent.pop() }
                    continue
                }
                let child = try parent.child(opening: Self.request)
                let page = try child.resolve(Page.self)
                let session = try child.resolve(Session.self)
                // If no change came in between, they belong together.
                if session !== page.session { #expect(session.database !== page.session.database) }
                _ = try child.resolve(Line.self)
                _ = try child.resolve(Database.self)
            }
        }
        #expect(try parent.resolve(Database.self) === parent.resolve(Database.self))
    }

    @Test("Its instances of a module are disposed of when its parent removes the module", arguments: [true, false])
    func modules_takenOffAbove_endWhatWasMadeOfThem(isPushed: Bool) throws {
        let log = Log()
        let sessions = Module("Sessions") { registry in
            registry.register(scope: Self.request, Session.init).onDispose { _ in log("dispose of session") }
        }
        let parent = try Self.parent()
        if isPushed { try parent.push(sessions) } else { try parent.load(sessions, priority: .high) }
        for _ in 0..<2 { _ = try parent.resolve(Session.self) }
        var children = try (0..<2).map { _ in try parent.child(opening: Self.request) }
        for child in children { _ = try child.resolve(Session.self) }
        if isPushed { parent.pop() } else { try parent.unload(sessions) }
        #expect(log.take() == ["dispose of session"])
        // At the next request of the first one, and at the end of both.
        _ = children[0].existing(Database.self)
        #expect(log.take() == ["dispose of session"])
        children = []
        #expect(log.take() == ["dispose of session"])
    }
}
