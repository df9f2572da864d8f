import Foundation
import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request")
}

/// A request of a child that a change of the parent overtakes.
@Suite("A child's request sees one state: the state at its start")
struct OvertakenChildTests {
    final class Part: Sendable {
        let number: Int

        init(_ number: Int) {
            self.number = number
        }
    }

    final class Other: Sendable {
        let number: Int

        init(_ number: Int) {
            self.number = number
        }
    }

    final class Whole: Sendable {
        let part: Part
        let other: Other

        init(part: Part, other: Other) {
            self.part = part
            self.other = other
        }
    }

    /// Runs an action on another thread while it is made.
    struct Gate {
        init(_ action: Action) {
            guard let run = action.run.value else { return }
            action.run.value = nil
            let done = DispatchSemaphore(value: 0)
            Thread {
                run()
                done.signal()
            }.start()
            done.wait()
        }
    }

    final class Action: Sendable {
        let run = Late<@Sendable () -> Void>()
    }

    struct Request {
        let part: Part
        let whole: Whole

        init(part: Part, gate: Gate, whole: Whole) {
            self.part = part
            self.whole = whole
        }
    }

    /// Has an asynchronous factory closure, so a request cannot make it.
    final class Connection: Sendable {
        let part: Part

        init(part: Part) {
            self.part = part
        }
    }

    final class Connected: Sendable {
        let connection: Connection

        init(gate: Gate, connection: Connection) {
            self.connection = connection
        }
    }

    let context = AppContext()
    let action = Action()

    init() throws {
        let action = action
        try context.load(
            Module("Base") { registry in
                registry.register { Part(0) }
                registry.register { Other(0) }
                registry.register(Whole.init)
                registry.register(instance: action)
                registry.register(scope: .prototype, Gate.init)
                registry.register(scope: .prototype, Request.init)
            })
    }

    private var replacement: Module {
        Module("Replacement") { registry in
            registry.register { Part(1) }
            registry.register { Other(1) }
        }
    }

    @Test("A child that pushes a part makes the instances that have it, even if its parent changes in the meantime")
    func pushedPart_isUsed_whenTheParentChanges() throws {
        final class Held: Sendable {
            let whole: Whole
            init(_ action: Action, _ gate: Gate, _ whole: Whole) { self.whole = whole }
        }
        struct Change: Sendable {
            /// Whether it keeps the instances that the request has been given.
            var keepsInstances = true
            let run: @Sendable (AppContext) throws -> Void
        }
        let unrelated = Module("Unrelated") { $0.register(String.self) { "" } }
        let changes: [Change] = [
            Change { try $0.push(unrelated) }, Change { try $0.load(unrelated) },
            Change(keepsInstances: false) { try $0.reset(.singleton) },
            Change { try $0.reset(.request) }, Change { try $0.reloadProperties() },
        ]
        try context.load(Module("Held") { $0.register(scope: .request, Held.init) })
        for (number, change) in changes.enumerated() {
            let context = try context.fork()
            _ = try context.resolve(Whole.self)
            _ = try context.resolve(Whole.self)
            action.run.value = { try? change.run(context) }
            try context.within(.request, pushing: Module("Part") { $0.register { Part(number + 1) } }) { child in
                let held = try child.resolve(Held.self)
                #expect(held.whole.part.number == number + 1)
                #expect(try (child.resolve(Whole.self) === held.whole) == change.keepsInstances)
            }
        }
    }

