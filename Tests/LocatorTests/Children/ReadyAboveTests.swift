import Locator
import Testing

/// Repeated requests in a child that has a module of its own, and in a child of it, for what the outermost context holds.
@Suite("A repeated request in a child gives what its parents give now")
struct ReadyAboveTests {
    final class Store: Sendable {
        let name: String

        init(name: String) {
            self.name = name
        }
    }

    final class Shop: Sendable {
        let store: Store

        init(store: Store) {
            self.store = store
        }
    }

    final class Visit {
        let shop: Shop

        init(shop: Shop) {
            self.shop = shop
        }
    }

    final class Screen {
        @Dependency var shop: Shop
    }

    static func store(_ name: String) -> Module { Module(name) { $0.register { Store(name: name) } } }

    static let shop = Module("Shop", properties: ["limit": 1]) { registry in
        registry.register(Shop.init)
        registry.register(scope: .prototype, Visit.init)
    }

    /// The outermost context, and its children, each with a module of its own.
    struct Family {
        let root: AppContext
        let child: AppContext
        let grandchild: AppContext

        init() throws {
            root = try AppContext().load(ReadyAboveTests.store("first"), ReadyAboveTests.shop)
            child = try root.child(pushing: Module("Child") { $0.register(qualifier: "own") { 1 } })
            grandchild = try child.child(pushing: Module("Grandchild") { $0.register(qualifier: "own") { 2 } })
        }

        var contexts: [AppContext] { [root, child, grandchild] }

        /// The names that the contexts give, each asked three times in three ways.
        func names() throws -> [String] {
            try contexts.map { context in
                let screen = AppContext.withContext(context) { Screen() }
                var shops: [Shop] = []
                for _ in 0..<3 {
                    shops += [try context.resolve(Shop.self), screen.shop, try context.resolve(Visit.self).shop]
                }
                #expect(shops.allSatisfy { $0 === shops[0] })
                return shops[0].store.name
            }
        }
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let names: [String]
        let make: @Sendable (Family) throws -> Void

        init(_ name: String, _ names: [String], _ make: @escaping @Sendable (Family) throws -> Void) {
            testDescription = name
            self.names = names
            self.make = make
        }
    }

    static let changes = [
        Change("push above", ["new", "new", "new"]) { try $0.root.push(store("new")) },
        Change("load above", ["new", "new", "new"]) { try $0.root.load(store("new"), priority: .high) },
        Change("push in the child", ["first", "new", "new"]) { try $0.child.push(store("new")) },
        Change("push in the grandchild", ["first", "first", "new"]) { try $0.grandchild.push(store("new")) },
        Change("pushes in both", ["first", "new", "newer"]) {
            try $0.child.push(store("new"))
            try $0.grandchild.push(store("newer"))
        },
        Change("push and pop above", ["first", "first", "first"]) {
            let push = try $0.root.push(store("new"))
            _ = try $0.grandchild.resolve(Shop.self)
            push.pop()
        },
    ]

    @Test("A change in between has its effect", arguments: changes)
    func change(_ change: Change) throws {
        let family = try Family()
        #expect(try family.names() == ["first", "first", "first"])
        try change.make(family)
        #expect(try family.names() == change.names)
        #expect(try family.names() == change.names)
    }

    @Test("After a reset above, every context gives the new instance")
    func reset() throws {
        let family = try Family()
        _ = try family.names()
        let old = try family.grandchild.resolve(Shop.self)
        try family.root.reset()
        let new = try family.grandchild.resolve(Shop.self)
        #expect(new !== old)
        for context in family.contexts { #expect(try context.resolve(Shop.self) === new) }
    }

    @Test("A child that is not used does not keep an instance of its parent")
    func idleChild_keepsNothing() throws {
        let family = try Family()
        weak var shop: Shop?
        do {
            let contexts = family.contexts
            for _ in 0..<3 { for context in contexts { shop = try context.resolve(Shop.self) } }
            #expect(shop != nil)
        }
        try family.root.reset()
        #expect(shop == nil)
        #expect(try family.grandchild.resolve(Shop.self).store.name == "first")
    }

    @Test("An observer of a parent is notified of repeated requests in a child")
    func observer() throws {
        let family = try Family()
        _ = try family.names()
        let events = Counter()
        let observation = family.child.observe { if case .resolved = $0 { events.next() } }
        for _ in 0..<3 { _ = try family.child.resolve(Shop.self) }
        #expect(events.value == 3)
        observation.end()
        _ = try family.child.resolve(Shop.self)
        #expect(events.value == 3)
    }
}
