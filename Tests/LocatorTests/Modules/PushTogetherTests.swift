import Locator
import Testing

@Suite("Modules that are pushed together come into force together")
struct PushTogetherTests {
    private final class Store: Sendable {
        let isFake: Bool
        init(isFake: Bool) { self.isFake = isFake }
    }
    private final class Boot: Sendable {
        let store: Store
        init(store: Store) { self.store = store }
    }

    private static let fake = Module("Fake") { $0.register { Store(isFake: true) } }
    private static let boot = Module("Boot") { $0.register(scope: .always, Boot.init) }
    private static let plain = Module("Plain") { $0.register { 1 } }

    /// How modules are pushed.
    enum Way: CaseIterable {
        case push, fork, child, childOfChild

        func pushing(_ modules: [Module], on context: AppContext) throws -> AppContext {
            switch self {
            case .push:
                try context.push(modules)
                return context
            case .fork: return try context.fork(pushing: modules)
            case .child: return try context.child(pushing: modules)
            case .childOfChild: return try context.child().child(pushing: modules)
            }
        }
    }

    @Test func listOfModules_isPushedWhileAClosureRuns() async throws {
        let context = try AppContext().load(Self.plain)
        let modules = [Self.fake, Module("Two") { $0.register { 2 } }]
        #expect(try await context.pushing(modules) { () throws in try context.resolve(Int.self) } == 2)
        func synchronously() throws -> Bool { try context.pushing(modules) { try context.resolve(Store.self).isFake } }
        #expect(try synchronously())
        #expect(try context.resolve(Int.self) == 1)
    }

    @Test(arguments: Way.allCases, [[fake, boot], [boot, fake], [fake, boot, plain], [plain, boot, fake]])
    func alwaysInstance_isMadeFromAllOfThem(_ way: Way, _ modules: [Module]) throws {
        let made = Module("Real") { registry in
            registry.register {
                Issue.record("the real store was made")
                return Store(isFake: false)
            }
        }
        #expect(try way.pushing(modules, on: AppContext().load(made)).resolve(Boot.self).store.isFake)
        #expect(try way.pushing(modules, on: AppContext()).resolve(Boot.self).store.isFake)
    }
}
