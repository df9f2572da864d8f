import Locator
import Synchronization
import TestSupport
import Testing

/// Counts its instances that are alive.
private class Counted: @unchecked Sendable {
    private let count: Count

    init(_ count: Count) {
        self.count = count
        count.alive.add(1, ordering: .relaxed)
    }

    deinit { count.alive.subtract(1, ordering: .relaxed) }
}

private final class Count: Sendable {
    let alive = Atomic(0)
    var value: Int { alive.load(ordering: .relaxed) }
}

private final class Hen: Counted, @unchecked Sendable {}
private final class Egg: Counted, @unchecked Sendable {}
private final class Visitor: Sendable {}
private struct Failure: Error {}

/// A hen and an egg that are connected by an injection, and do not hold each other.
private struct Cycle: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let register: @Sendable (Registry, Count) -> Void

    static let all = [
        Cycle(testDescription: "over a parameter") { registry, count in
            registry.register { (_: Egg) in Hen(count) }
            registry.register { Egg(count) }.injecting { (_: Egg, _: Hen) in }
        },
        Cycle(testDescription: "in both directions") { registry, count in
            registry.register { Hen(count) }.injecting { (_: Hen, _: Egg) in }
            registry.register { Egg(count) }.injecting { (_: Egg, _: Hen) in }
        },
        Cycle(testDescription: "while the factory closure runs") { registry, count in
            registry.register { (resolver: Resolver) in
                _ = try resolver.resolve(Egg.self)
                return Hen(count)
            }
            registry.register { Egg(count) }.injecting { (_: Egg, hen: Provider<Hen>) in _ = try hen() }
        },
        Cycle(testDescription: "of itself") { registry, count in
            registry.register { (_: Egg) in Hen(count) }.injecting { (_: Hen, _: Hen) in }
            registry.register { Egg(count) }.injecting { (_: Egg, _: [Egg]) in }
        },
        Cycle(testDescription: "around a decorator and an alias") { registry, count in
            registry.register { (_: Egg) in Hen(count) }
            registry.decorate(Hen.self) { (_, _: Counted) in Hen(count) }
            registry.register { Egg(count) }.alias(Counted.self) { $0 }.injecting { (_: Egg, _: Hen) in }
        },
        Cycle(testDescription: "with a weak hen") { registry, count in
            registry.register(scope: .weak) { (_: Egg) in Hen(count) }
            registry.register { Egg(count) }.injecting { (_: Egg, _: Hen) in }
        },
        Cycle(testDescription: "with a weak egg") { registry, count in
            registry.register { (_: Egg) in Hen(count) }
            registry.register(scope: .weak) { Egg(count) }.injecting { (_: Egg, _: Hen) in }
        },
    ]
}

/// What ends the instances, besides the end of their context.
private struct Ending: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let end: @Sendable (AppContext, Module) throws -> Void

    static let all = [
        Ending(testDescription: "nothing") { _, _ in },
        Ending(testDescription: "a reset") { context, _ in try context.reset() },
        Ending(testDescription: "an unload") { context, cycle in try context.unload(cycle) },
        Ending(testDescription: "a push and its pop") { context, _ in
            let push = try context.push(Module("Other") { $0.register { Egg(Count()) } })
            _ = try context.resolve(Hen.self)
            push.pop()
        },
        Ending(testDescription: "a child with an egg of its own") { context, _ in
            let child = try context.child(pushing: Module("Other") { $0.register { Egg(Count()) } })
            _ = try child.resolve(Hen.self)
        },
    ]
}

@Suite("Instances that injections connect are freed with their context")
struct JoinedMemoryTests {
    private let count = Count()

    private func module(_ cycle: Cycle) -> Module {
        Module("Cycle") { [count] registry in cycle.register(registry, count) }
    }

    @Test("None is left", arguments: Cycle.all, Ending.all)
    private func freed(cycle: Cycle, ending: Ending) throws {
        let module = module(cycle)
        for isHenFirst in [true, false] {
            do {
                let context = try AppContext().load(module)
                if isHenFirst { _ = try context.resolve(Hen.self) } else { _ = try context.resolve(Egg.self) }
                try ending.end(context, module)
                withExtendedLifetime(context) {}
            }
            #expect(count.value == 0)
        }
    }

    @Test("A reset frees them immediately", arguments: Cycle.all)
    private func reset(cycle: Cycle) throws {
        let context = try AppContext().load(module(cycle))
        _ = try context.resolve(Hen.self)
        try context.reset()
        #expect(count.value == 0)
    }

    @Test("Instances whose injection failed are freed immediately")
    func failed() throws {
        let context = try AppContext().load(
            Module("Cycle") { [count] registry in
                registry.register { (_: Egg) in Hen(count) }
                registry.register { Egg(count) }.injecting { (_: Egg, _: Hen) in throw Failure() }
            })
        for _ in 0..<3 {
            #expect(locatorError { try context.resolve(Hen.self) } != nil)
            #expect(locatorError { try context.resolve(Egg.self) } != nil)
            #expect(count.value == 0)
        }
    }

    @Test("A wrapper keeps a prototype whose connected weak dependencies are gone")
    func weakParts() throws {
        let context = try AppContext().load(
            Module("Cycle") { [count] registry in
                registry.register(scope: .weak) { (_: Egg) in Hen(count) }
                registry.register(scope: .weak) { Egg(count) }.injecting { (_: Egg, _: Hen) in }
                registry.register(scope: .prototype) { (_: Egg) in Visitor() }
            })
        let visitor = AppContext.withContext(context) { Dependency<Visitor>() }
        let first = visitor()
        #expect(count.value == 0)
        try context.push(Module("Unrelated") { $0.register(instance: 1) })
        #expect(visitor() === first)
        context.pop()
        #expect(visitor() === first)
        try context.push(Module("Other") { [count] in $0.register { Hen(count) } })
        #expect(visitor() !== first)
        context.pop()
        withExtendedLifetime(context) {}
    }
}
