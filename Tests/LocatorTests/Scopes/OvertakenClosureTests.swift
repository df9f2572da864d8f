import Locator
import TestSupport
import Testing

private final class Shop: Sendable {}

/// What happens to an instance if the context changes while its asynchronous factory closure runs.
@Suite("An asynchronous instance that the context does not keep is shut down and disposed of", .watchdog)
struct OvertakenClosureTests {
    private let context = AppContext()
    private let log = Log()
    private let began = Signal()
    private let mayEnd = Signal()

    private func shop(_ make: @escaping @Sendable () async throws -> Shop) -> Module {
        Module("Shop") { [log] registry in
            registry.register(Shop.self, async: make)
                .onShutdown { _ in log("shut down") }
                .onDispose { _ in log("disposed of") }
        }
    }

    @Test("Its module was unloaded")
    func unload() async throws {
        let module = shop { [began, mayEnd] in
            began.send()
            await mayEnd.wait()
            return Shop()
        }
        try context.load(module)
        async let start: Void = context.start()
        await began.wait()
        try context.unload(module)
        mayEnd.send()
        try await start
        // This waits for the shutdown of the instance.
        try await context.shutdown()
        #expect(log.entries == ["shut down", "disposed of"])
    }

    @Test("A pop has brought an earlier one back")
    func pop() async throws {
        let runs = Counter()
        try context.load(
            Module("Small", properties: ["size": 1]),
            shop { [began, mayEnd] in
                // Only the first one depends on the setting.
                if runs.next() == 1 {
                    let _: Int = try AppContext.current.value("size")
                } else {
                    began.send()
                    await mayEnd.wait()
                }
                return Shop()
            })
        try await context.start()
        let shop = try context.resolve(Shop.self)
        let push = try context.push(Module("Large", properties: ["size": 2]))
        async let start: Void = context.start()
        await began.wait()
        push.pop()
        mayEnd.send()
        try await start
        #expect(try context.resolve(Shop.self) === shop)
        try await context.shutdown()
        #expect(log.entries == ["shut down", "disposed of", "shut down", "disposed of"])
    }
}
