import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request", requiresOpening: true)
}

private final class Database: Sendable {
    static func open() async -> Database { Database() }
}
private struct Item: Sendable, Equatable {
    let id: Int
    let name: String
}

@Suite("A wrong way to end or request something is reported with the right way")
struct WrongEndTests {
    // MARK: Modules

    private let module = Module("Shop")

    @Test func unload_ofAPushedModule() throws {
        let context = AppContext()
        try context.push(module, fileID: "Shop/Main.swift", line: 3)
        #expect(
            message { try context.unload(module, fileID: "Shop/Main.swift", line: 4) } == """
                Shop/Main.swift:4: module "Shop" is not loaded
                  it was pushed at Shop/Main.swift:3
                  fix: pop it instead: `context.pop(module)`
                """)
        try context.pop(module)
        #expect(
            message { try context.unload(module, fileID: "Shop/Main.swift", line: 4) } == """
                Shop/Main.swift:4: module "Shop" is not loaded
                  fix: unload only loaded modules
                """)
    }

    @Test func unloadAndPop_ofAModuleOfTheParent() throws {
        let context = AppContext()
        let outer = Module("Outer", including: [module])
        try context.load(outer, fileID: "Shop/Main.swift", line: 3)
        let child = try context.child()
        #expect(
            message { try child.unload(outer, fileID: "Shop/Main.swift", line: 4) } == """
                Shop/Main.swift:4: module "Outer" is not loaded
                  a parent of this context has it: module "Outer" was loaded there at Shop/Main.swift:3
                  fix: unload module "Outer" in that context
                """)
        #expect(
            message { try child.unload(module, fileID: "Shop/Main.swift", line: 4) } == """
                Shop/Main.swift:4: module "Shop" is not loaded
                  a parent of this context has it: module "Outer" was loaded there at Shop/Main.swift:3
                  fix: unload module "Outer" in that context
                """)
        try context.push(Module("Fake"), fileID: "Shop/Main.swift", line: 5)
        let fake = Module("Fakes")
        try context.push(fake, fileID: "Shop/Main.swift", line: 6)
        #expect(
            message { try child.pop(fake, fileID: "Shop/Main.swift", line: 7) } == """
                Shop/Main.swift:7: module "Fakes" was not pushed
                  a parent of this context has it: module "Fakes" was pushed there at Shop/Main.swift:6
                  fix: pop module "Fakes" in that context
                """)
    }

    @Test func pop_ofALoadedModule() throws {
        let context = AppContext()
        try context.load(module, fileID: "Shop/Main.swift", line: 3)
        #expect(
            message { try context.pop(module, fileID: "Shop/Main.swift", line: 4) } == """
                Shop/Main.swift:4: module "Shop" was not pushed
                  it was loaded at Shop/Main.swift:3
                  fix: unload it instead: `context.unload(module)`
                """)
        try context.unload(module)
    }

    // MARK: Shutdown

    @Test func asking_afterAShutdown_saysSo_untilTheNextStart() async throws {
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Database.self, fileID: "Shop/Shop.swift", line: 2, async: { await Database.open() })
            })
        try await context.start()
        let first = try context.resolve(Database.self)
        try await context.shutdown(fileID: "Shop/Main.swift", line: 5)
        #expect(
            message { try context.resolve(Database.self, fileID: "Shop/Main.swift", line: 6) } == """
                Shop/Shop.swift:2: Database has an asynchronous factory closure that has not run yet
                  requested: Database at Shop/Main.swift:6
                  its context was shut down at Shop/Main.swift:5
                  fix: resolve it before the shutdown, or call `try await context.start()` again
                """)
        try await context.start()
        #expect(try context.resolve(Database.self) !== first)
    }

    @Test func asking_afterAShutdown_doesNotNameIt_afterAReloadThatStarts() async throws {
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Database.self, fileID: "Shop/Shop.swift", line: 2, async: { await Database.open() })
            })
        try await context.shutdown()
        try await context.reloadAndStart()
        try context.reset()
        #expect(
            message { try context.resolve(Database.self, fileID: "Shop/Main.swift", line: 6) } == """
                Shop/Shop.swift:2: Database has an asynchronous factory closure that has not run yet
                  requested: Database at Shop/Main.swift:6
                  an earlier instance has ended because the context has changed
                  fix: call `try await context.start()` again, or reload with `reloadAndStart`
                """)
    }

    @Test func asking_afterAReset_saysThatTheInstanceHasEnded() async throws {
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Database.self, fileID: "Shop/Shop.swift", line: 2, async: { await Database.open() })
            })
        try await context.start()
        try context.reset()
        #expect(
            message { try context.resolve(Database.self, fileID: "Shop/Main.swift", line: 6) } == """
                Shop/Shop.swift:2: Database has an asynchronous factory closure that has not run yet
                  requested: Database at Shop/Main.swift:6
                  an earlier instance has ended because the context has changed
                  fix: call `try await context.start()` again, or reload with `reloadAndStart`
                """)
    }

    @Test func asking_inAChildAfterAReload_namesKeepsSettings() async throws {
        let files = MemoryFiles(#"{ "url": "db1" }"#)
        let context = try AppContext().loadProperties(files.source).load(
            Module("Shop") { registry in
                registry.register(
                    Database.self, scope: .request, fileID: "Shop/Shop.swift", line: 2,
                    async: { (resolver: Resolver) in
                        _ = try resolver.value("url", as: String.self)
                        return await Database.open()
                    })
            })
        let child = try context.child(opening: .request)
        let keeping = try context.child(opening: .request, keepsSettings: true)
        try await child.start()
        try await keeping.start()
        files.content = #"{ "url": "db2" }"#
        try await context.reloadAndStart()
        _ = try keeping.resolve(Database.self)
        #expect(
            message { try child.resolve(Database.self, fileID: "Shop/Main.swift", line: 6) } == """
                Shop/Shop.swift:2: Database has an asynchronous factory closure that has not run yet
                  requested: Database at Shop/Main.swift:6
                  an earlier instance has ended because the context has changed
                  fix: call `try await child.start()` again, or open the child with `keepsSettings: true` if settings are reloaded
                """)
    }

    // MARK: Factories

    private static let items = Module("Items") { registry in
        registry.factory(Item.self, given: Int.self, String.self) { id, name in Item(id: id, name: name) }
        registry.factory(String.self, async: { (id: Int) in "\(id)" })
    }

    private static let wrongOrder = """
        Shop/Main.swift:6: no factory of Item takes a payload of type (String, Int), only (Int, String)
          fix: pass Int and String in this order, or register a factory for this payload: \
        registry.factory(Item.self, given: String.self, Int.self) { … }
        """

    @Test func factory_ofPayloadsInAnotherOrder_isReportedWhereItIsRequested() throws {
        struct Screen {
            @Dependency(fileID: "Shop/Main.swift", line: 6) var make: Factory<(String, Int), Item>
        }
        let context = try AppContext().load(Self.items)
        #expect(
            message { try context.resolve(Factory<(String, Int), Item>.self, fileID: "Shop/Main.swift", line: 6) }
                == Self.wrongOrder)
        let screen = AppContext.withContext(context) { Screen() }
        #expect(message { try screen.$make.resolved() } == Self.wrongOrder)
        // The fix lists the payloads of the registered factories.
        let make = try context.resolve(Factory<(Int, String), Item>.self)
        #expect(try make(1, "Lamp") == Item(id: 1, name: "Lamp"))
    }

    @Test func factory_thatThereIsNot_isReportedWhereItIsRequested() throws {
        let context = try AppContext().load(Self.items)
        #expect(
            message { try context.resolve(Factory<Int, Double>.self, fileID: "Shop/Main.swift", line: 6) } == """
                Shop/Main.swift:6: no factory of Double takes a payload of type Int
                  fix: register a factory for this payload: registry.factory(Double.self) { (payload: Int) in … }
                """)
        #expect(
            message { try context.resolve(AsyncFactory<String, Item>.self, fileID: "Shop/Main.swift", line: 6) } == """
                Shop/Main.swift:6: no factory of Item takes a payload of type String, only (Int, String)
                  fix: pass Int and String in this order, or register a factory for this payload: \
                registry.factory(Item.self) { (payload: String) in … }
                """)
    }

    @Test func factory_thatIsAsynchronous_isReportedWhereItIsRequested() async throws {
        let context = try AppContext().load(Self.items)
        guard
            case .notAwaited? = locatorError({ try context.resolve(Factory<Int, String>.self) })?.kind
        else {
            Issue.record("another error")
            return
        }
        #expect(try await context.resolve(AsyncFactory<Int, String>.self)(3) == "3")
    }

    @Test func factory_asAParameter_mayBeRegisteredLater() throws {
        struct Shop: Sendable { let make: Factory<(Int, String), Item> }
        let context = try AppContext().load(Module("Shop") { $0.register(Shop.init) })
        defer { withExtendedLifetime(context) {} }
        let shop = try context.resolve(Shop.self)
        try context.load(Self.items)
        #expect(try shop.make(1, "Lamp") == Item(id: 1, name: "Lamp"))
    }
}