    @Test(arguments: [false, true])
    func requestOfALeanChild_seesOneState_whenAPushOrPopOvertakesIt(isPop: Bool) throws {
        let push = isPop ? try context.push(replacement) : nil
        _ = try (context.resolve(Part.self), context.resolve(Part.self))
        let child = try context.child()
        let (context, replacement) = (context, replacement)
        action.run.value = {
            if let push { push.pop() } else { #expect(throws: Never.self) { try context.push(replacement) } }
        }
        let request = try child.resolve(Request.self)
        let number = isPop ? 1 : 0
        #expect(request.part.number == number)
        #expect(request.whole.part.number == number)
        #expect(request.whole.other.number == number)
    }

    @Test(arguments: [false, true])
    func requestOfAChild_getsOneObject_whenAResetOvertakesIt(keepsSettings: Bool) throws {
        let child = try context.child(keepsSettings: keepsSettings)
        let context = context
        action.run.value = { try? context.reset() }
        let request = try child.resolve(Request.self)
        #expect(request.part === request.whole.part)
    }

    @Test(
        "A request gets an instance that it cannot make, even if a push has set it aside",
        arguments: [false, true], [false, true])
    func requestOfAChild_getsAnAsynchronousInstance_thatAPushHasSetAside(isFull: Bool, isScoped: Bool) async throws {
        let connections = Module("Connections") { registry in
            registry.register(Connection.self, async: Connection.init)
            registry.register(scope: isScoped ? .request : .singleton, Connected.init)
        }
        try await context.load(connections).start()
        let connection = try context.resolve(Connection.self)
        let child = try isScoped ? context.child(opening: .request) : context.child()
        // A child that loads a module is not a lean one.
        if isFull { try child.load(Module("Own") { $0.register(qualifier: "own") { Part(2) } }) }
        let (context, replacement) = (context, replacement)
        action.run.value = { #expect(throws: Never.self) { try context.push(replacement) } }
        #expect(try child.resolve(Connected.self).connection === connection)
    }

    @Test("A request gets an instance that it cannot make, until the load is final", arguments: [false, true])
    func requestOfAChild_getsAnAsynchronousInstance_beforeALoadIsFinal(isFull: Bool) async throws {
        struct Database: Sendable {
            let url: String
        }
        let (isLoaded, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let module = Module("Module") { registry in
            registry.register(
                Database.self, async: { (resolver: Resolver) in Database(url: try resolver.value("url")) })
            registry.register(String.self, scope: .request) { (_: Gate, database: Database) in database.url }
        }
        // Its instance is made with the new settings before the reload is complete.
        let later = Module("Later", when: .property("url", equals: "new")) { registry in
            registry.register(Int.self, scope: .always) {
                isLoaded.signal()
                hasEnded.wait()
                return 1
            }
        }
        let files = MemoryFiles(#"{ "url": "old" }"#)
        try await context.loadProperties(files.source).load(module, later).start()
        let child = try context.child(opening: .request)
        if isFull { try child.load(Module("Own") { $0.register(qualifier: "own") { Part(2) } }) }
        let context = context
        action.run.value = {
            files.content = #"{ "url": "new" }"#
            Thread {
                #expect(throws: Never.self) { try context.reloadProperties() }
                isLoaded.signal()
            }.start()
            isLoaded.wait()
        }
        defer { hasEnded.signal() }
        #expect(try child.resolve(String.self) == "old")
    }

    @Test("A sibling that follows a reload while its parent makes the instance does not replace the instance")
    func siblingThatFollowsMeanwhile_changesNothing() throws {
        final class Part: Sendable {}
        final class Service: Sendable {
            let part: Part
            init(_ part: Part) { self.part = part }
        }
        final class Page: Sendable {
            let service: Service
            init(service: Service) { self.service = service }
        }
        let log = Log()
        let sibling = Late<AppContext>()
        let files = MemoryFiles(#"{"a": 1}"#)
        let context = try AppContext().loadProperties(files.source).load(
            Module("Pages") { registry in
                registry.register { Part() }
                registry.register { Service(try #require(sibling.value).resolve(Part.self)) }
                registry.register(Page.init).onDispose { _ in log("dispose of page") }
            })
        sibling.value = try context.child()
        let child = try context.child()
        let wrapper = AppContext.withContext(child) { Dependency<Page>() }
        let earlier = try context.resolve(Page.self)
        try #require(sibling.value).push(Module("Parts") { $0.register(scope: .weak) { Part() } })
        files.content = "{}"
        try context.reloadProperties()
        let page = wrapper()
        #expect(page !== earlier)
        #expect(try child.resolve(Page.self) === page)
        #expect(try context.resolve(Page.self) === page)
        #expect(log.entries == [])
    }
}
