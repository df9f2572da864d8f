import Foundation
import Locator
import TestSupport
import Testing

/// How a child disposes of its instances while requests of other threads use it, and together with other contexts.
@Suite("A child disposes of nothing too early")
struct ChildDisposalTests {
    private final class Ink: Sendable {}
    private final class Paper: Sendable {}
    private final class Page: Sendable {
        let ink: Ink
        init(_ ink: Ink) { self.ink = ink }
    }
    private struct Note {
        let ink: Ink
    }

    private static let request = Scope("request")
    private static let session = Scope("session")

    /// What another thread does to the child while a factory closure uses one of its instances.
    private struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (_ parent: AppContext, _ child: AppContext, _ server: Module) throws -> Void
    }

    private static let changes = [
        Change(testDescription: "a reset of the child") { _, child, _ in try child.reset() },
        Change(testDescription: "a reset of the scope") { _, child, _ in try child.reset(request) },
        Change(testDescription: "an unload in the parent") { parent, child, server in
            try parent.unload(server)
            _ = child.existing(Ink.self)
        },
    ]

    /// Runs once, on another thread.
    private final class Interruption: Sendable {
        private let change = Late<@Sendable () throws -> Void>()

        func plan(_ run: @escaping @Sendable () throws -> Void) { change.value = run }

        func happen() throws {
            guard let run = change.value else { return }
            change.value = nil
            try onThread { try run() }
        }
    }

    private static func server(_ log: Log, _ interruption: Interruption) -> Module {
        Module("Server") { registry in
            registry.register(scope: request) { Ink() }.onDispose { _ in log("ink is disposed of") }
            registry.register(scope: request) { (ink: Ink) -> Page in
                try interruption.happen()
                log("page is made")
                return Page(ink)
            }
            .onDispose { _ in log("page is disposed of") }
            registry.register(Note.self, scope: .prototype) { (ink: Ink) -> Note in
                try interruption.happen()
                log("note is made")
                return Note(ink: ink)
            }
        }
    }

    @Test(arguments: changes, [false, true])
    private func instance_thatAMakingUses_endsAfterTheRequest(_ change: Change, isFull: Bool) throws {
        let (log, interruption) = (Log(), Interruption())
        let server = Self.server(log, interruption)
        let parent = try AppContext().load(server)
        for _ in 0..<2 { _ = try parent.child(opening: Self.request).resolve(Page.self) }
        _ = log.take()
        let child = try parent.child(opening: Self.request)
        if isFull { _ = child.existing(Ink.self) }
        interruption.plan { try change.run(parent, child, server) }
        _ = try child.resolve(Page.self)
        #expect(log.take() == ["page is made", "page is disposed of", "ink is disposed of"])
        withExtendedLifetime((parent, child)) {}
    }

    @Test(arguments: changes, [false, true])
    private func instance_thatAPrototypeUses_endsAfterTheRequest(_ change: Change, isFull: Bool) throws {
        let (log, interruption) = (Log(), Interruption())
        let server = Self.server(log, interruption)
        let parent = try AppContext().load(server)
        for _ in 0..<2 {
            let child = try parent.child(opening: Self.request)
            _ = try child.resolve(Ink.self)
            _ = try child.resolve(Note.self)
        }
        _ = log.take()
        let child = try parent.child(opening: Self.request)
        _ = try child.resolve(Ink.self)
        if isFull { _ = child.existing(Ink.self) }
        interruption.plan { try change.run(parent, child, server) }
        _ = try child.resolve(Note.self)
        #expect(log.take() == ["note is made", "ink is disposed of"])
        withExtendedLifetime((parent, child)) {}
    }

    @Test(arguments: [false, true])
    func instance_thatAPrototypeUses_endsAfterTheRequest_whenTheChildHasEnded(isFull: Bool) throws {
        let (log, interruption) = (Log(), Interruption())
        let parent = try AppContext().load(Self.server(log, interruption))
        for _ in 0..<2 {
            let child = try parent.child(opening: Self.request)
            _ = try child.resolve(Ink.self)
            _ = try child.resolve(Note.self)
        }
        _ = log.take()
        let (isUsed, hasEnded, isMade) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
        interruption.plan {
            isUsed.signal()
            hasEnded.wait()
        }
        try parent.within(Self.request) { child in
            _ = try child.resolve(Ink.self)
            if isFull { _ = child.existing(Ink.self) }
            isMade.enter()
            Thread.detachNewThread {
                _ = try? child.resolve(Note.self)
                isMade.leave()
            }
            isUsed.wait()
        }
        log("the child has ended")
        hasEnded.signal()
        isMade.wait()
        #expect(log.take() == ["the child has ended", "note is made", "ink is disposed of"])
    }

    @Test func reset_ofAScopeAbove_disposesInReverseOrder_ofWhatAChildHasUsed() throws {
        let log = Log()
        let parent = try AppContext().load(
            Module("Server") { registry in
                registry.register(scope: Self.session) { Ink() }.onDispose { _ in log("ink") }
                registry.register(scope: Self.session) { Paper() }.onDispose { _ in log("paper") }
                registry.register(scope: Self.request, Page.init)
            })
        let child = try parent.child(opening: Self.request)
        let grandchild = try child.child(opening: Self.request)
        // The second request makes the page ready.
        for _ in 0..<2 { _ = try child.resolve(Page.self) }
        _ = try parent.resolve(Paper.self)
        try grandchild.reset(Self.session)
        #expect(log.take() == ["paper", "ink"])
        withExtendedLifetime((parent, child)) {}
    }

    @Test func reset_ofAScopeAbove_disposesInReverseOrder_ofWhatEndsWhileTheParentFollows() throws {
        final class Book: Sendable {
            let page: Page
            init(_ page: Page) { self.page = page }
        }
        let log = Log()
        let parent = try AppContext().load(
            Module("Books") { registry in
                registry.register(scope: Self.session) { Ink() }.onDispose { _ in log("ink") }
                registry.register(scope: Self.session, Book.init).onDispose { _ in log("book") }
            })
        let child = try parent.child(
            pushing: Module("Pages") { $0.register(Page.init).onDispose { _ in log("page") } })
        let grandchild = try child.child()
        _ = try child.resolve(Book.self)
        try grandchild.reset(Self.session)
        #expect(log.take() == ["book", "page", "ink"])
        withExtendedLifetime((parent, child)) {}
    }

    @Test func pop_disposesInReverseOrder_ofWhatEndedWhileTheChildFollowed() throws {
        let log = Log()
        let parent = AppContext()
        let parts = Module("Parts") { registry in
            registry.register { Ink() }.onDispose { _ in log("ink") }
            registry.register { Paper() }.onDispose { _ in log("paper") }
        }
        let pages = Module("Pages") { $0.register(Page.init) }
        try parent.load(pages)
        let child = try parent.child(pushing: parts)
        for _ in 0..<2 { _ = try child.resolve(Page.self) }
        _ = try child.resolve(Paper.self)
        try parent.unload(pages)
        child.pop()
        #expect(log.take() == ["paper", "ink"])
        withExtendedLifetime(parent) {}
    }

    @Test func instance_ofAModuleThatTheParentPushesAndPops_isDisposedOfAtTheEnd() throws {
        final class Slow: Sendable {}
        let (log, interruption) = (Log(), Interruption())
        let parts = Module("Parts") { registry in
            registry.register { Ink() }.onDispose { _ in log("ink") }
        }
        let parent = try AppContext().load(
            Module("Slow") { registry in
                registry.register(Slow.self, scope: Self.request) {
                    try interruption.happen()
                    return Slow()
                }
            })
        try parent.within(Self.request, pushing: parts) { child in
            _ = try child.resolve(Ink.self)
            interruption.plan {
                try parent.push(parts)
                _ = child.existing(Ink.self)
                parent.pop()
                _ = try child.resolve(Ink.self)
            }
            _ = try child.resolve(Slow.self)
            // The child keeps its own run of the module's closure.
            #expect(log.take().isEmpty)
        }
        #expect(log.take() == ["ink"])
    }
}
