import Locator
import Testing

/// `child(opening:pushing:)`: what a server needs for each request.
@Suite struct `A child context` {
    final class Database: Sendable {}
    final class Settings: Sendable { let database: Database; init(database: Database) { self.database = database } }
    final class User: Sendable { let name: String; init(name: String) { self.name = name } }
    final class RequestLog: Sendable { let user: User; init(user: User) { self.user = user } }
    final class Greeter: Sendable {
        let user: User
        let settings: Settings
        init(user: User, settings: Settings) { self.user = user; self.settings = settings }
    }

    static let server = Module("Server") { registry in
        registry.register(Database.init)
        registry.register(Settings.init)
        registry.register { User(name: "nobody") }
        registry.register(scope: Scope("request"), RequestLog.init)
        registry.register(Greeter.init)
    }
    static func request(of name: String) -> Module {
        Module("Request of \(name)") { $0.register { User(name: name) } }
    }

    @Test func `shares what its modules do not affect, whichever context makes it first`() throws {
        let context = AppContext()
        try context.load(Self.server)
        let first = try context.child(opening: Scope("request"), pushing: Self.request(of: "Ada"))
        let second = try context.child(opening: Scope("request"), pushing: Self.request(of: "Bob"))
        let settings = try first.resolve(Settings.self)
        #expect(try second.resolve(Settings.self) === settings)
        #expect(try context.resolve(Settings.self) === settings)
        #expect(context.existing(Database.self) === settings.database)
    }

    @Test func `has its own of what its modules affect, built from what is shared`() throws {
        let context = AppContext()
        try context.load(Self.server)
        let child = try context.child(opening: Scope("request"), pushing: Self.request(of: "Ada"))
        let greeter = try child.resolve(Greeter.self)
        #expect(greeter.user.name == "Ada")
        #expect(try context.resolve(Greeter.self).user.name == "nobody")
        #expect(try context.resolve(Greeter.self).settings === greeter.settings)
        #expect(try child.resolve(Greeter.self) === greeter)
    }

    @Test func `disposes in reverse order of making when it resets a scope of its parent`() throws {
        final class Session: Sendable {}
        final class Own: Sendable {}
        final class Guest: Sendable { init(_ session: Session) {} }
        let log = Tally<String>()
        let session = Scope("session")
        let context = try AppContext().load(Module("Server") { $0.register(scope: session, Session.init) })
        let child = try context.child(
            pushing: Module("Request") { registry in
                registry.register(scope: session, Own.init).onDispose { _ in log.append("own") }
                registry.register(Guest.init).onDispose { _ in log.append("guest") }
            })
        _ = (try child.resolve(Own.self), try child.resolve(Guest.self))
        try child.reset(session)
        #expect(log.elements == ["guest", "own"])
    }

    @Test func `gives a fork the files of its parent, to be read again`() throws {
        let files = MemoryFiles(#"{"server": {"port": 80}}"#)
        let context = try AppContext().loadProperties(files.source)
        let fork = try context.child().fork()
        try fork.reloadProperties()
        #expect(try fork.value("server.port", as: Int.self) == 80)
    }

    @Test func `disposes of what was made from a module that its parent unloads`() throws {
        let ended = Counter()
        let requests = Module("Requests") { registry in
            registry.register(scope: Scope("request")) { User(name: "Ada") }.onDispose { _ in ended.next() }
        }
        let context = try AppContext().load(requests)
        let child = try context.child(opening: Scope("request"))
        _ = try child.resolve(User.self)
        try context.unload(requests)
        #expect(throws: LocatorError.self) { try child.resolve(User.self) }
        #expect(ended.value == 1)
    }

    @Test func `owns the instances of the scopes it opens, and disposes of them at its end`() throws {
        final class Ended: @unchecked Sendable { var names: [String] = [] }
        let ended = Ended()
        let context = AppContext()
        try context.load(
            Module("Server") { registry in
                registry.register(Database.init).onDispose { _ in ended.names.append("database") }
                registry.register(scope: Scope("request"), Settings.init).onDispose { _ in
                    ended.names.append("settings")
                }
            })
        do {
            let child = try context.child(opening: Scope("request"))
            let settings = try child.resolve(Settings.self)
            #expect(try child.resolve(Settings.self) === settings)
            #expect(context.existing(Settings.self) == nil)
            #expect(context.existing(Database.self) === settings.database)
            #expect(ended.names.isEmpty)
        }
        #expect(ended.names == ["settings"])
    }

    @Test func `follows a later change of its parent`() throws {
        let context = AppContext()
        try context.load(Self.server)
        let child = try context.child(opening: Scope("request"), pushing: Self.request(of: "Ada"))
        let greeter = try child.resolve(Greeter.self)
        let fakes = Module("Fakes") { $0.register(Database.init) }
        try context.push(fakes)
        let replaced = try child.resolve(Greeter.self)
        #expect(replaced !== greeter)
        #expect(replaced.user.name == "Ada")
        #expect(try replaced.settings === context.resolve(Settings.self))
        context.pop()
        #expect(try child.resolve(Greeter.self) === greeter)
    }

    /// A new instance may have the address of one that has ended.
    ///
    /// What is known about that one does not apply.
    @Test func `does not take a new instance for one that has ended`() throws {
        final class Captive: Sendable { init(log: RequestLog) {} }
        let names = (0..<20).map { Qualifier.named("\($0)") }
        let context = AppContext()
        try context.load(
            Self.server,
            Module("Many") { registry in
                for name in names {
                    registry.register(qualifier: name, Database.init)
                    registry.register(qualifier: name, Captive.init)
                }
            })
        let child = try context.child(opening: Scope("request"))
        for _ in 0..<20 {
            for name in names { _ = try context.resolve(Database.self, qualifier: name) }
            for name in names { _ = child.existing(Database.self, qualifier: name) }
            try context.reset()
            for name in names { _ = try context.resolve(Captive.self, qualifier: name) }
            for name in names { #expect(child.existing(Captive.self, qualifier: name) == nil) }
            try context.reset()
        }
    }

    @Test(arguments: [0, 20]) func `shares what it no longer loads itself, with or without other modules`(
        of count: Int
    ) throws {
        let module = Module("Database") { $0.register(Database.init) }
        let context = AppContext()
        for number in 0..<count {
            try context.load(Module("Other") { $0.register(qualifier: .named("\(number)"), Database.init) })
        }
        let child = try context.child()
        try child.load(module)
        // The parent's place comes first in lookup order.
        try context.load(module)
        _ = try child.resolve(Database.self)
        try child.unload(module)
        #expect(try child.resolve(Database.self) === context.resolve(Database.self))
    }

    @Test func `follows a push of its own, in a holder too`() throws {
        final class Holder { @Dependency var greeter: Greeter; @Dependency var settings: Settings }
        let context = AppContext()
        try context.load(Self.server)
        let child = try context.child(opening: Scope("request"))
        let holder = AppContext.withContext(child) { Holder() }
        let (greeter, settings) = (holder.greeter, holder.settings)
        #expect(try context.resolve(Greeter.self) === greeter)
        try child.push(Self.request(of: "Ada"))
        #expect(holder.greeter !== greeter)
        #expect(holder.greeter.user.name == "Ada")
        #expect(holder.settings === settings)
        child.pop()
        #expect(holder.greeter === greeter)
    }
}
