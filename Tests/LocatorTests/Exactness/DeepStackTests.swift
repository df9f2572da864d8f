import Locator
import TestSupport
import Testing

/// A stack of pushes is freed one push at a time, so a deep one does not overflow the thread's stack.
@Suite("A deep stack of pushes")
struct DeepStackTests {
    private final class Service: Sendable {}

    private let base = Module("Base") { $0.register(Service.init) }
    private let fake = Module("Fake") { $0.register(Int.self) { 1 } }

    /// A context with a stack of pushes of the same module.
    private func stacked(_ count: Int) throws -> AppContext {
        let context = AppContext()
        try context.load(base)
        for _ in 0..<count { try context.push(fake) }
        return context
    }

    @Test("A chain of children is released one by one")
    func children() throws {
        try onThread {
            var context: AppContext? = try self.stacked(0)
            for _ in 0..<3_000 { context = try context?.child() }
            weak let last = context
            context = nil
            #expect(last == nil)
        }
    }

    @Test("After the pops, the objects are identical")
    func pops() throws {
        let context = try stacked(0)
        let service: Service = try context.resolve()
        for _ in 0..<10_000 { try context.push(fake) }
        #expect(try context.resolve(Int.self) == 1)
        for _ in 0..<10_000 { context.pop() }
        #expect(try context.resolve(Service.self) === service)
        #expect(try context.resolve(Int?.self) == nil)
    }

    @Test("Released with its context, and copied by a fork")
    func isDropped() throws {
        var context: AppContext? = try stacked(10_000)
        let fork = try context?.fork()
        context = nil
        #expect(try fork?.resolve(Int.self) == 1)
        // The fork treats the pushes as loads.
        try fork?.unload(fake)
        #expect(try fork?.resolve(Int?.self) == nil)
    }

    @Test("A load is not repeated by pushes of its module, nor a push by a load")
    func loadAndPushes() throws {
        let context = try stacked(1)
        try context.load(fake)
        try context.push(fake)
        context.pop()
        context.pop()
        #expect(try context.resolve(Int.self) == 1)
        try context.unload(fake)
        #expect(try context.resolve(Int?.self) == nil)
    }
}
