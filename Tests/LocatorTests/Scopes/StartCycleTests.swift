import Locator
import TestSupport
import Testing

private final class Shop: Sendable {}
private final class Bank: Sendable {}
private struct Broken: Error, CustomStringConvertible {
    let description = "no network"
}

extension Scope {
    fileprivate static let visit = Scope("visit", requiresOpening: true)
}

@Suite("Starts and shutdowns that would deadlock are errors, and others wait", .watchdog)
struct StartCycleTests {
    private let first = AppContext()
    private let second = AppContext()
    private let log = Log()

    private func module(
        _ file: StaticString, shop body: @escaping @Sendable () async throws -> Void
    ) -> Module {
        Module("Shop") { registry in
            registry.register(
                Shop.self, fileID: file, line: 1,
                async: { () async throws in
                    try await body()
                    return Shop()
                })
        }
    }

    private func module(
        _ file: StaticString, bank body: @escaping @Sendable () async throws -> Void, scope: Scope = .singleton
    ) -> Module {
        Module("Bank") { registry in
            registry.register(
                Bank.self, scope: scope, fileID: file, line: 1,
                async: { () async throws in
                    try await body()
                    return Bank()
                })
        }
    }

    /// A shop that is made when `mayEnd` has been sent.
    private func slowShop(_ begun: Signal, _ mayEnd: Signal) -> Module {
        module(
            "Shop.swift",
            shop: {
                begun.send()
                await mayEnd.wait()
            })
    }

    private static let refused = """
        Bank.swift:1: start was called inside a factory closure, decorator, or decoder of the same context
          while making Bank (Bank.swift:1)
          needed by Shop (Shop.swift:1)
          fix: change the context before resolving, or in a hook or observer
        """

    @Test("A child's closure cannot start the parent whose closure starts the child")
    func parentOfChild() async throws {
        let parent = first
        let child = Late<AppContext>()
        try parent.load(
            module("Shop.swift", shop: { try await child.value?.start() }),
            module("Bank.swift", bank: { try await parent.start() }, scope: .visit))
        child.value = try parent.child(opening: .visit)
        #expect(await message { try await parent.start() } == Self.refused)
        child.value = nil
    }

    @Test("A closure cannot start a context whose closure starts the first context")
    func otherContext() async throws {
        let (first, second) = (first, second)
        try first.load(module("Shop.swift", shop: { try await second.start() }))
        try second.load(module("Bank.swift", bank: { try await first.start() }))
        #expect(await message { try await first.start() } == Self.refused)
    }

    @Test("Two tasks that start two contexts, which start each other, do not wait forever")
    func twoTasks() async throws {
        let (first, second) = (first, second)
        let (begun, alsoBegun) = (Signal(), Signal())
        try first.load(
            module(
                "Shop.swift",
                shop: {
                    begun.send()
                    await alsoBegun.wait()
                    try await second.start()
                }))
        try second.load(
            module(
                "Bank.swift",
                bank: {
                    alsoBegun.send()
                    await begun.wait()
                    try await first.start()
                }))
        async let one = message { try await first.start() }
        async let two = message { try await second.start() }
        // The task that begins to wait last reports the cycle. The other one then runs the closures of both.
        let cycles = [("Shop", "Bank"), ("Bank", "Shop")].map { own, other in
            """
            \(own).swift:1: \(own) depends on itself
              \(own) (\(own).swift:1)
              needs \(other) (\(other).swift:1)
              needs \(own) (\(own).swift:1)
              fix: start one of the contexts first, outside of asynchronous factory closures
            """
        }
        let texts = [await one ?? "", await two ?? ""]
        #expect(texts.contains { cycles.contains($0) }, "\(texts)")
    }

