import Locator
import TestSupport
import Testing

@Suite("Asynchronous factory closures run in start()", .watchdog)
struct AsyncTests {
    private struct Failure: Error, CustomStringConvertible {
        let description = "no network"
    }

    private final class Database: Sendable {
        let url: String

        init(url: String) {
            self.url = url
        }
    }

    private final class Store: Sendable {
        let database: Database

        init(database: Database) {
            self.database = database
        }
    }

    private let log = Log()
    private let context = AppContext()

    private func databases() -> Module {
        Module("Databases") { [log] registry in
            registry.register(String.self) { "db://" }
            registry.register(
                Database.self, fileID: "Shop/Data.swift", line: 2,
                async: { (url: String) in
                    await Task.yield()
                    log("open \(url)")
                    return Database(url: url)
                })
            registry.register(Store.self, fileID: "Shop/Data.swift", line: 3, Store.init)
        }
    }

    @Test func request_isAnError_beforeStart() throws {
        try context.load(databases())
        #expect(
            message { try context.resolve(Store.self, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Data.swift:2: Database has an asynchronous factory closure that has not run yet
                  needed by Store (Shop/Data.swift:3)
                  requested: Store at Shop/Main.swift:9
                  fix: call `try await context.start()` first
                """)
    }

    @Test func instanceOfAChild_belongsToIt_ifItsParentHadTheSameModuleMeanwhile() async throws {
        let (begun, go) = (Signal(), Signal())
        let module = Module("Database") { [log] registry in
            registry.register(
                Database.self,
                async: {
                    log("open")
                    begun.send()
                    await go.wait()
                    return Database(url: "db://")
                }
            ).onDispose { log("close \($0.url)") }
        }
        do {
            let child = try context.child(pushing: module)
            async let start: Void = child.start()
            await begun.wait()
            try context.push(module)
            #expect(throws: LocatorError.self) { try child.resolve(Database.self) }
            context.pop()
            go.send()
            try await start
            #expect(try child.resolve(Database.self).url == "db://")
        }
        #expect(log.entries == ["open", "close db://"])
    }

    @Test func start_makes_andLaterRequestsShare() async throws {
        try context.load(databases())
        try await context.start()
        #expect(log.entries == ["open db://"])
        let database = try context.resolve(Database.self)
        #expect(try context.resolve(Store.self).database === database)
        try await context.start()
        #expect(log.entries == ["open db://"])
        #expect(try context.resolve(Database.self) === database)
    }

    @Test func asynchronousOnes_awaitEachOther_alsoThroughOthers() async throws {
        let users = Module("Users") { [log] registry in
            registry.register(
                Int.self,
                async: { (store: Store) in
                    log("count in \(store.database.url)")
                    return 1
                })
        }
        try context.load(users, databases())
        try await context.start()
        #expect(log.entries == ["open db://", "count in db://"])
        #expect(try context.resolve(Int.self) == 1)
    }

    @Test func independentOnes_areMadeConcurrently() async throws {
        // Each waits for the other, so they must run at the same time.
        let (first, second) = (Signal(), Signal())
        let module = Module("Two") { registry in
            registry.register(
                Int.self,
                async: {
                    first.send()
                    await second.wait()
                    return 1
                })
            registry.register(
                String.self,
                async: {
                    second.send()
                    await first.wait()
                    return "two"
                })
        }
        try context.load(module)
        try await context.start()
        #expect(try context.resolve(Int.self) == 1)
        #expect(try context.resolve(String.self) == "two")
    }

    @Test func failure_keepsTheCause_cancelsTheOthers_andKeepsWhatWasMade() async throws {
        let isBroken = Late(true)
        let waits = Signal()
        let module = Module("Failing") { [log] registry in
            registry.register(
                Double.self,
                async: {
                    log("made Double")
                    return 1
                })
            registry.register(
                Int.self, fileID: "Shop/Data.swift", line: 5,
                async: { (_: Double) in
                    await waits.wait()
                    if isBroken.value == true { throw Failure() }
                    log("made Int")
                    return 1
                })
            registry.register(
                String.self,
                async: {
                    guard isBroken.value == true else { return "made later" }
                    waits.send()
                    await Signal.neverSent.wait()
                    log("String was cancelled")
                    try Task.checkCancellation()
                    return "never"
                })
        }
        try context.load(module)
        #expect(
            await message { try await context.start() } == """
                Shop/Data.swift:5: making Int failed: no network
                """)
        #expect(log.take() == ["made Double", "String was cancelled"])
        #expect(context.existing(Double.self) == 1)
        #expect(message { try context.resolve(Int.self) } != nil)

        isBroken.value = false
        try await context.start()
        #expect(log.take() == ["made Int"])
        #expect(try context.resolve(String.self) == "made later")
    }

    @Test func closureThatThrowsACancellationError_fails_likeAnyOther_ifNothingWasCanceled() async throws {
        try context.load(
            Module("M") {
                $0.register(Database.self, async: { () async throws -> Database in throw CancellationError() })
            })
        let error = await #expect(throws: LocatorError.self) { try await context.start() }
        #expect(error?.underlying is CancellationError)
    }

    @Test func cancelledStart_throws_andCanBeStartedAgain() async throws {
        let started = Signal()
        let isSlow = Late(true)
        let module = Module("Slow") { registry in
            registry.register(
                Int.self,
                async: {
                    guard isSlow.value == true else { return 1 }
                    started.send()
                    await Signal.neverSent.wait()
                    try Task.checkCancellation()
                    return 0
                })
        }
        try context.load(module)
        let task = Task { try await context.start() }
        await started.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        isSlow.value = false
        try await context.start()
        #expect(try context.resolve(Int.self) == 1)
    }

    @Test func cycle_isAnErrorThatNamesThePath() async throws {
        let module = Module("Cycle") { registry in
            registry.register(Int.self, fileID: "Shop/Data.swift", line: 1, async: { (text: String) in text.count })
            registry.register(
                String.self, fileID: "Shop/Data.swift", line: 2, async: { (number: Double) in "\(number)" })
            registry.register(
                Double.self, fileID: "Shop/Data.swift", line: 3, async: { (number: Int) in Double(number) })
        }
        try context.load(module)
        let error = await message { try await context.start() }
        // The tasks decide which of the three is requested first. The path is complete in any case.
        let names = [1: "Int", 2: "String", 3: "Double"]
        let texts = [[1, 2, 3], [2, 3, 1], [3, 1, 2]].map { order in
            let steps = (order + [order[0]]).map { "\(names[$0] ?? "") (Shop/Data.swift:\($0))" }
            return """
                Shop/Data.swift:\(order[0]): \(names[order[0]] ?? "") depends on itself
                  \(steps.joined(separator: "\n  needs "))
                  fix: resolve one of them lazily (Lazy<…> or a wrapper); .injecting does not help here: start() shares an instance only after its injections have run
                """
        }
        #expect(texts.contains { error == $0 }, "\(error ?? "no error")")
    }

    @Test func cycleThroughItself_isAnError() async throws {
        try context.load(Module("Self") { $0.register(Int.self, async: { (number: Int) in number }) })
        guard case .circularDependency = await locatorError({ try await context.start() })?.kind else {
            Issue.record("no cycle")
            return
        }
    }

    @Test func concurrentStarts_makeOnce() async throws {
        try context.load(databases())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { [context] in try await context.start() } }
            try await group.waitForAll()
        }
        #expect(log.entries == ["open db://"])
    }

    @Test func missingDependency_isAnError() async throws {
        try context.load(Module("M") { $0.register(Int.self, async: { (text: String) in text.count }) })
        guard case .missing(let key) = await locatorError({ try await context.start() })?.kind else {
            Issue.record("not missing")
            return
        }
        #expect(key == Key(String.self))
    }

    @Test func replacedRegistration_isNotMade() async throws {
        try context.load(databases())
        try context.push(Module("Fake") { $0.register(Database.self) { Database(url: "fake") } })
        try await context.start()
        #expect(log.entries == [])
        #expect(try context.resolve(Store.self).database.url == "fake")
    }

    @Test func pushedOne_needsAnotherStart_andTheOldComesBack() async throws {
        try context.load(databases())
        try await context.start()
        let real = try context.resolve(Database.self)
        let fake = Module("Fake") { $0.register(Database.self, async: { Database(url: "fake") }) }
        try context.push(fake)
        #expect(message { try context.resolve(Database.self) } != nil)
        try await context.start()
        #expect(try context.resolve(Database.self).url == "fake")
        context.pop()
        #expect(try context.resolve(Database.self) === real)
    }

    @Test func pushing_preparesWhatItAffects_andPops() async throws {
        try context.load(databases())
        try await context.start()
        let real = try context.resolve(Store.self)
        let fake = Module("Fake") { $0.register(String.self) { "fake://" } }
        let url = try await context.pushing(fake) { try context.resolve(Store.self).database.url }
        #expect(url == "fake://")
        #expect(try context.resolve(Store.self) === real)
        await #expect(throws: Failure.self) { try await context.pushing(fake) { throw Failure() } }
        #expect(try context.resolve(Store.self) === real)
    }

    private static let fakes = Module("Fakes") { registry in
        registry.register(Database.self, async: { Database(url: "fake") })
    }

    @Test func pushing_preparesWhatAnIncludedModuleAdds() async throws {
        try context.load(databases())
        try await context.start()
        let real = try context.resolve(Store.self)
        let outer = Module("Outer", including: [Module("Inner", including: [Self.fakes])])
        let url = try await context.pushing(outer) { try context.resolve(Store.self).database.url }
        #expect(url == "fake")
        #expect(try context.resolve(Store.self) === real)
    }

    @Test func pushing_preparesWhatAModuleAddsThatItTurnsOn() async throws {
        let demo = Module("Demo", including: [Self.fakes], when: .property("demo", equals: true))
        try context.load(databases()).load(demo, priority: .high)
        try await context.start()
        let real = try context.resolve(Store.self)
        let settings = Module("Settings", properties: ["demo": true])
        let url = try await context.pushing(settings) { try context.resolve(Store.self).database.url }
        #expect(url == "fake")
        #expect(try context.resolve(Store.self) === real)
    }

    @Test func instance_isDisposedOf_andMadeAgainByTheNextStart() async throws {
        let module = Module("M") { [log] registry in
            registry.register(Int.self, async: { 1 }).onDispose { log("dispose of \($0)") }
        }
        try context.load(module)
        try await context.start()
        try context.reset()
        #expect(log.entries == ["dispose of 1"])
        #expect(message { try context.resolve(Int.self) } != nil)
        try await context.start()
        #expect(try context.resolve(Int.self) == 1)
    }

    @Test func closure_runsInItsContext() async throws {
        let module = Module("M") { registry in
            registry.register(String.self) { "here" }
            registry.register(
                Int.self,
                async: {
                    await Task.yield()
                    return try AppContext.current.resolve(String.self).count
                })
        }
        try context.load(module)
        try await context.start()
        #expect(try context.resolve(Int.self) == 4)
    }

    @Test func injection_waitsForAnotherAsynchronousInstance() async throws {
        let isMade = Signal()
        let log = Log()
        let module = Module("Injecting") { registry in
            registry.register(Late<String>.self, async: { Late<String>() })
                .injecting { (_, _: Double) in
                    // A further injection needs another instance.
                    isMade.send()
                }
                .injecting { (late, text: String) in late.value = text }
                .onDispose { _ in log("dispose of the late one") }
            registry.register(Double.self) { 1.5 }
            registry.register(
                String.self,
                async: {
                    await isMade.wait()
                    return "injected"
                })
        }
        try context.load(module)
        try await context.start()
        #expect(try context.resolve(Late<String>.self).value == "injected")
        #expect(log.take() == [])
        try context.reset()
        #expect(log.take() == ["dispose of the late one"])
    }

    @Test func injection_thatNeedsWhatAResetHasEnded_runsAfterItIsMadeAgain() async throws {
        let (isMade, begun, go) = (Signal(), Signal(), Signal())
        let (count, log) = (Counter(), Log())
        let module = Module("Injecting") { registry in
            registry.register(
                Late<String>.self,
                async: {
                    if count.next() == 1 {
                        await isMade.wait()
                        begun.send()
                        await go.wait()
                    }
                    return Late<String>()
                }
            )
            .injecting { (late, text: String) in late.value = text }
            .onDispose { _ in log("dispose of the late one") }
            registry.register(String.self, async: { "injected" })
        }
        try context.load(module)
        let observation = context.observe { event in
            if case .made(let made) = event, made.key == Key(String.self) { isMade.send() }
        }
        defer { observation.end() }
        async let isStarted: Void = context.start()
        await begun.wait()
        try context.reset()
        go.send()
        try await isStarted
        #expect(try context.resolve(Late<String>.self).value == "injected")
        #expect(log.take() == ["dispose of the late one"])
        #expect(count.value == 2)
    }

    @Test func pushing_aLoadedModule_makesItsInstances() async throws {
        let module = Module("M") { $0.register(String.self, async: { "made" }) }
        try context.load(module)
        try await context.pushing(module) {
            let text = try context.resolve(String.self)
            #expect(text == "made")
        }
    }

    @Test func injecting_worksForAsynchronousOnes() async throws {
        let module = Module("M") { registry in
            registry.register(Late<String>.self, async: { Late<String>() })
                .injecting { (late, text: String) in late.value = text }
            registry.register(String.self) { "injected" }
        }
        try context.load(module)
        try await context.start()
        #expect(try context.resolve(Late<String>.self).value == "injected")
    }
}
