import Foundation
import Locator
import TestSupport
import Testing

/// `within`: a child that ends with a closure.
@Suite("A scope that is opened for a closure always ends with the closure")
struct WithinTests {
    final class User: Sendable {}
    final class Page: Sendable { init(user: User) {} }
    struct Refusal: Error {}
    struct HookRefusal: Error {}

    static let request = Scope("request", requiresOpening: true)

    private static func server(_ log: Log, hookFails: Bool = false) throws -> AppContext {
        try AppContext().load(
            Module("Server") { registry in
                registry.input(User.self, scope: request)
                registry.register(scope: request, fileID: "Shop/Shop.swift", line: 3, Page.init).onDispose { _ in
                    log("page")
                    if hookFails { throw HookRefusal() }
                }
            })
    }

    @Test func body_runsInAChild_thatIsCurrent_andEndsWithIt() async throws {
        let log = Log()
        let server = try Self.server(log)
        let user = User()
        let first: Int = try server.within(Self.request, giving: user) { child in
            #expect(AppContext.current === child)
            _ = try child.resolve(Page.self)
            #expect(try child.resolve(User.self) === user)
            #expect(log.take() == [])
            return 1
        }
        #expect(log.take() == ["page"])
        let second = try await server.within(Self.request, giving: user, pushing: .text("own")) { child in
            #expect(AppContext.current === child)
            await Task.yield()
            _ = try child.resolve(Page.self)
            #expect(AppContext.current === child)
            return try child.resolve(String.self)
        }
        #expect((first, second) == (1, "own"))
        #expect(log.take() == ["page"])
        #expect(server.existing(Page.self) == nil)
    }

    @Test func body_thatHoldsWrappers_readsThem() throws {
        let log = Log()
        final class Handler {
            @Dependency var page: Page
            @Dependency var user: User
        }
        let user = User()
        let handler = try Self.server(log).within(Self.request, giving: user) { child in
            let handler = Handler()
            let page = try child.resolve(Page.self)
            #expect(handler.page === page)
            #expect(handler.user === user)
            return handler
        }
        #expect(log.take() == ["page"])
        // A wrapper that was read keeps its value.
        #expect(handler.user === user)
    }

    @Test func opensSeveralScopes_andNestsInItself() async throws {
        let part = Scope("part")
        let log = Log()
        let server = try Self.server(log).load(
            Module("Parts") { registry in
                registry.register(Int.self, scope: part) { 1 }.onDispose { _ in log("part") }
            })
        try await server.within(Self.request, giving: User()) { child in
            let page = try child.resolve(Page.self)
            try await child.within(part) { inner in
                #expect(try inner.resolve(Page.self) === page)
                _ = try inner.resolve(Int.self)
                await Task.yield()
                #expect(AppContext.current === inner)
            }
            #expect(AppContext.current === child)
            #expect(log.take() == ["part"])
        }
        #expect(log.take() == ["page"])
        try server.within(Self.request, part, giving: User()) { child in
            _ = (try child.resolve(Page.self), try child.resolve(Int.self))
        }
        #expect(log.take() == ["part", "page"])
    }

    @MainActor @Test func body_staysOnTheActorOfItsCaller() async throws {
        var count = 0
        try await Self.server(Log()).within(Self.request, giving: User()) { child in
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
            _ = try child.resolve(Page.self)
            count += 1
        }
        #expect(count == 1)
    }

    // MARK: Errors

