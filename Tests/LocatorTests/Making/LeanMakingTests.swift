import Dispatch
import Locator
import Testing

/// The second request makes the instance without a lock.
///
/// The difference must not be visible.
@Suite("Making an instance without a lock works in the same way as with one")
struct LeanMakingTests {
    private final class Leaf: Sendable {}

    private final class Branch {
        let leaves: [Leaf]
        init(_ first: Leaf, _ second: Leaf) { leaves = [first, second] }
    }

    private struct Refusal: Error {}

    /// The errors of two requests for the same key.
    private func texts<Value>(of type: Value.Type, in context: AppContext) -> [String?] {
        (0..<3).map { _ in
            locatorError { try context.resolve(type, fileID: "Shop/Main.swift", line: 7) }?.description
        }
    }

    private func inContext(_ context: AppContext, _ body: () throws -> Void) rethrows {
        try AppContext.withContext(context) { () throws in try body() }
    }

    @Test func prototypes_areNewEachTime() throws {
        let context = try AppContext().load(
            Module("M") { registry in
                registry.register(scope: .prototype, Leaf.init)
                registry.register(scope: .prototype, Branch.init)
            })
        try inContext(context) {
            var seen: [Leaf] = []
            for _ in 0..<4 { seen += try context.resolve(Branch.self).leaves }
            #expect(Set(seen.map(ObjectIdentifier.init)).count == 8)
        }
    }

