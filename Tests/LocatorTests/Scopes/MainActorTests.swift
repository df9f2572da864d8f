import Locator
import Testing

@Suite("Requesting a main-actor instance off the main actor is an error")
struct MainActorTests {
    /// Sendable, like every class of an actor.
    ///
    /// Only its initializer needs the main actor.
    @MainActor private final class Screen {
        let title: String

        init(title: String) {
            self.title = title
        }
    }

    /// Not Sendable: every request needs the main actor.
    private final class Painter {
        var strokes = 0

        @MainActor init() {}
    }

    private struct Router: Sendable {
        let screen: Screen
    }

    private let context: AppContext

    init() throws {
        let module = Module("Screens") { registry in
            registry.register(String.self) { "Home" }
            registry.register(
                Screen.self, fileID: "Shop/Screens.swift", line: 1, onMainActor: Screen.init(title:))
            registry.register(Painter.self, fileID: "Shop/Screens.swift", line: 2, onMainActor: Painter.init)
            registry.register(
                Screen.self, qualifier: "each", scope: .prototype, onMainActor: Screen.init(title:))
            registry.register(Router.self, fileID: "Shop/Screens.swift", line: 4, Router.init)
        }
        context = try AppContext().load(module)
    }

    @Test @MainActor func onTheMainActor_bothAreMadeAndShared() throws {
        let screen = try context.resolve(Screen.self)
        #expect(screen.title == "Home")
        #expect(try context.resolve(Screen.self) === screen)
        #expect(try context.resolve(Painter.self) === context.resolve(Painter.self))
        #expect(try context.resolve(Router.self).screen === screen)
    }

    @Test @MainActor func onTheMainActor_prototypesAreMadeEachTime() throws {
        #expect(
            try context.resolve(Screen.self, qualifier: "each") !== context.resolve(Screen.self, qualifier: "each"))
    }

    @Test func sendable_isGivenAnywhere_onceItIsMade() async throws {
        #expect(message { try context.resolve(Screen.self) } != nil)
        let made = try await MainActor.run { try context.resolve(Screen.self) }
        #expect(try context.resolve(Screen.self) === made)
        #expect(try context.resolve(Router.self).screen === made)
    }

    @Test func sendable_isAnErrorElsewhere_beforeItIsMade() {
        #expect(
            message { try context.resolve(Screen.self, fileID: "Shop/Main.swift", line: 3) } == """
                Shop/Screens.swift:1: Screen is made on the main actor, but was requested off the main actor before it was made
                  requested: Screen at Shop/Main.swift:3
                  fix: resolve it on the main actor first
                """)
    }

    @Test func notSendable_isAnErrorElsewhere_always() async throws {
        try await MainActor.run { _ = try context.resolve(Painter.self) }
        #expect(
            message { try context.resolve(Painter.self, fileID: "Shop/Main.swift", line: 3) } == """
                Shop/Screens.swift:2: Painter belongs to the main actor, but was requested off the main actor
                  requested: Painter at Shop/Main.swift:3
                  fix: resolve it on the main actor, or make its type Sendable and resolve it on the main actor first
                """)
        #expect(context.existing(Painter.self) == nil)
        await MainActor.run { #expect(context.existing(Painter.self) != nil) }
    }

    @Test func dependent_isAnErrorElsewhere_andNamesTheChain() {
        #expect(
            message { try context.resolve(Router.self, fileID: "Shop/Main.swift", line: 3) } == """
                Shop/Screens.swift:1: Screen is made on the main actor, but was requested off the main actor before it was made
                  needed by Router (Shop/Screens.swift:4)
                  requested: Router at Shop/Main.swift:3
                  fix: resolve it on the main actor first
                """)
    }

    @Test func errorElsewhere_leavesNothingBehind() async throws {
        #expect(message { try context.resolve(Router.self) } != nil)
        let router = try await MainActor.run { try context.resolve(Router.self) }
        #expect(try context.resolve(Screen.self) === router.screen)
    }

    @Test @MainActor func wrapper_inAMainActorClass_readsThem() {
        @MainActor final class Controller {
            @Dependency var screen: Screen
            @Dependency var painter: Painter
        }
        let controller = AppContext.withContext(context) { Controller() }
        controller.painter.strokes += 1
        #expect(controller.painter.strokes == 1)
        #expect(controller.screen.title == "Home")
    }
}
