import Locator
import Synchronization
import Testing

private final class Leaf: Sendable {
    let value: Int
    init(_ value: Int) { self.value = value }
}

private final class Lower: Sendable {
    let value: Int
    init(_ leaf: Leaf) { value = leaf.value }
}

private final class Upper: Sendable {
    let value: Int
    init(_ lower: Lower) { value = lower.value }
}

private final class Consumer: Sendable {
    private let stored = Atomic(-1)
    var value: Int {
        get { stored.load(ordering: .relaxed) }
        set { stored.store(newValue, ordering: .relaxed) }
    }
}

@Suite("A weak instance that was made from another one counts through the reads of both")
struct WeakChainTests {
    /// A consumer whose injection uses a weak instance that was made from another one with an injection.
    private func context() throws -> AppContext {
        try AppContext().load(
            Module("Chain") { registry in
                registry.register { Leaf(0) }
                registry.register(scope: .weak, Lower.init).injecting { (_, _: Leaf) in }
                registry.register(scope: .weak, Upper.init)
                registry.register { Consumer() }.injecting { (consumer, upper: Upper) in
                    consumer.value = upper.value
                }
            })
    }

    private let fake = Module("Fake") { $0.register { Leaf(1) } }

    @Test func push_makesTheUserAnew() throws {
        let context = try context()
        _ = try context.resolve(Consumer.self)
        _ = try context.resolve(Upper.self)
        try context.push(fake)
        #expect(try context.resolve(Consumer.self).value == 1)
    }

    @Test func pop_returnsTheUser() throws {
        let context = try context()
        let consumer = try context.resolve(Consumer.self)
        let upper = try context.resolve(Upper.self)
        try context.push(fake)
        _ = try context.resolve(Upper.self)
        context.pop()
        #expect(try context.resolve(Consumer.self) === consumer)
        withExtendedLifetime(upper) {}
    }
}
