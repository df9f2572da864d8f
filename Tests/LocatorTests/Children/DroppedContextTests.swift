import Foundation
import Locator
import TestSupport
import Testing

/// The last reference to a context is released while another thread makes something in it, for example with a `Provider`.
@Suite("A request that is running when its context is dropped finishes with the objects that it has")
struct DroppedContextTests {
    private final class Connection: Sendable {
        let log: Log
        init(_ log: Log) { self.log = log }
    }
    private final class Shared: Sendable {}
    private final class Job: Sendable {
        let text: String
        init(_ text: String) { self.text = text }
    }
    private final class Page: Sendable {
        let job: Provider<Job>
        init(job: Provider<Job>) { self.job = job }
    }

    enum Origin: CaseIterable {
        case root, leanChild, fullChild

        func context(of server: AppContext, _ scope: Scope) throws -> AppContext {
            switch self {
            case .root: return try server.fork()
            case .leanChild: return try server.child(opening: scope)
            case .fullChild:
                let child = try server.child(opening: scope)
                _ = child.dump()
                return child
            }
        }
    }

    /// What the dropped context has to make.
    enum Making: CaseIterable {
        case shared, prototype
    }

    @Test(arguments: Origin.allCases, Making.allCases)
    func requestOnAnotherThread(_ origin: Origin, _ making: Making) throws {
        let log = Log()
        let scope = Scope("request")
        let (began, dropped, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        var token: Shared? = Shared()
        weak let watched = token
        var server: AppContext? = try AppContext().load(
            Module("Server") { [token] registry in
                registry.register(scope: scope) { Connection(log) }.onDispose { _ in log("closed") }
                registry.register(scope: scope) { Shared() }
                let job: @Sendable (Connection, Resolver) throws -> Job = { connection, resolver in
                    let first = try resolver.resolve(Shared.self)
                    began.signal()
                    dropped.wait()
                    log("used")
                    return Job(try resolver.resolve(Shared.self) === first && token != nil ? "same" : "another")
                }
                switch making {
                case .shared: registry.register(scope: scope, job)
                case .prototype: registry.register(scope: .prototype, job)
                }
                registry.register(scope: scope, Page.init)
            })
        token = nil
        // Afterward, a child finds the answers of its parent ready.
        for _ in 0..<2 {
            dropped.signal()
            let warming = try #require(server).child(opening: scope)
            _ = try warming.resolve(Page.self).job()
            began.wait()
        }
        _ = log.take()
        var context: AppContext? = try origin.context(of: #require(server), scope)
        let page = try #require(context).resolve(Page.self)
        _ = try #require(context).resolve(Connection.self)
        let outcome = Late<String>()
        Thread.detachNewThread {
            outcome.value = (try? page.job().text) ?? "failed"
            done.signal()
        }
        began.wait()
        context = nil
        server = nil
        dropped.signal()
        done.wait()
        #expect(outcome.value == "same")
        #expect(log.take() == ["used", "closed"])
        // Nothing keeps the modules of a context that has ended with its last request.
        withExtendedLifetime(page) {}
        #expect(watched == nil)
    }

    @Test("A child that a dispose hook of a dropped context opens ends after it")
    func childOfADisposeHook() throws {
        final class Kept: @unchecked Sendable { var child: AppContext? }
        let (outer, request, other) = (Scope("outer"), Scope("request"), Scope("other"))
        let kept = Kept()
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register(scope: outer) { "outer" }
                registry.register(scope: other) { 7 }
                registry.register(scope: request) { Shared() }.onDispose { _ in
                    if kept.child == nil { kept.child = try AppContext.current.child(opening: other) }
                }
            })
        try server.within(outer) { outermost in
            _ = try outermost.child(opening: request).resolve(Shared.self)
            #expect(try kept.child?.resolve(Int.self) == 7)
            kept.child = nil
            for _ in 0..<20 { _ = try outermost.child(opening: request).resolve(Shared.self) }
            kept.child = nil
        }
    }

    @Test("A context that one thread drops while another one ends its parent ends once")
    func endsOnTwoThreads() throws {
        final class Kept: @unchecked Sendable { var child: AppContext? }
        let (outer, request) = (Scope("outer"), Scope("request"))
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register(scope: outer) { "outer" }
                registry.register(scope: request) { 1 }
            })
        let kept = Kept()
        let count = TestScale.count(2_000)
        let (opened, dropped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            for _ in 0..<count {
                opened.wait()
                kept.child = nil
                dropped.signal()
            }
        }
        for _ in 0..<count {
            try server.within(outer) { child in
                kept.child = try child.child(opening: request)
                opened.signal()
            }
            dropped.wait()
        }
    }
}
