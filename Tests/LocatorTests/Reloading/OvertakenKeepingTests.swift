import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request", requiresOpening: true)
}

/// A singleton that is made from settings.
private final class Database: Sendable {
    let url: String
    init(url: String) { self.url = url }
}

/// A singleton that is made from another one.
private final class Store: Sendable {
    let database: Database
    init(database: Database) { self.database = database }
}

private final class Shop: Sendable {
    let store: Store
    let database: Database

    init(store: Store, database: Database) {
        self.store = store
        self.database = database
    }
}

/// An instance of a request.
private final class Work: Sendable {
    let shop: Shop
    init(shop: Shop) { self.shop = shop }
}

/// Other ways to open a child.
private struct Child: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// How many reloads come before the request.
    var reloads = 0
    let open: @Sendable (AppContext) throws -> AppContext

    static let all = [
        Child(testDescription: "a child") { try $0.child(keepsSettings: true) },
        Child(testDescription: "one of a request") { try $0.child(opening: .request, keepsSettings: true) },
        Child(testDescription: "one that keeps an earlier load", reloads: 1) { try $0.child(keepsSettings: true) },
        Child(testDescription: "one of a request that keeps an earlier load", reloads: 1) {
            try $0.child(opening: .request, keepsSettings: true)
        },
        Child(testDescription: "one with a module") { context in
            let child = try context.child(pushing: .text("text"), keepsSettings: true)
            _ = try child.resolve(String.self)
            return child
        },
        Child(testDescription: "one below a child") { context in
            try context.child(opening: .request).child(keepsSettings: true)
        },
        Child(testDescription: "one below a child that keeps them") { context in
            try context.child(keepsSettings: true).child(opening: .request)
        },
    ]
}

/// What is being made during the reload.
private enum Making: CaseIterable {
    case database, store, shop
}

@Suite("A child that keeps its settings has one object per registration, even if making it is overtaken")
struct OvertakenKeepingTests {
    private let log = Log()
    private let context = AppContext()
    private let files = MemoryFiles(Self.load(1))
    /// Runs once while something is made.
    private let action = Late<@Sendable (Making, String) throws -> Void>()