    @Test func push_changesWhatIsMade_andPopChangesItBack() throws {
        final class Text: Sendable {
            let text: String
            init(_ text: String) { self.text = text }
        }
        let context = try AppContext().load(
            Module("M") { registry in
                registry.register { "a" }
                registry.register(scope: .prototype, Text.init)
            })
        try inContext(context) {
            for _ in 0..<3 { #expect(try context.resolve(Text.self).text == "a") }
            try context.push(.text("b"))
            for _ in 0..<3 { #expect(try context.resolve(Text.self).text == "b") }
            context.pop()
            for _ in 0..<3 { #expect(try context.resolve(Text.self).text == "a") }
        }
    }

    @Test func cycle_isTheSameError_eachTime() throws {
        final class Hen { init(_: Egg) {} }
        final class Egg { init(_: Hen) {} }
        let context = try AppContext().load(
            Module("M") { registry in
                registry.register(scope: .prototype, Hen.init)
                registry.register(scope: .prototype, Egg.init)
            })
        inContext(context) {
            let texts = texts(of: Hen.self, in: context)
            #expect(texts[0]?.contains("Hen") == true)
            #expect(Set(texts).count == 1)
        }
    }

    @Test func failure_isTheSameError_eachTime() throws {
        let context = try AppContext().load(
            Module("M") { registry in
                registry.register(Leaf.self, scope: .prototype) { throw Refusal() }
                registry.register(scope: .prototype, Branch.init)
            })
        inContext(context) {
            let texts = texts(of: Branch.self, in: context)
            #expect(texts[0]?.contains("Refusal") == true)
            #expect(Set(texts).count == 1)
        }
    }

    @Test func missingPart_isTheSameError_eachTime() throws {
        let context = try AppContext().load(Module("M") { $0.register(scope: .prototype, Branch.init) })
        inContext(context) {
            let texts = texts(of: Branch.self, in: context)
            #expect(texts[0]?.contains("Leaf") == true)
            #expect(Set(texts).count == 1)
        }
    }

    @Test func change_fromInsideTheClosure_isAnError_eachTime() throws {
        let context = AppContext()
        try context.load(
            Module("M") { registry in
                registry.register(Branch.self, scope: .prototype) {
                    try AppContext.current.push(.text("b"))
                    return Branch(Leaf(), Leaf())
                }
            })
        inContext(context) {
            for _ in 0..<3 {
                guard
                    case .initializationFailed(_, let cause)? = locatorError({ try context.resolve(Branch.self) })?.kind,
                    case .changeDuringInitialization? = (cause as? LocatorError)?.kind
                else {
                    guard case .changeDuringInitialization? = locatorError({ try context.resolve(Branch.self) })?.kind
                    else {
                        Issue.record("the maker has changed the context")
                        return
                    }
                    continue
                }
            }
        }
    }

    @Test func requestThatIsOvertaken_seesTheStateOfItsStart() throws {
        final class Pair {
            let before: String
            let after: String
            init(before: String, after: String) {
                self.before = before
                self.after = after
            }
        }
        let isOvertaken = Counter()
        let context = AppContext()
        try context.load(
            Module("M") { registry in
                registry.register(String.self, scope: .prototype) { "old" }
                registry.register(Pair.self, scope: .prototype) { (resolver: Resolver, before: String) in
                    let done = DispatchSemaphore(value: 0)
                    if isOvertaken.value > 0 {
                        DispatchQueue.global().async {
                            _ = try? context.push(
                                Module("N") { $0.register(String.self, scope: .prototype) { "new" } })
                            done.signal()
                        }
                        done.wait()
                    }
                    return try Pair(before: before, after: resolver.resolve())
                }
            })
        try inContext(context) {
            for _ in 0..<3 { #expect(try context.resolve(Pair.self).after == "old") }
            isOvertaken.next()
            let pair = try context.resolve(Pair.self)
            #expect(pair.before == "old")
            #expect(pair.after == "old")
            #expect(try context.resolve(String.self) == "new")
        }
    }

    @Test func whatAModuleCaptured_isFreed_onceTheOvertakenRequestHasEnded() throws {
        final class Captured: Sendable {}
        weak var seen: Captured?
        let context = AppContext()
        var module: Module?
        do {
            let captured = Captured()
            seen = captured
            module = Module("M") { registry in
                registry.register(Leaf.self, scope: .prototype) {
                    withExtendedLifetime(captured) {}
                    return Leaf()
                }
            }
        }
        try inContext(context) {
            try context.push(#require(module))
            module = nil
            for _ in 0..<3 { _ = try context.resolve(Leaf.self) }
            context.pop()
        }
        #expect(seen == nil)
    }

    @Test func factories_makeFromTheirPayloads() throws {
        struct Product {
            let number: Int
            let leaf: Leaf
        }
        let context = try AppContext().load(
            Module("M") { registry in
                registry.register(Leaf.init)
                registry.factory(Product.self) { (number: Int, leaf: Leaf) in Product(number: number, leaf: leaf) }
                registry.factory(Product.self) { (text: String, leaf: Leaf) in
                    Product(number: text.count, leaf: leaf)
                }
            })
        try inContext(context) {
            let leaf = try context.resolve(Leaf.self)
            for number in 0..<4 {
                let product = try context.resolve(Product.self, with: number)
                #expect(product.number == number)
                #expect(product.leaf === leaf)
                #expect(try context.resolve(Product.self, with: "four").number == 4)
            }
        }
    }

    /// Two parts that both need something that is not ready, one of them one level deeper.
    @Test func injections_runAndInstancesAreKept_whicheverPartNeededThem() throws {
        final class First: Sendable {}
        final class Second: Sendable {}
        struct Inner {
            let second: Second
        }
        struct Outer {
            let first: First
            let inner: Inner
        }
        let injected = Log()
        let context = try AppContext().load(
            Module("M") { registry in
                registry.register(First.init).injecting { _ in injected("first") }
                registry.register(Second.init).injecting { _ in injected("second") }
                registry.register(scope: .prototype, Inner.init)
                registry.register(scope: .prototype, Outer.init)
            })
        try inContext(context) {
            for _ in 0..<3 { _ = try context.resolve(Outer.self) }
            try context.reset()
            _ = injected.take()
            let outer = try context.resolve(Outer.self)
            #expect(injected.take() == ["first", "second"])
            #expect(context.existing(First.self) === outer.first)
            #expect(context.existing(Second.self) === outer.inner.second)
        }
    }
}
