import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

private protocol Logger: Sendable {}
private final class Console: Logger, Component {
    static func register(in registry: Registry) { registry.register((any Logger).self) { Console() } }
}
private struct Invoice: Sendable {}
extension Scope {
    fileprivate static let billing = Scope("billing")
}

@Suite("Registrations that make no sense are reported when their module is loaded")
struct PointlessRegistrationTests {
    private static let cases = [
        (
            Module("Shop") { registry in
                registry.register { Console() }.alias(Console.self, fileID: file, line: 2) { $0 }
            },
            """
            Shop/Shop.swift:2: Console cannot be an alias of itself: it is already the key of the registration
              fix: remove the alias, or pass another type or qualifier
            """
        ),
        (
            Module("Shop") { registry in
                registry.register { Console() }
                    .alias((any Logger).self, fileID: file, line: 2) { $0 }
                    .alias((any Logger).self, qualifier: "other", fileID: file, line: 3) { $0 }
                    .alias((any Logger).self, fileID: file, line: 4) { $0 }
            },
            """
            Shop/Shop.swift:4: alias any Logger is declared twice: it is already declared at Shop/Shop.swift:2
              fix: declare it once, or give one of them another qualifier
            """
        ),
        (
            Module("Shop", components: [Console.self, Console.self], fileID: file, line: 3),
            """
            Shop/Shop.swift:3: component Console is listed twice
              fix: list it once in `components:`
            """
        ),
        (
            Module("Shop") { registry in
                registry.factory(Invoice.self, fileID: file, line: 4) { (_: Resolver, _: Int) in Invoice() }
            },
            """
            Shop/Shop.swift:4: the payload of the factory of Invoice cannot be a Resolver
              fix: take the Resolver after the payload: { (payload: …, resolver: Resolver) in … }
            """
        ),
        (
            Module("Shop") { registry in
                registry.factory(Invoice.self, fileID: file, line: 4) { (_: RequestSite) in Invoice() }
            },
            """
            Shop/Shop.swift:4: the payload of the factory of Invoice cannot be a RequestSite
              fix: take the RequestSite after the payload; without a payload, register Invoice with scope: .prototype
            """
        ),
        (
            Module("Shop") { registry in
                registry.input(Invoice.self, scope: .billing, fileID: file, line: 5)
                registry.input(Invoice.self, qualifier: "a", scope: .billing, fileID: file, line: 6)
                registry.input(Invoice.self, scope: .billing, fileID: file, line: 7)
            },
            """
            Shop/Shop.swift:7: input Invoice is declared twice: it is already declared at Shop/Shop.swift:5
              fix: declare it once, or give one of them another qualifier
            """
        ),
    ]

    @Test(arguments: cases)
    func load_throws(module: Module, text: String) {
        #expect(message { try AppContext().load(module) } == text)
    }

    @Test func soundForms_areLoaded() throws {
        let context = try AppContext().load(
            Module("Shop", components: [Console.self]) { registry in
                registry.register { Console() }.alias(Console.self, qualifier: "second") { $0 }
                registry.factory(Invoice.self) { (_: Int, _: Resolver) in Invoice() }
                registry.input(Int.self, scope: .billing)
                registry.input(Int.self, qualifier: "a", scope: .billing)
            },
            Module("Office") { $0.input(Int.self, scope: .billing) })
        #expect(context.validate().errors == [])
    }
}
