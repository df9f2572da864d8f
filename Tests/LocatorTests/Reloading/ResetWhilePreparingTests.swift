import Locator
import TestSupport
import Testing

private final class Logger: Sendable {}

private final class Pool: Sendable {
    let url: String
    let logger: Logger
    init(url: String, logger: Logger) {
        self.url = url
        self.logger = logger
    }
}

private final class Database: Sendable {
    let pool: Pool
    let logger: Logger
    init(pool: Pool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }
}

@Suite("An instance that a reset ends during a starting reload is not used again", .watchdog)
struct ResetWhilePreparingTests {
    private let context = AppContext()
    private let log = Log()
    private let files = MemoryFiles(#"{ "url": "db1" }"#)
    /// Ends the shutdown hooks, which keep what the databases were made from.
    private let mayEnd = Signal()

    /// Loads a database that resets the context when it is made first for the second settings.
    private func load(isPoolNeeded: Bool) throws {
        let isReset = Late(false)
        let shop = Module("Shop") { [log, mayEnd] registry in
            registry.register { Logger() }.onDispose { _ in log("end of logger") }
            registry.register(Pool.self, scope: isPoolNeeded ? .singleton : .cache) {
                (logger: Logger, resolver: Resolver) in
                Pool(url: try resolver.value("url"), logger: logger)
            }
            registry.register(
                Database.self,
                async: { (pool: Pool, resolver: Resolver) async throws in
                    log("make \(pool.url)")
                    let logger = try resolver.resolve(Logger.self)
                    if pool.url == "db2", isReset.value == false {
                        isReset.value = true
                        let context = AppContext.current
                        try await Task.detached { try context.reset() }.value
                    }
                    return Database(pool: pool, logger: logger)
                }
            ).onShutdown { _ in await mayEnd.wait() }
        }
        try context.loadProperties(files.source).load(shop)
    }

    @Test(
        "Its dependent is made again, even though the ended instance is still in use", arguments: [true, false])
    func reset(isPoolNeeded: Bool) async throws {
        try load(isPoolNeeded: isPoolNeeded)
        try await context.start()
        files.content = #"{ "url": "db2" }"#
        try await context.reloadAndStart()
        #expect(log.entries == ["make db1", "make db2", "make db2"])
        let database = try context.resolve(Database.self)
        let logger = try context.resolve(Logger.self)
        #expect(database.pool.url == "db2")
        #expect(database.logger === logger)
        #expect(database.pool.logger === logger)
        #expect(try context.resolve(Pool.self) === database.pool)
        mayEnd.send()
        try await context.shutdown()
    }
}

/// What a reset can end before the context takes it over.
@Suite("An instance that a starting reload has made is made again if a reset ends it", .watchdog)
struct ResetOfPreparedTests {
    private final class Part: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private final class Whole: Sendable {
        let part: Part
        init(_ part: Part) { self.part = part }
    }

