import Foundation
import Locator
import TestSupport
import Testing

/// A shared instance is made once, no matter how many threads request it.
///
/// Waiting threads get it, or the error.
@Suite struct ExactlyOnceTests {
    private final class Leaf: Sendable {}
    private final class Branch: Sendable {
        let leaf: Leaf

        init(_ leaf: Leaf) { self.leaf = leaf }
    }
    private final class Root: Sendable {
        let left: Branch
        let right: Branch
        let leaf: Leaf

        init(_ left: Branch, _ right: Branch, _ leaf: Leaf) {
            self.left = left
            self.right = right
            self.leaf = leaf
        }
    }

    private final class Counters: Sendable {
        let leaf = Counter()
        let branch = Counter()
        let root = Counter()
    }

    private func module(_ counters: Counters) -> Module {
        Module("Tree") { registry in
            registry.register {
                counters.leaf.next()
                return Leaf()
            }
            for side in ["left", "right"] {
                registry.register(qualifier: .named(side)) { (leaf: Leaf) in
                    counters.branch.next()
                    return Branch(leaf)
                }
            }
            registry.register(parameterQualifiers: ["left", "right", nil]) {
                (left: Branch, right: Branch, leaf: Leaf) in
                counters.root.next()
                return Root(left, right, leaf)
            }
        }
    }

    @Test func instance_isMadeOnce_howeverManyThreadsAsk() throws {
        let rounds = TestScale.count(2_000)
        for _ in 0..<max(rounds / 10, 1) {
            let counters = Counters()
            let context = try AppContext().load(module(counters))
            let found = Tally<Root>()
            try Crowd.run("exactly once", threads: 6) { member in
                switch member.number % 3 {
                case 0: _ = try context.resolve(Leaf.self)
                case 1: _ = try context.resolve(Branch.self, qualifier: "right")
                default: break
                }
                member.step("root")
                found.append(try context.resolve(Root.self))
            }
            #expect(Set(found.elements.map(ObjectIdentifier.init)).count == 1)
            #expect(counters.leaf.value == 1)
            #expect(counters.branch.value == 2)
            #expect(counters.root.value == 1)
        }
    }

    @Test func wrapper_firstReadByManyThreads_givesOneObject() throws {
        struct Holder: Sendable {
            let root = Dependency<Root>()
            let leaves = DependencyArray<Leaf>()
            let name = PropertyValue<String>("name")
        }
        for _ in 0..<max(TestScale.count(2_000) / 10, 1) {
            let counters = Counters()
            let context = try AppContext().load(module(counters), settings(["name": "oak"]))
            let holder = AppContext.withContext(context) { Holder() }
            let found = Tally<ObjectIdentifier>()
            try Crowd.run("first read", threads: 6) { member in
                for _ in 0..<10 {
                    member.step("read")
                    found.append(ObjectIdentifier(holder.root()))
                    #expect(holder.leaves().first === holder.root().leaf)
                    #expect(holder.name() == "oak")
                }
            }
            #expect(Set(found.elements).count == 1)
            #expect(counters.root.value == 1)
        }
    }

    @Test func failure_wakesEveryWaitingThread_andLeavesNothingBehind() throws {
        struct Broken: Error {}
        for _ in 0..<max(TestScale.count(2_000) / 10, 1) {
            let attempts = Counter()
            let arrived = Gate(6)
            let module = Module("Failing") { registry in
                registry.register(Leaf.self) {
                    if attempts.next() == 1 { throw Broken() }
                    return Leaf()
                }
            }
            let context = try AppContext().load(module)
            let given = Tally<ObjectIdentifier?>()
            try Crowd.run("failure", threads: 6) { member in
                arrived.arriveAndWait()
                member.step("resolve")
                do { given.append(ObjectIdentifier(try context.resolve(Leaf.self))) } catch { given.append(nil) }
            }
            // Threads that requested it before the failure get the error. Later ones get the new object.
            #expect(given.elements.contains(nil))
            #expect(Set(given.elements.compactMap(\.self)).count <= 1)
            #expect(attempts.value <= 2)
            #expect(try context.resolve(Leaf.self) === context.resolve(Leaf.self))
            #expect(attempts.value == 2)
        }
    }

    @Test func requestAfterStart_givesTheInstance_whileAnEarlierRequestStillFails() async throws {
        for _ in 0..<max(TestScale.count(100) / 10, 1) {
            let (hasLooked, hasFailed) = (Signal(), Signal())
            let mayFail = DispatchSemaphore(value: 0)
            let module = Module("Started late") { registry in
                registry.register(Leaf.self, async: { Leaf() })
                registry.register(Branch.self) { (resolver: Resolver) in
                    do {
                        return Branch(try resolver.resolve())
                    } catch {
                        hasLooked.send()
                        mayFail.wait()
                        // Meanwhile, the other request usually begins to wait for this one.
                        for _ in 0..<1_000 { sched_yield() }
                        throw error
                    }
                }
            }
            let context = try AppContext().load(module)
            let early = Late<Result<Branch, any Error>>()
            Thread {
                early.value = Result { try context.resolve(Branch.self) }
                hasFailed.send()
            }
            .start()
            await hasLooked.wait()
            try await context.start()
            mayFail.signal()
            #expect(try context.resolve(Branch.self).leaf === context.resolve(Leaf.self))
            await hasFailed.wait()
            guard case .failure(let error as LocatorError) = early.value, case .notStarted = error.kind else {
                Issue.record("The request before the start gave \(String(describing: early.value))")
                return
            }
        }
    }

    @Test func closure_mayWaitForAnotherThreadsResolve_whenThereIsNoCycle() throws {
        for _ in 0..<max(TestScale.count(400) / 10, 1) {
            let late = Late<AppContext>()
            let counters = Counters()
            let module = Module("Waiting", including: [module(counters)]) { registry in
                registry.register(String.self) { (leaf: Leaf) in
                    // The other instances are already made by this thread, or not made at all.
                    let done = DispatchSemaphore(value: 0)
                    let found = Late<Root>()
                    Thread {
                        found.value = try? late.value?.resolve(Root.self)
                        done.signal()
                    }
                    .start()
                    done.wait()
                    return found.value?.leaf === leaf ? "same" : "different"
                }
            }
            let context = try AppContext().load(module)
            late.value = context
            try Crowd.run("waiting maker", threads: 4) { member in
                member.step("resolve")
                if member.number % 2 == 0 { _ = try context.resolve(Root.self) }
                #expect(try context.resolve(String.self) == "same")
            }
            #expect(counters.root.value == 1)
        }
    }

    @Test func state_mayBeChangedByAnotherThread_whileAClosureWaitsForIt() throws {
        for _ in 0..<max(TestScale.count(400) / 10, 1) {
            let late = Late<AppContext>()
            let module = Module("Waiting", properties: ["name": "old"]) { registry in
                registry.register(String.self) { (resolver: Resolver) in
                    let first: String = try resolver.value("name")
                    let done = DispatchSemaphore(value: 0)
                    Thread {
                        _ = try? late.value?.push(settings(["name": "new"]))
                        done.signal()
                    }
                    .start()
                    done.wait()
                    return first + (try resolver.value("name", as: String.self))
                }
            }
            let context = try AppContext().load(module)
            late.value = context
            // The factory closure sees one state from start to end. The context keeps the result for that state.
            #expect(try context.resolve(String.self) == "oldold")
            #expect(context.existing(String.self) == nil)
            context.pop()
            #expect(context.existing(String.self) == "oldold")
        }
    }
}
