import Locator
import TestSupport
import Testing

/// What an asynchronous factory closure uses is disposed of after the closure has ended, if a change removes it.
@Suite("The dependencies of an asynchronous factory closure last until its end", .watchdog)
struct AsyncPartTests {
    private final class Pool: Sendable {}
    private final class Page: Sendable {
        init(_ pool: Pool) {}
    }
    private final class Database: Sendable {}
    private final class Mail: Sendable {}

    private static let session = Scope("session")
    private static let request = Scope("request")

    /// How the closure gets the pool.
    enum Way: CaseIterable {
        case parameter, read, readByAClosureOfAnotherContext, partOfAnInstanceOfAChild
    }

    private final class Stage: Sendable {
        let log = Log()
        let begun = Signal()
        let go = Signal()
        let count = Counter()

        /// Waits in the first closure.
        func pass() async {
            if count.next() > 1 { return }
            begun.send()
            await go.wait()
            log("made")
        }
    }

    private func context(_ stage: Stage) throws -> AppContext {
        try AppContext().load(
            Module("Pools") { registry in
                registry.register(Pool.self, scope: Self.session) { Pool() }.onDispose { _ in stage.log("pool") }
                registry.register(scope: Self.request, Page.init)
            })
    }

    private func module(_ way: Way, _ stage: Stage) -> Module {
        Module("Databases") { registry in
            switch way {
            case .parameter:
                registry.register(
                    Database.self,
                    async: { (_: Pool) in
                        await stage.pass()
                        return Database()
                    }
                ).onDispose { _ in stage.log("database") }
                registry.factory(async: { (_: Int, _: Pool) in
                    await stage.pass()
                    return Mail()
                })
            case .read:
                registry.register(
                    Database.self,
                    async: {
                        _ = try AppContext.current.resolve(Pool.self)
                        await stage.pass()
                        return Database()
                    }
                ).onDispose { _ in stage.log("database") }
            case .readByAClosureOfAnotherContext:
                registry.register(
                    Database.self,
                    async: {
                        let context = AppContext.current
                        let other = AppContext()
                        try other.load(
                            Module("Mails") { registry in
                                registry.register(
                                    Mail.self,
                                    async: {
                                        _ = try context.resolve(Pool.self)
                                        return Mail()
                                    })
                            })
                        try await other.start()
                        await stage.pass()
                        return Database()
                    }
                ).onDispose { _ in stage.log("database") }
            case .partOfAnInstanceOfAChild:
                registry.register(
                    Database.self,
                    async: { (_: Page) in
                        await stage.pass()
                        return Database()
                    }
                ).onDispose { _ in stage.log("database") }
            }
        }
    }

    @Test(arguments: Way.allCases)
    func part_ofWhatIsStarted_endsAfterTheClosure(_ way: Way) async throws {
        let stage = Stage()
        let context = try context(stage)
        let starting = way == .partOfAnInstanceOfAChild ? try context.child(opening: Self.request) : context
        try starting.push(module(way, stage))
        async let isStarted: Void = starting.start()
        await stage.begun.wait()
        try context.reset(Self.session)
        #expect(stage.log.take() == [])
        stage.go.send()
        try await isStarted
        #expect(stage.log.take() == ["made", "database", "pool"])
        withExtendedLifetime((context, starting)) {}
    }

    @Test func part_ofAFactorysProduct_endsAfterTheClosure() async throws {
        let stage = Stage()
        let context = try context(stage).load(module(.parameter, stage))
        async let mail = context.resolve(Mail.self, with: 1)
        await stage.begun.wait()
        try context.reset(Self.session)
        #expect(stage.log.take() == [])
        stage.go.send()
        _ = try await mail
        #expect(stage.log.take() == ["made", "pool"])
        withExtendedLifetime(context) {}
    }
}
