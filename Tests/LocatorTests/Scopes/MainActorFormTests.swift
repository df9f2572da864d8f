import Locator
import TestSupport
import Testing

private let file: StaticString = "Shop/Screens.swift"

@Suite("Everything that can be registered can also be registered for the main actor")
struct MainActorFormTests {
    @MainActor private final class Screen {
        let title: String
        var subtitle = ""

        init(title: String) {
            self.title = title
        }
    }

    /// Not Sendable.
    private final class Painter {
        var strokes = 0
        let title: String

        @MainActor init(title: String) {
            self.title = title
        }

        @MainActor init(strokes: Int, color: String, title: String) {
            self.strokes = strokes
            self.title = "\(color) \(title)"
        }
    }

    private let context = AppContext()

    private func load(_ register: @escaping @Sendable (Registry) -> Void) throws {
        let title = Module("Title") { $0.register(String.self) { "Home" } }
        try context.load(title, Module("Screens", register))
    }

    // MARK: Factories

    @Test @MainActor func factories_areMadeOnTheMainActor() throws {
        try load { registry in
            registry.factory(onMainActor: { (number: Int, title: String) in Screen(title: "\(title) \(number)") })
            registry.factory(given: Int.self, String.self, onMainActor: Painter.init(strokes:color:title:))
            registry.factory(
                Painter.self, given: Int.self, String.self, Bool.self,
                onMainActor: { strokes, color, isBold, title in
                    Painter(strokes: strokes, color: isBold ? "bold \(color)" : color, title: title)
                })
            registry.register([String: Factory<Int, Screen>].self) { (make: Factory<Int, Screen>) in ["": make] }
        }
        #expect(try context.resolve(Screen.self, with: 3).title == "Home 3")
        #expect(try context.resolve(Painter.self, with: 3, "red").title == "red Home")
        #expect(try context.resolve(Painter.self, with: 3, "red", true).title == "bold red Home")
        #expect(try context.resolve([String: Factory<Int, Screen>].self)[""]?(4).title == "Home 4")
        #expect(context.validate().description == "nothing found in 5 registrations")
    }

    @Test func factory_elsewhere_isAnError() throws {
        try load { registry in
            registry.factory(
                Screen.self, fileID: file, line: 2,
                onMainActor: { (number: Int, title: String) in
                    Screen(title: "\(title) \(number)")
                })
        }
        #expect(
            message { try context.resolve(Screen.self, with: 3, fileID: "Shop/Main.swift", line: 3) } == """
                Shop/Screens.swift:2: Screen is made on the main actor, but was requested off the main actor
                  requested: Screen at Shop/Main.swift:3
                  fix: resolve it on the main actor
                """)
    }

    // MARK: Scopes without a named type

    @Test @MainActor func unnamedTypes_inEveryScope() throws {
        let weak = Module("Weak") { registry in
            registry.register(scope: .weak, onMainActor: Screen.init(title:))
            registry.register(scope: .graph, onMainActor: Painter.init(title:))
            registry.register(scope: .prototype, onMainActor: { (one: Painter, two: Painter) in [one === two: 1] })
            registry.register(qualifier: "shared", onMainActor: Painter.init(title:))
        }
        try load { registry in registry.register(scope: .prototype, onMainActor: Painter.init(title:)) }
        #expect(try context.resolve(Painter.self) !== context.resolve(Painter.self))
        let fork = try context.fork(pushing: weak)
        let screen = try fork.resolve(Screen.self)
        #expect(try fork.resolve(Screen.self) === screen)
        #expect(try fork.resolve([Bool: Int].self) == [true: 1])
        #expect(try fork.resolve(Painter.self, qualifier: "shared") === fork.resolve(Painter.self, qualifier: "shared"))
    }

    @Test func prototype_elsewhere_isAnError_withAFixThatHelps() throws {
        try load { registry in
            registry.register(scope: .prototype, fileID: file, line: 2, onMainActor: Painter.init(title:))
        }
        #expect(
            message { try context.resolve(Painter.self, fileID: "Shop/Main.swift", line: 3) } == """
                Shop/Screens.swift:2: Painter is made on the main actor, but was requested off the main actor
                  requested: Painter at Shop/Main.swift:3
                  fix: resolve it on the main actor
                """)
    }

    @Test @MainActor func sendableWeakInstance_isGivenElsewhere() async throws {
        final class Window: Sendable {}
        try load { registry in
            registry.register(Window.self, scope: .weak, onMainActor: { Window() })
        }
        let window = try context.resolve(Window.self)
        let elsewhere = try await Task.detached { [context] in try context.resolve(Window.self) }.value
        #expect(elsewhere === window)
    }

    // MARK: Injections

    @Test @MainActor func injection_runsOnTheMainActor() throws {
        try load { registry in
            registry.register(Screen.self, onMainActor: Screen.init(title:))
                .injecting(onMainActor: { (screen, title: String) in screen.subtitle = "of \(title)" })
            registry.register(scope: .prototype, onMainActor: Painter.init(title:))
                .injecting(onMainActor: { painter in painter.strokes += 1 })
        }
        #expect(try context.resolve(Screen.self).subtitle == "of Home")
        #expect(try context.resolve(Painter.self).strokes == 1)
        #expect(try context.resolve(Painter.self).strokes == 1)
    }

    @Test func injectionIntoWhatIsMadeAnywhere_needsTheMainActorOnce() async throws {
        let log = Log()
        try load { registry in
            registry.register(Router.self, fileID: file, line: 2) { Router() }
                .injecting(onMainActor: { (router, title: String) in
                    MainActor.assertIsolated()
                    log(title)
                })
            registry.register(instance: 3).injecting(onMainActor: { number in log("\(number)") })
            registry.register(Router.self, qualifier: "each", scope: .prototype, fileID: file, line: 4) { Router() }
                .injecting(onMainActor: { _ in log("each") })
        }
        #expect(
            message { try context.resolve(Router.self, fileID: "Shop/Main.swift", line: 3) } == """
                Shop/Screens.swift:2: Router is made on the main actor, but was requested off the main actor before it was made
                  requested: Router at Shop/Main.swift:3
                  fix: resolve it on the main actor first
                """)
        #expect(
            message { try context.resolve(Router.self, qualifier: "each", fileID: "Shop/Main.swift", line: 3) } == """
                Shop/Screens.swift:4: Router "each" is made on the main actor, but was requested off the main actor
                  requested: Router "each" at Shop/Main.swift:3
                  fix: resolve it on the main actor
                """)
        #expect(message { try context.resolve(Int.self) } != nil)
        let (router, number) = try await onMainActor()
        #expect(try context.resolve(Router.self) === router)
        #expect(number == 3)
        #expect(log.take() == ["Home", "3"])
    }

    @MainActor private func onMainActor() throws -> (Router, Int) {
        (try context.resolve(Router.self), try context.resolve(Int.self))
    }

    private final class Router: Sendable {}

    @Test func injectionIntoAnAsynchronousInstance_hopsInStart() async throws {
        let log = Log()
        try load { registry in
            registry.register(Int.self, async: { (title: String) in title.count })
                .injecting(onMainActor: { (number, title: String) in
                    MainActor.assertIsolated()
                    log("\(number) \(title)")
                })
            registry.register(Double.self, async: { (number: Int) in Double(number) })
        }
        #expect(message { try context.resolve(Int.self) }?.contains("has an asynchronous factory closure") == true)
        try await context.start()
        #expect(try context.resolve(Double.self) == 4)
        #expect(log.take() == ["4 Home"])
    }
}
