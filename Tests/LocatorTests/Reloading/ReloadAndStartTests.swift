import Foundation
import Locator
import TestSupport
import Testing

private struct Settings: ConfigProperty {
    static let path = "database"
    let url: String
}

/// Has an asynchronous factory closure that reads settings in every way.
private final class Database: Sendable {
    let url: String
    let read: [String]

    init(url: String, read: [String] = []) {
        self.url = url
        self.read = read
    }
}

/// Has an asynchronous factory closure, and needs the database.
private final class Cache: Sendable {
    let database: Database
    init(database: Database) { self.database = database }
}

/// Has an asynchronous factory closure, and needs no settings.
private final class Mail: Sendable {}

/// Made on demand.
private final class Store: Sendable {
    let cache: Cache
    init(cache: Cache) { self.cache = cache }
}

/// Made on demand, slowly.
private final class Report: Sendable {
    let url: String
    init(url: String) { self.url = url }
}

/// A part that does not depend on the settings.
private final class Logger: Sendable {}

private struct Refusal: Error, CustomStringConvertible {
    let description = "the disk is full"
}

/// What the asynchronous factory closure of a database does before it ends.
private typealias Making = @Sendable (_ url: String) async throws -> Void

@Suite("A reload that starts the context makes the new instances before the old ones end", .watchdog)
struct ReloadAndStartTests {
    private let log = Log()
    private let context = AppContext()
    private let files = MemoryFiles(Self.settings("db1"))
    private let making = Late<Making>()

    private static func settings(_ url: String) -> String { #"{ "database": { "url": "\#(url)" } }"# }

    init() throws {
        let shop = Module("Shop") { [log, making] registry in
            registry.register { Logger() }
            registry.register(
                Database.self,
                async: { (settings: Settings, resolver: Resolver, _: Logger) in
                    struct Holder {
                        @PropertyValue("database.url") var url: String
                    }
                    try await making.value?(settings.url)
                    let current = AppContext.current
                    var values = current.values(of: "database.url", as: String.self).makeAsyncIterator()
                    let read = [
                        settings.url, try resolver.value("database.url"), try current.value("database.url"),
                        Holder().url,
                        try current.properties.value("database.url"), try current.resolve(Settings.self).url,
                        try await values.next()?.get() ?? "",
                    ]
                    log("make \(settings.url)")
                    return Database(url: settings.url, read: read)
                }
            )
            .onShutdown { log("shut down \($0.url)") }
            .onDispose { log("dispose of \($0.url)") }
            registry.register(Cache.self, async: { (database: Database) in Cache(database: database) })
                .onDispose { log("dispose of cache of \($0.database.url)") }
            registry.register(Mail.self, async: { Mail() })
            registry.register(Store.init)
        }
        try context.loadProperties(files.source).load(shop)
    }

    private func reload(_ url: String, validating: Bool = false) async throws {
        files.content = Self.settings(url)
        try await context.reloadAndStart(validating: validating)
    }

    /// Waits until everything that was replaced has been disposed of, and returns the log.
    private func logOfEndings(_ last: String) async -> [String] {
        while !log.entries.contains(last) { await Task.yield() }
        return log.take()
    }

    @Test("Everything is made from the new settings, and the old instances end")
    func new_replacesOld() async throws {
        try await context.start()
        _ = try context.resolve(Store.self)
        _ = log.take()
        try await reload("db2")
        let database = try context.resolve(Database.self)
        #expect(database.url == "db2")
        #expect(database.read == Array(repeating: "db2", count: 7))
        #expect(try context.resolve(Cache.self).database === database)
        #expect(try context.resolve(Store.self).cache.database === database)
        #expect(try context.value("database.url") == "db2")
        #expect(
            await logOfEndings("dispose of db1") == [
                "make db2", "dispose of cache of db1", "shut down db1", "dispose of db1",
            ])
        try await context.shutdown()
        #expect(log.take() == ["shut down db2", "dispose of cache of db2", "dispose of db2"])
    }

