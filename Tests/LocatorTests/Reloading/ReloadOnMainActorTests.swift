import Foundation
import Locator
import TestSupport
import Testing

/// Sendable, like every class of an actor.
///
/// Only its initializer needs the main actor.
@MainActor private final class Screen {
    let url: String

    init(url: String) {
        self.url = url
    }
}

/// Made from something that needs the main actor.
private final class Router: Sendable {
    let screen: Screen
    init(screen: Screen) { self.screen = screen }
}

private final class Database: Sendable {
    let url: String
    init(url: String) { self.url = url }
}

private struct Refusal: Error, CustomStringConvertible {
    let description = "the screen is dark"
}

/// A way to reload off the main actor.
private enum Reload: CaseIterable {
    case reloadAndStart, reloader, reloaderAfterStart
}

/// The `.always` instances of a module that a reload turns on.
private enum Always: CaseIterable {
    case itself, whatIsMadeFromIt, decorated
}

@Suite("A reload makes instances on the main actor if a module that it turns on requires it", .watchdog)
struct ReloadOnMainActorTests {
    private let log = Log()
    private let context = AppContext()
    private let files = MemoryFiles(#"{ "url": "db1" }"#)
    private let clock = ManualClock()

    private func load(
        _ always: Always, making: @escaping @Sendable @MainActor (AppContext) throws -> Void = { _ in }
    ) throws {
        let log = log
        let base = Module("Base") { registry in
            registry.register(
                Database.self,
                async: { (resolver: Resolver) in
                    let url: String = try resolver.value("url")
                    log("make \(url)")
                    return Database(url: url)
                }
            )
            .onDispose { log("dispose of \($0.url)") }
            registry.register(String.self) { (resolver: Resolver) in try resolver.value("url") }
                .onDispose { log("dispose of text \($0)") }
        }
        let screens = Module("Screens", when: .property("url", equals: "db2"), fileID: "Shop/Screens.swift", line: 1) {
            registry in
            registry.register(
                Screen.self, scope: always == .itself || always == .decorated ? .always : .singleton,
                fileID: "Shop/Screens.swift", line: 2,
                onMainActor: { (url: String) in
                    MainActor.assertIsolated()
                    try making(AppContext.current)
                    log("make screen of \(url)")
                    return Screen(url: url)
                }
            )
            .onDispose { log("dispose of screen of \($0.url)") }
            if always == .decorated { registry.decorate(Screen.self) { $0 } }
            if always == .whatIsMadeFromIt {
                registry.register(
                    Router.self, scope: .always, fileID: "Shop/Screens.swift", line: 3, Router.init)
            }
        }
        try context.loadProperties(files.source).load(base, screens)
    }

    /// Reloads off the main actor and returns the error.
    private func reload(_ way: Reload, to url: String) async throws -> String? {
        let context = context
        if way == .reloaderAfterStart { try await context.start() }
        _ = log.take()
        files.content = #"{ "url": "\#(url)" }"#
        if way == .reloadAndStart { return await message { try await context.reloadAndStart() } }
        let failure = Late<String>()
        let observation = context.observe { if case .reloadFailed(let error) = $0 { failure.value = "\(error)" } }
        defer { observation.end() }
        let reloader = context.reloadProperties(on: .changes(every: .seconds(5), clock: clock))
        let task = Task.detached { await reloader.run() }
        await clock.sleeping()
        clock.advance(by: .seconds(5))
        await clock.sleeping()
        task.cancel()
        await task.value
        return failure.value
    }

    @Test("The module is turned on", arguments: Reload.allCases, Always.allCases)
    private func module_isTurnedOn(way: Reload, always: Always) async throws {
        try load(always)
        #expect(try await reload(way, to: "db2") == nil)
        #expect(log.take().filter { $0.contains("screen") } == ["make screen of db2"])
        #expect(try context.value("url") == "db2")
        #expect(try context.resolve(Screen.self).url == "db2")
        if always == .whatIsMadeFromIt {
            #expect(try context.resolve(Router.self).screen === context.resolve(Screen.self))
        }
    }

    @Test("Other threads resolve while the main actor makes it", arguments: Reload.allCases)
    private func making_holdsNoLock(way: Reload) async throws {
        try load(.whatIsMadeFromIt) { context in
            let text = try onThread { try context.resolve(String.self) }
            #expect(text == "db2")
        }
        #expect(try await reload(way, to: "db2") == nil)
        #expect(try context.resolve(Router.self).screen.url == "db2")
    }

    @Test("If a factory closure fails there, nothing changes", arguments: Reload.allCases, Always.allCases)
    private func failingClosure_changesNothing(way: Reload, always: Always) async throws {
        try load(always) { _ in throw Refusal() }
        let text = try context.resolve(String.self)
        try await context.start()
        let database = try context.resolve(Database.self)
        let error = try await reload(way, to: "db2")
        #expect(error?.contains("making Screen failed: the screen is dark") == true)
        #expect(try context.resolve(Database.self) === database)
        #expect(try context.resolve(String.self) == text)
        #expect(try context.value("url") == "db1")
        #expect(try context.resolve(Screen?.self) == nil)
        #expect(
            log.take()
                == [
                    .reloadAndStart: ["make db2", "dispose of text db2", "dispose of db2"],
                    .reloader: ["make db2", "dispose of text db2", "dispose of db2"],
                    .reloaderAfterStart: ["make db2", "dispose of text db2", "dispose of db2"],
                ][way])
    }

    @Test("A synchronous reload off the main actor is an error that says what to do, and changes nothing")
    private func synchronousReload_isAnError() async throws {
        try load(.whatIsMadeFromIt)
        try await context.start()
        let database = try context.resolve(Database.self)
        _ = log.take()
        files.content = #"{ "url": "db2" }"#
        let context = context
        let error = try onThread { message { try context.reloadProperties() } }
        #expect(
            error == """
                Shop/Screens.swift:2: Screen is made on the main actor, but was requested off the main actor before it was made
                  needed by Router (Shop/Screens.swift:3)
                  requested: Router at Shop/Screens.swift:1
                  Router has scope .always: it is made when its module is loaded or a reload turns it on; do that on the \
                main actor, or reload with reloadAndStart()
                  fix: resolve it on the main actor first
                """)
        #expect(try context.resolve(Database.self) === database)
        #expect(try context.value("url") == "db1")
        #expect(try context.resolve(Router?.self) == nil)
        #expect(log.take().filter { $0.contains("db1") } == [])
        try await MainActor.run { try context.reloadProperties() }
        #expect(try context.resolve(Router.self).screen.url == "db2")
    }
}
