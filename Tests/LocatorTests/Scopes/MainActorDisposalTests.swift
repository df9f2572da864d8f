import Locator
import TestSupport
import Testing

private let file: StaticString = "Shop/Screens.swift"

@Suite("Dispose hooks on the main actor run there, in order, and shutdown waits for them")
struct MainActorDisposalTests {
    private struct First: Sendable {}
    private struct Second: Sendable {}
    private struct Third: Sendable {}

    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// A type of the main actor.
    @MainActor private final class Screen {
        private(set) var isClosed = false
        func close() { isClosed = true }
    }

    private let log = Log()
    private let context = AppContext()

    /// Three instances, made in order.
    ///
    /// The first and the third end on the main actor.
    private func load() throws {
        let log = log
        let module = Module("Screens") { registry in
            registry.register(First.self, scope: .modelScopes[0]) { First() }
                .onDispose(onMainActor: { _ in
                    MainActor.assertIsolated()
                    log("first")
                })
            registry.register(Second.self, scope: .modelScopes[0]) { (_: First) in Second() }
                .onDispose { _ in log("second") }
            registry.register(Third.self, scope: .modelScopes[0]) { (_: Second) in Third() }
                .onDispose { _ in log("third, before") }
                .onDispose(onMainActor: { _ in
                    MainActor.assertIsolated()
                    log("third")
                })
                .onDispose { _ in log("third, after") }
        }
        try context.load(module)
        _ = try context.resolve(Third.self)
    }

    private static let order = ["third, before", "third", "third, after", "second", "first"]

    @Test @MainActor func onTheMainActor_allRunAtOnce_inReverseOrder() throws {
        try load()
        try context.reset(.modelScopes[0])
        #expect(log.take() == Self.order)
    }

    @Test func elsewhere_theyFollowTheOthers_inReverseOrder() async throws {
        try load()
        let (context, log) = (context, log)
        // Nothing else runs on the main actor in between.
        try await MainActor.run {
            try onThread { try context.reset(.modelScopes[0]) }
            #expect(log.take() == ["third, before", "second"])
        }
        try await context.shutdown()
        #expect(log.take() == ["third", "third, after", "first"])
    }

    @Test func shutdown_runsAllInOneOrder_fromAnywhere() async throws {
        try load()
        try await context.shutdown()
        #expect(log.take() == Self.order)
        try load()
        let context = context
        try await Task { @MainActor in try await context.shutdown() }.value
        #expect(log.take() == Self.order)
    }

    /// What has ended the instances that a shutdown disposes of.
    enum Ending: CaseIterable {
        case shutdown, resetOfTheParent, shutdownHook
    }

    @Test(arguments: Ending.allCases)
    func shutdown_runsAllInOneOrder_whateverHasEndedThem(_ ending: Ending) async throws {
        let log = log
        let module = Module("Screens") { registry in
            registry.register { First() }
            registry.register(Second.self, scope: .modelScopes[0]) { (_: First) in Second() }
                .onDispose { _ in log("second") }
            registry.register(Third.self, scope: .modelScopes[0]) { (_: Second) in Third() }
                .onShutdown { _ in if ending == .shutdownHook { try AppContext.current.reset(.modelScopes[0]) } }
                .onDispose(onMainActor: { _ in log("third") })
        }
        try context.load(module)
        let child = try context.child(opening: .modelScopes[0])
        _ = try child.resolve(Third.self)
        if ending == .resetOfTheParent { try context.reset() }
        try await child.shutdown()
        #expect(log.take() == ["third", "second"])
    }

    @Test @MainActor func hooksThatWait_runBeforeThoseOfLaterChanges() throws {
        let log = log
        try context.load(
            Module("Screens") { registry in
                registry.register { First() }.onDispose(onMainActor: { _ in log("first") })
                registry.register(scope: .modelScopes[0]) { (_: First) in Second() }
                    .onDispose(onMainActor: { _ in log("second") })
            })
        _ = try context.resolve(Second.self)
        let context = context
        try onThread { try context.reset(.modelScopes[0]) }
        #expect(log.take() == [])
        try context.reset()
        #expect(log.take() == ["second", "first"])
    }