    @Test("A task that outlives its closure sees the settings of later loads")
    func outlastingTask_seesLaterSettings() async throws {
        try await context.start()
        let isReloaded = Signal()
        let task = Late<Task<[String], any Error>>()
        making.value = { [context] _ in
            task.value = Task {
                await isReloaded.wait()
                return [
                    try context.value("database.url"), try context.properties.value("database.url"),
                    try context.resolve(Settings.self).url,
                ]
            }
        }
        try await reload("db2")
        making.value = nil
        files.content = Self.settings("db3")
        try context.reloadProperties()
        // The requests of tasks are looked at more closely while an asynchronous factory closure is running.
        let (begun, mayEnd) = (Signal(), Signal())
        making.value = { _ in
            begun.send()
            await mayEnd.wait()
        }
        async let start: Void = context.start()
        await begun.wait()
        isReloaded.send()
        #expect(try await task.value?.value == ["db3", "db3", "db3"])
        mayEnd.send()
        try await start
    }

    @Test("An instance that a task is making when the reload ends is disposed of")
    func unfinishedInstance_isDisposedOf() async throws {
        let (begun, mayEnd) = (Signal(), DispatchSemaphore(value: 0))
        try context.load(
            Module("Report") { [log] registry in
                registry.register { (settings: Settings) -> Report in
                    begun.send()
                    mayEnd.wait()
                    return Report(url: settings.url)
                }
                .onDispose { log("dispose of report of \($0.url)") }
            })
        try await context.start()
        let executor = ManualExecutor()
        let hasEnded = Signal()
        making.value = { [context] _ in
            // The factory closure of the report blocks its thread.
            Task(executorPreference: executor) { _ = try context.resolve(Report.self) }
            Thread {
                executor.runJobs()
                hasEnded.send()
            }.start()
            await begun.wait()
        }
        try await reload("db2")
        making.value = nil
        files.content = Self.settings("db3")
        try context.reloadProperties()
        mayEnd.signal()
        await hasEnded.wait()
        try await context.shutdown()
        #expect(log.entries.contains("dispose of report of db2"))
    }

    @Test("Objects that the settings do not affect stay identical, with their dependencies")
    func unaffected_stays() async throws {
        try await context.start()
        let (mail, logger) = (try context.resolve(Mail.self), try context.resolve(Logger.self))
        try await reload("db2")
        #expect(try context.resolve(Mail.self) === mail)
        #expect(try context.resolve(Logger.self) === logger)
        let database = try context.resolve(Database.self)
        try await context.reloadAndStart()
        #expect(try context.resolve(Database.self) === database)
    }

    @Test("A context that was not started is started")
    func unstarted_isStarted() async throws {
        try await reload("db2")
        #expect(try context.resolve(Database.self).url == "db2")
        _ = try context.resolve(Mail.self)
        #expect(log.take() == ["make db2"])
    }

    @Test("Requests while it runs get the old instances")
    func askers_areGivenTheOld() async throws {
        try await context.start()
        let (database, cache) = (try context.resolve(Database.self), try context.resolve(Cache.self))
        let (begun, go) = (Signal(), Signal())
        making.value = { _ in
            begun.send()
            await go.wait()
        }
        files.content = Self.settings("db2")
        let context = context
        let task = Task { try await context.reloadAndStart() }
        await begun.wait()
        struct Holder {
            @Dependency var database: Database
            @PropertyValue("database.url") var url: String
        }
        let holder = AppContext.withContext(context) { Holder() }
        let child = try context.child()
        #expect(try context.resolve(Database.self) === database)
        #expect(try child.resolve(Database.self) === database)
        #expect(try context.resolve(Store.self).cache === cache)
        #expect(try context.value("database.url") == "db1")
        #expect(try context.resolve(Settings.self).url == "db1")
        #expect(holder.database === database)
        #expect(holder.url == "db1")
        go.send()
        try await task.value
        #expect(try context.resolve(Database.self).url == "db2")
        #expect(holder.database === (try context.resolve(Database.self)))
        #expect(holder.url == "db2")
        #expect(try child.resolve(Database.self) === holder.database)
    }

    /// Checks that nothing has changed since `database` was made from `db1`.
    private func expectUnchanged(_ database: Database, _ cache: Cache) throws {
        #expect(try context.resolve(Database.self) === database)
        #expect(try context.resolve(Cache.self) === cache)
        #expect(try context.value("database.url") == "db1")
        #expect(try context.resolve(Settings.self).url == "db1")
    }

