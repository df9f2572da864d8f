import Dispatch
import Foundation
import Locator
import Synchronization
import TestSupport
import Testing

/// Has an injection that needs ``Slow``, and is requested on two threads.
private final class Shared: Sendable {
    private let complete = Atomic(false)
    var isComplete: Bool { complete.load(ordering: .sequentiallyConsistent) }
    func noteComplete() { complete.store(true, ordering: .sequentiallyConsistent) }
}

/// Waits for its own injection until its request ends.
private final class Early: Sendable {}

private final class Nothing: Sendable {}

/// Is made while another thread runs the injection of ``Shared``.
private final class Slow: Sendable {}

private final class Page {
    let shared: Shared
    init(_ shared: Shared) { self.shared = shared }
}

private struct Failure: Error {}

@Suite("A request returns nothing whose injections have not run on another thread", .watchdog)
struct TakenInjectionTests {
    private static let ways: [String: @Sendable (AppContext) throws -> Shared] = [
        "prototype": { try $0.resolve(Page.self).shared },
        "graph": { try $0.resolve([Int: Shared].self)[0]! },
        "array": { context in
            _ = try context.resolveAll(Slow.self)
            return try context.resolve([String: Shared].self)[""]!
        },
    ]

    private func context(injecting inject: @escaping @Sendable (Shared) throws -> Void) throws -> AppContext {
        let begun = DispatchSemaphore(value: 0)
        let context = AppContext()
        try context.load(
            Module("Shared") { registry in
                registry.register { Nothing() }
                registry.register { Early() }.injecting { (_, _: Nothing) in }
                registry.register { Shared() }.injecting { (shared, resolver: Resolver) in
                    begun.signal()
                    _ = try resolver.resolve(Early.self)
                    try inject(shared)
                }
                registry.register { [weak context] (_: Early) in
                    Thread.detachNewThread { _ = try? context?.resolve(Shared.self) }
                    begun.wait()
                    return Slow()
                }
                registry.register(scope: .prototype) { (_: Slow, shared: Shared) in Page(shared) }
                registry.register([Int: Shared].self, scope: .graph) { (_: Slow, shared: Shared) in [0: shared] }
                registry.register([String: Shared].self, scope: .prototype) { (_: [Slow], shared: Shared) in
                    ["": shared]
                }
            })
        return context
    }

    @Test(arguments: ways.keys.sorted())
    func injection_hasRun(way: String) throws {
        let context = try context { $0.noteComplete() }
        let resolve = try #require(Self.ways[way])
        let shared = try resolve(context)
        #expect(shared.isComplete)
    }

    @Test(arguments: ways.keys.sorted())
    func failure_isThrown(way: String) throws {
        let context = try context { _ in throw Failure() }
        let resolve = try #require(Self.ways[way])
        let error = #expect(throws: LocatorError.self) { _ = try resolve(context) }
        #expect(error?.underlying is Failure)
    }
}
