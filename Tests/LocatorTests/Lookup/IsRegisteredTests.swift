import Locator
import Testing

private struct Settings: ConfigProperty {
    static let path = "settings"
    let size: Int
}

private struct Product: Sendable {}

@Suite("A context says whether a type is registered without making an instance")
struct IsRegisteredTests {
    private let made = Counter()

    private func context() throws -> AppContext {
        try AppContext().load(
            Module("Shop", properties: ["settings": ["size": 3], "choice": "file"]) { [made] registry in
                registry.register(Int.self) { made.next() }.alias(Double.self) { Double($0) }
                registry.register(String.self, qualifier: "file") { "\(made.next())" }
                registry.register(Bool.self) { made.next() > 0 }
                registry.register(Bool.self) { made.next() > 0 }
                registry.factory(Product.self) { (name: String) in Product() }
            },
            Module("Off", when: .profile("none")) { $0.register(Float.self) { 1 } })
    }

    @Test func whatIsRegistered_isReported() throws {
        let context = try context()
        #expect(context.isRegistered(Int.self))
        #expect(context.isRegistered(Double.self))
        #expect(context.isRegistered(Bool.self), "ambiguous")
        #expect(context.isRegistered(Product.self), "made by a factory")
        #expect(context.isRegistered(Lazy<Int>.self) && context.isRegistered(Int?.self))
        #expect(!context.isRegistered(Float.self), "its module is off")
        #expect(!context.isRegistered(UInt.self))
        #expect(!context.isRegistered(Settings.self), "decoded without being registered")
        #expect(made.value == 0)
    }

    @Test func qualifiers_count() throws {
        let context = try context()
        #expect(context.isRegistered(String.self))
        #expect(context.isRegistered(String.self, qualifier: "file"))
        #expect(context.isRegistered(String.self, qualifier: .property("choice")))
        #expect(!context.isRegistered(String.self, qualifier: "console"))
        #expect(!context.isRegistered(String.self, qualifier: .property("none")))
        #expect(!context.isRegistered(Int.self, qualifier: "file"))
        #expect(!context.isRegistered(Product.self, qualifier: "file"))
    }

    @Test func changes_areFollowed_inAChildToo() throws {
        let context = try context()
        let child = try context.child()
        #expect(!child.isRegistered(Float.self))
        let push = try context.push(Module("Fake") { $0.register(Float.self) { 1 } })
        #expect(child.isRegistered(Float.self))
        push.pop()
        #expect(!child.isRegistered(Float.self))
    }
}