    @Test("A factory closure that fails changes nothing, and what was made for it is shut down")
    func failingClosure_changesNothing() async throws {
        try context.load(
            Module("Failing") { registry in
                registry.register(
                    Int.self,
                    async: { (cache: Cache) in
                        if cache.database.url == "db2" { throw Refusal() }
                        return 1
                    })
            })
        try await context.start()
        let (database, cache) = (try context.resolve(Database.self), try context.resolve(Cache.self))
        _ = log.take()
        #expect(
            await message { try await reload("db2") }?.contains("making Int failed: the disk is full") == true)
        try expectUnchanged(database, cache)
        #expect(
            await logOfEndings("dispose of db2") == [
                "make db2", "dispose of cache of db2", "shut down db2", "dispose of db2",
            ])
        try await reload("db3")
        #expect(try context.resolve(Cache.self).database.url == "db3")
    }

    @Test("An instance whose injections wait for one that fails is shut down, and then its dependencies end")
    func waitingInstance_isShutDown() async throws {
        final class Link: Sendable {}
        final class Wire: Sendable {
            let url: String
            init(url: String) { self.url = url }
        }
        let isMade = Signal()
        try context.load(
            Module("Links") { [log] registry in
                registry.register { (settings: Settings) in Wire(url: settings.url) }
                    .onDispose { log("dispose of wire of \($0.url)") }
                registry.register(
                    Link.self,
                    async: { (settings: Settings, _: Wire) in
                        if settings.url == "db2" { isMade.send() }
                        return Link()
                    }
                )
                .injecting { (_, _: Int) in }
                .onShutdown { _ in log("shut down link") }
                .onDispose { _ in log("dispose of link") }
                registry.register(
                    Int.self,
                    async: { (settings: Settings) in
                        if settings.url == "db1" { return 1 }
                        await isMade.wait()
                        throw Refusal()
                    })
            })
        try await context.start()
        let link = try context.resolve(Link.self)
        _ = log.take()
        #expect(await message { try await reload("db2") }?.contains("making Int failed: the disk is full") == true)
        #expect(try context.resolve(Link.self) === link)
        let entries = await logOfEndings("dispose of wire of db2").filter { $0.contains("link") || $0.contains("wire") }
        #expect(entries == ["shut down link", "dispose of link", "dispose of wire of db2"])
        try await context.shutdown()
    }

    @Test("If a factory closure of scope .always fails, nothing changes")
    func failingAlways_changesNothing() async throws {
        try context.load(
            Module("Failing", when: .property("database.url", equals: "db2")) { registry in
                registry.register(Int.self, scope: .always) { (cache: Cache) throws -> Int in throw Refusal() }
            })
        try await context.start()
        let (database, cache) = (try context.resolve(Database.self), try context.resolve(Cache.self))
        _ = log.take()
        #expect(
            await message { try await reload("db2") }?.contains("making Int failed: the disk is full") == true)
        try expectUnchanged(database, cache)
        #expect(
            await logOfEndings("dispose of db2") == [
                "make db2", "dispose of cache of db2", "shut down db2", "dispose of db2",
            ])
    }

    @Test("An unreadable file and properties that fail validation change nothing")
    func badFiles_changeNothing() async throws {
        try await context.start()
        let (database, cache) = (try context.resolve(Database.self), try context.resolve(Cache.self))
        _ = log.take()
        files.content = "{"
        #expect(await message { try await context.reloadAndStart() } != nil)
        try expectUnchanged(database, cache)
        files.content = #"{ "database": { "url": 1 } }"#
        #expect(
            await message { try await context.reloadAndStart(validating: true) }?
                .hasPrefix("the new settings are not used") == true)
        try expectUnchanged(database, cache)
        #expect(log.take() == [])
    }

    @Test("A canceled reload changes nothing and can be repeated")
    func cancellation_changesNothing() async throws {
        try await context.start()
        let (database, cache) = (try context.resolve(Database.self), try context.resolve(Cache.self))
        let begun = Signal()
        making.value = { url in
            begun.send()
            await Signal.neverSent.wait()
            try Task.checkCancellation()
        }
        files.content = Self.settings("db2")
        let context = context
        let task = Task { try await context.reloadAndStart() }
        await begun.wait()
        task.cancel()
        #expect(await message { try await task.value } != nil)
        try expectUnchanged(database, cache)
        making.value = nil
        try await reload("db2")
        #expect(try context.resolve(Cache.self).database.url == "db2")
    }

    @Test("A push during the reload stays, and its pop returns to the new instances")
    func pushMeanwhile_stays() async throws {
        try await context.start()
        let context = context
        let fake = Database(url: "fake")
        let fakes = Module("Fakes") { $0.register(Database.self) { fake } }
        let isPushed = Late(false)
        making.value = { _ in
            // Factory closures cannot change the context, so another thread does.
            try onThread {
                if isPushed.value == true { return }
                isPushed.value = true
                try AppContext.withContext(context) { _ = try context.push(fakes) }
            }
        }
        try await reload("db2")
        #expect(try context.resolve(Database.self) === fake)
        #expect(try context.resolve(Cache.self).database === fake)
        #expect(try context.value("database.url") == "db2")
        context.pop()
        try await context.start()
        #expect(try context.resolve(Cache.self).database.url == "db2")
    }

    @Test("Instances that a reset drops during the reload are made again")
    func resetMeanwhile_isMadeUpFor() async throws {
        try await context.start()
        let context = context
        let count = Counter()
        making.value = { _ in
            if count.next() == 1 { try onThread { try context.reset() } }
        }
        try await reload("db2")
        #expect(try context.resolve(Cache.self).database.url == "db2")
        _ = try context.resolve(Mail.self)
        _ = try context.resolve(Logger.self)
    }

    @Test("After an earlier reset, others still get parts that it does not affect", arguments: [true, false])
    func earlierReset_changesNothing(isOfScope: Bool) async throws {
        try await context.start()
        if isOfScope { try context.reset(.singleton) } else { try context.reset() }
        let (begun, go) = (Signal(), Signal())
        making.value = { _ in
            begun.send()
            await go.wait()
        }
        files.content = Self.settings("db2")
        let context = context
        let task = Task { try await context.reloadAndStart() }
        await begun.wait()
        // The closure has a logger already.
        let logger = try context.resolve(Logger.self)
        go.send()
        try await task.value
        #expect(try context.resolve(Logger.self) === logger)
        #expect(try context.resolve(Cache.self).database.url == "db2")
    }

    @Test("If another reload happens in the meantime, the files of the later one are applied")
    func reloadMeanwhile_counts() async throws {
        try await context.start()
        let (context, files) = (context, files)
        let count = Counter()
        making.value = { _ in
            guard count.next() == 1 else { return }
            files.content = Self.settings("db3")
            try onThread { try context.reloadProperties() }
        }
        try await reload("db2")
        #expect(try context.value("database.url") == "db3")
        #expect(try context.resolve(Cache.self).database.url == "db3")
    }

    @Test("Simultaneous reloads run one after another")
    func several_runInARow() async throws {
        try await context.start()
        let (context, files) = (context, files)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 2..<12 {
                group.addTask {
                    files.content = Self.settings("db\(number)")
                    try await context.reloadAndStart()
                    _ = try context.resolve(Cache.self)
                }
            }
            try await group.waitForAll()
        }
        let url: String = try context.value("database.url")
        #expect(try context.resolve(Cache.self).database.url == url)
        try await context.shutdown()
        let entries = log.take()
        for entry in entries where entry.hasPrefix("make ") {
            let made = entry.dropFirst(5)
            let ends = entries.filter { $0 == "shut down \(made)" }.count
            #expect(ends == entries.filter { $0 == entry }.count, "\(made)")
        }
    }

    @Test("A reloader does the same if the context was started")
    func reloader_startsToo() async throws {
        try await context.start()
        let clock = ManualClock()
        let reloader = context.reloadProperties(on: .changes(every: .seconds(5), clock: clock))
        let task = Task { await reloader.run() }
        await clock.sleeping()
        files.content = Self.settings("db2")
        clock.advance(by: .seconds(5))
        await clock.sleeping()
        #expect(try context.resolve(Cache.self).database.url == "db2")
        making.value = { _ in throw Refusal() }
        files.content = Self.settings("db3")
        clock.advance(by: .seconds(5))
        await clock.sleeping()
        #expect(try context.resolve(Cache.self).database.url == "db2")
        task.cancel()
        await task.value
    }

    @Test("It works on a fork, and is an error in a child and in factory closures")
    func places() async throws {
        let fork = try context.fork()
        try await fork.start()
        files.content = Self.settings("db2")
        try await fork.reloadAndStart()
        #expect(try fork.resolve(Cache.self).database.url == "db2")
        #expect(try context.value("database.url") == "db1")
        let child = try context.child()
        #expect(await message { try await child.reloadAndStart() }?.contains("cannot load its own") == true)
        making.value = { _ in try await AppContext.current.reloadAndStart() }
        #expect(
            await message { try await context.start() }?
                .contains("reloadAndStart was called inside a factory closure, decorator, or decoder") == true)
    }

    @Test("Injections run before the new instances are used")
    func injections_run() async throws {
        final class Node: @unchecked Sendable {
            // Sendable: written in the injection alone.
            let url: String
            var other: Peer?
            init(url: String) { self.url = url }
        }
        final class Peer: Sendable {
            let node: Node
            init(node: Node) { self.node = node }
        }
        try context.load(
            Module("Nodes") { registry in
                registry.register(Node.self, async: { (settings: Settings) in Node(url: settings.url) })
                    .injecting { (node, peer: Peer) in node.other = peer }
                registry.register(Peer.init)
            })
        try await context.start()
        try await reload("db2")
        let node = try context.resolve(Node.self)
        #expect(node.url == "db2")
        #expect(node.other === (try context.resolve(Peer.self)))
        #expect(node.other?.node === node)
    }

    @Test("An instance that a push invalidates during the reload is made again, although injections join its parts")
    func joinedParts_areMadeAgain() async throws {
        final class Page: Sendable {}
        final class Cover: Sendable {
            let page: Page
            init(page: Page) { self.page = page }
        }
        final class Book: @unchecked Sendable {
            // Sendable: written in the injection alone.
            let url: String
            var author: Author?
            var cover: Cover?
            init(url: String) { self.url = url }
        }
        final class Author: Sendable {
            let book: Book
            init(book: Book) { self.book = book }
        }
        final class Library: Sendable {
            let author: Author
            init(author: Author) { self.author = author }
        }
        try context.load(
            Module("Books") { registry in
                registry.register { Page() }
                registry.register(Cover.init)
                registry.register { (settings: Settings) in Book(url: settings.url) }
                    .injecting { (book, author: Author, cover: Cover) in
                        book.author = author
                        book.cover = cover
                    }
                registry.register(Author.init)
                registry.register(Library.self, async: { (author: Author) in Library(author: author) })
            })
        try await context.start()
        let (begun, go) = (Signal(), Signal())
        making.value = { _ in
            begun.send()
            await go.wait()
        }
        let log = log
        let observation = context.observe { event in
            if case .made(let made) = event, made.key == Key(Library.self) { log("library") }
        }
        defer { observation.end() }
        files.content = Self.settings("db2")
        let context = context
        let task = Task { try await context.reloadAndStart() }
        await begun.wait()
        while !log.entries.contains("library") { await Task.yield() }
        let page = Page()
        try context.push(Module("Fakes") { $0.register(Page.self) { page } })
        go.send()
        try await task.value
        let library = try context.resolve(Library.self)
        #expect(library.author.book.url == "db2")
        #expect(library.author.book.author === library.author)
        #expect(library.author.book.cover?.page === page)
        #expect(log.take().filter { $0 == "library" }.count == 2)
    }

    @Test("The closures of another context that a closure starts see the new settings, too")
    func closureOfAnotherContext_seesNewSettings() async throws {
        let context = context
        try context.load(
            Module("Text") { registry in
                registry.register(
                    String.self,
                    async: {
                        let other = AppContext()
                        try other.load(
                            Module("Other") { registry in
                                registry.register(
                                    String.self,
                                    async: {
                                        let url: String = try context.value("database.url")
                                        return "\(url), \(try context.resolve(Settings.self).url)"
                                    })
                            })
                        try await other.start()
                        return try other.resolve(String.self)
                    })
            })
        try await context.start()
        #expect(try context.resolve(String.self) == "db1, db1")
        try await reload("db2")
        #expect(try context.resolve(String.self) == "db2, db2")
    }

    @Test("Other readers of a wrapper see the old settings while a closure reads it", arguments: [false, true])
    func wrapper_isNotKeptForOthers(isFork: Bool) async throws {
        final class Address: Sendable {
            let url: String
            init(url: String) { self.url = url }
        }
        final class Holder: @unchecked Sendable {
            // Sendable: the wrapper is.
            @Dependency var address: Address
        }
        try context.load(
            Module("Addresses") { registry in
                registry.register(Address.self, scope: .prototype) { (resolver: Resolver) in
                    Address(url: try resolver.value("database.url"))
                }
            })
        try await context.start()
        let reloaded = isFork ? try context.fork() : context
        let holder = AppContext.withContext(reloaded) { Holder() }
        let seen = Log()
        making.value = { _ in
            seen("inside \(holder.address.url)")
            await Task.detached { seen("outside \(holder.address.url)") }.value
        }
        files.content = Self.settings("db2")
        try await reloaded.reloadAndStart()
        #expect(seen.take() == ["inside db2", "outside db1"])
        #expect(holder.address.url == "db2")
    }

    @Test("A fork that a closure makes has the new settings")
    func forkInAClosure() async throws {
        let seen = Log()
        making.value = { _ in seen(try AppContext.current.fork().value("database.url")) }
        try await context.start()
        files.content = Self.settings("db2")
        try await context.reloadAndStart()
        #expect(seen.take() == ["db1", "db2"])
    }

    @Test("A closure that reads a changed setting through a child fails immediately")
    func childInAClosure() async throws {
        let seen = Log()
        making.value = { _ in seen(try AppContext.current.child().value("database.url")) }
        try await context.start()
        let database = try context.resolve(Database.self)
        files.content = Self.settings("db2")
        let text = await message { try await context.reloadAndStart() }
        #expect(
            text?.contains(
                """
                Database was made for settings that are being loaded, and has read earlier ones, through a child of the context
                  fix: read what depends on settings from the context itself
                """) == true)
        #expect(seen.take() == ["db1", "db1"])
        #expect(try context.resolve(Database.self) === database)
    }

    private final class Leaf: Sendable {}

    private final class Weak: Sendable {
        let leaf: Leaf
        init(leaf: Leaf) { self.leaf = leaf }
    }

    private final class Holder: Sendable {
        let weak: Weak
        init(weak: Weak) { self.weak = weak }
    }

    @Test("The parts of a weak instance are disposed of after the weak instance has ended")
    func partOfWeak_isDisposedOf() async throws {
        let session = Scope("session")
        let holders = Module("Holders") { [log] registry in
            registry.register { (_: Settings) in Leaf() }.onDispose { _ in log("dispose of leaf") }
            registry.register(scope: .weak, Weak.init)
            registry.register(Holder.self, scope: session, async: { (weak: Weak) in Holder(weak: weak) })
        }
        try context.load(holders)
        try await reload("db2")
        try context.reset(session)
        _ = log.take()
        try context.reset()
        #expect(log.take().contains("dispose of leaf"))
    }

    @Test("A follower that an asynchronous factory closure begins gets the earlier value again if the reload fails")
    func followerOfAFailedReload() async throws {
        let files = MemoryFiles(#"{ "limit": 1 }"#)
        let following = Late<Task<[Int], any Error>>()
        let context = AppContext()
        try context.loadProperties(files.source)
        try context.load(
            Module("Mail") { registry in
                registry.register(
                    Mail.self,
                    async: { (resolver: Resolver) in
                        if try resolver.value("limit", as: Int.self) == 1 { return Mail() }
                        let begun = Signal()
                        following.value = Task {
                            var found: [Int] = []
                            for await limit in AppContext.current.values(of: "limit", as: Int.self) {
                                found.append(try limit.get())
                                begun.send()
                                if found.count == 2 { break }
                            }
                            return found
                        }
                        await begun.wait()
                        throw Refusal()
                    })
            })
        try await context.start()
        files.content = #"{ "limit": 2 }"#
        #expect(await message { try await context.reloadAndStart() } != nil)
        #expect(try await following.value?.value == [2, 1])
    }
}
