import Locator
import Testing

// A running app has already made its objects. It registers them as they are, and resolves them by the types it needs.
// Screens are paired with their coordinators by name.

private final class Window: Sendable {}

private final class Player: Sendable {
    let window: Window

    init(window: Window) {
        self.window = window
    }
}

private protocol Coordinator: Sendable {
    func start() -> String
}

private struct HomeCoordinator: Coordinator {
    func start() -> String { "home" }
}

private struct CheckoutCoordinator: Coordinator {
    let player: Player

    func start() -> String { "checkout" }
}

private enum Screen: String, CaseIterable {
    case home, checkout, help
}

@Suite("Container: objects of a running app, found by type and by name")
struct ContainerScenario {
    private let window = Window()
    private let context = AppContext()

    init() throws {
        let running = Module("Running") { [window] registry in
            registry.register(instance: window)
            registry.register(instance: Player(window: window))
        }
        let coordinators = Module("Coordinators") { registry in
            registry.register((any Coordinator).self, qualifier: "home", HomeCoordinator.init)
            registry.register((any Coordinator).self, qualifier: "checkout", CheckoutCoordinator.init)
        }
        try context.load(running, coordinators)
    }

    @Test func object_isFoundByTheTypeOfWhereItGoes() throws {
        func show(in window: Window) -> Bool { window === self.window }
        #expect(try show(in: context.resolve()))
        let player: Player = try context.resolve()
        #expect(player.window === window)
    }

    @Test func object_isThereAlready() throws {
        #expect(context.existing(Window.self) === window)
    }

    @Test func coordinator_isFoundByTheNameOfItsScreen() throws {
        let coordinators = try context.resolveMap((any Coordinator).self)
        #expect(Screen.allCases.map { coordinators[$0.rawValue]?.start() } == ["home", "checkout", nil])
    }

    @Test func coordinators_useTheObjectsOfTheApp() throws {
        let checkout = try context.resolve((any Coordinator).self, qualifier: "checkout") as? CheckoutCoordinator
        #expect(checkout?.player.window === window)
    }
}