    @Test @MainActor func forkThatHasEndedOffTheMainActor_reportsItsHooks() async throws {
        try context.load(
            Module("Screens") { registry in
                registry.register { First() }.onDispose(onMainActor: { _ in throw Refusal(description: "refused") })
            })
        let (log, ended) = (log, Signal())
        let observation = context.observe { event in
            switch event {
            case .hookFailed(let key, let error): log("\(key): \(error)")
            case .disposed(let key, _):
                log("\(key) disposed of")
                ended.send()
            default: break
            }
        }
        let context = context
        try onThread { _ = try context.fork().resolve(First.self) }
        await ended.wait()
        #expect(log.take() == ["First: refused", "First disposed of"])
        withExtendedLifetime(observation) {}
    }

    @Test func shutdown_throwsWhatHooksThrew_alsoThoseOfBefore() async throws {
        let module = Module("Screens") { registry in
            registry.register(First.self, scope: .modelScopes[0], fileID: "Shop.swift", line: 1) { First() }
                .onDispose(onMainActor: { _ in throw Refusal(description: "of before") })
            registry.register(Second.self, fileID: "Shop.swift", line: 2) { Second() }
                .onDispose(onMainActor: { _ in throw Refusal(description: "at the end") })
        }
        try context.load(module)
        _ = try context.resolve(First.self)
        _ = try context.resolve(Second.self)
        let log = log
        let observation = context.observe { event in
            if case .hookFailed(let key, let error) = event { log("\(key): \(error)") }
        }
        try context.reset(.modelScopes[0])
        let text = await message { try await context.shutdown(fileID: "Main.swift", line: 3) }
        #expect(
            text == """
                Main.swift:3: 2 hooks failed:
                    disposing of First (Shop.swift:1): of before
                    disposing of Second (Shop.swift:2): at the end
                """)
        #expect(log.take().sorted() == ["First: of before", "Second: at the end"])
        #expect(await message { try await context.shutdown() } == nil)
        withExtendedLifetime(observation) {}
    }

    @Test func shutdown_doesNotThrowWhatHooksOfOtherContextsThrew() async throws {
        let log = log
        let module = Module("Screens") { registry in
            registry.register(First.self, scope: .modelScopes[0], fileID: "Shop.swift", line: 1) { First() }
                .onDispose(onMainActor: { _ in throw Refusal(description: "of a request") })
            registry.register(Second.self, scope: .modelScopes[1], fileID: "Shop.swift", line: 2) { Second() }
                .onDispose(onMainActor: { _ in throw Refusal(description: "of the server") })
        }
        try context.load(module)
        let observation = context.observe { event in
            if case .hookFailed(let key, let error) = event { log("\(key): \(error)") }
        }
        _ = try context.resolve(Second.self)
        try context.reset(.modelScopes[1])
        try context.within(.modelScopes[0]) { child in _ = try child.resolve(First.self) }
        let next = try context.child(opening: .modelScopes[0])
        #expect(await message { try await next.shutdown() } == nil)
        #expect(log.take() == ["Second: of the server", "First: of a request"])
        #expect(
            await message { try await context.shutdown(fileID: "Main.swift", line: 3) } == """
                Main.swift:3: 1 hook failed:
                    disposing of Second (Shop.swift:2): of the server
                """)
        withExtendedLifetime(observation) {}
    }

    @Test func errorsOfContextsThatHaveEnded_areReleased() async throws {
        final class Trace: Error {}
        // Sendable: it is set on the main actor, and read after that.
        final class Latest: @unchecked Sendable { weak var trace: Trace? }
        let module = Module("Screens") { registry in
            registry.register(First.self, scope: .modelScopes[0]) { First() }
                .onDispose(onMainActor: { _ in throw Trace() })
        }
        try context.load(module)
        let (latest, failed) = (Latest(), Counter())
        let observation = context.observe { event in
            guard case .hookFailed(_, let error) = event else { return }
            latest.trace = error as? Trace
            failed.next()
        }
        for _ in 0..<3 { try context.within(.modelScopes[0]) { child in _ = try child.resolve(First.self) } }
        try await context.child().shutdown()
        #expect(failed.value == 3 && latest.trace == nil)
        // A wrapper keeps what is left of its context.
        let wrapper: Dependency<First>
        do {
            let child = try context.child(opening: .modelScopes[0])
            wrapper = AppContext.withContext(child) { Dependency<First>() }
            _ = try wrapper.resolved()
            try child.reset(.modelScopes[0])
            try await context.child().shutdown()
        }
        #expect(failed.value == 4 && latest.trace == nil)
        withExtendedLifetime(wrapper) {}
        withExtendedLifetime(observation) {}
    }

    @Test func mainActorState_isTouched_withoutAnAssumption() async throws {
        try context.load(
            Module("Screens") { registry in
                registry.register(Screen.self, onMainActor: Screen.init).onDispose(onMainActor: { $0.close() })
            })
        let context = context
        let screen = try await MainActor.run { try context.resolve(Screen.self) }
        try context.unloadAll()
        try await context.shutdown()
        #expect(await screen.isClosed)
    }

    @Test func droppedContextAndChild_endThere() async throws {
        let log = log
        let module = Module("Screens") { registry in
            registry.register(First.self) { First() }.onDispose(onMainActor: { _ in log("first") })
            registry.register(Second.self, scope: .modelScopes[0]) { Second() }
                .onDispose(onMainActor: { _ in
                    MainActor.assertIsolated()
                    log("second")
                })
        }
        try context.load(module)
        do {
            let child = try context.child(opening: .modelScopes[0])
            _ = try child.resolve(Second.self)
        }
        // The parent waits for the remaining work of its children.
        try await context.shutdown()
        #expect(log.take() == ["second"])
        try context.within(.modelScopes[0]) { child in _ = try child.resolve(Second.self) }
        try await context.shutdown()
        #expect(log.take() == ["second"])
        let ended = Signal()
        do {
            let dropped = try context.fork(
                pushing: Module("Last") { registry in
                    registry.register(First.self) { First() }.onDispose(onMainActor: { _ in ended.send() })
                })
            _ = try dropped.resolve(First.self)
        }
        await ended.wait()
    }

    @Test func hook_mayAskTheContext_andWhatItMakesEndsToo() async throws {
        let log = log
        let module = Module("Screens") { registry in
            registry.register(First.self) { First() }.onDispose { _ in log("first") }
            registry.register(Second.self, scope: .modelScopes[0]) { Second() }
                .onDispose(onMainActor: { _ in
                    _ = try AppContext.current.resolve(First.self)
                    log("second")
                })
        }
        try context.load(module)
        _ = try context.resolve(Second.self)
        try context.reset(.modelScopes[0])
        _ = try context.resolve(Second.self)
        try await context.shutdown()
        // Nothing is left, whenever it was made.
        #expect(log.take().filter { $0 == "second" }.count == 2)
        #expect(context.existing(First.self) == nil && context.existing(Second.self) == nil)
    }

    /// Many threads reset, while others shut down children and the main actor resets too.
    @Test func manyThreads_eachInstanceEndsOnce_onTheMainActor() async throws {
        let (made, ended) = (Counter(), Counter())
        let module = Module("Screens") { registry in
            registry.register(First.self, scope: .modelScopes[0]) {
                made.next()
                return First()
            }
            .onDispose(onMainActor: { _ in
                MainActor.assertIsolated()
                ended.next()
            })
        }
        try context.load(module)
        let context = context
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        switch number {
                        case 0:
                            try await MainActor.run {
                                _ = try context.resolve(First.self)
                                try context.reset(.modelScopes[0])
                            }
                        case 1:
                            try context.within(.modelScopes[0]) { child in _ = try child.resolve(First.self) }
                        case 2:
                            let child = try context.child(opening: .modelScopes[0])
                            _ = try child.resolve(First.self)
                            try await child.shutdown()
                        default:
                            _ = try context.resolve(First.self)
                            try context.reset(.modelScopes[0])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await context.shutdown()
        #expect(made.value > 0)
        #expect(ended.value == made.value)
    }
}