    @Test("Several closures may start the same context")
    func commonContext() async throws {
        let (first, second) = (first, second)
        try second.load(
            module(
                "Shop.swift",
                shop: { [log] in
                    await Task.yield()
                    log("shop")
                }))
        try first.load(
            Module("Two") { registry in
                for name in ["a", "b", "c"] {
                    registry.register(
                        Int.self, qualifier: Qualifier(stringLiteral: name),
                        async: { () async throws in
                            try await second.start()
                            return 1
                        })
                }
            })
        try await first.start()
        #expect(log.entries == ["shop"])
        #expect(try first.resolve(Int.self, qualifier: "b") == 1)
    }

    /// Whether a factory closure is still running in this task.
    private static func isRefused(_ context: AppContext) -> Bool {
        // No context has opened the scope, so the context does not change.
        if case .changeDuringInitialization = locatorError({ try context.reset(.visit) })?.kind { true } else { false }
    }

    @Test("A task that outlives its closure waits for the running start")
    func outlastingTask() async throws {
        let first = first
        let (hasReturned, mayEnd) = (Signal(), Signal())
        let task = Late<Task<Void, any Error>>()
        try first.load(
            module(
                "Shop.swift",
                shop: {
                    task.value = Task {
                        await hasReturned.wait()
                        while Self.isRefused(first) {
                            await Task.yield()
                        }
                        mayEnd.send()
                        try await first.start()
                    }
                    hasReturned.send()
                }),
            Module("Other") {
                $0.register(
                    Int.self,
                    async: { () async in
                        await mayEnd.wait()
                        return 1
                    })
            })
        try first.load(Module("Visit") { $0.register(String.self, scope: .visit) { "" } })
        try await first.start()
        try await task.value?.value
    }

    @Test("A start that waits for another ends when its task is canceled")
    func cancelledWait() async throws {
        let first = first
        let (begun, mayEnd) = (Signal(), Signal())
        try first.load(slowShop(begun, mayEnd))
        let running = Task { try await first.start() }
        await begun.wait()
        let waiting = Task { try await first.start() }
        waiting.cancel()
        guard case .failure(let error) = await waiting.result, error is CancellationError else {
            Issue.record("The start was not canceled")
            return
        }
        mayEnd.send()
        try await running.value
        #expect(try first.resolve(Shop.self) === first.resolve(Shop.self))
    }

    enum End: CaseIterable { case made, failed, cancelled }

    @Test("A child's instance waits for one that its parent is making", arguments: End.allCases)
    func partOfParent(_ end: End) async throws {
        let first = first
        let (begun, mayEnd) = (Signal(), Signal())
        try first.load(
            module(
                "Shop.swift",
                shop: {
                    begun.send()
                    await mayEnd.wait()
                    try Task.checkCancellation()
                    if end == .failed { throw Broken() }
                }),
            Module("Visit") { registry in
                registry.register(
                    Bank.self, scope: .visit, fileID: "Bank.swift", line: 1,
                    async: { (_: Shop) async in Bank() })
            })
        let running = Task { try await first.start() }
        await begun.wait()
        let child = try first.child(opening: .visit)
        let executor = ManualExecutor()
        let waiting = Task(executorPreference: executor) { await message { try await child.start() } }
        // Now the child waits for the shop.
        executor.runJobs()
        if end == .cancelled { running.cancel() } else { mayEnd.send() }
        let expected: String? =
            switch end {
            case .made: nil
            case .failed: "Shop.swift:1: making Shop failed: no network"
            case .cancelled:
                """
                Shop.swift:1: Shop has an asynchronous factory closure that has not run yet
                  needed by Bank (Bank.swift:1)
                  requested: Bank at Bank.swift:1
                  it belongs to a parent of the child that requests it, and the start of a child does not make it
                  fix: call `try await parent.start()` first
                """
            }
        #expect(await executor.value(of: waiting) == expected)
        _ = await running.result
        if end == .made { _ = try child.resolve(Bank.self) }
    }

