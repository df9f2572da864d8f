import Locator
import Testing

@Suite("resolveMap returns the qualified instances by qualifier")
struct ResolveMapTests {
    private final class Coordinator: Sendable {}

    @Test func map_hasTheQualifiedOnly() throws {
        let module = Module("Texts") { registry in
            registry.register(String.self) { "unqualified" }
            registry.register(String.self, qualifier: "home") { "home" }
            registry.register(String.self, qualifier: "basket") { "basket" }
        }
        #expect(try AppContext().load(module).resolveMap(String.self) == ["home": "home", "basket": "basket"])
    }

    @Test func firstModule_answersAQualifier() throws {
        let context = try AppContext().load(.text("a", qualifier: "x"), .text("b", qualifier: "x"))
        #expect(try context.resolveMap(String.self) == ["x": "a"])
        try context.push(.text("c", qualifier: "x"))
        #expect(try context.resolveMap(String.self) == ["x": "c"])
    }

    @Test func instances_areTheSharedOnes() throws {
        let context = try AppContext().load(Module("M") { $0.register(qualifier: "home", Coordinator.init) })
        let map = try context.resolveMap(Coordinator.self)
        #expect(try map["home"] === context.resolve(Coordinator.self, qualifier: "home"))
    }

    @Test func primary_isChosen_amongEquals() throws {
        let module = Module("Texts") { registry in
            registry.register(String.self, qualifier: "x") { "first" }
            registry.register(String.self, qualifier: "x") { "primary" }.primary()
        }
        #expect(try AppContext().load(module).resolveMap(String.self) == ["x": "primary"])
    }

    @Test func equalsWithoutAPrimary_areAmbiguous() throws {
        let module = Module("Texts") { registry in
            registry.register(String.self, qualifier: "x") { "first" }
            registry.register(String.self, qualifier: "x") { "second" }
        }
        let context = try AppContext().load(module)
        guard case .ambiguous(let key, _) = locatorError({ try context.resolveMap(String.self) })?.kind else {
            Issue.record("not ambiguous")
            return
        }
        #expect(key == Key(String.self, qualifier: "x"))
    }

    @Test func resolver_givesTheSame() throws {
        let module = Module("M") { registry in
            registry.register(String.self, qualifier: "home") { "home" }
            registry.register(Int.self) { (resolver: Resolver) in try resolver.resolveMap(String.self).count }
        }
        #expect(try AppContext().load(module).resolve(Int.self) == 1)
    }
}
