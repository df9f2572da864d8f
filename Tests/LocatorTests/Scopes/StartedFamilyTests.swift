import Locator
import TestSupport
import Testing

@Suite("A child only starts instances that it cannot share with its parent")
struct StartedFamilyTests {
    private final class Clock: Sendable {}
    private final class Database: Sendable {
        let clock: Clock?
        init(_ clock: Clock?) { self.clock = clock }
    }

    private static let clock = Module("Clock") { $0.register { Clock() } }

    /// How the database gets its clock.
    enum Reading: CaseIterable {
        case parameter, resolver, wrapper

        func module(_ passing: @escaping @Sendable () async throws -> Void = {}) -> Module {
            Module("Database") { registry in
                switch self {
                case .parameter:
                    registry.register(
                        Database.self,
                        async: { (clock: Clock?) in
                            try await passing()
                            return Database(clock)
                        })
                case .resolver:
                    registry.register(
                        Database.self,
                        async: { (resolver: Resolver) in
                            try await passing()
                            return Database(try resolver.resolve(Clock?.self))
                        })
                case .wrapper:
                    registry.register(
                        Database.self,
                        async: {
                            try await passing()
                            return Database(Dependency<Clock?>()())
                        })
                }
            }
        }
    }

    @Test(arguments: Reading.allCases)
    func child_makesItsOwn_ifItsParentHasOneThatDiffers(_ reading: Reading) async throws {
        let context = try AppContext().load(reading.module())
        let child = try context.child(pushing: Self.clock)
        try await context.start()
        try await child.start()
        #expect(try child.resolve(Database.self).clock === child.resolve(Clock.self))
        #expect(try context.resolve(Database.self).clock == nil)
        // Nothing is left to be made.
        let own = try child.resolve(Database.self)
        try await child.start()
        #expect(try child.resolve(Database.self) === own)
    }

    /// The closure reads the clock only for the parent, so nothing that the child's instance has read changes.
    @Test func pop_givesTheParentsAgain_ifTheChildMadeItsOwnBecauseOfIt() async throws {
        let readsClock = Late<Bool>()
        let context = try AppContext().load(
            Self.clock,
            Module("Database") { registry in
                registry.register(
                    Database.self,
                    async: { (resolver: Resolver) in
                        Database(readsClock.value == true ? try resolver.resolve(Clock.self) : nil)
                    })
            })
        readsClock.value = true
        try await context.start()
        let child = try context.child(pushing: Module("Other clock") { $0.register { Clock() } })
        readsClock.value = false
        try await child.start()
        let own = try child.resolve(Database.self)
        #expect(own.clock == nil)
        child.pop()
        #expect(try child.resolve(Database.self) === context.resolve(Database.self))
    }

    @Test(arguments: Reading.allCases)
    func pushing_prepares_whatTheChildHasShared(_ reading: Reading) async throws {
        let context = try AppContext().load(Self.clock, reading.module())
        try await context.start()
        let child = try context.child()
        let shared = try child.resolve(Database.self)
        let own = try await child.pushing(Module("Fake") { $0.register { Clock() } }) {
            let own = try child.resolve(Database.self)
            let clock = try child.resolve(Clock.self)
            #expect(own.clock === clock)
            return own
        }
        #expect(own !== shared)
        #expect(try child.resolve(Database.self) === shared)
    }

    /// A module that a child has pushed is popped while the child starts an instance that needs it.
    @Test("After a pop, the parent makes the instances that the child would share", arguments: [false, true])
    func pop_leavesTheInstanceToTheParent(isPartAsynchronous: Bool) async throws {
        let (begun, mayEnd) = (Signal(), Signal())
        let context = try AppContext().load(
            Module("Shop") { registry in
                if isPartAsynchronous {
                    registry.register(Clock.self, async: { Clock() })
                } else {
                    registry.register { Clock() }
                }
                registry.register(
                    Database.self,
                    async: { (clock: Clock) in
                        begun.send()
                        await mayEnd.wait()
                        return Database(clock)
                    })
            })
        let child = try context.child()
        let fake = Module("Fake") { $0.register { Clock() } }
        try child.push(fake)
        async let started: Void = child.start()
        await begun.wait()
        try child.pop(fake)
        mayEnd.send()
        try await started
        #expect(child.existing(Database.self) == nil)
        try await context.start()
        #expect(try child.resolve(Database.self) === context.resolve(Database.self))
    }

