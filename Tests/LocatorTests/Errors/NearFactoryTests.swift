import Locator
import Testing

private protocol Catalog: Sendable {}
private struct CatalogService: Catalog {}
private struct Item: Sendable {
    let name: String
}

@Suite("A payload that no factory takes is reported with similar factories")
struct NearFactoryTests {
    private func context(_ register: @escaping @Sendable (Registry) -> Void) throws -> AppContext {
        try AppContext().load(Module("Shop", register))
    }

    @Test func factoryWithAnotherQualifier() throws {
        let context = try context { registry in
            registry.factory(Item.self, qualifier: "a", fileID: "Shop/Shop.swift", line: 2) { (name: String) in
                Item(name: name)
            }
        }
        #expect(
            message {
                try context.resolve(Item.self, with: "Lamp", qualifier: "b", fileID: "Shop/Main.swift", line: 9)
            } == """
                Shop/Main.swift:9: no factory of Item "b" takes a payload of type String
                  near: Item "a" (Shop/Shop.swift:2)
                  fix: register a factory for this payload: registry.factory(Item.self, qualifier: "b") { (payload: String) in … }
                """)
    }

    @Test func registrationWithoutAPayload() throws {
        let context = try context { registry in
            registry.register((any Catalog).self, fileID: "Shop/Shop.swift", line: 2) { CatalogService() }
        }
        #expect(
            message { try context.resolve((any Catalog).self, with: 7, "Ada", fileID: "Shop/Main.swift", line: 9) }
                == """
                Shop/Main.swift:9: no factory of any Catalog takes a payload of type (Int, String)
                  near: any Catalog (Shop/Shop.swift:2), which takes no payload
                  fix: leave out the payload, or \
                register a factory for this payload: registry.factory((any Catalog).self, given: Int.self, String.self) { … }
                """)
    }

    @Test func payloadsThatAreTooManyForTheirOwnParameters_areOneTuple() throws {
        let context = try context { _ in }
        #expect(
            message { try context.resolve(Item.self, with: 7, "Ada", 1, true, fileID: "Shop/Main.swift", line: 9) }
                == """
                Shop/Main.swift:9: no factory of Item takes a payload of type (Int, String, Int, Bool)
                  fix: register a factory for this payload: registry.factory(Item.self) { (payload: (Int, String, Int, Bool)) in … }
                """)
        try context.load(
            Module("Shop") { registry in
                registry.factory(Item.self) { (payload: (Int, String, Int, Bool)) in Item(name: payload.1) }
            })
        _ = try context.resolve(Item.self, with: 7, "Ada", 1, true)
    }

    @Test func otherPayloads_areThoseOfTheQualifier() throws {
        let context = try context { registry in
            registry.register((any Catalog).self, fileID: "Shop/Shop.swift", line: 1) { CatalogService() }
            registry.factory((any Catalog).self, qualifier: "a") { (_: Int) in CatalogService() }
            registry.factory((any Catalog).self, qualifier: "b") { (_: String) in CatalogService() }
        }
        #expect(
            message {
                try context.resolve((any Catalog).self, with: true, qualifier: "b", fileID: "Shop/Main.swift", line: 9)
            } == """
                Shop/Main.swift:9: no factory of any Catalog "b" takes a payload of type Bool, only String
                  fix: pass String, or \
                register a factory for this payload: registry.factory((any Catalog).self, qualifier: "b") { (payload: Bool) in … }
                """)
    }

    @Test func payloadThatIsALaterParameter() throws {
        let context = try context { registry in
            registry.register((any Catalog).self) { CatalogService() }
            registry.factory(Item.self, fileID: "Shop/Shop.swift", line: 2) { (_: any Catalog, name: String) in
                Item(name: name)
            }
            registry.register(fileID: "Shop/Shop.swift", line: 3, Shelf.init)
        }
        let (problem, fix) = (
            "no factory of Item takes a payload of type String, only any Catalog",
            "  fix: make String the first parameter of the factory (Shop/Shop.swift:2): "
                + "the parameters after the payload are dependencies"
        )
        #expect(
            message { try context.resolve(Item.self, with: "Lamp", fileID: "Shop/Main.swift", line: 9) }
                == "Shop/Main.swift:9: \(problem)\n\(fix)")
        #expect(
            context.validate().findings.filter { $0.kind == .payload }.map(\.description) == [
                "Shop/Shop.swift:3: error: Shelf needs a Factory<String, Item>, but \(problem)\n\(fix)"
            ])
    }

    private struct Shelf: Sendable {
        init(_ make: Factory<String, Item>) {}
    }

    private struct Screen: Sendable {
        init(_ make: Factory<String, any Catalog>) {}
    }

    @Test func parameterThatIsAFactory_ofARegistrationWithoutAPayload() throws {
        let context = try context { registry in
            registry.register((any Catalog).self, fileID: "Shop/Shop.swift", line: 2) { CatalogService() }
            registry.register(fileID: "Shop/Shop.swift", line: 3, Screen.init)
        }
        #expect(
            "\(context.validate())" == """
                Shop/Shop.swift:3: error: Screen needs a Factory<String, any Catalog>, but no factory of any Catalog takes \
                a payload of type String
                Shop/Shop.swift:2: note: near: any Catalog, which takes no payload
                  fix: take any Catalog itself, or \
                register a factory for this payload: registry.factory((any Catalog).self) { (payload: String) in … }
                1 error in 2 registrations
                """)
    }
}