    @Test func errorOfTheBody_isThrown_evenIfAHookFails() async throws {
        for hookFails in [false, true] {
            let log = Log()
            let server = try Self.server(log, hookFails: hookFails)
            #expect(throws: Refusal.self) {
                try server.within(Self.request, giving: User()) { child in
                    _ = try child.resolve(Page.self)
                    throw Refusal()
                }
            }
            #expect(log.take() == ["page"])
            await #expect(throws: Refusal.self) {
                try await server.within(Self.request, giving: User()) { child in
                    _ = try child.resolve(Page.self)
                    await Task.yield()
                    throw Refusal()
                }
            }
            #expect(log.take() == ["page"])
        }
    }

    @Test func errorsOfHooks_areThrown_whenTheBodySucceeds() async throws {
        let server = try Self.server(Log(), hookFails: true)
        let text = """
            Shop/Main.swift:9: 1 hook failed:
                disposing of Page (Shop/Shop.swift:3): HookRefusal()
            """
        let synchronous = message {
            try server.within(Self.request, giving: User(), fileID: "Shop/Main.swift", line: 9) { child in
                try child.resolve(Page.self)
            }
        }
        #expect(synchronous == text)
        let asynchronous = await message {
            try await server.within(Self.request, giving: User(), fileID: "Shop/Main.swift", line: 9) { child in
                await Task.yield()
                return try child.resolve(Page.self)
            }
        }
        #expect(asynchronous == text)
    }

    @Test func otherInputs_areAnError_andTheBodyDoesNotRun() async throws {
        let server = try Self.server(Log())
        #expect(
            message {
                try server.within(Self.request, fileID: "Shop/Main.swift", line: 1) { _ in Issue.record("The body ran")
                }
            } == """
                Shop/Main.swift:1: the inputs passed do not match the inputs of .request
                  missing: User (LocatorTests/WithinTests.swift:19)
                  fix: pass each declared input once, with `giving:` or `and: .input(…)`
                """)
    }

    @Test func cancelledBody_ends() async throws {
        let log = Log()
        let server = try Self.server(log)
        let task = Task {
            try await server.within(Self.request, giving: User()) { child in
                _ = try child.resolve(Page.self)
                while true {
                    await Task.yield()
                    try Task.checkCancellation()
                }
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.take() == ["page"])
    }

    // MARK: What is left

    @Test func childThatOutlivesTheBody_hasEnded() async throws {
        let log = Log()
        let server = try Self.server(log)
        let child = try server.within(Self.request, giving: User()) { child in
            _ = try child.resolve(Page.self)
            return child
        }
        #expect(log.take() == ["page"])
        let note =
            "\n  `within` has returned, and has ended its child, even if a response body is written later"
            + "\n  fix: open the scope with `child(opening: .request)`, and keep that child for as long as it is used"
        for _ in 0..<2 {
            #expect(
                message { try child.resolve(Page.self, fileID: "Shop/Main.swift", line: 1) }
                    == "Shop/Main.swift:1: Page was requested, but its context has ended" + note)
            #expect(
                message { try child.resolve(User.self, fileID: "Shop/Main.swift", line: 2) }
                    == "Shop/Main.swift:2: User was requested, but its context has ended" + note)
        }
        let text = "the context has ended" + note
        #expect(await message { try await child.start() } == text)
        let file: StaticString = "Shop/Main.swift"
        let place = "Shop/Main.swift:4: "
        #expect(message { try child.load(.text("late"), fileID: file, line: 4) } == place + text)
        #expect(message { try child.push(.text("late"), fileID: file, line: 4) } == place + text)
        #expect(message { try child.pop(.text("late"), fileID: file, line: 4) } == place + text)
        #expect(message { try child.unload(.text("late"), fileID: file, line: 4) } == place + text)
        #expect(message { try child.unloadAll(fileID: file, line: 4) } == place + text)
        #expect(message { try child.child(fileID: file, line: 4) } == place + text)
        #expect(message { try child.fork(fileID: file, line: 4) } == place + text)
        #expect(message { try child.reset(fileID: file, line: 4) } == place + text)
        #expect(message { try child.reset(Self.request, fileID: file, line: 4) } == place + text)
        #expect(await message { try await child.shutdown(fileID: file, line: 4) } == place + text)
        #expect(
            message { try child.value("size", as: Int.self, fileID: "Shop/Main.swift", line: 3) }
                == "Shop/Main.swift:3: Int was requested, but its context has ended" + note)
        #expect(message { try child.within(Self.request, fileID: file, line: 4) { _ in } } == place + text)
        #expect(child.existing(Page.self) == nil)
        let wrapper = AppContext.withContext(child) { Dependency<User>() }
        #expect(message { try wrapper.resolved() } != nil)
        // The server does not notice.
        try server.push(.text("later"))
        server.pop()
        #expect(throws: Never.self) { try server.within(Self.request, giving: User()) { try $0.resolve(Page.self) } }
    }

    @Test func childOfAChildThatEnded_hasNoParentAnyMore() throws {
        let server = try Self.server(Log())
        let inner = try server.within(Self.request, giving: User()) { child in
            _ = try child.resolve(Page.self)
            return try child.child()
        }
        #expect(message { try inner.resolve(Page.self) } != nil)
    }

    @Test func childWithoutAScope_thatOutlivesTheBody_isOpenedOtherwise() throws {
        let text = """
            Shop/Main.swift:1: Int was requested, but its context has ended
              `within` has returned, and has ended its child, even if a response body is written later
              fix: open a child with `child(pushing: …)`, and keep that child for as long as it is used
            """
        let child = try AppContext().within(pushing: Module("Fake") { $0.register { 1 } }) { $0 }
        #expect(message { try child.resolve(Int.self, fileID: "Shop/Main.swift", line: 1) } == text)
        // A context with observers ends in another way.
        let server = AppContext()
        let observation = server.observe { _ in }
        defer { observation.end() }
        let observed = try server.within { $0 }
        #expect(message { try observed.resolve(Int.self, fileID: "Shop/Main.swift", line: 1) } == text)
    }

    @Test func childWhoseLastReferenceIsReleased_isKeptInstead() throws {
        let wrapper = try AppContext.withContext(Self.server(Log()).child(opening: Self.request, giving: User())) {
            Dependency<Page>(fileID: "Shop/Main.swift", line: 1)
        }
        #expect(
            message { try wrapper.resolved() } == """
                Shop/Main.swift:1: Page was requested, but its context has ended
                  its last reference was released; for a response body that is written later, keep the child until the \
                last byte is written
                  fix: keep a reference to the context for as long as it is used
                """)
    }

    @Test func requestThatRunsOnAnotherThread_finishes() throws {
        final class Slow: Sendable {}
        let (began, mayEnd, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let log = Log()
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register(Slow.self, scope: Self.request) {
                    began.signal()
                    mayEnd.wait()
                    return Slow()
                }.onDispose { _ in log("slow") }
            })
        try server.within(Self.request) { child in
            Thread.detachNewThread {
                _ = try? child.resolve(Slow.self)
                done.signal()
            }
            began.wait()
        }
        mayEnd.signal()
        done.wait()
        #expect(log.take() == ["slow"])
    }

    /// Threads that still use a child while it ends get what they requested, or the error, and nothing is left behind.
    @Test func threadsThatUseTheChild_whileItEnds() throws {
        final class Part: Sendable {}
        final class Whole: Sendable { init(part: Part, user: User) {} }
        for round in 0..<TestScale.count(300) {
            let (made, ended) = (Counter(), Counter())
            let server = try AppContext().load(
                Module("Server") { registry in
                    registry.input(User.self, scope: Self.request)
                    registry.register(scope: Self.request) {
                        made.next()
                        return Part()
                    }.onDispose { _ in ended.next() }
                    registry.register(scope: Self.request, Whole.init)
                    registry.register(Int.self, scope: .prototype) { (_: Whole) in 1 }
                })
            let held = Late<AppContext>()
            try Crowd.run("a child that ends", threads: 4) { member in
                if member.number == 0 {
                    try server.within(Self.request, giving: User()) { child in
                        held.value = child
                        if round % 2 == 0 { _ = try child.resolve(Part.self) }
                    }
                    return
                }
                var child: AppContext?
                while child == nil { child = held.value }
                while true {
                    do {
                        switch member.number {
                        case 1: _ = try child?.resolve(Int.self)
                        case 2: _ = try child?.resolveAll(Whole.self)
                        default: _ = try child?.child(pushing: .text("own")).resolve(Int.self)
                        }
                    } catch let error as LocatorError {
                        guard case .contextGone = error.kind else { throw error }
                        break
                    }
                    member.step("again")
                }
            }
            held.value = nil
            #expect(made.value == ended.value)
        }
    }

    /// A request that the end of its child overtakes finishes, or gets the error of a context that has ended.
    @Test(arguments: [false, true])
    func requestThatTheEndOvertakes_saysSo(hasChild: Bool) throws {
        final class Gate: Sendable {}
        final class Part: Sendable {}
        final class Whole: Sendable { init(part: Part, user: User) {} }
        let (began, ended, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.input(User.self, scope: Self.request)
                registry.register(scope: Self.request) { Part() }
                registry.register(scope: Self.request, Whole.init)
                registry.register(scope: .prototype) {
                    began.signal()
                    ended.wait()
                    return Gate()
                }
                registry.register(Int.self, scope: .prototype) { (_: Gate, _: Whole) in 1 }
            })
        // What was requested before is resolved without a lock.
        for _ in 0..<2 { ended.signal() }
        try server.within(Self.request, giving: User()) { child in _ = try child.resolve(Gate.self) }
        try server.within(Self.request, giving: User()) { child in _ = try child.resolve(Int.self) }
        for _ in 0..<2 { began.wait() }
        let outcome = Late<String>()
        try server.within(Self.request, giving: User()) { child in
            if hasChild { _ = try child.child(pushing: .text("own")).resolve(Part.self) }
            Thread.detachNewThread {
                do throws(LocatorError) {
                    _ = try child.resolve(Int.self)
                    outcome.value = "finished"
                } catch {
                    outcome.value = if case .contextGone = error.kind { "its context has ended" } else { "\(error)" }
                }
                done.signal()
            }
            began.wait()
        }
        ended.signal()
        done.wait()
        #expect(outcome.value == (hasChild ? "finished" : "its context has ended"))
    }

    @Test func manyAtOnce_endEach() async throws {
        let log = Log()
        let server = try Self.server(log)
        let count = TestScale.count(400)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let user = User()
                    try await server.within(Self.request, giving: user) { child in
                        _ = try child.resolve(Page.self)
                        await Task.yield()
                        #expect(try child.resolve(User.self) === user)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(log.take().count == count)
    }

    /// An instance that is made after its child has ended is not stored.
    @Test func instance_thatIsMadeAfterTheEnd_isDisposedOf() async throws {
        final class Late: Sendable {}
        let (began, mayEnd) = (Signal(), Signal())
        let log = Log()
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register(
                    Late.self, scope: Self.request,
                    async: {
                        began.send()
                        await mayEnd.wait()
                        return Late()
                    }
                ).onDispose { _ in log("late") }
            })
        let task = try await server.within(Self.request) { child in
            let task = Task { try await child.start() }
            await began.wait()
            return task
        }
        #expect(log.take() == [])
        mayEnd.send()
        let error = await locatorError { try await task.value }
        guard case .contextGone? = error?.kind else {
            Issue.record("start() has not said that the context is gone")
            return
        }
        #expect(log.take() == ["late"])
    }

    @Test func asynchronousClosures_areNotStarted() async throws {
        let server = try AppContext().load(
            Module("Server") { $0.register(Int.self, scope: Self.request, async: { 7 }) })
        try await server.within(Self.request) { child in
            #expect(throws: LocatorError.self) { try child.resolve(Int.self) }
            try await child.start()
            #expect(try child.resolve(Int.self) == 7)
        }
    }
}
