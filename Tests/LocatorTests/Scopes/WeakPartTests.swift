import Locator
import Testing

extension Scope {
    fileprivate static let session = Scope("session")
}

private protocol Role: Sendable {}

/// Made from the setting `level`, with scope `.weak`.
private final class Page: Role {
    let level: Int
    init(level: Int) { self.level = level }
}

private final class User: Sendable {
    let page: Page?
    init(page: Page? = nil) { self.page = page }
}

private struct Reader {
    @Dependency var page: Page
}

@Suite("A .weak dependency counts through its reads, unless it is alive and held")
struct WeakPartTests {
    private let log = Log()
    private let context = AppContext()

    /// A way to use a page.
    private struct Use: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isHolding: Bool
        let register: @Sendable (Registry, Scope) -> Registration<User>

        init(
            _ name: String, isHolding: Bool = false,
            _ register: @escaping @Sendable (Registry, Scope) -> Registration<User>
        ) {
            testDescription = name
            self.isHolding = isHolding
            self.register = register
        }
    }

    private static let uses = [
        Use("once") { registry, scope in
            registry.register(User.self, scope: scope) { (_: Page) in User() }
        },
        Use("twice") { registry, scope in
            registry.register(User.self, scope: scope) { (resolver: Resolver) in
                _ = try resolver.resolve(Page.self)
                _ = try resolver.resolve(Page.self)
                return User()
            }
        },
        Use("held by its user", isHolding: true) { registry, scope in
            registry.register(User.self, scope: scope) { (page: Page) in User(page: page) }
        },
        Use("dropped and then held by its user", isHolding: true) { registry, scope in
            registry.register(User.self, scope: scope) { (resolver: Resolver) in
                _ = try resolver.resolve(Page.self)
                return User(page: try resolver.resolve(Page.self))
            }
        },
        Use("wrapper") { registry, scope in
            registry.register(User.self, scope: scope) {
                _ = Reader().page
                _ = Reader().page
                return User()
            }
        },
        Use("collection") { registry, scope in
            registry.register(User.self, scope: scope) { (_: [Page], resolver: Resolver) in
                _ = try resolver.resolveAll(Page.self)
                return User()
            }
        },
        Use("alias") { registry, scope in
            registry.register(User.self, scope: scope) { (resolver: Resolver) in
                _ = try resolver.resolve((any Role).self)
                _ = try resolver.resolve((any Role).self)
                return User()
            }
        },
        Use("decorator") { registry, scope in
            registry.decorate(Page.self) { base in Page(level: base.level) }
            return registry.register(User.self, scope: scope) { (resolver: Resolver) in
                _ = try resolver.resolve(Page.self)
                _ = try resolver.resolve(Page.self)
                return User()
            }
        },
        Use("prototype in between") { registry, scope in
            registry.register(String.self, scope: .prototype) { (page: Page) in "page \(page.level)" }
            return registry.register(User.self, scope: scope) { (_: String, resolver: Resolver) in
                _ = try resolver.resolve(String.self)
                return User()
            }
        },
    ]

    private static let scopes: [Scope] = [.singleton, .session]

    private let fakeLevel = Module("Fake level", properties: ["level": 7])
    private let fakePage = Module("Fake page") { $0.register(Page.self, scope: .weak) { Page(level: 8) } }
    private let unrelated = Module("Unrelated", properties: ["other": 1]) { $0.register(Int.self) { 1 } }

    private func load(_ use: Use, _ scope: Scope) throws {
        let module = Module("Shop", properties: ["level": 1]) { [log] registry in
            registry.register(Page.self, scope: .weak) { (resolver: Resolver) in
                Page(level: try resolver.value("level"))
            }
            .alias((any Role).self) { $0 }
            _ = use.register(registry, scope).onDispose { _ in log("dispose of user") }
        }
        try context.load(module)
    }

    @Test("Its dependent is made once and kept", arguments: uses, scopes)
    private func user_isKept(use: Use, scope: Scope) throws {
        try load(use, scope)
        let user = try context.resolve(User.self)
        #expect(try context.resolve(User.self) === user)
        #expect(log.take() == [])
        #expect(context.existing(User.self) === user)
    }

    @Test("A push that does not affect it keeps its dependent", arguments: uses, scopes)
    private func unrelatedPush_leavesTheUser(use: Use, scope: Scope) throws {
        try load(use, scope)
        let user = try context.resolve(User.self)
        try context.push(unrelated)
        #expect(try context.resolve(User.self) === user)
        context.pop()
        #expect(try context.resolve(User.self) === user)
        #expect(log.take() == [])
    }

    @Test("After a push and pop that affect it, its dependent is the identical object", arguments: uses, scopes)
    private func affectingPush_bringsTheUserBack(use: Use, scope: Scope) throws {
        try load(use, scope)
        let user = try context.resolve(User.self)
        for fake in [fakeLevel, fakePage] {
            try context.push(fake)
            let other = try context.resolve(User.self)
            #expect(other !== user)
            #expect(try context.resolve(User.self) === other)
            context.pop()
            #expect(try context.resolve(User.self) === user)
            #expect(log.take() == ["dispose of user"])
        }
    }

    @Test("Its dependent returns even if other code holds another instance", arguments: uses, scopes)
    private func affectingPush_bringsTheUserBack_whileAnotherIsHeld(use: Use, scope: Scope) throws {
        try load(use, scope)
        let user = try context.resolve(User.self)
        let held = try context.resolve(Page.self)
        for fake in [fakeLevel, fakePage] {
            try context.push(fake)
            #expect(try context.resolve(User.self) !== user)
            #expect(try context.resolve(Page.self) !== held)
            context.pop()
            #expect(try context.resolve(User.self) === user)
            #expect(try context.resolve(Page.self) === held)
        }
        #expect(log.take() == ["dispose of user", "dispose of user"])
    }

    @Test("Its dependent returns even if it was released during the push", arguments: uses, scopes)
    private func affectingPush_bringsTheUserBack_whenItEndedMeanwhile(use: Use, scope: Scope) throws {
        try load(use, scope)
        var held: Page? = try context.resolve(Page.self)
        let user = try context.resolve(User.self)
        if use.isHolding { #expect(user.page === held) }
        try context.push(fakeLevel)
        held = nil
        #expect(try context.resolve(User.self) !== user)
        context.pop()
        #expect(try context.resolve(User.self) === user)
        _ = held
    }

    @Test("Unaffected instances made during the push stay", arguments: uses, scopes)
    private func unaffectedUser_staysAfterThePop(use: Use, scope: Scope) throws {
        try load(use, scope)
        try context.push(unrelated)
        let user = try context.resolve(User.self)
        context.pop()
        #expect(try context.resolve(User.self) === user)
        #expect(log.take() == [])
    }

    @Test("A reset ends its dependent once", arguments: uses, scopes)
    private func reset_endsTheUser(use: Use, scope: Scope) throws {
        try load(use, scope)
        let user = try context.resolve(User.self)
        try context.reset(scope)
        #expect(log.take() == ["dispose of user"])
        let next = try context.resolve(User.self)
        #expect(next !== user)
        try context.reset()
        #expect(log.take() == ["dispose of user"])
        #expect(try context.resolve(User.self) !== next)
    }

    @Test("Unloading the module of its dependency ends its dependent", arguments: uses, scopes)
    private func unload_endsTheUser(use: Use, scope: Scope) throws {
        try load(use, scope)
        let part = Module("Part", properties: ["level": 5])
        try context.load(part, priority: .high)
        let user = try context.resolve(User.self)
        try context.unload(part)
        #expect(log.take() == ["dispose of user"])
        #expect(try context.resolve(User.self) !== user)
    }

    @Test("A wrapper keeps a prototype that used one only briefly", arguments: uses)
    private func wrapper_keepsAPrototype(use: Use) throws {
        final class Visit: Sendable {}
        struct Holder {
            @Dependency var visit: Visit
        }
        try load(use, .singleton)
        try context.load(
            Module("Visit") { registry in
                registry.register(Visit.self, scope: .prototype) { (_: Page) in Visit() }
            })
        let holder = AppContext.withContext(context) { Holder() }
        let visit = holder.visit
        try context.push(unrelated)
        #expect(holder.visit === visit)
        try context.push(fakeLevel)
        #expect(holder.visit !== visit)
    }

    @Test("A child returns its parent's instance that depends on one", arguments: uses)
    private func child_givesTheParentsUser(use: Use) throws {
        try load(use, .singleton)
        let user = try context.resolve(User.self)
        let child = try context.child(pushing: unrelated)
        #expect(try child.resolve(User.self) === user)
        let other = try context.child(pushing: fakeLevel)
        let own = try other.resolve(User.self)
        #expect(own !== user)
        #expect(try other.resolve(User.self) === own)
        #expect(try context.resolve(User.self) === user)
        #expect(log.take() == [])
    }
}
