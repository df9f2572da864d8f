import Dispatch
import Locator
import Synchronization
import TestSupport
import Testing

/// The instances that one change removes are disposed of in reverse order, whatever other threads use.
@Suite struct DisposalOrderTests {
    private final class Part: Sendable {}

    private final class Whole: Sendable {
        init(_ part: Part) {}
    }

    /// The factory closure of this type waits while the request uses a part.
    private final class Job: Sendable {
        init(_ part: Part, _ gate: Gate) { gate.pass() }
    }

    /// Signals that a factory closure has begun, and makes it wait.
    private final class Gate: Sendable {
        let isHolding = Atomic(false)
        let begun = DispatchSemaphore(value: 0)
        let go = DispatchSemaphore(value: 0)

        func pass() {
            guard isHolding.load(ordering: .acquiring) else { return }
            begun.signal()
            go.wait()
        }
    }

    @Test func partThatARequestReleasesDuringAHook_isDisposedOfAfterTheHook() throws {
        let gate = Gate()
        let isEnded = DispatchSemaphore(value: 0)
        let log = Log()
        let context = try AppContext().load(
            Module("Jobs") { registry in
                registry.register(instance: gate)
                registry.register(scope: .prototype, Job.init)
            })
        let parts = Module("Parts") { registry in
            registry.register(Part.init).onDispose { _ in log("part") }
            registry.register(Whole.init).onDispose { _ in
                // The request ends while this hook runs.
                gate.go.signal()
                isEnded.wait()
                log("whole")
            }
        }
        try context.push(parts)
        _ = try context.resolve(Whole.self)
        // From the second time, the request takes no lock.
        for _ in 1...3 { _ = try context.resolve(Job.self) }
        gate.isHolding.store(true, ordering: .releasing)
        let thread = DispatchQueue(label: "request")
        thread.async {
            _ = try? context.resolve(Job.self)
            isEnded.signal()
        }
        gate.begun.wait()
        context.pop()
        thread.sync {}
        #expect(log.entries == ["whole", "part"])
    }

    @Test(arguments: [false, true])
    func instancesOfAParent_endInReverseOrder_ifAChildReleasesItLast(pushing: Bool) throws {
        let log = Log()
        var parent: AppContext? = AppContext()
        try parent?.load(
            Module("Parts") { registry in
                registry.register((any Sendable).self, qualifier: "first") { 1 }.onDispose { _ in log("first") }
                registry.register(Part.init).onDispose { _ in log("part") }
                registry.register(scope: Scope("request"), Whole.init).onDispose { _ in log("whole") }
            })
        _ = try parent?.resolve((any Sendable).self, qualifier: "first")
        _ = try parent?.resolve(Part.self)
        var child = try parent?.child(opening: Scope("request"))
        if pushing { try child?.push(Module("Empty")) }
        _ = try child?.resolve(Whole.self)
        parent = nil
        child = nil
        #expect(log.entries == ["whole", "part", "first"])
    }
}
