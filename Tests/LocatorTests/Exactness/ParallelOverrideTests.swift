import Locator
import Testing

/// A thousand parallel tasks, each with its own instance for the same key and its own value of the same setting.
@Suite struct ParallelOverrideTests {
    private final class Shop: Sendable {
        let owner: String
        let port: Int

        init(owner: String, port: Int) {
            self.owner = owner
            self.port = port
        }
    }

    private final class Visitor: Sendable {
        let shop = Dependency<Shop>()
        let port = PropertyValue<Int>("server.port")
    }

    /// The base context, which the tasks fork and never change.
    private static let base: AppContext = {
        let module = Module("Shop", properties: ["server.port": 1]) { registry in
            registry.register(String.self, qualifier: "owner") { "nobody" }
            registry.register(Shop.self, parameterQualifiers: ["owner", nil]) { (owner: String, resolver: Resolver) in
                Shop(owner: owner, port: try resolver.value("server.port"))
            }
        }
        do { return try AppContext().load(module) } catch { fatalError("\(error)") }
    }()

    @Test func override_isSeenByItsOwnTaskOnly() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<1000 { group.addTask { try await Self.override(number) } }
            try await group.waitForAll()
        }
    }

    private static func override(_ number: Int) async throws {
        let override = Module("Task \(number)", properties: ["server.port": .number(JSONNumber(number))]) {
            $0.register(String.self, qualifier: "owner") { "owner \(number)" }
        }
        let fork = try base.fork(pushing: override)
        try await AppContext.withContext(fork) {
            let visitor = Visitor()
            #expect(visitor.shop().owner == "owner \(number)")
            await Task.yield()
            #expect(visitor.port() == number)
            let shop = try AppContext.current.resolve(Shop.self)
            #expect(shop === visitor.shop())
            #expect(shop.port == number)

            async let child = Visitor().shop().owner
            #expect(await child == "owner \(number)")
            let detached = await Task.detached { (visitor.shop().owner, visitor.port()) }.value
            #expect(detached == ("owner \(number)", number))
            try await fork.pushing(settings(["server.port": -1])) {
                await Task.yield()
                #expect(visitor.port() == -1)
                #expect(visitor.shop().port == -1)
            }
            #expect(visitor.shop() === shop)
            #expect(visitor.port() == number)
        }
        #expect(try base.resolve(Shop.self).owner == "nobody")
        #expect(try base.value("server.port", as: Int.self) == 1)
    }
}