    private static func load(_ number: Int) -> String { #"{ "url": "db\#(number)" }"# }

    init() throws {
        let run: @Sendable (Making, String) throws -> Void = { [action] in try action.value?($0, $1) }
        let shop = Module("Shop") { [log] registry in
            registry.register(Database.self) { (resolver: Resolver) in
                let url: String = try resolver.value("url")
                log("make \(url)")
                try run(.database, url)
                return Database(url: url)
            }
            .onDispose { log("dispose of \($0.url)") }
            registry.register(Store.self) { (database: Database) in
                log("make store of \(database.url)")
                try run(.store, database.url)
                return Store(database: database)
            }
            .onDispose { log("dispose of store of \($0.database.url)") }
            registry.register(Shop.self) { (store: Store, database: Database) in
                log("make shop of \(database.url)")
                try run(.shop, database.url)
                return Shop(store: store, database: database)
            }
            .onDispose { log("dispose of shop of \($0.database.url)") }
            registry.register(scope: .request, Work.init)
        }
        try context.loadProperties(files.source).load(shop)
    }

    private func reload(_ number: Int) throws {
        files.content = Self.load(number)
        try context.reloadProperties()
    }

    /// Reloads on another thread the next time that `making` runs with the first settings.
    private func reload(_ number: Int, during making: Making) {
        action.value = { [self] now, url in
            guard now == making, url == "db1" else { return }
            action.value = nil
            try onThread { try self.reload(number) }
        }
    }

    /// What has happened to objects of the first settings since the last call.
    private func takeLog() -> [String] { log.take().filter { $0.hasSuffix("db1") } }

    private static let made = ["make db1", "make store of db1", "make shop of db1"]
    private static let disposed = ["dispose of shop of db1", "dispose of store of db1", "dispose of db1"]

    @Test("An overtaken instance is made once and returned until the child ends", arguments: Child.all, Making.allCases)
    private func overtaken_isKept(kind: Child, making: Making) throws {
        var child: AppContext? = try kind.open(context)
        for number in 0..<kind.reloads { try reload(2 + number) }
        reload(5, during: making)
        let shop = try child?.resolve(Shop.self)
        #expect(shop?.store.database === shop?.database)
        #expect(try child?.resolve(Shop.self) === shop)
        #expect(try child?.resolve(Store.self) === shop?.store)
        #expect(try child?.resolve(Database.self) === shop?.database)
        #expect(takeLog() == Self.made)
        try reload(6)
        #expect(try child?.resolve(Shop.self) === shop)
        #expect(try child?.resolve(Database.self) === shop?.database)
        #expect(takeLog() == [])
        child = nil
        // A child above it that keeps the settings ends with it.
        #expect(takeLog() == Self.disposed)
        #expect(try context.resolve(Shop.self).database.url == "db6")
    }

    @Test("It is also kept if an instance of a request needs it", arguments: Making.allCases, [1, 4])
    private func overtaken_isKeptForARequest(making: Making, children: Int) throws {
        // The later children of a kind are lean.
        for _ in 1..<children { _ = try context.child(opening: .request, keepsSettings: true) }
        var child: AppContext? = try context.child(opening: .request, keepsSettings: true)
        reload(5, during: making)
        let work = try child?.resolve(Work.self)
        #expect(try child?.resolve(Work.self) === work)
        #expect(try child?.resolve(Shop.self) === work?.shop)
        #expect(try child?.resolve(Database.self) === work?.shop.database)
        #expect(takeLog() == Self.made)
        child = nil
        #expect(takeLog() == Self.disposed)
    }

    @Test("All children of the load get it", arguments: Making.allCases)
    private func overtaken_isGivenToAll(making: Making) throws {
        var children = try (0..<3).map { _ in try context.child(keepsSettings: true) }
        reload(5, during: making)
        let shop = try children[0].resolve(Shop.self)
        for child in children { #expect(try child.resolve(Shop.self) === shop) }
        #expect(takeLog() == Self.made)
        children.removeFirst(2)
        #expect(takeLog() == [])
        #expect(try children[0].resolve(Shop.self) === shop)
        children = []
        #expect(takeLog() == Self.disposed)
    }

    @Test("An instance that another request of the parent makes is also kept")
    func overtaken_isKept_whateverRequestedIt() throws {
        var child: AppContext? = try context.child(keepsSettings: true)
        reload(5, during: .store)
        let shop = try context.resolve(Shop.self)
        #expect(shop.database.url == "db1")
        #expect(try child?.resolve(Shop.self) === shop)
        #expect(takeLog() == Self.made)
        child = nil
        #expect(takeLog() == Self.disposed)
    }

    @Test("A second reload while it is made changes nothing")
    func overtakenTwice_isKept() throws {
        var child: AppContext? = try context.child(keepsSettings: true)
        reload(5, during: .database)
        let database = try child?.resolve(Database.self)
        action.value = { [self] now, _ in
            guard now == .shop else { return }
            action.value = nil
            for number in [6, 1, 7] { try onThread { try self.reload(number) } }
        }
        let shop = try child?.resolve(Shop.self)
        #expect(shop?.database === database)
        #expect(try child?.resolve(Shop.self) === shop)
        #expect(try child?.resolve(Store.self) === shop?.store)
        #expect(takeLog() == Self.made)
        child = nil
        #expect(takeLog() == Self.disposed)
    }

    @Test("A reload that restores the settings makes no second object")
    func settingsOfBefore_giveNoSecondObject() throws {
        let child = try context.child(keepsSettings: true)
        let database = try child.resolve(Database.self)
        try reload(3)
        try reload(1)
        // The parent makes all of them again, from the same settings.
        #expect(try context.resolve(Shop.self).database !== database)
        let shop = try child.resolve(Shop.self)
        #expect(shop.database === database)
        #expect(shop.store.database === database)
        #expect(try child.resolve(Database.self) === database)
    }

    @Test("Everything in it is made from its own instances")
    func ownObjects_areUsed() throws {
        let child = try context.child(keepsSettings: true)
        try reload(3)
        let database = try child.resolve(Database.self)
        try reload(1)
        _ = try context.resolve(Shop.self)
        let shop = try child.resolve(Shop.self)
        #expect(shop.database === database)
        #expect(shop.store.database === database)
    }

    @Test("A reset that overtakes it ends it")
    func reset_endsIt() throws {
        let child = try context.child(keepsSettings: true)
        action.value = { [self] now, _ in
            guard now == .store else { return }
            action.value = nil
            try onThread {
                try self.reload(3)
                try self.context.reset()
            }
        }
        let shop = try child.resolve(Shop.self)
        #expect(shop.store.database === shop.database)
        #expect(takeLog() == Self.made + Self.disposed + Self.made)
        #expect(try child.resolve(Shop.self) === shop)
    }

    @Test("An instance that a reset ends while it is made is not kept", arguments: [false, true])
    func reset_endsWhatIsBeingMade(isRequestedInChild: Bool) throws {
        let child = try context.child(keepsSettings: true)
        action.value = { [self] _, _ in
            action.value = nil
            try onThread {
                try self.reload(3)
                try self.context.reset()
            }
        }
        let first = try (isRequestedInChild ? child : context).resolve(Database.self)
        let database = try child.resolve(Database.self)
        #expect(database.url == "db1")
        #expect((first === database) == isRequestedInChild)
        #expect(takeLog() == ["make db1", "dispose of db1", "make db1"])
        #expect(try child.resolve(Database.self) === database)
    }
}
