import Locator
import Synchronization
import TestSupport
import Testing

private final class Users: Sendable {
    let messages = Late<Messages>()
}

private final class Messages: Sendable {
    let friends: Friends
    init(friends: Friends) { self.friends = friends }
}

private final class Friends: Sendable {
    let users: Users
    init(users: Users) { self.users = users }
}

private struct Refusal: Error {}

@Suite("Injections run after the instance is made and before the outermost request returns")
struct InjectingTests {
    private let context = AppContext()
    private let log = Log()

    private let social = Module("Social") { registry in
        registry.register(Users.init).injecting { (users, messages: Messages) in users.messages.value = messages }
        registry.register(Messages.init)
        registry.register(Friends.init)
    }

    @Test("The error of an injection names what needs the instance, also through another injection")
    func errorOfAnInjection_hasTheChain() throws {
        let file: StaticString = "Shop/Shop.swift"
        try context.load(
            Module("Shop") { registry in
                registry.register(Int.self, fileID: file, line: 1) { (_: String) in 1 }
                registry.register(String.self, fileID: file, line: 2) { (_: Double) in "" }
                registry.register(Double.self, fileID: file, line: 3) { 1 }.injecting { (_: Double, _: Bool) in }
                registry.register(Bool.self, fileID: file, line: 4) { (_: Float) in true }
                registry.register(Float.self, fileID: file, line: 5) { 1 }.injecting { (_: Float) in throw Refusal() }
            })
        #expect(
            message { try context.resolve(Int.self, fileID: file, line: 6) } == """
                Shop/Shop.swift:5: injecting into Float failed: Refusal()
                  needed by Bool (Shop/Shop.swift:4)
                  needed by injecting into Double (Shop/Shop.swift:3)
                  needed by String (Shop/Shop.swift:2)
                  needed by Int (Shop/Shop.swift:1)
                  requested: Int at Shop/Shop.swift:6
                """)
    }

    @Test func cycle_isClosed_fromWhicheverEnd() throws {
        try context.load(social)
        let users = try context.resolve(Users.self)
        #expect(users.messages.value?.friends.users === users)
        try context.reset()
        let messages = try context.resolve(Messages.self)
        #expect(messages.friends.users.messages.value === messages)
        try context.reset()
        let friends = try context.resolve(Friends.self)
        #expect(friends.users.messages.value?.friends === friends)
    }

    @Test func injections_runInTheOrderOfMaking_thenAsWritten() throws {
        let module = Module("M") { [log] registry in
            registry.register(String.self) { (number: Int) in
                log("make String")
                return "\(number)"
            }
            .injecting { _ in log("first of String") }
            .injecting { _ in log("second of String") }
            registry.register(Int.self) {
                log("make Int")
                return 1
            }
            .injecting { _ in log("of Int") }
        }
        try context.load(module)
        _ = try context.resolve(String.self)
        #expect(log.entries == ["make Int", "make String", "of Int", "first of String", "second of String"])
    }

    @Test func injection_runsOncePerInstance() throws {
        let module = Module("M") { [log] registry in
            registry.register(Int.self) { 1 }.injecting { _ in log("singleton") }
            registry.register(Int.self, qualifier: "each", scope: .prototype) { 2 }.injecting { _ in log("prototype") }
            registry.register(Int.self, qualifier: "graph", scope: .graph) { 3 }.injecting { _ in log("graph") }
            registry.register(
                String.self, parameterQualifiers: ["graph", "graph"]
            ) { (a: Int, b: Int) in "\(a)\(b)" }
        }
        try context.load(module)
        for _ in 0..<2 {
            _ = try context.resolve(Int.self)
            _ = try context.resolve(Int.self, qualifier: "each")
            _ = try context.resolve(String.self)
        }
        #expect(log.entries == ["singleton", "prototype", "graph", "prototype"])
    }

    @Test func injection_takesEveryKindOfParameter() throws {
        let module = Module("M", properties: ["size": 3]) { [log] registry in
            registry.register(Int.self) { 1 }
                .injecting { (number, text: String?, all: [Double], provider: Provider<Double>, resolver: Resolver) in
                    log("\(number) \(text as Any) \(all) \(try provider()) \(try resolver.value("size", as: Int.self))")
                }
            registry.register(Double.self) { 0.5 }
        }
        try context.load(module)
        _ = try context.resolve(Int.self)
        #expect(log.entries == ["1 nil [0.5] 0.5 3"])
    }

    @Test func whatInjectionsMake_isInjectedToo() throws {
        let module = Module("M") { [log] registry in
            registry.register(Int.self) { 1 }.injecting { (_, _: String) in log("Int") }
            registry.register(String.self) { "" }.injecting { (_, _: Double) in log("String") }
            registry.register(Double.self) { 1 }.injecting { _ in log("Double") }
        }
        try context.load(module)
        _ = try context.resolve(Int.self)
        #expect(log.entries == ["Int", "String", "Double"])
    }

    @Test func throwingInjection_dropsTheJoined_andKeepsTheOthers() throws {
        final class Thing: Sendable {}
        let isBroken = Late(true)
        let social = Module("Social") { registry in
            registry.register(Users.init)
                .injecting { (users, messages: Messages) in
                    if isBroken.value == true { throw Refusal() }
                    users.messages.value = messages
                }
            registry.register(Messages.init)
            registry.register(Friends.init)
            registry.register(Thing.init)
            registry.register([String: Bool].self) { (_: Thing, _: Friends) in [:] }
        }
        try context.load(social)
        guard
            case .initializationFailed(let key, let cause) = locatorError({ try context.resolve([String: Bool].self) })?
                .kind
        else {
            Issue.record("no failure")
            return
        }
        #expect(key == Key(Users.self))
        #expect(cause is Refusal)
        // The users are incomplete for everything that holds them.
        #expect(context.existing(Users.self) == nil)
        #expect(context.existing(Messages.self) == nil)
        #expect(context.existing(Friends.self) == nil)
        #expect(context.existing([String: Bool].self) == nil)
        let thing = context.existing(Thing.self)
        #expect(thing != nil)

        isBroken.value = false
        let users = try context.resolve(Users.self)
        #expect(users.messages.value?.friends.users === users)
        #expect(try context.resolve(Thing.self) === thing)
    }

    @Test(arguments: ScopeKind.onDemand)
    func laterInjection_keepsNothingMadeFromAnInstanceWhoseInjectionHasFailed(_ scope: ScopeKind) throws {
        final class Thing: Sendable {}
        let isBroken = Late(true)
        let module = Module("M") { registry in
            scope.register(Thing.self, in: registry) {
                Thing()
            } injecting: { _ in
                if isBroken.value == true { throw Refusal() }
            }
            registry.register([Int: Thing].self) { (thing: Thing) in [1: thing] }
            registry.register([String: Thing].self) { (thing: Thing) in ["a": thing] }
                .injecting { (_, _: [Int: Thing]) in }
        }
        try context.load(module)
        #expect(locatorError({ try context.resolve([String: Thing].self) }) != nil)
        #expect(context.existing([String: Thing].self) == nil)
        #expect(context.existing([Int: Thing].self) == nil)
        isBroken.value = false
        #expect(try context.resolve([Int: Thing].self).count == 1)
    }

    @Test func droppedInstances_areNotDisposedOf() throws {
        let module = Module("M") { [log] registry in
            registry.register(Int.self) { 1 }.injecting { _ in throw Refusal() }.onDispose { _ in log("disposed") }
        }
        try context.load(module)
        #expect(locatorError({ try context.resolve(Int.self) }) != nil)
        try context.reset()
        #expect(log.entries == [])
    }

    @Test func joinedInstances_areSetAsideAndBroughtBackTogether() throws {
        let module = Module("Social") { registry in
            registry.register(Users.init).injecting { (users, messages: Messages) in users.messages.value = messages }
            registry.register(Messages.init)
            registry.register(Friends.self) { (users: Users, _: Int?) in Friends(users: users) }
        }
        try context.load(module)
        let users = try context.resolve(Users.self)
        let messages = try context.resolve(Messages.self)
        try context.push(Module("Int") { $0.register(Int.self) { 1 } })
        let others = try context.resolve(Users.self)
        #expect(others !== users)
        #expect(others.messages.value !== messages)
        #expect(others.messages.value?.friends.users === others)
        context.pop()
        #expect(try context.resolve(Users.self) === users)
        #expect(try context.resolve(Messages.self) === messages)
        #expect(users.messages.value === messages)
    }

    @Test func closureFurtherOut_seesTheInstanceBeforeItsInjection() throws {
        let module = Module("M") { [log] registry in
            registry.register(Late<Int>.self) { Late<Int>() }.injecting { late in late.value = 1 }
            registry.register(String.self) { (late: Late<Int>) in
                log("\(late.value as Any)")
                return ""
            }
        }
        try context.load(module)
        _ = try context.resolve(String.self)
        #expect(log.entries == ["nil"])
        #expect(try context.resolve(Late<Int>.self).value == 1)
    }

    /// Made again each time, and injected with what needs it.
    private final class Leaf: Sendable {}
    private final class Tree: Sendable {
        let leaf: Leaf
        init(leaf: Leaf) { self.leaf = leaf }
    }

    @Test(arguments: [true, false])
    func prototype_mayBeInjectedWithAShared_thatNeedsIt(_ isGraph: Bool) throws {
        let injected = Log()
        let module = Module("Trees") { registry in
            registry.register(Leaf.self, scope: .prototype) { Leaf() }
                .injecting { (leaf, tree: Tree) in injected(leaf === tree.leaf ? "its own tree" : "a tree") }
            if isGraph {
                registry.register(Tree.self, scope: .graph, Tree.init)
            } else {
                registry.register(Tree.init)
            }
        }
        _ = try AppContext().load(module).resolve(Leaf.self)
        #expect(injected.take() == ["a tree", "its own tree"])
        _ = try AppContext().load(module).resolve(Tree.self)
        #expect(injected.take() == ["its own tree"])
        #expect(try AppContext().load(module).validate().errors.isEmpty)
    }

    @Test func trailingClosure_isNotTakenAsOneForTheMainActor() async throws {
        struct Content { var part: Part? }
        final class Part: Sendable {}
        final class Whole: Sendable { let content = Mutex<Content?>(nil) }
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Part.init)
                registry.register(scope: .prototype, Whole.init)
                    .injecting { (whole, part: Part) in whole.content.withLock { $0 = .init(part: part) } }
            })
        let whole = try await Task.detached { try context.resolve(Whole.self) }.value
        #expect(try whole.content.withLock { $0?.part } === context.resolve(Part.self))
    }

    @Test func prototypes_injectedWithEachOther_areACycle() throws {
        let context = try AppContext().load(
            Module("Trees") { registry in
                registry.register(Leaf.self, scope: .prototype) { Leaf() }.injecting { (leaf, tree: Tree) in }
                registry.register(Tree.self, scope: .prototype, Tree.init)
            })
        for error in [
            locatorError({ try context.resolve(Leaf.self) }), locatorError({ try context.resolve(Tree.self) }),
        ] {
            guard case .circularDependency? = error?.kind else {
                Issue.record("not a cycle: \(error.map { "\($0)" } ?? "nothing")")
                return
            }
        }
        #expect(context.validate().errors.map(\.kind) == [.circularDependency])
    }
}
