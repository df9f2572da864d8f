import Locator
import TestSupport
import Testing

@Suite("Events are reported to observers")
struct ObservationTests {
    private struct Part: Sendable {}
    private struct Whole: Sendable { let part: Part }
    private struct Failure: Error, CustomStringConvertible { let description = "no disk" }

    /// Events as text, with durations left out.
    private static func text(_ event: ContextEvent) -> String {
        guard case .made(let making) = event else { return "\(event)" }
        return "made \(making.key) \(making.scope) (\(making.location))"
    }

    private static func observing(
        _ context: AppContext, _ body: () throws -> Void
    ) rethrows -> [String] {
        let log = Log()
        let observation = context.observe { log(text($0)) }
        defer { observation.end() }
        try body()
        return log.entries
    }

    private static let here = "LocatorTests/ObservationTests.swift"

    private struct Settings: ConfigProperty {
        static let path = "settings"
        let size: Int
    }

    @Test func decoding_isReportedAsAMaking_whosePlaceIsTheProperties() throws {
        let context = try AppContext().load(Module("Sizes", properties: ["settings.size": 2]))
        let told = try Self.observing(context) { _ = try context.resolve(Settings.self) }
        #expect(told.first == "made Settings .singleton (the properties)")
    }

    private struct Delayed: Sendable {}

    @Test func asynchronousMaking_isReported_beforeItsDisposal_howeverItEnds() async throws {
        let log = Log()
        let context = AppContext()
        let runs = Counter()
        try context.load(
            Module("Late") { registry in
                registry.register(
                    Delayed.self,
                    async: {
                        // A reset overtakes the first run.
                        if runs.next() == 1 { try onThread { try context.reset() } }
                        return Delayed()
                    }
                ).injecting { (_: Delayed, _: Resolver) in if runs.value == 3 { throw Failure() } }
            })
        let observation = context.observe { event in
            switch event {
            case .made(let making): log("made \(making.key)")
            case .disposed(let key, _): log("disposed of \(key)")
            default: break
            }
        }
        defer { observation.end() }
        try await context.start()
        #expect(log.take() == ["made Delayed", "disposed of Delayed", "made Delayed"])
        try context.reset()
        await #expect(throws: LocatorError.self) { try await context.start() }
        #expect(log.take().last == "made Delayed")
    }

