import Locator
import TestSupport
import Testing

/// The deinitializer of an object that only a request has used runs at the end of the request, and may make a request of
/// its own.
@Suite("A deinitializer makes a request at the end of a request that takes no lock", .watchdog)
struct EndOfRequestTests {
    private final class Leaf: Sendable {}

    private final class Report: Sendable {
        let leaf: Leaf
        init(_ leaf: Leaf) { self.leaf = leaf }
    }

    private final class Job: Sendable {
        let leaf: Leaf
        init(_ leaf: Leaf) { self.leaf = leaf }
    }

    /// Makes a request when it ends.
    private final class Part: Sendable {
        private let context = AppContext.current
        deinit { _ = try? context.resolve(Report.self) }
    }

    /// Where another thread resets the context.
    enum Place: CaseIterable {
        case outerRequest
        case requestOfDeinitializer
    }

    @Test("An instance that another thread resets lasts until the requests have ended", arguments: Place.allCases)
    func instance_isDisposedOfAtTheEnd(place: Place) throws {
        let disposed = Counter()
        let (duringJob, duringReport) = (Late<@Sendable () throws -> Void>(), Late<@Sendable () throws -> Void>())
        let context = try AppContext().load(
            Module("Jobs") { registry in
                registry.register { Leaf() }.onDispose { _ in disposed.next() }
                registry.register(scope: .graph) { Part() }
                registry.register(Report.self, scope: .prototype) { (leaf: Leaf) in
                    try duringReport.value?()
                    return Report(leaf)
                }
                registry.register(Job.self, scope: .prototype) { (leaf: Leaf, _: Part) in
                    try duringJob.value?()
                    return Job(leaf)
                }
            })
        // The second request makes the instance without a lock.
        for _ in 0..<2 { _ = try context.resolve(Job.self) }
        let reset = place == .outerRequest ? duringJob : duringReport
        reset.value = {
            try onThread { try context.reset() }
            #expect(disposed.value == 0)
        }
        _ = try context.resolve(Job.self)
        reset.value = nil
        #expect(disposed.value == 1)
    }
}
