import Locator
import TestSupport
import Testing

private struct Database: Sendable {}
private struct Cache: Sendable {}

@Suite("An error names the context or the module that a call is meant for")
struct WrongContextTests {
    private static let data = Module("Data") { registry in
        registry.register(
            Database.self, scope: Scope("visit"), fileID: "Shop/Data.swift", line: 3, async: { Database() })
    }

    @Test("A fork must be started itself")
    func fork() async throws {
        let context = try AppContext().load(Self.data)
        try await context.start()
        #expect(
            message { try context.fork().resolve(Database.self, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Data.swift:3: Database has an asynchronous factory closure that has not run yet
                  requested: Database at Shop/Main.swift:9
                  a fork makes its own instances
                  fix: call `try await fork.start()` first
                """)
    }

    @Test("A child must be started itself")
    func child() async throws {
        let context = try AppContext().load(Self.data)
        try await context.start()
        let child = try context.child(opening: Scope("visit"))
        #expect(
            message { try child.resolve(Database.self, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Data.swift:3: Database has an asynchronous factory closure that has not run yet
                  requested: Database at Shop/Main.swift:9
                  fix: call `try await child.start()` first
                """)
    }

    @Test("An asynchronous factory closure must take an instance of the same start as a parameter")
    func closure() async throws {
        let requested = Signal()
        let context = try AppContext().load(
            Module("Data") { registry in
                registry.register(
                    Cache.self, fileID: "Shop/Data.swift", line: 2,
                    async: { (resolver: Resolver) async throws in
                        defer { requested.send() }
                        _ = try resolver.resolve(Database.self, fileID: "Shop/Data.swift", line: 9)
                        return Cache()
                    })
                registry.register(
                    Database.self, fileID: "Shop/Data.swift", line: 3,
                    async: {
                        await requested.wait()
                        return Database()
                    })
            })
        let text = await message { try await context.start() }
        #expect(
            text == """
                Shop/Data.swift:3: Database has an asynchronous factory closure that has not run yet
                  needed by Cache (Shop/Data.swift:2)
                  requested: Database at Shop/Data.swift:9
                  an asynchronous factory closure requests it while start() runs, and start() makes both at the same time
                  fix: take Database as a parameter of that factory closure: then start() makes it first
                """)
    }

