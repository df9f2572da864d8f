import Locator
import TestSupport
import Testing

private final class Database: Sendable {}
private final class Cache: Sendable {}
private final class Panel: Sendable {}

@Suite("Each shutdown hook runs once, no matter how often and where a shutdown begins")
struct ShutdownOnceTests {
    private let log = Log()

    @Test("A call in a shutdown hook returns immediately")
    func nested() async throws {
        let context = try AppContext().load(
            Module("App") { [log] registry in
                registry.register { Cache() }.onDispose { _ in log("cache disposed of") }
                registry.register { (_: Cache) in Database() }
                    .onShutdown { _ in
                        log("begin")
                        try await AppContext.current.shutdown()
                        log("end")
                    }
                    .onDispose { _ in log("database disposed of") }
            })
        _ = try context.resolve(Database.self)
        try await context.shutdown()
        #expect(log.entries == ["begin", "end", "database disposed of", "cache disposed of"])
    }

    @Test("A call in a child's hook returns immediately if the parent's hook ends the child")
    func nestedInChild() async throws {
        let context = try AppContext().load(
            Module("App") { [log] registry in
                registry.register { Cache() }.onShutdown { _ in
                    log("cache")
                    let parent = AppContext.current
                    let child = try parent.child(
                        pushing: Module("Child") { registry in
                            registry.register { Database() }.onShutdown { _ in
                                log("database")
                                try await parent.shutdown()
                            }
                        })
                    _ = try child.resolve(Database.self)
                    try await child.shutdown()
                    log("end")
                }
            })
        _ = try context.resolve(Cache.self)
        try await context.shutdown()
        #expect(log.entries == ["cache", "database", "end"])
    }

    @Test("Hooks run to their end in a canceled task")
    func canceled() async throws {
        let context = try AppContext().load(
            Module("App") { [log] registry in
                registry.register { Database() }
                    .onShutdown { _ in
                        try Task.checkCancellation()
                        log("close in \(AppContext.current === AppContext.shared ? "another context" : "the context")")
                    }
            })
        _ = try context.resolve(Database.self)
        try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await context.shutdown()
        }.value
        #expect(log.entries == ["close in the context"])
    }

    @Test("Simultaneous calls wait for each other")
    func concurrent() async throws {
        let (mayEnd, end) = AsyncStream<Void>.makeStream()
        let begun = Signal()
        let context = try AppContext().load(
            Module("App") { [log] registry in
                registry.register { Database() }
                    .onShutdown { _ in
                        log("begin")
                        begun.send()
                        for await _ in mayEnd { break }
                        log("end")
                    }
                    .onDispose { _ in log("disposed of") }
            })
        _ = try context.resolve(Database.self)
        let executor = ManualExecutor()
        let calls = (0..<3).map { _ in
            Task(executorPreference: executor) { [log] in
                await #expect(throws: Never.self) { try await context.shutdown() }
                #expect(log.entries == ["begin", "end", "disposed of"])
            }
        }
        // Now the first call waits for the hook, and the others for the first.
        executor.runJobs()
        await begun.wait()
        #expect(log.entries == ["begin"])
        end.yield()
        for call in calls { await executor.value(of: call) }
        #expect(log.entries == ["begin", "end", "disposed of"])
        _ = try context.resolve(Database.self)
        end.yield()
        try await context.shutdown()
        #expect(log.entries.count == 6)
    }

    @Test("An instance that is made when the others are about to be disposed of is shut down first")
    @MainActor func madeInTheMeantime() async throws {
        let (executor, mayEnd) = (ManualExecutor(), Signal())
        let (visit, panel) = (Scope("visit"), Scope("panel"))
        let context = try AppContext().load(
            Module("App") { [log] registry in
                registry.register { Database() }
                    .onShutdown { _ in
                        await mayEnd.wait()
                        log("database shut down")
                    }
                    .onDispose { _ in log("database disposed of") }
                registry.register(scope: visit) { Cache() }.onShutdown { _ in log("cache shut down") }
                registry.register(scope: panel) { Panel() }.onDispose(onMainActor: { _ in })
            })
        /// Lets the shutdown run until it waits for the main actor.
        func waitForPanel() throws {
            _ = try context.resolve(Panel.self)
            try onThread { try context.reset(panel) }
            executor.runJobs()
        }
        _ = try context.resolve(Database.self)
        let shutdown = Task.detached(executorPreference: executor) {
            await #expect(throws: Never.self) { try await context.shutdown() }
        }
        executor.runJobs()
        mayEnd.send()
        await executor.waitForJob()
        try waitForPanel()
        // The shutdown hooks have run, and everything is about to be disposed of.
        _ = try context.resolve(Cache.self)
        await executor.waitForJob()
        try waitForPanel()
        // There was a cache, so the shutdown begins again.
        try context.reset(visit)
        await executor.waitForJob()
        _ = try context.resolve(Cache.self)
        await executor.value(of: shutdown)
        #expect(log.entries == ["database shut down", "cache shut down", "database disposed of"])
        try await context.shutdown()
        #expect(log.entries.count == 3)
    }

    @Test("A call in a task that has outlived its hook waits for the next shutdown")
    func outlivedHook() async throws {
        let (mayCall, call) = AsyncStream<Void>.makeStream()
        let (mayEnd, end) = AsyncStream<Void>.makeStream()
        let executor = ManualExecutor()
        let begun = Signal()
        let outliving = Late<Task<Void, Never>>()
        let context = try AppContext().load(
            Module("App") { [log] registry in
                registry.register { Database() }.onShutdown { _ in
                    if outliving.value == nil {
                        let context = AppContext.current
                        outliving.value = Task(executorPreference: executor) {
                            for await _ in mayCall { break }
                            log("call")
                            await #expect(throws: Never.self) { try await context.shutdown() }
                            log("return")
                        }
                        return
                    }
                    log("begin")
                    begun.send()
                    for await _ in mayEnd { break }
                    log("end")
                }
            })
        _ = try context.resolve(Database.self)
        try await context.shutdown()
        _ = try context.resolve(Database.self)
        let next = Task(executorPreference: executor) {
            await #expect(throws: Never.self) { try await context.shutdown() }
        }
        executor.runJobs()
        await begun.wait()
        call.yield()
        executor.runJobs()
        #expect(log.entries == ["begin", "call"])
        end.yield()
        await executor.value(of: next)
        await executor.value(of: try #require(outliving.value))
        #expect(log.entries == ["begin", "call", "end", "return"])
    }
}
