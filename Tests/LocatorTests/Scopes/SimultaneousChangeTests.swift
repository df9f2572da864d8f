import Locator
import TestSupport
import Testing

/// An instance is disposed of after everything that was made from it, even if several changes remove them.
@Suite struct SimultaneousChangeTests {
    private final class Paper: Sendable {}
    private final class Page: Sendable {
        init(_ paper: Paper) {}
    }
    private final class Book: Sendable {
        init(_ page: Page) {}
    }
    private final class Cover: Sendable {}

    private static let session = Scope("session")

    /// A change that removes the paper.
    private struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (_ context: AppContext, _ papers: Module) throws -> Void
    }

    private static let changes = [
        Change(testDescription: "an unload") { context, papers in try context.unload(papers) },
        Change(testDescription: "a reset of the scope") { context, _ in try context.reset(session) },
        Change(testDescription: "a reset") { context, _ in try context.reset() },
        Change(testDescription: "the unloading of everything") { context, _ in try context.unloadAll() },
    ]

    /// The hook of the cover runs before the first change has disposed of the book or the page.
    @Test(arguments: changes, [false, true])
    private func part_thatAnotherChangeRemoves_isDisposedOfLast(_ change: Change, isOnSameThread: Bool) throws {
        let log = Log()
        let context = AppContext()
        let papers = Module("Papers") { registry in
            registry.register(Paper.self, scope: Self.session) { Paper() }.onDispose { _ in log("paper") }
        }
        let pages = Module("Pages") { $0.register(Page.init).onDispose { _ in log("page") } }
        let books = Module("Books") { registry in
            registry.register(Book.init).onDispose { _ in log("book") }
            registry.register { Cover() }.onDispose { _ in
                log("cover")
                if isOnSameThread {
                    try change.run(context, papers)
                } else {
                    try onThread { try change.run(context, papers) }
                }
                log("changed")
            }
        }
        try context.load(papers, pages)
        try context.push(books)
        _ = try context.resolve(Book.self)
        _ = try context.resolve(Cover.self)
        context.pop()
        #expect(log.take() == ["cover", "changed", "book", "page", "paper"])
    }

    /// No request gets what the second change removes, although it is not disposed of yet.
    @Test func part_thatWaitsForAnotherChange_isNotGivenAgain() throws {
        let log = Log()
        let context = AppContext()
        let old = Late<Paper>()
        let books = Module("Books") { registry in
            registry.register(Page.init).onDispose { _ in log("page") }
            registry.register { Cover() }.onDispose { _ in
                try context.reset(Self.session)
                let paper = try context.resolve(Paper.self)
                #expect(paper !== old.value)
                log("cover")
            }
        }
        try context.load(
            Module("Papers") { registry in
                registry.register(Paper.self, scope: Self.session) { Paper() }.onDispose { _ in log("paper") }
            })
        try context.push(books)
        old.value = try context.resolve(Paper.self)
        _ = try context.resolve(Page.self)
        _ = try context.resolve(Cover.self)
        context.pop()
        #expect(log.take() == ["cover", "page", "paper"])
        try context.reset()
        #expect(log.take() == ["paper"])
    }

    /// A change of a context disposes of its own instances and those of its children in one order.
    @Test func childThatFollowsAtOnce_endsInOneOrderWithItsParent() throws {
        final class Sheet: Sendable {
            init(_ paper: Paper) {}
        }
        final class Title: Sendable {}
        let log = Log()
        let child = Late<AppContext>()
        @Sendable func readSheet() throws {
            let sheet = try AppContext.withContext(#require(child.value)) { Dependency<Sheet>() }
            withExtendedLifetime(sheet()) {}
        }
        let parent = try AppContext().load(
            Module("Server") { registry in
                registry.register(Paper.self, scope: Self.session) { Paper() }.onDispose { _ in log("paper") }
                registry.register {
                    try readSheet()
                    return Title()
                }
                .onDispose { _ in log("title") }
                registry.register { (paper: Paper) in
                    try readSheet()
                    return Page(paper)
                }
                .onDispose { _ in log("page") }
                registry.register(Book.init).onDispose { _ in log("book") }
            })
        child.value = try parent.child(
            pushing: Module("Sheets") { $0.register(Sheet.init).onDispose { _ in log("sheet") } })
        // The title is only made from the sheet, between two instances that the parent loses itself.
        _ = try parent.resolve(Page.self)
        _ = try parent.resolve(Title.self)
        _ = try parent.resolve(Book.self)
        try parent.reset(Self.session)
        #expect(log.take() == ["book", "title", "page", "sheet", "paper"])
        child.value = nil
    }

    /// A reload overtakes the making of a server, which is shut down in the background.
    ///
    /// Its part is removed in the meantime.
    @Test func part_ofWhatIsShutDownInTheBackground_isDisposedOfLast() async throws {
        final class Server: Sendable {
            let name: String
            init(_ name: String) { self.name = name }
        }
        let (log, begun, go) = (Log(), Signal(), Signal())
        let files = MemoryFiles(#"{"name": "old"}"#)
        let isReloaded = Late(false)
        let context = AppContext()
        try context.loadProperties(files.source).load(
            Module("Server") { registry in
                registry.register(Paper.self, scope: Self.session) { Paper() }.onDispose { _ in log("paper") }
                registry.register(
                    Server.self,
                    async: { (_: Paper, resolver: Resolver) in
                        let name = try resolver.value("name", as: String.self)
                        if isReloaded.value == false {
                            isReloaded.value = true
                            files.content = #"{"name": "new"}"#
                            try onThread { try context.reloadProperties() }
                        }
                        return Server(name)
                    }
                )
                .onShutdown { server in
                    begun.send()
                    await go.wait()
                    log("shut down \(server.name)")
                }
                .onDispose { log("dispose of \($0.name)") }
            })
        try await context.start()
        await begun.wait()
        #expect(log.take() == [])
        try context.reset(Self.session)
        #expect(log.take() == ["dispose of new"])
        go.send()
        try await context.shutdown()
        #expect(log.take() == ["shut down old", "dispose of old", "paper"])
    }

    /// Reads a wrapper.
    private struct Read: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let read: @Sendable () -> Void
    }

    /// The wrappers that are read in a factory closure.
    private static func reads(_ context: AppContext) -> [Read] {
        AppContext.withContext(context) {
            let paper = Dependency<Paper>()
            let papers = DependencyArray<Paper>()
            let sheet = Dependency<Sheet>()
            return [
                Read(testDescription: "one") { withExtendedLifetime(paper()) {} },
                Read(testDescription: "all") { withExtendedLifetime(papers()) {} },
                Read(testDescription: "prototype") { withExtendedLifetime(sheet()) {} },
            ]
        }
    }

    private final class Sheet: Sendable {
        init(_ paper: Paper) {}
    }

    /// A wrapper that has cached its value returns it to a factory closure.
    @Test(arguments: changes, 0..<3)
    private func part_thatAWrapperHasCached_endsAfterTheRequest(_ change: Change, read number: Int) throws {
        let log = Log()
        let read = Late<Read>()
        let interruption = Late<@Sendable () throws -> Void>()
        let papers = Module("Papers") { registry in
            registry.register(Paper.self, scope: Self.session) { Paper() }.onDispose { _ in log("paper") }
            registry.register(scope: .prototype, Sheet.init)
        }
        let context = try AppContext().load(
            papers,
            Module("Covers") { registry in
                registry.register {
                    read.value?.read()
                    if let change = interruption.value { try onThread { try change() } }
                    log("made")
                    return Cover()
                }
            })
        read.value = Self.reads(context)[number]
        for _ in 0..<3 { read.value?.read() }
        interruption.value = { try change.run(context, papers) }
        _ = try context.resolve(Cover.self)
        #expect(log.take() == ["made", "paper"])
    }
}