    @Test("An instance that an asynchronous factory closure makes after the end of its child is reported once")
    func asynchronousMakingAfterTheEnd() async throws {
        let (began, mayEnd) = (Signal(), Signal())
        let log = Log()
        let line = #line
        let context = try AppContext().load(
            Module("Late") { registry in
                registry.register(
                    Delayed.self, scope: Scope("visit"),
                    async: {
                        began.send()
                        await mayEnd.wait()
                        return Delayed()
                    }
                ).onShutdown { _ in log("shut down") }
            })
        let observation = context.observe { log(Self.text($0)) }
        defer { observation.end() }
        let task = try await context.within(Scope("visit")) { child in
            let task = Task { try await child.start() }
            await began.wait()
            return task
        }
        mayEnd.send()
        await #expect(throws: LocatorError.self) { try await task.value }
        // This would wait for a shutdown of the instance.
        try await context.shutdown()
        #expect(
            log.take() == [
                "made Delayed .visit (\(Self.here):\(line + 3))",
                "Delayed (\(Self.here):\(line + 3)) was never shut down",
                "disposed of Delayed (\(Self.here):\(line + 3))",
            ])
    }

    @Test("A shutdown that is running when its child ends is not reported as missing")
    func endDuringShutdown() async throws {
        let (began, mayEnd) = (Signal(), Signal())
        let log = Log()
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(scope: Scope("visit")) { Part() }
                    .onShutdown { _ in
                        began.send()
                        await mayEnd.wait()
                        log("shut down")
                    }
            })
        let observation = context.observe { event in
            switch event {
            case .neverShutDown: log("never shut down")
            case .disposed: log("disposed of")
            default: break
            }
        }
        defer { observation.end() }
        let shutdown = try await context.within(Scope("visit")) { child in
            _ = try child.resolve(Part.self)
            let shutdown = Task { try await child.shutdown() }
            await began.wait()
            return shutdown
        }
        mayEnd.send()
        try await shutdown.value
        #expect(log.take() == ["shut down", "disposed of"])
    }

    @Test("What ends without its shutdown hooks is reported, however it ends, but not what a shutdown ends")
    func instancesThatAreNotShutDown() async throws {
        let line = #line
        let visit = Scope("visit")
        let module = Module("Shop") { registry in
            registry.register(Part.self, scope: visit) { Part() }.onShutdown { _ in }
        }
        let fake = Module("Fake") { $0.register(Part.self, scope: visit) { Part() }.onShutdown { _ in } }
        let context = try AppContext().load(module)
        func events(_ end: (AppContext) async throws -> Void) async throws -> [String] {
            let log = Log()
            let observation = context.observe { event in
                switch event {
                case .neverShutDown, .disposed: log("\(event)")
                default: break
                }
            }
            defer { observation.end() }
            _ = try context.resolve(Part.self)
            try await end(context)
            return log.take()
        }
        func told(_ offset: Int) -> [String] {
            let place = "Part (\(Self.here):\(line + offset))"
            return ["\(place) was never shut down", "disposed of \(place)"]
        }
        #expect(try await events { try $0.reset() } == told(3))
        #expect(try await events { try $0.reset(visit) } == told(3))
        #expect(
            try await events { context in
                let push = try context.push(fake)
                _ = try context.resolve(Part.self)
                push.pop()
            } == told(5))
        #expect(try await events { try $0.unload(module) } == told(3))
        try context.load(module)
        #expect(try await events { try $0.unloadAll() } == told(3))
        try context.load(module)
        #expect(try await events { try await $0.shutdown() } == [told(3)[1]])
        #expect(
            try await events { context in
                let push = try context.push(fake)
                _ = try context.resolve(Part.self)
                try await context.shutdown()
                push.pop()
            } == [told(5)[1], told(3)[1]])
    }

    @Test func fork_inheritsTheObservers_untilTheyEnd() throws {
        let log = Log()
        let context = try AppContext().load(Module("Shop") { $0.register { Part() } })
        let early = try context.fork()
        let child = try context.child()
        let observation = context.observe { if case .resolved(let key, _) = $0 { log("\(key)") } }
        let inner = child.observe { if case .resolved = $0 { log("child") } }
        let forks = [try context.fork(), try context.fork().fork()]
        for fork in forks + [early] { _ = try fork.resolve(Part.self) }
        #expect(log.take() == ["Part", "Part"])
        _ = try child.fork().resolve(Part.self)
        #expect(log.take() == ["Part", "child"])
        inner.end()
        observation.end()
        for fork in forks { _ = try fork.resolve(Part.self) }
        #expect(log.entries.isEmpty)
    }

    @Test func observation_thatAnotherObserverEnds_getsNoMoreEvents() throws {
        let log = Log()
        let context = try AppContext().load(Module("Shop") { $0.register { Part() } })
        let second = Late<ContextObservation>()
        let first = context.observe { _ in second.value?.end() }
        second.value = context.observe { log("\($0)") }
        _ = try context.resolve(Part.self)
        #expect(log.entries.isEmpty)
        first.end()
    }

    @Test func making_isReported_innermostFirst_andTheAnswers() throws {
        let line = #line
        let module = Module("Shop") { registry in
            registry.register(Part.self, scope: .prototype) { Part() }
            registry.register(Whole.init).onDispose { _ in }
        }
        let context = try AppContext().load(module)
        let events = try Self.observing(context) {
            _ = try context.resolve(Whole.self)
            _ = try context.resolve(Whole.self)
        }
        #expect(
            events == [
                "made Part .prototype (\(Self.here):\(line + 2))",
                "resolved Part at \(Self.here):\(line + 3)",
                "made Whole .singleton (\(Self.here):\(line + 3))",
                "resolved Whole at \(Self.here):\(line + 7)",
                "resolved Whole at \(Self.here):\(line + 8)",
            ])
    }

    @Test func optionalWithANamedQualifier_isReported_afterItsInjections() throws {
        let line = #line
        let module = Module("Shop", properties: ["kind": "big"]) { registry in
            registry.register(Part.self) { Part() }
            registry.register(Whole.self, qualifier: "big") { (part: Lazy<Part>) in Whole(part: Part()) }
                .injecting { (_, _: Part) in }
        }
        let context = try AppContext().load(module)
        let events = try Self.observing(context) {
            _ = try context.resolve(Whole?.self, qualifier: .property("kind"))
        }
        #expect(
            events == [
                "made Whole \"big\" .singleton (\(Self.here):\(line + 3))",
                "made Part .singleton (\(Self.here):\(line + 2))",
                "resolved Part at \(Self.here):\(line + 3)",
                "resolved Whole \"big\" at \(Self.here):\(line + 8)",
            ])
    }

    @Test("Wrappers and lazy dependencies are reported after the injections, and not if one of these fails")
    func wrappers_areReported_afterTheirInjections() throws {
        let line = #line
        let runs = Counter()
        let module = Module("Shop") { registry in
            registry.register(Part.self, scope: .prototype) { Part() }
            registry.register(Whole.self, scope: .prototype) { Whole(part: Part()) }
                .injecting { (_, _: Part) in if runs.next() % 2 == 1 { throw Failure() } }
        }
        let context = try AppContext().load(module)
        let lazy = try context.resolve(Lazy<Whole>.self, line: 1)
        let (one, all) = AppContext.withContext(context) {
            (Dependency<Whole>(line: 1), DependencyArray<Whole>(line: 1))
        }
        let reads: [(String, () throws -> Void)] = [
            ("Whole", { _ = try lazy.resolved() }), ("Whole", { _ = try one.resolved() }),
            ("[Whole]", { _ = try all.resolved() }),
        ]
        for (key, read) in reads {
            let making = [
                "made Whole .prototype (\(Self.here):\(line + 4))",
                "made Part .prototype (\(Self.here):\(line + 3))",
                "resolved Part at \(Self.here):\(line + 4)",
            ]
            #expect(Self.observing(context) { #expect(throws: LocatorError.self) { try read() } } == making)
            #expect(try Self.observing(context, read) == making + ["resolved \(key) at \(Self.here):1"])
        }
    }

    @Test func instancesByQualifier_areReported() throws {
        let context = try AppContext().load(
            Module("Shop") { $0.register(Part.self, qualifier: "spare", scope: .prototype) { Part() } })
        let line = #line
        let events = try Self.observing(context) { _ = try context.resolveMap(Part.self) }
        #expect(
            events == [
                "made Part \"spare\" .prototype (\(Self.here):\(line - 1))",
                "resolved [String: Part] at \(Self.here):\(line + 1)",
            ])
    }

    @Test func readyAnswers_areReported_too() throws {
        let context = try AppContext().load(Module("Shop") { $0.register(Part.init) })
        _ = try context.resolve(Part.self)
        _ = try context.resolve(Part.self)
        let line = #line
        let events = try Self.observing(context) { _ = try context.resolve(Part.self) }
        #expect(events == ["resolved Part at \(Self.here):\(line + 1)"])
        #expect(try Self.observing(AppContext()) { _ = try context.resolve(Part.self) } == [])
    }

    @Test("Answers that were ready before an observation are reported while it lasts, and are ready again afterward")
    func readyAnswers_areReported_whileAnObservationLasts() throws {
        let context = try AppContext().load(Module("Shop") { $0.register(Part.init) })
        let child = try context.child()
        let line = #line + 2
        func read() throws {
            _ = (try context.resolve(Part.self), try child.resolve(Part.self))
            AppContext.withContext(context) { _ = Dependency<Part>(line: 1)() }
        }
        let resolved = ["\(line)", "\(line)", "1"].map { "resolved Part at \(Self.here):\($0)" }
        try read()
        for _ in 0..<2 {
            try read()
            #expect(try Self.observing(context, read) == resolved)
        }
    }

    @Test func loadingAndPushing_andWhatTheyEnd_areReported() throws {
        let line = #line
        let base = Module("Base") { $0.register(Part.init).onDispose { _ in } }
        let fake = Module("Fake") { $0.register(Part.init).onDispose { _ in throw Failure() } }
        let context = AppContext()
        let events = try Self.observing(context) {
            try context.load(base)
            try context.load(base)
            try context.push(fake)
            _ = try context.resolve(Part.self)
            context.pop()
            try context.unload(base)
        }
        #expect(
            events == [
                "loaded module \"Base\" (priority normal) at \(Self.here):\(line + 5)",
                "pushed module \"Fake\" (priority high) at \(Self.here):\(line + 7)",
                "made Part .singleton (\(Self.here):\(line + 2))",
                "resolved Part at \(Self.here):\(line + 8)",
                "a hook of Part failed: no disk",
                "disposed of Part (\(Self.here):\(line + 2))",
                "popped module \"Fake\"",
                "unloaded module \"Base\"",
            ])
    }

    @Test func failedLoad_isNotReported() throws {
        let module = Module("Broken") { $0.register(Part.self, scope: .always) { throw Failure() } }
        let context = AppContext()
        let events = Self.observing(context) { #expect(message { try context.load(module) } != nil) }
        #expect(events == [])
    }

    @Test func missingProperties_areReported_evenIfADefaultServes() throws {
        let context = try AppContext().load(Module("Settings", properties: ["size": 3]))
        let line = #line
        let events = try Self.observing(context) {
            _ = try context.value("size", as: Int.self)
            _ = try context.value("sise", as: Int.self, default: 1)
            _ = message { try context.value("sizes", as: Int.self) }
        }
        #expect(
            events == [
                "setting \"sise\" is missing at \(Self.here):\(line + 3)",
                "setting \"sizes\" is missing at \(Self.here):\(line + 4)",
            ])
    }

    @Test func child_reportsToTheObserversOfItsParents_untilItsEnd() throws {
        let visit = Scope("visit")
        let line = #line
        let module = Module("Shop") { $0.register(Part.self, scope: visit) { Part() }.onDispose { _ in } }
        let context = try AppContext().load(module)
        let events = try Self.observing(context) {
            let child = try context.child(opening: visit)
            _ = try child.resolve(Part.self)
        }
        #expect(
            events == [
                "made Part .visit (\(Self.here):\(line + 1))",
                "resolved Part at \(Self.here):\(line + 5)",
                "disposed of Part (\(Self.here):\(line + 1))",
            ])
    }

    @Test func releasedContext_reportsWhatWasNeverShutDown() async throws {
        let log = Log()
        let line = #line
        let module = Module("Shop") { $0.register(Part.init).onShutdown { _ in } }
        func lifetime(shuttingDown: Bool) async throws {
            let context = try AppContext().load(module)
            context.observe { log(Self.text($0)) }
            _ = try context.resolve(Part.self)
            if shuttingDown { try await context.shutdown() }
        }
        try await lifetime(shuttingDown: false)
        #expect(
            log.entries.suffix(2) == [
                "Part (\(Self.here):\(line + 1)) was never shut down", "disposed of Part (\(Self.here):\(line + 1))",
            ])
        try await lifetime(shuttingDown: true)
        #expect(log.entries.filter { $0.contains("never") }.count == 1)
    }

    @Test func asynchronousMakings_areReported() async throws {
        let log = Log()
        let context = try AppContext().load(Module("Shop") { $0.register(Part.self, async: { Part() }) })
        context.observe { log(Self.text($0)) }
        try await context.start()
        #expect(log.entries.count == 1)
        #expect(log.entries[0].hasPrefix("made Part .singleton"))
    }

    @Test func observer_ofAnAsynchronousMaking_mayResetIt_withAllThatItWasMadeFrom() async throws {
        let log = Log()
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Part.init).onDispose { _ in log("end of part") }
                registry.register(Whole.self, async: { (part: Part) async in Whole(part: part) })
                    .onDispose { _ in log("end of whole") }
            })
        let (isReset, afterReset) = (Late(false), Late<[String]>())
        context.observe { event in
            guard case .made(let making) = event, making.key == Key(Whole.self), isReset.value == false else { return }
            isReset.value = true
            #expect(message { try context.reset() } == nil)
            afterReset.value = log.take()
        }
        try await context.start()
        #expect(afterReset.value == ["end of whole", "end of part"])
    }

    @Test func observer_mayUseAndChangeTheContext_andDoesNotSeeThat() throws {
        let context = try AppContext().load(
            Module("Shop") {
                $0.register(Part.init); $0.register(Whole.init)
            })
        let log = Log()
        context.observe { event in
            log(Self.text(event))
            guard case .made(let making) = event, making.key == Key(Part.self) else { return }
            _ = try? context.resolve(Part.self)
            #expect(message { try context.push(Module("Late") { _ in }) } == nil)
        }
        _ = try context.resolve(Whole.self)
        #expect(log.entries.filter { $0.hasPrefix("made") || $0.hasPrefix("pushed") }.count == 2)
        context.pop()
    }

    @Test func endedObservation_receivesNothing_andReleasesItsCaptures() throws {
        final class Held: Sendable {}
        weak var weakly: Held?
        let context = try AppContext().load(Module("Shop") { $0.register(Part.init) })
        do {
            let held = Held()
            weakly = held
            let observation = context.observe { _ in withExtendedLifetime(held) {} }
            observation.end()
        }
        #expect(weakly == nil)
        _ = try context.resolve(Part.self)
    }

    @Test func slowestInitializations_areListed_byTheirOwnTime() throws {
        let initializations = SlowestInitializations(limit: 2)
        let place = SourcePlace()
        func making(_ type: any Any.Type, _ duration: Duration, own: Duration) -> ContextEvent {
            .made(
                .init(
                    key: Key(type), scope: ".singleton", location: place, duration: duration,
                    ownDuration: own))
        }
        #expect(initializations.description == "nothing was made")
        initializations.record(making(Int.self, .milliseconds(90), own: .milliseconds(2)))
        initializations.record(making(String.self, .microseconds(41_260), own: .microseconds(41_260)))
        initializations.record(making(Bool.self, .milliseconds(3), own: .milliseconds(3)))
        initializations.record(.resolved(Key(Int.self), SourcePlace()))
        #expect(
            initializations.description == """
                slowest initializations
                     41.3 ms  String (\(place))
                      3.0 ms  Bool (\(place))
                """)
        #expect(initializations.slowest.map(\.key) == [Key(String.self), Key(Bool.self)])
    }

    @Test func ownDuration_leavesOutWhatWasMadeForIt() throws {
        struct Slow: Sendable {
            /// Takes until the clock advances.
            init() {
                let start = ContinuousClock.now
                while ContinuousClock.now == start {}
            }
        }
        struct Quick: Sendable { let slow: Slow }
        let initializations = SlowestInitializations()
        let context = try AppContext().load(
            Module("Shop") {
                $0.register(Slow.init); $0.register(Quick.init)
            })
        context.observe(initializations.record)
        _ = try context.resolve(Quick.self)
        let quick = try #require(initializations.slowest.first { $0.key == Key(Quick.self) })
        let slow = try #require(initializations.slowest.first { $0.key == Key(Slow.self) })
        #expect(slow.ownDuration > .zero)
        #expect(quick.duration >= slow.duration)
        #expect(quick.duration - quick.ownDuration >= slow.duration)
    }

    @Test func durationOfAnAsynchronousInstance_leavesOutWhatItsInjectionsWaitFor() async throws {
        let isMade = Signal()
        let before = Late<ContinuousClock.Instant>()
        let begun = Late<ContinuousClock.Instant>()
        let waitBegun = Late<ContinuousClock.Instant>()
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(
                    Part.self,
                    async: {
                        begun.value = .now
                        return Part()
                    }
                )
                // A further injection needs another instance.
                .injecting { (_, _: Int) in isMade.send() }
                .injecting { (_, _: Whole) in }
                registry.register(Int.self) { 1 }
                registry.register(
                    Whole.self,
                    async: { () async throws in
                        await isMade.wait()
                        let start = ContinuousClock.now
                        waitBegun.value = start
                        // Takes longer than everything before the part's closure, so that a duration with it is too long.
                        let beforeClosure = try #require(begun.value) - #require(before.value)
                        while ContinuousClock.now - start <= beforeClosure {}
                        return Whole(part: Part())
                    })
            })
        let initializations = SlowestInitializations()
        context.observe(initializations.record)
        // An executor of its own, so that the closures do not wait for other tests, and the wait above is short.
        let executor = ManualExecutor()
        let starting = Task(executorPreference: executor) {
            before.value = .now
            return await message { try await context.start() }
        }
        #expect(await executor.value(of: starting) == nil)
        let part = try #require(initializations.slowest.first { $0.key == Key(Part.self) })
        let most = try #require(waitBegun.value) - #require(before.value)
        #expect(part.ownDuration <= most)
        #expect(part.duration <= most)
    }
}
