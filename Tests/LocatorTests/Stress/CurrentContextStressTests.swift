import Locator
import TestSupport
import Testing

@Suite("Tasks of factory closures ask for the current context while it ends")
struct CurrentContextStressTests {
    private final class Part: Sendable {}
    private static let request = Scope("request", requiresOpening: true)

    /// The kind of context that ends.
    enum Ending: CaseIterable {
        case child, childThatFollowed, root

        fileprivate func context(of server: AppContext, _ module: Module) throws -> AppContext {
            switch self {
            case .child: return try server.child(opening: request)
            case .childThatFollowed:
                let child = try server.child(opening: request)
                _ = try child.resolve(Part.self)
                try server.push(Module("Nothing") { _ in })
                server.pop()
                return child
            case .root: return try AppContext().load(module).child(opening: request)
            }
        }
    }

    @Test(arguments: Ending.allCases) func current_isTheContext_orOneThatHasEnded(_ ending: Ending) async throws {
        let (made, disposed) = (Counter(), Counter())
        let task = Late<Task<Int, Never>>()
        let module = Module("M") { registry in
            registry.register(scope: Self.request) {
                made.next()
                return Part()
            }.onDispose { _ in disposed.next() }
            registry.register(Int.self, scope: .prototype) {
                task.value = Task {
                    var count = 0
                    // Nothing else keeps the context, so at some point a request finds that it has ended.
                    while (try? AppContext.current.resolve(Part.self)) != nil {
                        count += 1
                        await Task.yield()
                    }
                    return count
                }
                return 1
            }
        }
        let server = try AppContext().load(module)
        var tasks: [Task<Int, Never>] = []
        for _ in 0..<TestScale.count(2_000) {
            let context = try ending.context(of: server, module)
            _ = try context.resolve(Int.self)
            tasks.append(try #require(task.value))
        }
        for task in tasks { _ = await task.value }
        #expect(made.value == disposed.value)
    }
}
