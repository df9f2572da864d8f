import Foundation
import Locator
import TestSupport
import Testing

private protocol Panel: Sendable {}

/// A `Sendable` type whose initializer needs the main actor.
@MainActor private final class Window: Panel {
    let theme: Theme
    nonisolated let number: Int

    init(theme: Theme, number: Int = 0) {
        self.theme = theme
        self.number = number
    }
}

/// Belongs to the main actor.
private final class Theme {
    let name: String
    init(name: String) { self.name = name }
}

/// Made from something that belongs to the main actor.
private struct Palette: Sendable { let name: String }
private final class Store: Sendable {}
private final class Parlor: Sendable {
    let parts: [any Sendable]
    init(_ parts: any Sendable...) { self.parts = parts }
}
private struct Dark: Error {}

extension Scope {
    fileprivate static let visit = Scope("visit")
}

/// How an asynchronous instance needs one that the main actor makes.
private enum Need: String, CaseIterable, CustomTestStringConvertible {
    case parameter, qualified, optional, collection, alias, throughPrototype, throughShared, weak, decoratorOfAnother
    case injection, injectionOfPart, started

    var testDescription: String { rawValue }

    func register(in registry: Registry) {
        registry.register(Theme.self, scope: .prototype, onMainActor: { Theme(name: "dark") })
        if self != .weak {
            registry.register(
                Window.self,
                onMainActor: { (theme: Theme) in
                    MainActor.assertIsolated()
                    return Window(theme: theme)
                }
            )
            .alias((any Panel).self) { $0 }
        }
        switch self {
        case .parameter: registry.register(Parlor.self, async: { (window: Window) in Parlor(window) })
        case .qualified:
            registry.register(Window.self, qualifier: "front", onMainActor: { Window(theme: $0, number: 1) })
            registry.register(
                Parlor.self, parameterQualifiers: ["front"], async: { (window: Window) in Parlor(window) })
        case .optional:
            registry.register(Parlor.self, async: { (window: Window?) in Parlor([window]) })
        case .collection:
            registry.register(Parlor.self, async: { (panels: [any Panel]) in Parlor(panels[0]) })
        case .alias: registry.register(Parlor.self, async: { (panel: any Panel) in Parlor(panel) })
        case .throughPrototype:
            registry.register(Store.self, scope: .prototype) { (_: Window) in Store() }
            registry.register(Parlor.self, async: { (store: Store) in Parlor(store) })
        case .throughShared:
            registry.register(Palette.self) { (theme: Theme) in Palette(name: theme.name) }
            registry.register(Parlor.self, async: { (palette: Palette) in Parlor(palette) })
        case .weak:
            registry.register(Window.self, scope: .weak, onMainActor: { Window(theme: $0) })
            registry.register(Parlor.self, async: { (window: Window) in Parlor(window) })
        case .decoratorOfAnother:
            registry.register(Store.self) { Store() }
            registry.decorate(Store.self) { (store: Store, _: Theme) in store }
            registry.register(Parlor.self, async: { (store: Store) in Parlor(store) })
        case .injection:
            registry.register(Parlor.self, async: { Parlor() }).injecting { (_, _: Window) in }
        case .injectionOfPart:
            registry.register(Store.self) { Store() }.injecting { (_, _: Window) in }
            registry.register(Parlor.self, async: { (store: Store) in Parlor(store) })
        case .started:
            registry.register(Store.self, async: { Store() })
            registry.register(Window.self, qualifier: "front") { (window: Window, _: Store) in window }
            registry.register(Palette.self) { (_: Store, theme: Theme) in Palette(name: theme.name) }
            registry.register(Parlor.self, async: { (palette: Palette) in Parlor(palette) })
        }
    }
}

