import Locator
import TestSupport
import Testing

private final class Session: Sendable {
    let base: Session?
    init(_ base: Session? = nil) { self.base = base }
}
private final class Store: Sendable {}

@Suite("A child that keeps its settings gets instances made from a weak dependency, even if the dependency is gone")
struct KeptWeakPartTests {
    private let context = AppContext()
    private let files = MemoryFiles(#"{ "url": "db1" }"#)
    private let shop = Module("Shop") { registry in
        registry.register(Session.self, scope: .weak) { (resolver: Resolver) in
            let _: String = try resolver.value("url")
            return Session()
        }
        registry.register { (_: Session) in Store() }
    }

    @Test("It gets them even if other code held a newer weak instance at the reload")
    func newerInstance() throws {
        try context.loadProperties(files.source).load(shop)
        let child = try context.child(keepsSettings: true)
        let store = try context.resolve(Store.self)
        let session = try context.resolve(Session.self)
        files.content = #"{ "url": "db2" }"#
        try context.reloadProperties()
        #expect(try child.resolve(Store.self) === store)
        #expect(try context.resolve(Store.self) !== store)
        withExtendedLifetime(session) {}
    }

    @Test("Also if the child holds a newer weak instance of its own")
    func newerInstanceOfTheChild() throws {
        try context.loadProperties(files.source).load(shop)
        let child = try context.child(keepsSettings: true)
        let store = try context.resolve(Store.self)
        files.content = #"{ "url": "db2" }"#
        try context.reloadProperties()
        let session = try child.resolve(Session.self)
        #expect(try child.resolve(Store.self) === store)
        withExtendedLifetime(session) {}
    }

    /// The parts of a weak part are weak themselves, and have read the settings of the parent.
    @Test("An instance that it makes from a decorated weak instance stays")
    func decoratedInstance() throws {
        let wrapping = Module("Wrapping") { $0.decorate(Session.self) { (base: Session) in Session(base) } }
        try context.loadProperties(files.source).load(wrapping, shop)
        let own = Module("Own") { $0.register { (_: Session) in Store() } }
        let child = try context.child(pushing: own, keepsSettings: true)
        let store = try context.resolve(Store.self)
        let session = try context.resolve(Session.self)
        files.content = #"{ "url": "db2" }"#
        try context.reloadProperties()
        let made = try child.resolve(Store.self)
        #expect(made !== store)
        #expect(try child.resolve(Store.self) === made)
        withExtendedLifetime(session) {}
    }
}