    @Test("A child's start waits for the parent's next start if a reset drops what it waited for")
    func droppedPartOfParent() async throws {
        let first = first
        let begun = [Signal(), Signal()]
        let mayEnd = [Signal(), Signal()]
        let runs = Counter()
        try first.load(
            module(
                "Shop.swift",
                shop: {
                    let run = runs.next() - 1
                    begun[run].send()
                    await mayEnd[run].wait()
                }),
            Module("Visit") { $0.register(Bank.self, scope: .visit, async: { (_: Shop) async in Bank() }) })
        async let earlier: Void = first.start()
        await begun[0].wait()
        let child = try first.child(opening: .visit)
        let executor = ManualExecutor()
        let waiting = Task(executorPreference: executor) { await message { try await child.start() } }
        // Now the child waits for the shop.
        executor.runJobs()
        mayEnd[0].send()
        try await earlier
        try first.reset()
        async let later: Void = first.start()
        await begun[1].wait()
        executor.runJobs()
        mayEnd[1].send()
        #expect(await executor.value(of: waiting) == nil)
        try await later
        _ = try child.resolve(Bank.self)
    }

    @Test("A child's start waits for the parent's start that makes an instance again after a reset")
    func remadePartOfParent() async throws {
        let first = first
        let (begun, mayEnd, mayEndAll) = (Signal(), Signal(), Signal())
        try first.load(
            slowShop(begun, mayEnd),
            Module("Visit") { registry in
                registry.register(Bank.self, scope: .visit, async: { (_: Shop) async in Bank() })
                registry.register(
                    Int.self,
                    async: { () async in
                        await mayEndAll.wait()
                        return 1
                    })
            })
        async let running: Void = first.start()
        await begun.wait()
        let child = try first.child(opening: .visit)
        let executor = ManualExecutor()
        let waiting = Task(executorPreference: executor) { await message { try await child.start() } }
        // Now the child waits for the shop.
        executor.runJobs()
        mayEnd.send()
        while locatorError({ _ = try first.resolve(Shop.self) }) != nil { await Task.yield() }
        try first.reset()
        // Now it waits for the parent's start.
        executor.runJobs()
        mayEndAll.send()
        #expect(await executor.value(of: waiting) == nil)
        try await running
        _ = try child.resolve(Bank.self)
    }

    @Test("A child's start in a task that outlives its closure waits for the parent's start after a reset")
    func remadePartForOutlastingTask() async throws {
        let first = first
        let (isReset, mayEndAll) = (Signal(), Signal())
        let executor = ManualExecutor()
        let runs = Counter()
        let task = Late<Task<String?, Never>>()
        try first.load(
            module("Shop.swift", shop: {}),
            Module("Visit") { registry in
                registry.register(Bank.self, scope: .visit, async: { (_: Shop) async in Bank() })
                registry.register(
                    String.self,
                    async: { () async in
                        if runs.next() > 1 { return "" }
                        task.value = Task(executorPreference: executor) {
                            await isReset.wait()
                            return await message { try await first.child(opening: .visit).start() }
                        }
                        return ""
                    })
                registry.register(
                    Int.self,
                    async: { () async in
                        await mayEndAll.wait()
                        return 1
                    })
            })
        async let running: Void = first.start()
        while locatorError({ _ = (try first.resolve(Shop.self), try first.resolve(String.self)) }) != nil {
            await Task.yield()
        }
        try first.reset()
        isReset.send()
        // Now the child waits for the parent's start.
        executor.runJobs()
        mayEndAll.send()
        let outlasting = try #require(task.value)
        #expect(await executor.value(of: outlasting) == nil)
        try await running
    }

    @Test("A child's start that waits for its parent's instance ends when its task is canceled")
    func cancelledPartOfParent() async throws {
        let first = first
        let (begun, mayEnd) = (Signal(), Signal())
        try first.load(
            slowShop(begun, mayEnd),
            Module("Visit") { $0.register(Bank.self, scope: .visit, async: { (_: Shop) async in Bank() }) })
        let running = Task { try await first.start() }
        await begun.wait()
        let child = try first.child(opening: .visit)
        let waiting = Task { try await child.start() }
        waiting.cancel()
        guard case .failure(let error) = await waiting.result, error is CancellationError else {
            Issue.record("The start was not canceled")
            return
        }
        mayEnd.send()
        try await running.value
        try await child.start()
        _ = try child.resolve(Bank.self)
    }

