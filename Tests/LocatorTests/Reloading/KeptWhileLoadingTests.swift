import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request", requiresOpening: true)
}

private struct Settings: ConfigProperty {
    static let path = "session"
    let url: String
}

private final class Session: Sendable {}

private final class Store: Sendable {
    let session: Session
    init(session: Session) { self.session = session }
}

private final class Work: Sendable {
    let store: Store
    init(store: Store) { self.store = store }
}

private enum Making: CaseIterable {
    case singleton, weak, asynchronous
}

private final class Pause: Sendable {}

private final class Order: Sendable {
    let store: Store
    init(store: Store) { self.store = store }
}

/// What uses the child.
private enum Use: CaseIterable {
    case work, store, other
}

@Suite("A child that keeps its settings keeps its instances when it is used during a load")
struct KeptWhileLoadingTests {
    private let context = AppContext()
    private let files = MemoryFiles(#"{ "session": { "url": "db1" } }"#)
    private let action = Late<@Sendable () throws -> Void>()

    private func load(_ making: Making) async throws {
        let shop = Module("Shop") { [action] registry in
            switch making {
            case .singleton: registry.register(Session.self) { (_: Settings) in Session() }
            case .weak: registry.register(Session.self, scope: .weak) { (_: Settings) in Session() }
            case .asynchronous: registry.register(Session.self, async: { (_: Settings) in Session() })
            }
            registry.register(Store.self) { (session: Session) in Store(session: session) }
            registry.register(scope: .request, Work.init)
            registry.register(scope: .request) { () throws -> Pause in
                try action.value?()
                return Pause()
            }
            registry.register(scope: .request) { (_: Pause, store: Store) in Order(store: store) }
            registry.register(Int.self, scope: .prototype) { () throws -> Int in
                try action.value?()
                return 1
            }
        }
        // Its instances are made before the load is complete.
        let hook = Module("Hook", when: .property("session.url", equals: "db2")) { [action] registry in
            registry.register(Float.self, scope: .always) { () throws -> Float in
                try action.value?()
                return 1
            }
        }
        try context.loadProperties(files.source).load(shop).load(hook)
        try await context.start()
    }

    private func reload(_ number: Int) throws {
        files.content = #"{ "session": { "url": "db\#(number)" } }"#
        try context.reloadProperties()
    }

    private func use(_ child: AppContext, _ use: Use) throws {
        switch use {
        case .work: _ = try child.resolve(Work.self)
        case .store: _ = try child.resolve(Store.self)
        case .other: #expect(try child.value("session.url") == "db1")
        }
    }

    @Test("In a request before the load is final", arguments: Making.allCases, Use.allCases)
    private func beforeTheLoadIsFinal(making: Making, use: Use) async throws {
        try await load(making)
        let child = try context.child(opening: .request, keepsSettings: true)
        let work = try child.resolve(Work.self)
        action.value = { try onThread { try self.use(child, use) } }
        try reload(2)
        #expect(try child.resolve(Work.self) === work)
        #expect(try child.resolve(Store.self) === work.store)
        try reload(3)
        #expect(try child.resolve(Work.self) === work)
    }

    @Test("A child that is opened after a later load has returned has the settings of that load")
    func openedAfterALaterLoad() async throws {
        try await load(.singleton)
        action.value = {
            try onThread {
                try self.reload(3)
                let child = try self.context.child(opening: .request, keepsSettings: true)
                #expect(try child.value("session.url", as: String.self) == "db3")
                #expect(try self.context.value("session.url", as: String.self) == "db3")
            }
        }
        try reload(2)
        #expect(try context.value("session.url", as: String.self) == "db3")
    }

    @Test("In a request that the load overtakes", arguments: Making.allCases)
    private func overtaken(making: Making) async throws {
        try await load(making)
        let child = try context.child(opening: .request, keepsSettings: true)
        let work = try child.resolve(Work.self)
        action.value = { try onThread { try self.reload(3) } }
        #expect(try child.resolve(Int.self) == 1)
        action.value = nil
        #expect(try child.resolve(Work.self) === work)
        #expect(try child.resolve(Store.self) === work.store)
    }

    @Test("In the request for its first instance, which the load overtakes", arguments: Making.allCases)
    private func overtakenFirst(making: Making) async throws {
        try await load(making)
        let child = try context.child(opening: .request, keepsSettings: true)
        // The load comes after the beginning of the request, and before the parent makes the store for it.
        action.value = { try onThread { try self.reload(3) } }
        let order = try child.resolve(Order.self)
        action.value = nil
        #expect(try child.resolve(Order.self) === order)
        #expect(try child.resolve(Store.self) === order.store)
    }
}
