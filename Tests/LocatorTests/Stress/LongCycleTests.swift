import Foundation
import Locator
import TestSupport
import Testing

/// What is created and ends many times leaves nothing behind.
///
/// Each test runs in a separate process, so that the size of the process shows nothing else. In debug builds, where a
/// cycle takes much longer, there are fewer.
@Suite(.oneThread) struct LongCycleTests {
    @Test func pushMakePop_manyTimes_leavesNothing() async {
        await #expect(processExitsWith: .success) { try LongCycles.pushMakePop_manyTimes_leavesNothing() }
    }

    @Test func pushOfANewModule_manyTimes_leavesNothing() async {
        await #expect(processExitsWith: .success) { try LongCycles.pushOfANewModule_manyTimes_leavesNothing() }
    }

    @Test func fork_manyTimes_leavesNothing() async {
        await #expect(processExitsWith: .success) { try LongCycles.fork_manyTimes_leavesNothing() }
    }

    @Test func child_manyTimes_leavesNothing() async {
        await #expect(processExitsWith: .success) { try LongCycles.child_manyTimes_leavesNothing() }
    }

    @Test func resetAndWeak_manyTimes_leaveNothing() async {
        await #expect(processExitsWith: .success) { try LongCycles.resetAndWeak_manyTimes_leaveNothing() }
    }

    @Test func wrapper_manyTimes_leavesNothing() async {
        await #expect(processExitsWith: .success) { try LongCycles.wrapper_manyTimes_leavesNothing() }
    }
}

private enum LongCycles {
    /// Counts the objects that are alive.
    private final class Living: @unchecked Sendable {
        // Sendable: `count` is guarded by `lock`.
        private let lock = NSLock()
        private var count = 0

        func change(_ by: Int) {
            lock.withLock { count += by }
        }

        var number: Int { lock.withLock { count } }
    }

    private final class Thing: Sendable {
        let part: Thing?
        let living: Living

        init(_ living: Living, _ part: Thing? = nil) {
            self.part = part
            self.living = living
            living.change(1)
        }

        deinit {
            living.change(-1)
        }
    }

    private struct Inner: Sendable { let thing: Thing }
    private struct Outer: Sendable { let thing: Thing }
    private static let visit = Scope("visit")

    private static func base(_ living: Living) -> Module {
        Module("Base", properties: ["color": "plain"]) { registry in
            registry.register(Inner.self) { Inner(thing: Thing(living)) }
            registry.decorate(Inner.self) { base in Inner(thing: Thing(living, base.thing)) }
            registry.register(Outer.self) { (inner: Inner, resolver: Resolver) in
                _ = try resolver.value("color", as: String.self)
                return Outer(thing: Thing(living, inner.thing))
            }
            .onDispose { _ in }
            registry.register(Thing.self, scope: visit) { Thing(living) }
            registry.register(Thing.self, qualifier: "weak", scope: .weak) { (inner: Inner) in
                Thing(living, inner.thing)
            }
        }
    }

    private static func fake(_ living: Living) -> Module {
        Module("Fake", properties: ["color": "red"]) { registry in
            registry.register(Inner.self) { Inner(thing: Thing(living)) }
            registry.decorate(Outer.self) { (base, inner: Inner) in Outer(thing: Thing(living, base.thing)) }
        }
    }

    /// Repeats a cycle.
    ///
    /// The number of living objects is the same after each thousand, and the size does not grow by 8 bytes a cycle.
    private static func repeatCycle(_ full: Int, _ living: Living, _ cycle: (Int) throws -> Void) throws {
        let count = TestScale.count(full, inDebug: 0.005)
        let warmUp = count / 10 + 1
        for turn in 0..<warmUp { try cycle(turn) }
        let before = living.number
        var growth: [Int] = []
        // A leak grows each time. What the allocator keeps does not.
        while growth.count < 3 {
            let size = ProcessSize.resident
            for turn in 0..<count {
                try cycle(warmUp + turn)
                if turn % 1000 == 0 { #expect(living.number == before) }
            }
            #expect(living.number == before)
            guard let size, let after = ProcessSize.resident else { return }
            growth.append((after - size) >> 10)
            if after - size < max(2 << 20, 8 * count) { return }
        }
        Issue.record("\(count) cycles took \(growth) KiB more each time")
    }

    static func pushMakePop_manyTimes_leavesNothing() throws {
        let living = Living()
        let fake = fake(living)
        do {
            let context = try AppContext().load(base(living))
            let wrapper = AppContext.withContext(context) { Dependency<Outer>() }
            let original = wrapper().thing
            try repeatCycle(250_000, living) { _ in
                try context.push(fake)
                #expect(wrapper().thing !== original)
                context.pop()
                #expect(wrapper().thing === original)
            }
        }
        #expect(living.number == 0)
    }

    static func pushOfANewModule_manyTimes_leavesNothing() throws {
        let living = Living()
        do {
            let context = try AppContext().load(base(living))
            let original = try context.resolve(Outer.self).thing
            try repeatCycle(250_000, living) { _ in
                let module = fake(living)
                try context.push(module)
                _ = try context.resolve(Outer.self)
                try context.pop(module)
                #expect(context.existing(Outer.self)?.thing === original)
            }
        }
        #expect(living.number == 0)
    }

    static func fork_manyTimes_leavesNothing() throws {
        let living = Living()
        let fake = fake(living)
        do {
            let context = try AppContext().load(base(living))
            try repeatCycle(250_000, living) { _ in
                let fork = try context.fork(pushing: fake)
                let wrapper = AppContext.withContext(fork) { Dependency<Outer>() }
                #expect(try wrapper().thing === fork.resolve(Outer.self).thing)
            }
        }
        #expect(living.number == 0)
    }

    static func child_manyTimes_leavesNothing() throws {
        let living = Living()
        do {
            let context = try AppContext().load(base(living))
            let shared = try context.resolve(Outer.self).thing
            try repeatCycle(1_000_000, living) { _ in
                let child = try context.child(opening: visit)
                _ = try child.resolve(Thing.self)
                #expect(try child.resolve(Outer.self).thing === shared)
            }
        }
        #expect(living.number == 0)
    }

    static func resetAndWeak_manyTimes_leaveNothing() throws {
        let living = Living()
        do {
            let context = try AppContext().load(base(living))
            let wrapper = AppContext.withContext(context) { Dependency<Thing>() }
            _ = try context.resolve(Inner.self)
            try repeatCycle(1_000_000, living) { _ in
                _ = wrapper()
                _ = try context.resolve(Thing.self, qualifier: "weak")
                try context.reset(visit)
                _ = wrapper()
            }
        }
        #expect(living.number == 0)
    }

    static func wrapper_manyTimes_leavesNothing() throws {
        let living = Living()
        do {
            let context = try AppContext().load(base(living))
            try AppContext.withContext(context) {
                try repeatCycle(1_000_000, living) { turn in
                    let wrapper = Dependency<Outer>()
                    if turn % 2 == 0 { _ = wrapper() }
                }
            }
        }
        #expect(living.number == 0)
    }
}