    @Test("A closure may start a child that needs what another closure of the same start makes")
    func childOfOneNeedsOther() async throws {
        let first = first
        let (begun, mayEnd) = (Signal(), Signal())
        let child = Late<AppContext>()
        try first.load(
            slowShop(begun, mayEnd),
            Module("Visit") { registry in
                registry.register(Bank.self, scope: .visit, async: { (_: Shop) async in Bank() })
                registry.register(
                    Int.self,
                    async: { () async throws in
                        await begun.wait()
                        try await child.value?.start()
                        return 1
                    })
            })
        child.value = try first.child(opening: .visit)
        let executor = ManualExecutor()
        let running = Task(executorPreference: executor) { await message { try await first.start() } }
        // Now the child waits for the shop.
        executor.runJobs()
        mayEnd.send()
        #expect(await executor.value(of: running) == nil)
        _ = try child.value?.resolve(Bank.self)
        child.value = nil
    }

    @Test("A closure and a child that need each other are an error that names both")
    func childThatNeedsItsStarter() async throws {
        let first = first
        let child = Late<AppContext>()
        try first.load(
            module("Shop.swift", shop: { try await child.value?.start() }),
            Module("Visit") { registry in
                registry.register(
                    Bank.self, scope: .visit, fileID: "Bank.swift", line: 1, async: { (_: Shop) async in Bank() })
            })
        child.value = try first.child(opening: .visit)
        #expect(
            await message { try await first.start() } == """
                Bank.swift:1: Bank depends on itself
                  Bank (Bank.swift:1)
                  needs Shop (Shop.swift:1)
                  needs Bank (Bank.swift:1)
                  fix: resolve one of them lazily (Lazy<…> or a wrapper); .injecting does not help here: start() shares an instance only after its injections have run
                """)
        child.value = nil
    }

    @Test("Shutdown hooks in two tasks that shut down each other's context do not wait forever")
    func shutdowns() async throws {
        let (first, second) = (first, second)
        let (begun, alsoBegun) = (Signal(), Signal())
        try first.load(
            Module("First") { [log] registry in
                registry.register(Shop.self) { Shop() }.onShutdown { _ in
                    begun.send()
                    await alsoBegun.wait()
                    try await second.shutdown()
                    log("shop")
                }
            })
        try second.load(
            Module("Second") { [log] registry in
                registry.register(Bank.self) { Bank() }.onShutdown { _ in
                    alsoBegun.send()
                    await begun.wait()
                    try await first.shutdown()
                    log("bank")
                }
            })
        _ = try (first.resolve(Shop.self), second.resolve(Bank.self))
        async let one: Void = first.shutdown()
        async let two: Void = second.shutdown()
        _ = try await (one, two)
        #expect(log.entries.sorted() == ["bank", "shop"])
    }

    @Test("A closure that shuts down a context whose hook starts the closure's context does not wait forever")
    func startInHook() async throws {
        let (first, second) = (first, second)
        let (begun, hookBegun) = (Signal(), Signal())
        let shutdown = Late<Task<String?, Never>>()
        try first.load(
            module(
                "Shop.swift",
                shop: {
                    begun.send()
                    await hookBegun.wait()
                    try await second.shutdown()
                }))
        try second.load(
            Module("Second") { registry in
                registry.register(Bank.self) { Bank() }.onShutdown { _ in
                    await begun.wait()
                    hookBegun.send()
                    try await first.start()
                }
            })
        _ = try second.resolve(Bank.self)
        shutdown.value = Task { await message { try await second.shutdown() } }
        try await first.start()
        // One of the two may report the cycle instead of waiting.
        let text = await shutdown.value?.value
        #expect(text == nil || text?.contains("Shop depends on itself") == true, "\(text ?? "")")
        _ = try first.resolve(Shop.self)
    }
}