    @Test(arguments: Reading.allCases)
    func pop_duringAStart_letsTheChildShareAgain(_ reading: Reading) async throws {
        let (begun, mayEnd) = (Signal(), Signal())
        let isSlow = Late<Bool>()
        let context = try AppContext().load(
            Self.clock,
            reading.module {
                guard isSlow.value == true else { return }
                begun.send()
                await mayEnd.wait()
            })
        try await context.start()
        let child = try context.child()
        let shared = try child.resolve(Database.self)
        isSlow.value = true
        try child.push(Module("Fake") { $0.register { Clock() } })
        async let start: Void = child.start()
        await begun.wait()
        isSlow.value = false
        child.pop()
        mayEnd.send()
        try await start
        #expect(try child.resolve(Database.self) === shared)
        #expect(try context.resolve(Database.self) === shared)
    }
}

@Suite("reloadAndStart makes the new instances, no matter what changes in the meantime and what has ended")
struct ReloadedStartTests {
    private final class Clock: Sendable {}
    private final class Database: Sendable {
        let clock: Clock
        init(_ clock: Clock) { self.clock = clock }
    }

    @Test func pop_duringAReload_restartsIt() async throws {
        let (begun, mayEnd) = (Signal(), Signal())
        let isSlow = Late<Bool>()
        let runs = Counter()
        let files = MemoryFiles(#"{"a": 1}"#)
        let context = try AppContext().loadProperties(files.source).load(
            Module("Base") { registry in
                registry.register { Clock() }
                registry.register(
                    Database.self,
                    async: { (clock: Clock, resolver: Resolver) in
                        _ = try resolver.value("a", as: Int.self)
                        runs.next()
                        if isSlow.value == true {
                            begun.send()
                            await mayEnd.wait()
                        }
                        return Database(clock)
                    })
            })
        try context.push(Module("Fake") { $0.register { Clock() } })
        try await context.start()
        files.content = #"{"a": 2}"#
        isSlow.value = true
        async let reload: Void = context.reloadAndStart()
        await begun.wait()
        isSlow.value = false
        context.pop()
        mayEnd.send()
        try await reload
        #expect(try context.value("a", as: Int.self) == 2)
        #expect(try context.resolve(Database.self).clock === context.resolve(Clock.self))
        #expect(runs.value == 3)
    }

    private final class Page: Sendable {}
    private final class Cache: Sendable {
        /// Does not hold the page.
        init(_ page: Page) {}
    }
    private final class Store: Sendable {
        let cache: Cache
        init(_ cache: Cache) { self.cache = cache }
    }

    @Test func partOfAWeakPart_mayHaveEnded() async throws {
        let files = MemoryFiles(#"{"a": 1}"#)
        let context = try AppContext().loadProperties(files.source).load(
            Module("Base") { registry in
                registry.register(scope: .weak) { Page() }
                registry.register(scope: .weak, Cache.init)
                registry.register(
                    Store.self,
                    async: { (cache: Cache, resolver: Resolver) in
                        _ = try resolver.value("a", as: Int.self)
                        return Store(cache)
                    })
            })
        try await context.start()
        let before = try context.resolve(Store.self)
        files.content = #"{"a": 2}"#
        try await context.reloadAndStart()
        #expect(try context.value("a", as: Int.self) == 2)
        #expect(try context.resolve(Store.self) !== before)
    }
}