@Suite("A start makes shared parts of its instances on the main actor if they need it", .watchdog)
struct StartOnMainActorTests {
    @Test(arguments: Need.allCases)
    fileprivate func part_isMadeThere(_ need: Need) async throws {
        let context = try AppContext().load(Module("Shop") { need.register(in: $0) })
        #expect(context.validate().findings.filter { $0.kind == .wrongActor }.map(\.description) == [])
        try await context.start()
        let parlor = try context.resolve(Parlor.self)
        if need == .weak { #expect(parlor.parts.first as? Window === (try context.resolve(Window.self))) }
        try await context.shutdown()
    }

    @Test func part_isMadeOnce_forAllThatNeedIt() async throws {
        let log = Log()
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(
                    Window.self,
                    onMainActor: {
                        log("window")
                        return Window(theme: Theme(name: "dark"))
                    })
                for number in 0..<10 {
                    registry.register(
                        Parlor.self, qualifier: .named("\(number)"), async: { (window: Window) in Parlor(window) })
                }
            })
        try await context.start()
        #expect(log.entries == ["window"])
    }

    @Test func part_ofAParent_isMadeThere() async throws {
        let parent = try AppContext().load(
            Module("Base") { $0.register(Window.self, onMainActor: { Window(theme: Theme(name: "dark")) }) })
        let child = try parent.child()
        try child.load(Module("Shop") { $0.register(Parlor.self, async: { (window: Window) in Parlor(window) }) })
        try await child.start()
        let window = try child.resolve(Parlor.self).parts.first as? Window
        #expect(try window === parent.resolve(Window.self))
    }

    @Test func part_ofAnOpenedScope_isMadeThere() async throws {
        let parent = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Window.self, scope: .visit, onMainActor: { Window(theme: Theme(name: "dark")) })
                registry.register(Parlor.self, scope: .visit, async: { (window: Window) in Parlor(window) })
            })
        let child = try parent.child(opening: .visit)
        try await child.start()
        let window = try child.resolve(Parlor.self).parts.first as? Window
        #expect(try window === child.resolve(Window.self))
    }

    @Test func part_ofNewSettings_isMadeThere() async throws {
        let files = MemoryFiles(#"{ "theme": "light" }"#)
        let context = AppContext()
        try context.loadProperties(files.source)
        try context.load(
            Module("Shop") { registry in
                registry.register(
                    Window.self,
                    onMainActor: { (resolver: Resolver) in
                        Window(theme: Theme(name: try resolver.value("theme", as: String.self)))
                    })
                registry.register(Parlor.self, async: { (window: Window) in Parlor(window) })
            })
        try await context.start()
        files.content = #"{ "theme": "dark" }"#
        try await context.reloadAndStart()
        let window = try #require(context.resolve(Parlor.self).parts.first as? Window)
        #expect(await MainActor.run { window.theme.name } == "dark")
        #expect(try window === context.resolve(Window.self))
    }

    @Test func part_ofAModuleThatLeavesMeanwhile_isReplaced() async throws {
        let push = Late<Push>()
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Window.self, onMainActor: { Window(theme: Theme(name: "dark"), number: 1) })
                registry.register(Store.self) {
                    // The module leaves after the request for the next parameter has begun.
                    let hasLeft = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        push.value?.pop()
                        hasLeft.signal()
                    }
                    hasLeft.wait()
                    return Store()
                }
                registry.register(Parlor.self, async: { (_: Store, window: Window) in Parlor(window) })
            })
        push.value = try context.push(
            Module("Fake") { registry in
                registry.register(Window.self, onMainActor: { Window(theme: Theme(name: "light"), number: 2) })
            })
        try await context.start()
        let window = try #require(context.resolve(Parlor.self).parts.first as? Window)
        #expect(window.number == 1)
    }

    @Test func failure_isTheErrorOfTheStart() async throws {
        let context = try AppContext().load(
            Module("Shop", fileID: "Shop/Shop.swift", line: 1) { registry in
                registry.register(
                    Window.self, fileID: "Shop/Shop.swift", line: 2,
                    onMainActor: { () throws -> Window in throw Dark() })
                registry.register(
                    Parlor.self, fileID: "Shop/Shop.swift", line: 3, async: { (window: Window) in Parlor(window) })
            })
        let error = await locatorError { try await context.start() }
        #expect(
            error?.description == """
                Shop/Shop.swift:2: making Window failed: Dark()
                  needed by Parlor (Shop/Shop.swift:3)
                  requested: Parlor at Shop/Shop.swift:3
                """)
    }

    @Test func cycle_isAnError() async throws {
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(
                    Window.self, onMainActor: { (_: Parlor) in Window(theme: Theme(name: "dark")) })
                registry.register(Parlor.self, async: { (window: Window) in Parlor(window) })
            })
        let error = await locatorError { try await context.start() }
        guard case .circularDependency? = error?.kind else {
            Issue.record("start() gave \(String(describing: error))")
            return
        }
    }

    @Test func partThatOnlyTheMainActorCanUse_isAnError() async throws {
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(
                    Theme.self, fileID: "Shop/Shop.swift", line: 2, onMainActor: { Theme(name: "dark") })
                registry.register(
                    Parlor.self, fileID: "Shop/Shop.swift", line: 3, async: { (theme: Theme) in Parlor(theme.name) })
            })
        let error = await locatorError { try await context.start() }
        #expect(
            error?.description == """
                Shop/Shop.swift:2: Theme belongs to the main actor, but was requested off the main actor
                  needed by Parlor (Shop/Shop.swift:3)
                  requested: Parlor at Shop/Shop.swift:3
                  an asynchronous factory closure runs off the main actor
                  fix: pass Theme to its methods on the main actor, or make the type Sendable
                """)
        #expect(await MainActor.run { context.existing(Theme.self) == nil })
    }
}
