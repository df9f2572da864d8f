import Foundation
import Locator
import TestSupport
import Testing

/// A chain of factory closures that is longer than the stack is an error, whatever its links are.
@Suite struct DeepChainTests {
    /// The stack size of a secondary thread on Apple platforms.
    private static let small = 512 << 10
    /// Enough for all chains in these tests.
    private static let large = 1 << 30
    private static let length = 1_000
    private static let visit = Scope("visit")

    fileprivate struct Node: Sendable {
        let length: Int
    }

    private struct Step: Sendable {
        let left: Int
    }

    /// A way to make a chain, in which each numbered link depends on the next one.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        fileprivate let opens: [Scope]
        fileprivate let link: @Sendable (Registry, Qualifier, _ next: Qualifier) -> Void

        fileprivate init(
            _ name: String, opening scopes: [Scope] = [],
            _ link: @escaping @Sendable (Registry, Qualifier, _ next: Qualifier) -> Void
        ) {
            testDescription = name
            opens = scopes
            self.link = link
        }
    }

    private static let ways = [
        Way("singleton") { $0.register(Node.self, qualifier: $1, parameterQualifiers: [$2], longer) },
        Way("prototype") {
            $0.register(Node.self, qualifier: $1, scope: .prototype, parameterQualifiers: [$2], longer)
        },
        Way("graph") { $0.register(Node.self, qualifier: $1, scope: .graph, parameterQualifiers: [$2], longer) },
        Way("custom scope") { $0.register(Node.self, qualifier: $1, scope: visit, parameterQualifiers: [$2], longer) },
        Way("custom scope of a child", opening: [visit]) {
            $0.register(Node.self, qualifier: $1, scope: visit, parameterQualifiers: [$2], longer)
        },
        Way("prototype of a child", opening: [visit]) {
            $0.register(Node.self, qualifier: $1, scope: .prototype, parameterQualifiers: [$2], longer)
        },
        // The child compares the chain with that of its parent first.
        Way("singleton, requested by a child", opening: [visit]) {
            $0.register(Node.self, qualifier: $1, parameterQualifiers: [$2], longer)
        },
        Way("optional") {
            $0.register(Node.self, qualifier: $1, parameterQualifiers: [$2]) { (next: Node?) in
                longer(try #require(next))
            }
        },
        Way("collection") {
            $0.register(Node.self, qualifier: $1, parameterQualifiers: [$2]) { (next: [Node]) in longer(next[0]) }
        },
        Way("decorator") { registry, qualifier, next in
            registry.register(Node.self, qualifier: qualifier) { Node(length: 0) }
            registry.decorate(Node.self, qualifier: qualifier, parameterQualifiers: [next]) { (_, next: Node) in
                longer(next)
            }
        },
        Way("injection") {
            $0.register(Node.self, qualifier: $1, scope: .prototype, parameterQualifiers: [$2], longer).injecting { _ in
            }
        },
        Way("resolver") { registry, qualifier, next in
            registry.register(Node.self, qualifier: qualifier) { (resolver: Resolver) in
                longer(try resolver.resolve(qualifier: next))
            }
        },
        Way("resolver, all") { registry, qualifier, next in
            registry.register(Node.self, qualifier: qualifier, scope: .prototype) { (resolver: Resolver) in
                longer(try resolver.resolveAll(Node.self, qualifier: next)[0])
            }
        },
        Way("context") { registry, qualifier, next in
            registry.register(Node.self, qualifier: qualifier) {
                longer(try AppContext.current.resolve(qualifier: next))
            }
        },
        Way("wrapper") { registry, qualifier, next in
            registry.register(Node.self, qualifier: qualifier) {
                longer(try Dependency<Node>(qualifier: next).resolved())
            }
        },
        Way("wrapper of many") { registry, qualifier, next in
            registry.register(Node.self, qualifier: qualifier, scope: .prototype) {
                longer(try DependencyArray<Node>(qualifier: next).resolved()[0])
            }
        },
        Way("lazy, asked at once") {
            $0.register(Node.self, qualifier: $1, parameterQualifiers: [$2]) { (next: Lazy<Node>) in
                longer(try next.resolved())
            }
        },
        Way("provider, asked at once") {
            $0.register(Node.self, qualifier: $1, scope: .prototype, parameterQualifiers: [$2]) {
                (next: Provider<Node>) in
                longer(try next())
            }
        },
    ]

    @Sendable private static func longer(_ next: Node) -> Node { Node(length: next.length + 1) }

    @Test("A chain that is too long is an error, and leaves nothing behind", .oneThread, arguments: ways)
    private func chain(way: Way) throws {
        let context = try AppContext().load(Self.chain(Self.length, way), .naming(Self.visit))
        let user = way.opens.isEmpty ? context : try context.child(opening: way.opens[0])
        let end = Self.length
        let ask: @Sendable (Int) throws -> Int = { number in
            try user.resolve(Node.self, qualifier: .named("\(number)")).length
        }
        for _ in 0..<2 {
            try onThread(stack: Self.small) { () throws in
                expectTooDeep { try ask(1) }
                // A chain that is short enough can be resolved at once.
                #expect(try ask(end - 5) == 6)
            }
        }
        // On a larger stack, the same context can make it.
        let length = try onThread(stack: Self.large) { try ask(end - 300) }
        #expect(length == 301)
    }

    @Test("A chain of thousands is made on a large stack, and is an error on a small one", arguments: ways.prefix(2))
    private func longChain(way: Way) throws {
        let length = max(1_500, TestScale.count(5_000))
        let context = try AppContext().load(Self.chain(length, way))
        let ask: @Sendable () throws -> Int = { try context.resolve(Node.self, qualifier: "1").length }
        try onThread(stack: Self.small) { expectTooDeep(ask) }
        let made = try onThread(stack: Self.large, ask)
        #expect(made == length)
        // The singleton exists now. The prototype is made without a lock, and its chain is still too long.
        try onThread(stack: Self.small) { () throws in
            if way.testDescription == "singleton" {
                #expect(try ask() == length)
            } else {
                expectTooDeep(ask)
            }
        }
    }

    private static func chain(_ length: Int, _ way: Way) -> Module {
        Module("Chain") { registry in
            for number in 1...length { way.link(registry, .named("\(number)"), .named("\(number + 1)")) }
            registry.register(Node.self, qualifier: .named("\(length + 1)")) { Node(length: 0) }
        }
    }

    @Test func decoratorsAroundOneKey_areLinks() throws {
        let module = Module("Decorators") { registry in
            registry.register(Node.self) { Node(length: 0) }
            for _ in 0..<1_500 { registry.decorate(Node.self) { base in Self.longer(base) } }
        }
        let context = try AppContext().load(module)
        try onThread(stack: Self.small) { expectTooDeep { try context.resolve(Node.self) } }
        let length = try onThread(stack: Self.large) { try context.resolve(Node.self).length }
        #expect(length == 1_500)
    }

    @Test("A factory closure that resolves from a new context each time ends with an error", arguments: [true, false])
    func contextInContext_ends(isChild: Bool) throws {
        let module = Module("Nested") { registry in
            registry.register(Node.self, scope: .prototype) {
                let next = isChild ? try AppContext.current.child() : try AppContext.current.fork()
                return Self.longer(try next.resolve(Node.self))
            }
        }
        let context = try AppContext().load(module)
        try onThread(stack: Self.small) {
            expectTooDeep(atLeast: 1) { try context.resolve(Node.self) }
            #expect(context.existing(Node.self) == nil)
        }
    }

    // MARK: Factories

    private static let counting = Module("Counting") { registry in
        registry.factory(Node.self) { (step: Step, next: Factory<Step, Node>) in
            step.left == 0 ? Node(length: 0) : longer(try next(Step(left: step.left - 1)))
        }
        registry.factory(Node.self, qualifier: "resolver") { (step: Step, resolver: Resolver) in
            step.left == 0
                ? Node(length: 0)
                : longer(
                    try resolver.resolve(Node.self, with: Step(left: step.left - 1), qualifier: "resolver"))
        }
    }

    @Test("A factory may call itself until the stack is exhausted", arguments: [nil, "resolver"])
    func factory_mayCallItself(qualifier: String?) throws {
        let context = try AppContext().load(Self.counting)
        let ask: @Sendable (Int) throws -> Int = {
            try context.resolve(Node.self, with: Step(left: $0), qualifier: qualifier.map(Qualifier.named)).length
        }
        let length = try onThread(stack: Self.large) { try ask(1_000) }
        #expect(length == 1_000)
        try onThread(stack: Self.small) { () throws in
            for _ in 0..<3 {
                expectTooDeep { try ask(.max) }
                #expect(try ask(5) == 5)
            }
        }
    }

    // MARK: The error

    @Test func error_saysHowDeepItIs_andShowsBothEndsOfTheChain() throws {
        let module = Module("Endless") { registry in
            registry.factory(Node.self, fileID: "Shop/Tree.swift", line: 7) {
                (step: Step, next: Factory<Step, Node>) in
                try next(Step(left: step.left + 1))
            }
        }
        let context = try AppContext().load(module)
        let error = try onThread(stack: Self.small) {
            locatorError {
                try context.resolve(Node.self, with: Step(left: 0), fileID: "Shop/Shop.swift", line: 3)
            }
        }
        guard case .tooDeep(Key(Node.self), let levels)? = error?.kind else {
            Issue.record("\(error?.description ?? "no error")")
            return
        }
        let link = "  needed by Node (Shop/Tree.swift:7)\n"
        #expect(
            error?.description == """
                Shop/Tree.swift:7: Node cannot be made: the stack of the thread is nearly full, \(levels) levels deep
                \(String(repeating: link, count: 10))  … and \(levels - 21) more …
                \(String(repeating: link, count: 10))  requested: Node at Shop/Shop.swift:3
                  fix: break the chain with Lazy<…> or Provider<…>, or run it on a thread with a larger stack
                """)
        #expect(error?.chain.count == levels - 1)
    }

    @Test func longCycle_isShownWithBothEnds() throws {
        let length = 30
        let module = Module("Cycle") { registry in
            for number in 1...length {
                registry.register(
                    Node.self, qualifier: .named("\(number)"), parameterQualifiers: [.named("\(number % length + 1)")],
                    fileID: "Shop/Tree.swift", line: UInt(number), Self.longer)
            }
        }
        let context = try AppContext().load(module)
        let lines = (2...10).map { "  needs Node \"\($0)\" (Shop/Tree.swift:\($0))\n" }
        let last = (Array(22...30) + [1]).map { "  needs Node \"\($0)\" (Shop/Tree.swift:\($0))\n" }
        #expect(
            message { try context.resolve(Node.self, qualifier: "1", fileID: "Shop/Shop.swift", line: 3) } == """
                Shop/Tree.swift:1: Node "1" depends on itself
                  Node "1" (Shop/Tree.swift:1)
                \(lines.joined())  … and 11 more …
                \(last.joined())  requested: Node "1" at Shop/Shop.swift:3
                  fix: resolve one of them lazily (Lazy<…> or a wrapper), or pass it with .injecting
                """)
    }

    @Test func whoWaitsOnALargerStack_makesTheChainItself() throws {
        let isDeep = DispatchSemaphore(value: 0), mayGoOn = DispatchSemaphore(value: 0)
        let isFirst = Late(true)
        let way = Way("singleton, waiting") { registry, qualifier, next in
            registry.register(Node.self, qualifier: qualifier, parameterQualifiers: [next]) { (next: Node) in
                Self.longer(next)
            }
        }
        let gate = Module("Gate") { registry in
            registry.register(Node.self, qualifier: "0") { (resolver: Resolver) in
                if isFirst.value == true {
                    isFirst.value = false
                    isDeep.signal()
                    mayGoOn.wait()
                }
                return Self.longer(try resolver.resolve(qualifier: "1"))
            }
        }
        let context = try AppContext().load(Self.chain(Self.length, way), gate)
        let other = Late<Result<Int, any Error>>()
        let done = DispatchSemaphore(value: 0)
        try onThread(stack: Self.small) {
            let thread = Thread {
                isDeep.wait()
                mayGoOn.signal()
                other.value = Result { try context.resolve(Node.self, qualifier: "0").length }
                done.signal()
            }
            thread.stackSize = Self.large
            thread.start()
            expectTooDeep { try context.resolve(Node.self, qualifier: "0") }
        }
        done.wait()
        #expect(try other.value?.get() == Self.length + 1)
    }
}

/// Expects the stack to be exhausted after some levels.
private func expectTooDeep<Result>(
    atLeast least: Int = 20, sourceLocation: Testing.SourceLocation = #_sourceLocation, _ body: () throws -> Result
) {
    do {
        _ = try body()
        Issue.record("no error", sourceLocation: sourceLocation)
    } catch let error as LocatorError {
        guard case .tooDeep(_, let levels) = error.kind else {
            Issue.record(error, sourceLocation: sourceLocation)
            return
        }
        #expect(levels >= least && levels < 2_000, sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
