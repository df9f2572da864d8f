import Locator
import TestSupport
import Testing

@Suite("A context is current while it makes an instance, even in tasks that are started there")
struct CurrentContextTests {
    private final class Thing: Sendable {}
    private static let request = Scope("request")

    /// The requested type.
    enum Way: CaseIterable {
        case singleton, prototype, factory, graph, requestScope, wrapper

        fileprivate func ask(_ context: AppContext) throws {
            switch self {
            case .singleton: _ = try context.resolve(Thing.self, qualifier: "singleton")
            case .prototype: _ = try context.resolve(Thing.self)
            case .factory: _ = try context.resolve(Thing.self, with: 1)
            case .graph: _ = try context.resolve(Thing.self, qualifier: "graph")
            case .requestScope: _ = try context.resolve(Thing.self, qualifier: "request")
            case .wrapper:
                let wrapper = AppContext.withContext(context) { Dependency<Thing>() }
                _ = wrapper()
            }
        }
    }

    private static func module(_ make: @escaping @Sendable () -> Thing) -> Module {
        Module("M") { registry in
            registry.register(Thing.self, scope: .prototype, make)
            registry.register(Thing.self, qualifier: "singleton", make)
            registry.register(Thing.self, qualifier: "graph", scope: .graph, make)
            registry.register(Thing.self, qualifier: "request", scope: request, make)
            registry.factory(Thing.self) { (_: Int) in make() }
        }
    }

    @Test(arguments: Way.allCases, [false, true]) func isSeenByClosures_andTheirTasks(_ way: Way, isChild: Bool)
        async throws
    {
        let seen = Late<AppContext>()
        let task = Late<Task<AppContext, Never>>()
        let module = Self.module {
            seen.value = AppContext.current
            task.value = Task { AppContext.current }
            return Thing()
        }
        let root = try AppContext().load(module)
        let context = isChild ? try root.child(opening: Self.request) : root
        for _ in 0..<3 {
            try way.ask(context)
            let maker = isChild && (way == .singleton) ? root : context
            #expect(seen.value === maker)
            #expect(await task.value?.value === maker)
        }
        #expect(AppContext.current === AppContext.shared)
    }

    @Test(arguments: Way.allCases) func tasksOfClosures_doNotKeepTheContext(_ way: Way) async throws {
        let mayEnd = Signal()
        let task = Late<Task<String?, Never>>()
        let module = Self.module {
            task.value = Task {
                await mayEnd.wait()
                return message { try AppContext.current.resolve(Thing.self, fileID: "Shop/Main.swift", line: 7) }
            }
            return Thing()
        }
        weak var ended: AppContext?
        do {
            let context = try AppContext().load(module)
            ended = context
            try way.ask(context)
        }
        #expect(ended == nil)
        mayEnd.send()
        #expect(await task.value?.value?.contains("context has ended") == true)
    }

    /// Asynchronous code that a context runs.
    enum AsyncWay: CaseIterable {
        case start, factory, shutdownHook

        fileprivate func run(in context: AppContext) async throws {
            switch self {
            case .start: try await context.start()
            case .factory: _ = try await context.resolve(Thing.self, with: 1)
            case .shutdownHook:
                _ = try context.resolve(Thing.self, qualifier: "with a hook")
                try await context.shutdown()
            }
        }
    }

    @Test(arguments: AsyncWay.allCases)
    func tasksOfAsynchronousCode_doNotKeepTheContext(_ way: AsyncWay) async throws {
        let mayEnd = Signal()
        let task = Late<Task<String?, Never>>()
        let begin: @Sendable () -> Void = {
            task.value = Task {
                await mayEnd.wait()
                return message { try AppContext.current.resolve(Thing.self, fileID: "Shop/Main.swift", line: 7) }
            }
        }
        let module = Module("M") { registry in
            registry.register(
                Thing.self,
                async: {
                    begin()
                    return Thing()
                })
            registry.factory(
                Thing.self,
                async: { (_: Int) in
                    begin()
                    return Thing()
                })
            registry.register(Thing.self, qualifier: "with a hook") { Thing() }.onShutdown { _ in begin() }
        }
        weak var ended: AppContext?
        do {
            let context = try AppContext().load(module)
            ended = context
            try await way.run(in: context)
        }
        #expect(ended == nil)
        mayEnd.send()
        let text = await task.value?.value
        #expect(
            text == """
                Shop/Main.swift:7: Thing was requested, but its context has ended
                  fix: keep a reference to the context for as long as it is used
                """)
    }
}
