import Locator
import Testing

private final class Cat: Sendable {}

private final class Shelter: Sendable {
    let cats: [Cat?]
    init(cats: [Cat?]) { self.cats = cats }
}

private final class Holder {
    let cats = DependencyArray<Cat?>(fileID: "Shop/Holder.swift", line: 7)
}

@Suite("An array whose elements cannot be registered is an error, not an empty array")
struct ArrayOfWrappedTests {
    private static let module = Module("Cats") { registry in
        registry.register { Cat() }
        registry.register(
            Shelter.self, scope: .prototype, fileID: "Shop/Cats.swift", line: 3, Shelter.init)
    }

    private static func fix(_ type: String) -> String {
        "fix: take [Cat], or something that resolves this array later: a \(type) cannot be registered, so it is "
            + "never an element"
    }

    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let ask: @Sendable (AppContext) throws -> Void
        init(_ type: String, _ ask: @escaping @Sendable (AppContext) throws -> Void) {
            testDescription = type
            self.ask = ask
        }
    }

    private static let ways = [
        Way("Optional<Cat>") { _ = try $0.resolveAll(Cat?.self, fileID: "Shop/Main.swift", line: 5) },
        Way("Optional<Cat>") { _ = try $0.resolve([Cat?].self, fileID: "Shop/Main.swift", line: 5) },
        Way("Array<Cat>") { _ = try $0.resolve([[Cat]].self, fileID: "Shop/Main.swift", line: 5) },
        Way("Lazy<Cat>") { _ = try $0.resolve([Lazy<Cat>].self, fileID: "Shop/Main.swift", line: 5) },
        Way("Cat? by qualifier") { _ = try $0.resolveMap(Cat?.self, fileID: "Shop/Main.swift", line: 5) },
        Way("Provider<Cat>") {
            _ = try $0.resolveAll(Provider<Cat>.self, qualifier: "x", fileID: "Shop/Main.swift", line: 5)
        },
    ]

    @Test(arguments: ways, [false, true])
    private func request(way: Way, inAChild: Bool) throws {
        let context = try AppContext().load(Self.module)
        let user = inAChild ? try context.child() : context
        for _ in 0..<2 {
            let text = message { try way.ask(user) }
            #expect(text?.hasPrefix("Shop/Main.swift:5: ") == true, "\(text ?? "")")
            #expect(text?.contains("fix: take [Cat], ") == true, "\(text ?? "")")
        }
    }

    @Test(arguments: [false, true])
    func parameter(inAChild: Bool) throws {
        let context = try AppContext().load(Self.module)
        let user = inAChild ? try context.child() : context
        for _ in 0..<2 {
            #expect(message { try user.resolve(Shelter.self) }?.contains("fix: take [Cat], ") == true)
        }
    }

    @Test func wrapper() throws {
        let context = try AppContext().load(Self.module)
        let holder = AppContext.withContext(context) { Holder() }
        #expect(
            message { try holder.cats.resolved() } == """
                Shop/Holder.swift:7: Cat? is not registered
                  \(Self.fix("Cat?"))
                """)
    }

    @Test func validation() throws {
        let context = try AppContext().load(Self.module)
        #expect(
            "\(context.validate())" == """
                Shop/Cats.swift:3: error: Shelter takes an array of Cat?, which cannot be registered
                  \(Self.fix("Cat?"))
                1 error in 2 registrations
                """)
    }
}
