import Locator
import Testing

private struct Item: Sendable { let text: String }
private struct Shop: Sendable { init(_: Factory<String, Item>?) {} }

@Suite("Validation finds factories and fakes with another payload")
struct OtherPayloadFindingTests {
    private let real = Module("Items") { registry in
        registry.factory(Item.self, fileID: "Shop/Shop.swift", line: 2) { (id: Int) in Item(text: "real \(id)") }
    }

    @Test func optionalFactoryOfAnotherPayload_isReported() throws {
        let context = try AppContext().load(
            real, Module("Shop") { $0.register(fileID: "Shop/Shop.swift", line: 5, Shop.init) })
        #expect(
            context.validate().description == """
                Shop/Shop.swift:5: warning: Shop needs a Factory<String, Item>, \
                but no factory of Item takes a payload of type String, only Int
                  fix: pass Int, or register a factory for this payload: \
                registry.factory(Item.self) { (payload: String) in … }
                1 warning in 2 registrations
                """)
    }

    private func report(_ fake: @escaping @Sendable (Registry) -> Void, besides other: Module? = nil) throws -> String {
        let context = try AppContext().load(other ?? real)
        try context.push(Module("Fakes", fake))
        return context.validate().description
    }

    @Test func pushedFakeWithAnotherPayload_isReported() throws {
        #expect(
            try report { registry in
                registry.factory(Item.self, fileID: "Shop/Fakes.swift", line: 3) { (_: UInt) in Item(text: "fake") }
            } == """
                Shop/Fakes.swift:3: warning: Item in module "Fakes" is pushed but replaces nothing, \
                because it is made from UInt, and the other one is made from Int
                Shop/Shop.swift:2: note: the registration that it does not replace
                  fix: register a factory with this payload: registry.factory(Item.self) { (payload: Int) in … }
                1 warning in 2 registrations
                """)
        #expect(
            try report { registry in
                registry.register(fileID: "Shop/Fakes.swift", line: 3) { Item(text: "fake") }
            } == """
                Shop/Fakes.swift:3: warning: Item in module "Fakes" is pushed but replaces nothing, \
                because it is made without a payload, and the other one is made from Int
                Shop/Shop.swift:2: note: the registration that it does not replace
                  fix: register a factory with this payload: registry.factory(Item.self) { (payload: Int) in … }
                1 warning in 2 registrations
                """)
        let plain = Module("Items") { registry in
            registry.register(fileID: "Shop/Shop.swift", line: 2) { Item(text: "real") }
        }
        #expect(
            try report(
                { registry in
                    registry.factory(Item.self, fileID: "Shop/Fakes.swift", line: 3) { (_: Int) in Item(text: "fake") }
                }, besides: plain) == """
                    Shop/Fakes.swift:3: warning: Item in module "Fakes" is pushed but replaces nothing, \
                    because it is made from Int, and the other one is made without a payload
                    Shop/Shop.swift:2: note: the registration that it does not replace
                      fix: register it without a payload: registry.register(Item.self) { … }
                    1 warning in 2 registrations
                    """)
    }

    @Test func pushedFakeOfThePayload_isNotReported() throws {
        #expect(
            try report { registry in
                registry.factory(Item.self) { (_: Int) in Item(text: "fake") }
                registry.factory(Item.self) { (_: UInt) in Item(text: "new") }
            } == "nothing found in 3 registrations")
        #expect(
            try report { registry in
                registry.factory(Item.self, qualifier: "other") { (_: UInt) in Item(text: "new") }
            } == "nothing found in 2 registrations")
    }
}
