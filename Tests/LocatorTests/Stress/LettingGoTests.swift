import Dispatch
import Locator
import Synchronization
import TestSupport
import Testing

/// Instances that a change removes are released, whatever other threads are making.
@Suite struct LettingGoTests {
    /// Counts how many of its objects are alive.
    private final class Count: Sendable {
        let alive = Atomic(0)
        let most = Atomic(0)

        func note() { most.max(alive.load(ordering: .relaxed), ordering: .relaxed) }
    }

    private final class Counted: Sendable {
        let count: Count

        init(_ count: Count) {
            self.count = count
            count.alive.add(1, ordering: .relaxed)
        }

        deinit { count.alive.subtract(1, ordering: .relaxed) }
    }

    private final class Job {
        let counted: Counted

        init(_ counted: Counted) { self.counted = counted }
    }

    private final class Slow {
        init(_ start: Start) { start.wait() }
    }

    /// Signals that a factory closure has begun, and makes it wait.
    private final class Start: Sendable {
        let isHolding = Atomic(false)
        let begun = DispatchSemaphore(value: 0)
        let go = DispatchSemaphore(value: 0)

        func wait() {
            guard isHolding.load(ordering: .acquiring) else { return }
            begun.signal()
            go.wait()
        }
    }

    private func module(_ count: Count) -> Module {
        Module("Counted") { $0.register { Counted(count) } }
    }

    @Test func popsBesideBusyThreads_keepFewObjects() throws {
        let count = Count()
        let context = try AppContext().load(
            module(count), Module("Jobs") { $0.register(scope: .prototype, Job.init) })
        let isDone = Atomic(false)
        let pushes = TestScale.count(20_000)
        try Crowd.run("pops beside busy threads", threads: 9) { member in
            if member.number == 0 {
                defer { isDone.store(true, ordering: .relaxed) }
                for _ in 0..<pushes {
                    member.step("push")
                    try context.push(module(count))
                    _ = try context.resolve(Counted.self)
                    context.pop()
                    count.note()
                }
            } else {
                try AppContext.withContext(context) {
                    while !isDone.load(ordering: .relaxed) {
                        member.step("make")
                        _ = try context.resolve(Job.self)
                    }
                }
            }
        }
        // Each thread may still use what existed when its request began, but no more than that.
        #expect(count.most.load(ordering: .relaxed) < 100)
        #expect(count.alive.load(ordering: .relaxed) <= 1)
    }

    @Test(arguments: [Scope.singleton, Scope("session")])
    func popsBesideASleepingClosure_keepNothing(_ scope: Scope) throws {
        let (count, start) = (Count(), Start())
        let context = try AppContext().load(
            Module("Slow") { registry in
                registry.register(instance: start)
                registry.register(scope: .prototype, Slow.init)
                registry.register(scope: .prototype, Job.init)
            })
        @Sendable func fakes() -> Module {
            Module("Fakes") { $0.register(scope: scope) { Counted(count) } }
        }
        // It was made before, so it needs no lock.
        _ = try context.resolve(Slow.self)
        _ = try context.resolve(Slow.self)
        start.isHolding.store(true, ordering: .releasing)
        let pushes = TestScale.count(100_000)
        let alive = Late<Int>()
        try Crowd.run("pops beside a sleeping maker", threads: 2) { member in
            if member.number == 0 {
                _ = try AppContext.withContext(context) { try context.resolve(Slow.self) }
                return
            }
            start.begun.wait()
            defer { start.go.signal() }
            for _ in 0..<pushes {
                member.step("push")
                try context.push(fakes())
                _ = try context.resolve(Counted.self)
                _ = try AppContext.withContext(context) { try context.resolve(Job.self).counted }
                context.pop()
                count.note()
            }
            alive.value = count.alive.load(ordering: .relaxed)
        }
        #expect(alive.value == 0, "while the maker sleeps")
        #expect(count.most.load(ordering: .relaxed) <= 1)
    }
}
