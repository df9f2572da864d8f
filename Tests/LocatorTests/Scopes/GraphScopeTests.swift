import Locator
import TestSupport
import Testing

@Suite("Scope .graph: one instance within an outermost request")
struct GraphScopeTests {
    private final class Shared: Sendable {}

    private struct Left: Sendable { let shared: Shared }

    private struct Right: Sendable { let shared: Shared }

    private struct Top: Sendable {
        let left: Left
        let right: Right
        let shared: Shared
    }

    private let context: AppContext

    init() throws {
        let module = Module("Diamond") { registry in
            registry.register(scope: .graph, Shared.init)
            registry.register(scope: .prototype, Left.init)
            registry.register(scope: .prototype, Right.init)
            registry.register(scope: .prototype, Top.init)
        }
        context = try AppContext().load(module)
    }

    @Test func diamond_sharesTheInstance() throws {
        let top = try context.resolve(Top.self)
        #expect(top.left.shared === top.right.shared)
        #expect(top.left.shared === top.shared)
    }

    @Test func requests_doNotShare() throws {
        #expect(try context.resolve(Top.self).shared !== context.resolve(Top.self).shared)
        #expect(try context.resolve(Shared.self) !== context.resolve(Shared.self))
        #expect(context.existing(Shared.self) == nil)
    }

    @Test func resolver_staysInTheRequest() throws {
        struct Pair: Sendable {
            let first: Shared
            let second: Shared
        }
        let module = Module("Pair") { registry in
            registry.register(Pair.self, scope: .prototype) { (first: Shared, resolver: Resolver) in
                Pair(first: first, second: try resolver.resolve())
            }
        }
        let pair = try context.load(module).resolve(Pair.self)
        #expect(pair.first === pair.second)
    }

    @Test func factoriesAndCollections_ofOneRequest_share() throws {
        struct All: Sendable {
            let list: [Shared]
            let product: Left
        }
        let module = Module("All") { registry in
            registry.factory(Left.self) { (_: Int, shared: Shared) in Left(shared: shared) }
            registry.register(All.self, scope: .prototype) { (list: [Shared], make: Factory<Int, Left>) in
                All(list: list, product: try make(1))
            }
        }
        let all = try context.load(module).resolve(All.self)
        #expect(all.list.count == 1)
        #expect(all.list[0] === all.product.shared)
    }

    @Test func injections_belongToTheRequest() throws {
        final class Delayed: Sendable {
            let shared: Shared
            let late = Late<Shared>()
            init(shared: Shared) { self.shared = shared }
        }
        let module = Module("Late") { registry in
            registry.register(Delayed.init).injecting { (late, shared: Shared) in late.late.value = shared }
        }
        let late = try context.load(module).resolve(Delayed.self)
        #expect(late.late.value === late.shared)
    }

    private final class Delayed: Sendable {
        let shared: Late<Shared>
        let late = Late<Shared>()
        init(shared: Late<Shared>) { self.shared = shared }
    }

    /// Its parameters are resolved before the closure runs, and its injections run afterward.
    @Test func asynchronousInstance_isMadeInOneRequest() async throws {
        let module = Module("Late") { registry in
            registry.register(Delayed.self, async: { (shared: Shared) async in Delayed(shared: Late(shared)) })
                .injecting { (delayed, shared: Shared) in delayed.late.value = shared }
        }
        try await context.load(module).start()
        let delayed = try context.resolve(Delayed.self)
        #expect(delayed.late.value === delayed.shared.value)
    }

    /// The instance of the request is made for a parameter, or for the injection of a parameter.
    @Test(arguments: [false, true]) func asynchronousFactory_isCalledInOneRequest(isInjected: Bool) async throws {
        let decorated = Late<Shared>()
        let module = Module("Late") { registry in
            registry.register(Late<Shared>.self, scope: .prototype) { Late<Shared>() }
                .injecting { (late, shared: Shared) in late.value = shared }
            let delayed =
                isInjected
                ? registry.factory(
                    Delayed.self, async: { (_: Int, late: Late<Shared>) async in Delayed(shared: late) })
                : registry.factory(
                    Delayed.self, async: { (_: Int, shared: Shared) async in Delayed(shared: Late(shared)) })
            delayed.injecting { (delayed, shared: Shared) in delayed.late.value = shared }
            registry.decorate(Delayed.self) { (delayed, shared: Shared) in
                decorated.value = shared
                return delayed
            }
        }
        try context.load(module)
        let delayed = try await context.resolve(Delayed.self, with: 1)
        #expect(delayed.shared.value != nil)
        #expect(delayed.late.value === delayed.shared.value)
        #expect(decorated.value === delayed.shared.value)
        #expect(try await context.resolve(Delayed.self, with: 1).late.value !== delayed.late.value)
    }

    @Test func laterRequests_throughLazyAndProvider_areTheirOwn() throws {
        struct Holder: Sendable {
            let shared: Shared
            let lazy: Lazy<Shared>
            let provider: Provider<Shared>
        }
        let holder = try context.load(Module("H") { $0.register(Holder.init) }).resolve(Holder.self)
        #expect(holder.lazy() !== holder.shared)
        #expect(holder.lazy() === holder.lazy())
        #expect(try holder.provider() !== holder.provider())
    }

    @Test func graphInstance_isMadeAgain_afterAFailure() throws {
        struct Failure: Error {}
        let made = Counter()
        let module = Module("F") { registry in
            registry.register(Int.self, scope: .graph) {
                if made.next() == 1 { throw Failure() }
                return made.value
            }
        }
        try context.load(module)
        #expect(locatorError({ try context.resolve(Int.self) }) != nil)
        #expect(try context.resolve(Int.self) == 2)
    }
}