    private let context = AppContext()
    private let log = Log()
    private let files = MemoryFiles(#"{ "url": "db1" }"#)

    /// Runs the reset once in the second settings, after the signal that the whole was made, or while its part is made.
    private func load(isAsynchronous: Bool, after isMade: Signal?, isOfScope: Bool) throws {
        let (context, log, count, isReset) = (context, log, Counter(), Late(false))
        @Sendable func reset(_ resolver: Resolver) throws {
            guard try resolver.value("url") == "db2", isReset.value == false else { return }
            isReset.value = true
            try onThread { if isOfScope { try context.reset(.cache) } else { try context.reset() } }
        }
        @Sendable func part(_ resolver: Resolver) throws -> Part {
            let _: String = try resolver.value("url")
            if isMade == nil { try reset(resolver) }
            return Part(count.next())
        }
        let module = Module("Shop") { registry in
            if isAsynchronous {
                registry.register(
                    Part.self, scope: .cache, async: { (resolver: Resolver) async throws in try part(resolver) }
                )
                .onDispose { log("dispose of part \($0.number)") }
            } else {
                registry.register(Part.self, scope: .cache) { (resolver: Resolver) in try part(resolver) }
                    .onDispose { log("dispose of part \($0.number)") }
            }
            registry.register(Whole.self, async: { (part: Part) async in Whole(part) })
                .onDispose { log("dispose of whole \($0.part.number)") }
            registry.register(
                String.self,
                async: { (resolver: Resolver) async throws in
                    if let isMade, try resolver.value("url") == "db2" {
                        await isMade.wait()
                        try reset(resolver)
                    }
                    return "last"
                })
        }
        try context.loadProperties(files.source).load(module)
    }

    @Test(arguments: [true, false], [true, false])
    func reset(isMade: Bool, isOfScope: Bool) async throws {
        for isAsynchronous in [true, false] {
            let signal = Signal()
            try load(isAsynchronous: isAsynchronous, after: isMade ? signal : nil, isOfScope: isOfScope)
            try await context.start()
            let observation = context.observe { event in
                if case .made(let made) = event, made.key == Key(Whole.self) { signal.send() }
            }
            defer { observation.end() }
            files.content = #"{ "url": "db2" }"#
            try await context.reloadAndStart()
            let whole = try context.resolve(Whole.self)
            #expect(whole.part.number == 3)
            #expect(try context.resolve(Part.self) === whole.part)
            let old = ["dispose of whole 1", "dispose of part 1"]
            // An asynchronous part is given up before anything is made from it.
            let isGivenUp = isAsynchronous && !isMade
            let new = isGivenUp ? ["dispose of part 2"] : ["dispose of whole 2", "dispose of part 2"]
            #expect(log.take() == (isMade ? new + old : old + new))
            try context.unloadAll()
            #expect(log.take() == ["dispose of whole 3", "dispose of part 3"])
            files.content = #"{ "url": "db1" }"#
            try context.reloadProperties()
        }
    }

    @Test func reset_ofWhatIsPrepared_leavesTheRest() async throws {
        let (context, log, isReset) = (context, log, Late(false))
        let module = Module("Shop") { registry in
            registry.register(
                Part.self,
                async: { (resolver: Resolver) async throws in
                    let url: String = try resolver.value("url")
                    log("make \(url)")
                    return Part(0)
                })
            registry.register(
                Whole.self, scope: .cache,
                async: { (part: Part, resolver: Resolver) async throws in
                    if try resolver.value("url") == "db2", isReset.value == false {
                        isReset.value = true
                        try onThread { try context.reset(.cache) }
                    }
                    return Whole(part)
                })
        }
        try context.loadProperties(files.source).load(module)
        try await context.start()
        files.content = #"{ "url": "db2" }"#
        try await context.reloadAndStart()
        #expect(log.take() == ["make db1", "make db2"])
        #expect(try context.resolve(Whole.self).part === context.resolve(Part.self))
    }
}

extension Scope {
    fileprivate static let cache = Scope("cache")
}

@Suite("A pop during a starting reload restarts the reload", .watchdog)
struct PopWhilePreparingTests {
    @Test("Instances of the popped module are not made again")
    func pop() async throws {
        let (context, log) = (AppContext(), Log())
        let files = MemoryFiles(#"{ "url": "db1" }"#)
        let fakes = Module("Fakes") { registry in
            registry.register(
                String.self,
                async: { () async in
                    log("fake")
                    return "fake"
                })
        }
        try context.loadProperties(files.source).load(
            Module("Shop") { registry in
                registry.register(
                    Logger.self,
                    async: { (resolver: Resolver) async throws in
                        let url: String = try resolver.value("url")
                        if url == "db2", log.entries == ["fake"] {
                            log("pop")
                            try onThread { try context.pop(fakes) }
                        }
                        return Logger()
                    })
            })
        try await context.start()
        try context.push(fakes)
        try await context.start()
        files.content = #"{ "url": "db2" }"#
        try await context.reloadAndStart()
        #expect(log.entries == ["fake", "pop"])
        #expect(try context.resolve(String?.self) == nil)
    }
}