    @Test("The parent must be started before a child whose injections need its instances")
    func injectionsOfAChild() async throws {
        let context = try AppContext().load(
            Module("Data") { registry in
                registry.register(
                    Database.self, fileID: "Shop/Data.swift", line: 3, async: { Database() })
                registry.register(
                    Cache.self, scope: Scope("visit"), fileID: "Shop/Data.swift", line: 4, async: { Cache() }
                ).injecting { (_: Cache, _: Database) in }
            })
        let child = try context.child(opening: Scope("visit"))
        let text = await message { try await child.start() }
        #expect(
            text == """
                Shop/Data.swift:3: Database has an asynchronous factory closure that has not run yet
                  needed by injecting into Cache (Shop/Data.swift:4)
                  requested: Cache at Shop/Data.swift:4
                  it belongs to a parent of the child that requests it, and the start of a child does not make it
                  fix: call `try await parent.start()` first
                """)
        try await context.start()
        try await child.start()
        _ = try child.resolve(Cache.self)
    }

    @Test("If an asynchronous factory closure requests an instance of another context, that context must be started")
    func closureForAnotherContext() async throws {
        let other = try AppContext().load(Self.data)
        let context = try AppContext().load(
            Module("Caches") { registry in
                registry.register(
                    Cache.self, fileID: "Shop/Caches.swift", line: 2,
                    async: {
                        _ = try other.resolve(Database.self, fileID: "Shop/Caches.swift", line: 9)
                        return Cache()
                    })
            })
        let text = await message { try await context.start() }
        #expect(
            text == """
                Shop/Data.swift:3: Database has an asynchronous factory closure that has not run yet
                  needed by Cache (Shop/Caches.swift:2)
                  requested: Database at Shop/Caches.swift:9
                  fix: call `try await context.start()` first
                """)
    }

    @Test("An asynchronous factory closure that requests its own instance depends on itself")
    func closureOfItself() async throws {
        let context = try AppContext().load(
            Module("Data") { registry in
                registry.register(
                    Database.self, fileID: "Shop/Data.swift", line: 3,
                    async: { try AppContext.current.resolve(Database.self) })
            })
        let text = await message { try await context.start() }
        #expect(
            text == """
                Shop/Data.swift:3: Database depends on itself
                  Database (Shop/Data.swift:3)
                  needs Database (Shop/Data.swift:3)
                  fix: resolve one of them lazily (Lazy<…> or a wrapper); .injecting does not help here: start() shares an instance only after its injections have run
                """)
    }

    @Test("The same start makes it again after a reset, which is not the cause", arguments: [false, true])
    func closureAfterReset(reloads: Bool) async throws {
        let requested = Signal()
        let files = MemoryFiles(#"{ "url": "db1" }"#)
        let context = try AppContext().loadProperties(files.source).load(
            Module("Data") { registry in
                registry.register(
                    Database.self, fileID: "Shop/Data.swift", line: 3,
                    async: { (resolver: Resolver) in
                        if try resolver.value("url", as: String.self) == "db2" { await requested.wait() }
                        return Database()
                    })
            })
        try await context.start()
        try context.load(
            Module("Caches") { registry in
                registry.register(
                    Cache.self, fileID: "Shop/Caches.swift", line: 2,
                    async: { (resolver: Resolver) async throws in
                        defer { requested.send() }
                        _ = try resolver.resolve(Database.self, fileID: "Shop/Caches.swift", line: 9)
                        return Cache()
                    })
            })
        files.content = #"{ "url": "db2" }"#
        let text = await message {
            if reloads {
                try await context.reloadAndStart()
            } else {
                try context.reloadProperties()
                try await context.start()
            }
        }
        #expect(
            text == """
                Shop/Data.swift:3: Database has an asynchronous factory closure that has not run yet
                  needed by Cache (Shop/Caches.swift:2)
                  requested: Database at Shop/Caches.swift:9
                  an asynchronous factory closure requests it while start() runs, and start() makes both at the same time
                  fix: take Database as a parameter of that factory closure: then start() makes it first
                """)
    }

    @Test("A task that outlives its factory closure requests an instance like any other code")
    func taskOfClosure() async throws {
        let (ended, task) = (Signal(), Late<Task<String?, Never>>())
        let context = try AppContext().load(
            Module("Data") { registry in
                registry.register(
                    Cache.self, fileID: "Shop/Data.swift", line: 2,
                    async: { (resolver: Resolver) in
                        task.value = Task {
                            await ended.wait()
                            return message {
                                try resolver.resolve(Database.self, fileID: "Shop/Data.swift", line: 9)
                            }
                        }
                        return Cache()
                    })
            })
        try await context.start()
        try context.load(
            Module("Late") { registry in
                registry.register(Database.self, fileID: "Shop/Late.swift", line: 3, async: { Database() })
            })
        ended.send()
        #expect(
            await task.value?.value == """
                Shop/Late.swift:3: Database has an asynchronous factory closure that has not run yet
                  requested: Database at Shop/Data.swift:9
                  fix: call `try await context.start()` again; for a push, use `try await context.pushing`, which starts what it adds
                """)
    }

    @Test("A module that another one includes must be unloaded with the other one")
    func included() throws {
        let inner = Module("In")
        let outer = Module("Out", including: [inner])
        let context = try AppContext().load(outer, fileID: "Shop/Main.swift", line: 3)
        #expect(
            message { try context.unload(inner, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: module "In" is not loaded
                  it was loaded as a part of module "Out" at Shop/Main.swift:3
                  fix: unload module "Out" instead
                """)
        try context.unload(outer)
        try context.push(outer, fileID: "Shop/Main.swift", line: 4)
        #expect(
            message { try context.pop(inner, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: module "In" was not pushed
                  it was pushed as a part of module "Out" at Shop/Main.swift:4
                  fix: pop module "Out" instead
                """)
    }
}
