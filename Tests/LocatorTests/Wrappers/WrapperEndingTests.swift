import Dispatch
import Locator
import TestSupport
import Testing

private final class Counted: Sendable {
    private let alive: Counter
    private let ended: Counter

    init(alive: Counter, ended: Counter) {
        (self.alive, self.ended) = (alive, ended)
        alive.next()
    }

    deinit { ended.next() }
}

private final class Holder: @unchecked Sendable {
    // Sendable: nothing but wrappers, whose reads are safe from any thread.
    @Dependency var first: Counted
    @Dependency var second: Counted
    @Dependency var third: Counted
}

/// A place for holders that threads pass to each other.
private final class Exchange: @unchecked Sendable {
    // Sendable: `holders` is touched on the serial queue alone.
    private let queue = DispatchQueue(label: "Exchange")
    private var holders: [Holder] = []

    /// Adds a holder, and removes another if there are many.
    func exchange(_ holder: Holder) -> Holder? {
        queue.sync {
            holders.append(holder)
            return holders.count > 5 ? holders.remove(at: holders.count / 2) : nil
        }
    }

    func empty() { queue.sync { holders = [] } }
}

@Suite("Wrappers can end on any thread, before or after their context")
struct WrapperEndingTests {
    private let alive = Counter()
    private let ended = Counter()

    private func context() throws -> AppContext {
        let module = Module("Counted") { [alive, ended] registry in
            registry.register { Counted(alive: alive, ended: ended) }
        }
        return try AppContext().load(module)
    }

    @Test func holders_ofContextsThatComeAndGo_endOnOtherThreads() throws {
        let exchange = Exchange()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            do {
                var contexts = [try context(), try context()]
                for round in 0..<TestScale.count(3000) {
                    if round % 7 == 0 { contexts[round / 7 % 2] = try context() }
                    let current = contexts[round % 2]
                    let holder = AppContext.withContext(current) { Holder() }
                    let isSame = holder.first === holder.second
                    #expect(isSame)
                    if round % 3 == 0 { _ = AppContext.withContext(contexts[0]) { [Holder(), Holder()] } }
                    // The context may have ended. What was read stays.
                    if let other = exchange.exchange(holder) { _ = other.first }
                }
            } catch {
                Issue.record(error)
            }
        }
        exchange.empty()
        #expect(alive.value > 0)
        #expect(ended.value == alive.value)
    }

    @Test func holder_endsAfterItsContext_onTheSameThread() throws {
        var context: AppContext? = try context()
        var holders = try AppContext.withContext(#require(context)) { (0..<100).map { _ in Holder() } }
        for holder in holders { _ = holder.first }
        holders.removeLast(50)
        context = nil
        #expect(holders.allSatisfy { $0.first === holders[0].first })
        holders = []
        #expect(ended.value == alive.value)
        let next = try self.context()
        let holder = AppContext.withContext(next) { Holder() }
        #expect(try holder.first === next.resolve(Counted.self))
    }
}
