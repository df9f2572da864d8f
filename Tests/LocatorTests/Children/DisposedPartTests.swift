import Dispatch
import Locator
import TestSupport
import Testing

/// A request never gets an instance that has been disposed of, whatever was made from it.
@Suite struct DisposedPartTests {
    private final class Part: Sendable {}

    private final class Whole: Sendable {
        init(_ part: Part) {}
    }

    /// A function that a factory closure runs.
    private struct Job: Sendable {
        let run: @Sendable (Resolver) throws -> Void
    }

    private struct Done<Turn> {}

    /// Registers a factory that is requested once.
    ///
    /// Such a request records what it uses.
    private static func register<Turn>(_ registry: Registry, _: Turn.Type) {
        registry.factory { (job: Job, resolver: Resolver) in
            try job.run(resolver)
            return Done<Turn>()
        }
    }

    @Test func partOfAChildsInstance_isNotGivenAgain() throws {
        let session = Scope("session")
        let log = Log()
        let parent = try AppContext().load(
            Module("Jobs") { registry in
                registry.register(scope: session, Whole.init)
                Self.register(registry, Int.self)
                Self.register(registry, Bool.self)
                Self.register(registry, String.self)
            })
        try parent.push(
            Module("Parts") { registry in
                registry.register(Part.init).onDispose { _ in log("part") }
            })
        let child = try parent.child(opening: session)
        let part = try parent.resolve(Part.self)
        _ = try child.resolve(Whole.self)

        // Three requests begin: one uses the part, one has used nothing, and one of the child uses what it has made
        // from the part.
        let first = Paused()
        let second = Paused()
        let third = Paused()
        first.begin { pause in
            let job = Job { resolver in
                _ = try resolver.resolve(Part.self)
                pause()
            }
            _ = try parent.resolve(Done<Int>.self, with: job)
        }
        second.begin { pause in
            let job = Job { resolver in
                pause()
                let other = try resolver.resolve(Part.self)
                #expect(other !== part)
            }
            _ = try parent.resolve(Done<Bool>.self, with: job)
        }
        third.begin { pause in
            let job = Job { resolver in
                _ = try resolver.resolve(Whole.self)
                pause()
            }
            _ = try child.resolve(Done<String>.self, with: job)
        }

        parent.pop()
        first.end()
        #expect(log.entries == [])
        // The child follows its parent, and keeps what its request uses.
        #expect(throws: LocatorError.self) { try child.resolve(Part.self) }
        third.end()
        #expect(log.entries == ["part"])
        second.end()
    }
}

/// A request on another thread that waits inside its factory closure.
private final class Paused: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let go = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "request")

    func begin(_ request: @escaping @Sendable (_ pause: @escaping @Sendable () -> Void) throws -> Void) {
        queue.async { [reached, go] in
            do {
                try request {
                    reached.signal()
                    go.wait()
                }
            } catch {
                Issue.record(error)
            }
        }
        reached.wait()
    }

    func end() {
        go.signal()
        queue.sync {}
    }
}
