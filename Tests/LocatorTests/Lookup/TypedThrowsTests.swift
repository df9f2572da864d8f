import Locator
import Testing

private enum StoreError: Error { case closed, locked }

private final class Store: Sendable {
    let number: Int

    init(number: Int) throws(StoreError) {
        if number < 0 { throw .closed }
        self.number = number
    }

    static func open(number: Int) async throws(StoreError) -> Store { try Store(number: number) }
}

@MainActor private final class Shelf {
    let number: Int

    init(number: Int) throws(StoreError) {
        if number < 0 { throw .closed }
        self.number = number
    }
}

/// Compiling these crashed the compiler: it cannot convert a function from typed to untyped throws if it has a parameter
/// pack, or is `nonisolated(nonsending)`.
@Suite struct `What throws errors of one type` {
    @Test(arguments: [Scope.singleton, .always, Scope("session")])
    func `can be an initializer`(scope: Scope) throws {
        let context = AppContext()
        let store = Module("Store") { $0.register(scope: scope, Store.init) }
        try context.load(Module("One") { $0.register { 1 } }, store)
        #expect(try context.resolve(Store.self).number == 1)
    }

    @Test func `can be an initializer of what is not retained`() throws {
        let context = try AppContext().load(
            Module("Stores") { registry in
                registry.register { 1 }
                registry.register(Store.self, qualifier: "prototype", scope: .prototype, Store.init)
                registry.register(Store.self, qualifier: "weak", scope: .weak, Store.init)
            })
        #expect(try context.resolve(Store.self, qualifier: "prototype").number == 1)
        #expect(try context.resolve(Store.self, qualifier: "weak").number == 1)
    }

    @Test func `can be a closure, also without parameters`() throws {
        let context = try AppContext().load(
            Module("Stores") { registry in
                registry.register(Int.self) { () throws(StoreError) -> Int in 1 }
                registry.register { (number: Int) throws(StoreError) -> Store in try Store(number: number) }
            })
        #expect(try context.resolve(Store.self).number == 1)
    }

    @Test func `can be a factory, a decorator, and an injection`() throws {
        let context = try AppContext().load(
            Module("Stores") { registry in
                registry.factory(Store.init)
                registry.register { 1 }
                    .injecting { (number, text: String) throws(StoreError) in if text.isEmpty { throw .locked } }
                registry.register { "text" }
                registry.decorate(String.self) { (base: String, number: Double) throws(StoreError) -> String in base }
                registry.register { 0.5 }
            })
        #expect(try context.resolve(Store.self, with: 7).number == 7)
        #expect(try context.resolve(Int.self) == 1)
    }

    @Test func `can be asynchronous`() async throws {
        let context = try AppContext().load(
            Module("Stores") { registry in
                registry.register { 1 }
                registry.register(Store.self, async: Store.open)
                registry.factory(Store.self, async: Store.open)
            })
        try await context.start()
        #expect(try context.resolve(Store.self).number == 1)
        #expect(try await context.resolve(Store.self, with: 7).number == 7)
    }

    @Test @MainActor func `can be on the main actor`() throws {
        let context = try AppContext().load(
            Module("Shelves") { registry in
                registry.register { 1 }
                registry.register(onMainActor: Shelf.init)
                registry.factory(onMainActor: Shelf.init)
            })
        #expect(try context.resolve(Shelf.self).number == 1)
        #expect(try context.resolve(Shelf.self, with: 7).number == 7)
    }

    @Test func `can be the body of a change or a child`() async throws {
        let context = AppContext()
        await #expect(throws: StoreError.closed) {
            try await context.pushing(Module("M")) { () async throws(StoreError) in throw .closed }
        }
        await #expect(throws: StoreError.closed) {
            try await context.within { (_: AppContext) async throws(StoreError) in throw .closed }
        }
        // The error has its type.
        do {
            try await AppContext.withContext(context) { () async throws(StoreError) in throw .closed }
        } catch {
            #expect(error == .closed)
        }
    }

    @Test func `is the underlying error`() throws {
        let context = try AppContext().load(
            Module("Stores") { registry in
                registry.register(fileID: "Shop/Stores.swift", line: 1) { -1 }
                registry.register(fileID: "Shop/Stores.swift", line: 2, Store.init)
            })
        let error = try #require(throws: LocatorError.self) {
            try context.resolve(Store.self, fileID: "Test.swift", line: 3)
        }
        #expect(error.underlying as? StoreError == .closed)
        #expect(
            error.description == """
                Shop/Stores.swift:2: making Store failed: closed
                  requested: Store at Test.swift:3
                """)
    }
}
