import Locator
import TestSupport
import Testing

private final class Thing: Sendable {}

@Suite(
    "Code that a context calls may resolve from it, and change it unless an instance is being made", .watchdog)
struct ReentrancyTests {
    private let context = AppContext()
    private let log = Log()

    // MARK: Factory closures

    @Test func closure_mayResolve_throughTheCurrentContext() throws {
        let nested = Module("N") { registry in
            registry.register(Thing.init)
            registry.register(String.self) {
                let current = AppContext.current
                let thing = try current.resolve(Thing.self)
                return try current.resolve(Thing.self) === thing ? "same" : "another"
            }
        }
        try context.load(nested)
        #expect(try context.resolve(String.self) == "same")
        #expect(AppContext.current === AppContext.shared)
    }

    @Test func closure_mayUseAnotherContext_asItLikes() throws {
        let other = AppContext()
        let module = Module("M") { registry in
            registry.register(String.self) {
                try other.load(.text("inner"))
                try other.push(.text("pushed"))
                let text = try other.resolve(String.self)
                other.pop()
                try other.unloadAll()
                return text
            }
        }
        try context.load(module)
        #expect(try context.resolve(String.self) == "pushed")
    }

    private struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (AppContext) throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (AppContext) throws -> Void) {
            testDescription = name
            self.run = run
        }
    }

    private static let changes = [
        Change("load") { try $0.load(.text("x")) },
        Change("push") { try $0.push(.text("x")) },
        Change("unloadAll") { try $0.unloadAll() },
        Change("reset") { try $0.reset() },
        Change("reset a scope") { try $0.reset(.singleton) },
        Change("reloadProperties") { try $0.reloadProperties() },
    ]

    @Test(
        "A factory closure, decorator, injection, or decoder that changes its context gets an error", arguments: changes
    )
    private func changeFromInside(change: Change) throws {
        struct Decoded: ConfigProperty {
            static let path = "decoded"
            init(from decoder: any Decoder) throws {
                try ReentrancyTests.inside.value?(AppContext.current)
            }
        }
        Self.inside.value = { try change.run($0) }
        let module = Module("M", properties: ["decoded": 1]) { registry in
            registry.register(Int.self, qualifier: "maker") {
                try change.run(AppContext.current)
                return 1
            }
            registry.register(Int.self, qualifier: "decorated") { 2 }
            registry.decorate(Int.self, qualifier: "decorated") { base in
                try change.run(AppContext.current)
                return base
            }
            registry.register(Int.self, qualifier: "injected") { 3 }
                .injecting { _ in try change.run(AppContext.current) }
            registry.register(Double.self) { (_: Decoded) in 4 }
            registry.register(Thing.init)
        }
        try context.load(module)
        let thing = try context.resolve(Thing.self)
        for qualifier in ["maker", "decorated", "injected"] {
            let error = locatorError { try context.resolve(Int.self, qualifier: .named(qualifier)) }
            guard case .changeDuringInitialization = error?.kind else {
                Issue.record("\(qualifier): \(error?.description ?? "no error")")
                continue
            }
        }
        #expect(message { try context.resolve(Double.self) }?.contains("inside a factory closure") == true)
        // Nothing was changed.
        #expect(try context.resolve(Thing.self) === thing)
        #expect(try context.resolve(String?.self) == nil)
    }

    private static let inside = Late<@Sendable (AppContext) throws -> Void>()

    // MARK: Hooks

    @Test func disposeHook_mayResolve_andSeesTheContextAfterTheChange() throws {
        let module = Module("M") { [log] registry in
            registry.register(Thing.init)
            registry.register(Int.self) { 1 }
                .onDispose { _ in
                    let text = try AppContext.current.resolve(String?.self)
                    _ = try AppContext.current.resolve(Thing.self)
                    log("\(text ?? "no text")")
                }
        }
        let text = Module.text("text")
        try context.load(module, text)
        _ = try context.resolve(Int.self)
        try context.reset()
        #expect(log.take() == ["text"])
        _ = try context.resolve(Int.self)
        try context.unload(text)
        #expect(log.take() == [])
        try context.reset()
        #expect(log.take() == ["no text"])
    }

    @Test("A dispose hook may change the context", arguments: changes)
    private func disposeHook_mayChangeTheContext(change: Change) throws {
        let module = Module("M") { [log] registry in
            registry.register(Int.self) { 1 }
                .onDispose { _ in
                    try change.run(AppContext.current)
                    log("changed")
                }
        }
        try context.load(module)
        _ = try context.resolve(Int.self)
        try context.reset()
        #expect(log.entries == ["changed"])
    }

    @Test("If an observer makes an instance while a factory closure makes the same, only the observer's stays")
    func observer_makesWhatIsBeingMade() throws {
        struct Engine: Sendable { let number: Int }
        let numbers = Counter()
        let events = Counter()
        let module = Module("M") { [log] registry in
            registry.register(Thing.init)
            registry.register(Engine.self) {
                let number = numbers.next()
                if number == 1 { _ = try AppContext.current.resolve(Thing.self) }
                return Engine(number: number)
            }
            .onDispose { log("engine \($0.number)") }
        }
        try context.load(module)
        let observation = context.observe { [log, weak context] _ in
            guard events.next() == 1, let context else { return }
            // The first event is that the thing was made.
            _ = try? context.push(.text("pushed")).pop()
            log("made \((try? context.resolve(Engine.self).number) ?? 0)")
        }
        #expect(try context.resolve(Engine.self).number == 1)
        #expect(log.take() == ["made 2", "engine 1"])
        #expect(try context.resolve(Engine.self).number == 2)
        try context.reset()
        #expect(log.take() == ["engine 2"])
        withExtendedLifetime(observation) {}
    }

    @Test func deinit_mayResolve_andChangeTheContext() throws {
        final class Last: Sendable {
            let onDeinit: @Sendable () -> Void
            init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
            deinit { onDeinit() }
        }
        let module = Module("M") { [log, context] registry in
            registry.register(Thing.init)
            registry.register(Last.self) { [weak context] in
                Last {
                    guard let context else { return }
                    let isThere = (try? context.resolve(Thing.self)) != nil
                    let isLoaded = (try? context.load(.text("from the deinit"))) != nil
                    log("\(isThere) \(isLoaded)")
                }
            }
        }
        try context.load(module)
        _ = try context.resolve(Last.self)
        try context.reset()
        #expect(log.take() == ["true true"])
        #expect(try context.resolve(String.self) == "from the deinit")
    }

    @Test func deinitWithinAMaking_mayChangeTheContext() throws {
        // The object ends while a factory closure runs, yet it is not the factory closure that changes the context.
        final class Last: @unchecked Sendable {
            let context: AppContext
            init(_ context: AppContext) { self.context = context }
            deinit { _ = try? context.resolve(Thing.self) }
        }
        let module = Module("M") { [context] registry in
            registry.register(Thing.init)
            registry.register(Int.self) { [weak context] in
                if let context { _ = Last(context) }
                return 1
            }
        }
        try context.load(module)
        #expect(try context.resolve(Int.self) == 1)
    }

    @Test func closureOfAModule_mayUseTheContext() throws {
        let module = Module("Outer") { [context] registry in
            registry.register(Int.self) { 1 }
            _ = try? context.load(.text("inner"))
        }
        try context.load(module)
        #expect(try context.resolve(Int.self) == 1)
        #expect(try context.resolve(String.self) == "inner")
    }

    // MARK: Cycles

    @Test func cycleOnOneThread_isAnError_notAnOverflow() throws {
        let module = Module("M") { registry in
            registry.register(Int.self, scope: .prototype) { try Int(AppContext.current.resolve(Double.self)) }
            registry.register(Double.self, scope: .graph) { (resolver: Resolver) in
                Double(try resolver.resolve(Int.self))
            }
        }
        try context.load(module)
        guard case .circularDependency(let path) = locatorError({ try context.resolve(Int.self) })?.kind else {
            Issue.record("no cycle")
            return
        }
        #expect(path.map(\.key) == [Key(Int.self), Key(Double.self), Key(Int.self)])
        #expect(locatorError({ try context.resolve(Double.self) }) != nil)
    }

    @Test func endlessFactory_isAnError_notAnOverflow() throws {
        let module = Module("M") { registry in
            registry.factory(Double.self) { (number: Int, again: Factory<Int, Double>) in try again(number + 1) }
        }
        try context.load(module)
        guard case .tooDeep(Key(Double.self), _) = locatorError({ try context.resolve(Double.self, with: 1) })?.kind
        else {
            Issue.record("no end")
            return
        }
    }

    @Test func longChain_isNotACycle() throws {
        let module = Module("M") { registry in
            registry.register(Int.self, qualifier: "0") { 0 }
            for number in 1...100 {
                registry.register(
                    Int.self, qualifier: .named("\(number)"), parameterQualifiers: [.named("\(number - 1)")]
                ) {
                    (previous: Int) in previous + 1
                }
            }
        }
        try context.load(module)
        #expect(try context.resolve(Int.self, qualifier: "100") == 100)
    }

    // MARK: Deinitializers at the end of a request

    /// Whether the injection of an object has run.
    private final class Ready: @unchecked Sendable {
        var thing: Thing?
    }

    private final class Logger: @unchecked Sendable {
        var thing: Thing?
    }

    /// A part that resolves in its deinitializer.
    private final class Loan {
        @Dependency var logger: Logger
        private let log: Log

        init(_ ready: Ready, log: Log) { self.log = log }

        deinit { log(logger.thing == nil ? "incomplete" : "complete") }
    }

    private final class Startup: Sendable {
        init() {
            let loan = Dependency<Loan>()
            _ = loan()
        }
    }

    @Test("An instance that a deinitializer requests at the end of a request is complete, for all threads")
    func deinitializer_atTheEndOfARequest() throws {
        try context.load(
            Module("M") { [log] registry in
                registry.register(Thing.init)
                registry.register(Ready.init).injecting { (ready, thing: Thing) in ready.thing = thing }
                registry.register(Logger.init).injecting { (logger, thing: Thing) in logger.thing = thing }
                    .onDispose { _ in log("disposed") }
                registry.register(Loan.self, scope: .prototype) { (ready: Ready) in Loan(ready, log: log) }
                registry.register(Startup.init)
            })
        _ = try context.resolve(Startup.self)
        #expect(log.take() == ["complete"])
        let logger = try onThread { [context] in try context.resolve(Logger.self) }
        #expect(logger.thing != nil)
        try context.reset()
        #expect(log.take() == ["disposed"])
    }
}
