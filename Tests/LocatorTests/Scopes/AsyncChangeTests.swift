import Locator
import TestSupport
import Testing

private final class Cache: Sendable {}
private final class Shop: Sendable {}

extension Scope {
    fileprivate static let visit = Scope("visit")
}

@Suite("An asynchronous factory closure cannot change its context", .watchdog)
struct AsyncChangeTests {
    private let context = AppContext()
    private let log = Log()

    private struct Change: Sendable {
        let name: String
        let run: @Sendable (AppContext) async throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (AppContext) async throws -> Void) {
            self.name = name
            self.run = run
        }
    }

    private static let changes = [
        Change("load") { try $0.load(Module("x")) },
        Change("push") { try $0.push(Module("x")) },
        Change("push") { try await $0.pushing(Module("x")) { await Task.yield() } },
        Change("unload") { try $0.unload(Module("x")) },
        Change("pop") { try $0.pop(Module("x")) },
        Change("reset") { try $0.reset() },
        Change("reset") { try $0.reset(.singleton) },
        Change("unloadAll") { try $0.unloadAll() },
        Change("reloadProperties") { try $0.reloadProperties() },
        Change("loadProperties") { try $0.loadProperties(files: []) },
        Change("reloadAndStart") { try await $0.reloadAndStart() },
        Change("start") { try await $0.start() },
        Change("shutdown") { try await $0.shutdown() },
    ]

    private func shop(_ body: @escaping @Sendable (AppContext) async throws -> Void) -> Module {
        Module("Shop") { [log] registry in
            registry.register(Cache.self) { Cache() }.onDispose { _ in log("end of cache") }
            registry.register(
                Shop.self, fileID: "Shop/Shop.swift", line: 1,
                async: { (_: Cache) async throws in
                    log("shop")
                    await Task.yield()
                    try await body(AppContext.current)
                    return Shop()
                })
        }
    }

    private static func refusal(_ name: String) -> String {
        """
        Shop/Shop.swift:1: \(name) was called inside a factory closure, decorator, or decoder of the same context
          while making Shop (Shop/Shop.swift:1)
          fix: change the context before resolving, or in a hook or observer
        """
    }

    @Test("A change is an error, also after a suspension", arguments: changes)
    private func change(_ change: Change) async throws {
        try context.load(shop { try await change.run($0) })
        #expect(await message { try await context.start() } == Self.refusal(change.name))
        #expect(log.entries == ["shop"])
    }

    @Test("A change is an error in tasks inside the closure", arguments: changes)
    private func changeInTask(_ change: Change) async throws {
        try context.load(
            shop { context in
                async let child: Void = change.run(context)
                try await child
            })
        #expect(await message { try await context.start() } == Self.refusal(change.name))
    }

    @Test("Changing the parent is an error in a closure of a child that the parent's closure starts")
    func parent() async throws {
        let child = Late<AppContext>()
        let parent = context
        try context.load(
            shop { _ in try await child.value?.start() },
            Module("Visit") { registry in
                registry.register(
                    Int.self, scope: Scope("visit", requiresOpening: true), fileID: "Shop/Visit.swift", line: 2,
                    async: { () async throws in
                        try parent.reset()
                        return 1
                    })
            })
        child.value = try context.child(opening: Scope("visit", requiresOpening: true))
        #expect(
            await message { try await context.start() } == """
                Shop/Visit.swift:2: reset was called inside a factory closure, decorator, or decoder of the same context
                  while making Int (Shop/Visit.swift:2)
                  needed by Shop (Shop/Shop.swift:1)
                  fix: change the context before resolving, or in a hook or observer
                """)
        child.value = nil
    }

    @Test("A child, a fork, and another context may be changed")
    func others() async throws {
        let other = AppContext()
        try context.load(
            shop { context in
                let child = try context.child(opening: .visit, pushing: Module("x"))
                try child.push(Module("y"))
                child.pop()
                try child.reset()
                let fork = try context.fork(pushing: Module("z"))
                try fork.load(Module("y"))
                try await other.load(Module("y")).start()
                try context.within(.visit) { child in try child.reset(.visit) }
            },
            Module("Visit") { $0.register(Int.self, scope: .visit) { 1 } })
        try await context.start()
        #expect(log.entries == ["shop"])
    }

    @Test("An observer, a dispose hook, and a shutdown hook that run in its task may change the context")
    func hooks() async throws {
        let context = context
        let other = AppContext()
        let push = Module("x")
        try other.load(
            Module("Other") { registry in
                registry.register(Cache.self) { Cache() }
                    .onShutdown { _ in try context.push(push) }
                    .onDispose { _ in try context.pop(push) }
            })
        _ = try other.resolve(Cache.self)
        let change = context.observe { event in
            guard case .resolved(let key, _) = event, key.type == Int.self else { return }
            do { _ = try context.push(push).pop() } catch { Issue.record(error) }
        }
        try context.load(
            shop { context in
                _ = try context.resolve(Int.self)
                try await other.shutdown()
            },
            Module("Int") { $0.register(Int.self) { 1 } })
        try await context.start()
        #expect(log.entries == ["shop"])
        withExtendedLifetime(change) {}
    }

    @Test("An instance that an observer resolves in the closure's task is not a dependency")
    func readsOfObservers() async throws {
        let context = context
        let observation = context.observe { event in
            guard case .resolved(let key, _) = event, key.type == Int.self else { return }
            _ = try? context.resolve(String.self)
        }
        try context.load(
            shop { _ = try $0.resolve(Int.self) },
            Module("Texts") { registry in
                registry.register(Int.self) { 1 }
                registry.register(String.self) { "real" }
            })
        try await context.start()
        observation.end()
        let shop = try context.resolve(Shop.self)
        try context.push(Module("Fake") { $0.register(String.self) { "fake" } })
        #expect(try context.resolve(Shop.self) === shop)
    }

    @Test("A start gives up if a change invalidates its instances every time", arguments: ["detached", "observer"])
    func overtaken(_ way: String) async throws {
        let context = context
        let observation = context.observe { event in
            guard way == "observer", case .made(let made) = event, made.key.type == Shop.self else { return }
            try? context.reset()
        }
        try context.load(
            shop { context in
                if way == "detached" { try await Task.detached { try context.reset() }.value }
            })
        #expect(
            await message { try await context.start() } == """
                Shop/Shop.swift:1: one start made Shop 5000 times, and a change of the context invalidated it each time
                  fix: find what changes the context each time, such as an observer, or a detached task of the factory closure
                """)
        #expect(log.entries.filter { $0 == "shop" }.count == 5000)
        #expect(log.entries.filter { $0 == "end of cache" }.count == 5000)
        withExtendedLifetime(observation) {}
    }

    @Test(
        "So does a reload that makes instances first",
        .enabled(if: TestScale.count(100) == 100, "It takes half a minute in debug builds"), .oneThread)
    func overtakenReload() async throws {
        let context = context
        let isStarted = Late(false)
        let last = Late<Module>()
        let files = MemoryFiles(#"{ "a": 1 }"#)
        try context.loadProperties(files.source).load(
            Module("Shop") { registry in
                registry.register(
                    Shop.self, fileID: "Shop/Shop.swift", line: 1,
                    async: { (resolver: Resolver) async throws in
                        _ = try resolver.value("a", as: Int.self)
                        _ = try resolver.resolve([Int].self)
                        if isStarted.value == true {
                            try await Task.detached {
                                if let last = last.value { try context.unload(last) }
                                let new = Module("x") { $0.register(Int.self) { 1 } }
                                try context.load(new)
                                last.value = new
                            }.value
                        }
                        return Shop()
                    })
            })
        try await context.start()
        isStarted.value = true
        files.content = #"{ "a": 2 }"#
        let shop = try context.resolve(Shop.self)
        let kind = await locatorError { try await context.reloadAndStart() }?.kind
        guard case .overtaken(let key, times: 5000)? = kind, key == Key(Shop.self) else {
            Issue.record("\(String(describing: kind))")
            return
        }
        _ = shop
        #expect(try context.value("a", as: Int.self) == 1)
    }
}
