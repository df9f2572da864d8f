import Locator
import Testing

@Suite("A dependency array resolves on first access, caches the elements, and follows changes")
struct DependencyArrayTests {
    private final class Thing: Sendable {}

    private struct Holder {
        @DependencyArray var things: [Thing]
        @DependencyArray(qualifier: "none") var none: [Thing]
    }

    private let context: AppContext

    init() throws {
        let module = Module("M") { registry in
            registry.register(scope: .prototype, Thing.init)
            registry.register(qualifier: "shared", Thing.init)
        }
        context = try AppContext().load(module)
    }

    @Test func elements_areKept() {
        let holder = AppContext.withContext(context) { Holder() }
        let things = holder.things
        #expect(things.count == 2)
        #expect(holder.things[0] === things[0])
        #expect(holder.none.isEmpty)
    }

    @Test func elements_follow_andSharedOnesStayTheSame() throws {
        let holder = AppContext.withContext(context) { Holder() }
        let shared = holder.things[1]
        try context.push(Module("More") { $0.register(Thing.init) })
        #expect(holder.things.count == 3)
        #expect(holder.things[2] === shared)
        context.pop()
        #expect(holder.things.count == 2)
        #expect(holder.things[1] === shared)
    }

    @Test func unrelatedPush_leavesTheElements() throws {
        let holder = AppContext.withContext(context) { Holder() }
        let prototype = holder.things[0]
        try context.push(.text("unrelated"))
        #expect(holder.things[0] === prototype)
    }

    @Test func reset_letsGo() {
        let holder = AppContext.withContext(context) { Holder() }
        let things = holder.things
        holder.$things.reset()
        #expect(holder.things[0] !== things[0])
        #expect(holder.things[1] === things[1])
        #expect(holder.$things.context === context)
    }

    @Test func givenElements_askNoContext() {
        let mine = [Thing(), Thing(), Thing()]
        let holder = AppContext.withContext(context) { Holder(things: .value(mine)) }
        #expect(holder.things.count == 3)
        #expect(holder.things[0] === mine[0])
    }

    @Test func failingElement_isAnError() throws {
        struct Failure: Error {}
        try context.load(Module("F") { $0.register(Thing.self) { () throws -> Thing in throw Failure() } })
        let holder = AppContext.withContext(context) { Holder() }
        #expect(locatorError({ try holder.$things.resolved() }) != nil)
    }
}
