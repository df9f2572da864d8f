import Locator
import Testing

extension Scope {
    fileprivate static let request = Scope("request")
    fileprivate static let session = Scope("session")
}

/// Families whose factory closures read one another's contexts, each found by a random program.
@Suite("A balanced push and pop changes no instance of a family of contexts")
struct BalancedFamilyTests {
    private final class Part: Sendable {}

    /// A server, its child, and the child of that.
    ///
    /// The child opens the scope `request`, and the grandchild `session`.
    @TaskLocal private static var contexts: [AppContext] = []

    /// A wrapper of one of the contexts.
    private static func wrapper(_ key: Qualifier, of context: Int) -> Dependency<Part> {
        AppContext.withContext(contexts[context]) { Dependency(qualifier: key) }
    }

    /// Registers a part that is made from what `read` reads.
    private static func add(
        _ key: Qualifier, _ scope: Scope = .singleton, to registry: Registry, _ read: @escaping Read = { _ in }
    ) -> Registration<Part> {
        registry.register(Part.self, qualifier: key, scope: scope) { (resolver: Resolver) in
            try read(resolver)
            return Part()
        }
    }

    private typealias Read = @Sendable (Resolver) throws -> Void

    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let asked: (key: Qualifier, context: Int)
        let pushedIn: Int
        let base: @Sendable (Registry) -> Void
        let pushed: @Sendable (Registry) -> Void
    }

    private static let cases = [
        Case(
            testDescription: "A part of the child is in the way until the pop", asked: ("shelf", 1), pushedIn: 1,
            base: { registry in
                _ = add("theme", to: registry)
                _ = add("page", to: registry) { _ in _ = try Dependency<Part>(qualifier: "theme").resolved() }
                _ = add("shelf", to: registry) { _ in _ = try contexts[0].resolve(Part.self, qualifier: "page") }
            },
            pushed: { registry in
                registry.decorate(Part.self, qualifier: "theme") { (_: Part) in Part() }
                registry.decorate(Part.self, qualifier: "shelf") { (_: Part, resolver: Resolver) in
                    _ = try resolver.resolve(Part.self, qualifier: "page")
                    return Part()
                }
            }),
        Case(
            testDescription: "A part that is being made is in the way", asked: ("shelf", 1), pushedIn: 1,
            base: { registry in
                add("theme", to: registry).injecting { (_: Part, _: Resolver) in
                    _ = try? contexts[0].resolve(Part.self, qualifier: "shelf")
                }
                registry.register(Part.self, qualifier: "page", scope: .prototype, parameterQualifiers: ["theme"]) {
                    (_: Part) in Part()
                }
                registry.register(Part.self, qualifier: "shelf", parameterQualifiers: ["page"]) { (_: Part) in Part() }
            },
            pushed: { registry in
                registry.register(Part.self, qualifier: "page", parameterQualifiers: ["theme"]) { (_: Part) in Part() }
            }),
        Case(
            testDescription: "Injections join the child's own parts", asked: ("user", 1), pushedIn: 1,
            base: { registry in
                add("user", to: registry).injecting { (_: Part, _: Resolver) in
                    _ = try wrapper("title", of: 0).resolved()
                }
                _ = add("title", to: registry) { _ = try $0.resolve(Part.self, qualifier: "user") }
                registry.decorate(Part.self, qualifier: "user") { (_: Part) in Part() }
            },
            pushed: { _ = add("title", to: $0) }),
        Case(
            testDescription: "The server and the child have a part each", asked: ("account", 2), pushedIn: 2,
            base: { registry in
                add("user", .request, to: registry).injecting { (_: Part, _: Resolver) in
                    _ = try contexts[0].resolve(Part.self, qualifier: "cart")
                }
                _ = add("cart", .request, to: registry) { _ in
                    _ = try contexts[0].resolve(Part.self, qualifier: "user")
                }
                registry.register(Part.self, qualifier: "page", scope: .session, parameterQualifiers: ["user"]) {
                    (_: Part) in Part()
                }
                .injecting { (_: Part, _: Resolver) in _ = try Dependency<Part>(qualifier: "user").resolved() }
                registry.register(Part.self, qualifier: "account", scope: .session, parameterQualifiers: ["page"]) {
                    (_: Part) in Part()
                }
            },
            pushed: { _ = add("user", .session, to: $0) }),
    ]

    @Test(arguments: cases)
    private func pushAndPop(_ test: Case) throws {
        let server = try AppContext().load(Module("Base", test.base), .naming(.request, .session))
        let child = try server.child(opening: .request)
        let contexts = [server, child, try child.child(opening: .session)]
        try Self.$contexts.withValue(contexts) {
            let asked = contexts[test.asked.context]
            let part = try asked.resolve(Part.self, qualifier: test.asked.key)
            for _ in 0..<2 {
                try contexts[test.pushedIn].push(Module("Pushed", test.pushed))
                #expect(try asked.resolve(Part.self, qualifier: test.asked.key) !== part)
                contexts[test.pushedIn].pop()
                #expect(try asked.resolve(Part.self, qualifier: test.asked.key) === part)
            }
        }
    }

    /// The grandchild has pushed the module itself, so what the child pushes does not change its answers.
    @Test("An answer of a grandchild does not count as one of the contexts above")
    func sameAnswerBelow() throws {
        let themes = Module("Themes", properties: ["theme": "dark"]) { registry in
            _ = Self.add("theme", to: registry)
        }
        let server = try AppContext().load(
            Module("Base") { registry in
                _ = Self.add("list", to: registry) { _ in
                    _ = try Self.contexts[2].resolveAll(Part.self, qualifier: "theme")
                }
                _ = Self.add("text", to: registry) { _ in _ = try Self.contexts[2].value("theme", as: String.self) }
            })
        let child = try server.child()
        let contexts = [server, child, try child.child()]
        try server.push(themes)
        try contexts[2].push(themes)
        try Self.$contexts.withValue(contexts) {
            for key in ["list", "text"] as [Qualifier] {
                for asked in [server, child] {
                    let part = try asked.resolve(Part.self, qualifier: key)
                    try child.push(Module("Pushed", properties: ["theme": "light"]) { $0.replaceAll(Part.self) })
                    #expect(try asked.resolve(Part.self, qualifier: key) === part)
                    child.pop()
                    #expect(try asked.resolve(Part.self, qualifier: key) === part)
                }
            }
        }
    }
}
