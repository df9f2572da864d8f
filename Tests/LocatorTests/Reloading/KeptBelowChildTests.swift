import Locator
import TestSupport
import Testing

private class Database: @unchecked Sendable {
    let url: String
    init(url: String) { self.url = url }
}

private final class Decorated: Database, @unchecked Sendable {}

private final class Store: Sendable {
    let database: Database
    init(database: Database) { self.database = database }
}

/// What a child between the context and the child that keeps its settings adds.
private enum Addition: CaseIterable {
    case nothing, unrelatedModule, registration, decorator, setting

    var modules: [Module] {
        switch self {
        case .nothing: []
        case .unrelatedModule: [Module("Unrelated") { $0.register { 1 } }]
        case .registration:
            [
                Module("Registration") { registry in
                    registry.register { (resolver: Resolver) in
                        Database(url: "own " + (try resolver.value("url")))
                    }
                }
            ]
        case .decorator:
            [
                Module("Decorator") { registry in
                    registry.decorate(Database.self) { base in Decorated(url: "decorated " + base.url) }
                }
            ]
        case .setting: [Module("Setting", properties: ["port": 1])]
        }
    }

    var prefix: String {
        switch self {
        case .nothing, .unrelatedModule, .setting: ""
        case .registration: "own "
        case .decorator: "decorated "
        }
    }
}

@Suite("A child that keeps its settings below another child gets the same instances after a reload")
struct KeptBelowChildTests {
    private let log = Log()
    private let context = AppContext()
    private let files = MemoryFiles(#"{"url": "1"}"#)

    init() throws {
        let shop = Module("Shop") { [log] registry in
            registry.register { (resolver: Resolver) in Database(url: try resolver.value("url")) }
            registry.register(Store.init).onDispose { log("dispose of store of \($0.database.url)") }
        }
        try context.loadProperties(files.source).load(shop)
    }

    private func reload(_ url: Int) throws {
        files.content = #"{"url": "\#(url)"}"#
        try context.reloadProperties()
    }

    @Test(
        "The instances of the context, and those of the child in between", arguments: Addition.allCases, [false, true])
    private func instances_areKept(addition: Addition, isUsedBefore: Bool) throws {
        let between = try context.child(pushing: addition.modules)
        let child = try between.child(keepsSettings: true)
        let wrapper = AppContext.withContext(child) { Dependency<Store>() }
        let store = try (isUsedBefore ? between : child).resolve(Store.self)
        #expect(wrapper() === store)
        #expect(store.database.url == addition.prefix + "1")
        for url in [3, 5] {
            try reload(url)
            #expect(try between.resolve(Store.self).database.url == addition.prefix + "\(url)")
            #expect(wrapper() === store)
            #expect(try child.resolve(Store.self) === store)
            #expect(try child.child().resolve(Store.self) === store)
            #expect(try child.resolve(Database.self) === store.database)
        }
        #expect(!log.entries.contains("dispose of store of \(addition.prefix)1"))
    }

    @Test("Instances of the child in between are disposed of when the last child below it has ended")
    func instances_areDisposedOf() throws {
        let modules = Addition.registration.modules
        let between = try context.child(pushing: modules)
        let other = try context.child(pushing: modules)
        for child in [between, other] { _ = try child.resolve(Store.self) }
        var children = try (0..<2).map { _ in try between.child(keepsSettings: true) }
        let keeping = try context.child(keepsSettings: true)
        try reload(3)
        // No child below the other one keeps its settings.
        #expect(try other.resolve(Store.self).database.url == "own 3")
        #expect(log.take() == ["dispose of store of own 1"])
        #expect(try children[0].resolve(Store.self).database.url == "own 1")
        children.removeLast()
        #expect(log.take() == [])
        children.removeLast()
        #expect(log.take() == ["dispose of store of own 1"])
        withExtendedLifetime(keeping) {}
    }

    @Test("A push in between replaces a kept instance, and the pop brings it back")
    func push_replacesWhatIsKept() throws {
        let store = try context.resolve(Store.self)
        let keeping = try context.child(keepsSettings: true)
        let child = try keeping.child()
        let wrapper = AppContext.withContext(child) { Dependency<Store>() }
        try reload(3)
        #expect(wrapper() === store)
        try keeping.push(Module("Pushed", properties: ["url": "pushed"]))
        // The child has the old setting again, but its parent no longer gives the instance.
        try child.push(Module("Old", properties: ["url": "1"]))
        let other = wrapper()
        #expect(other !== store)
        #expect(try child.resolve(Store.self) === other)
        child.pop()
        keeping.pop()
        #expect(wrapper() === store)
        #expect(try child.resolve(Store.self) === store)
    }
}
