import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request", requiresOpening: true)
}

private struct Limits: ConfigProperty {
    static let path = "limits"
    let least: Int
    let most: Int
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

private final class Unrelated: Sendable {}

/// An instance of a request.
private final class Work: Sendable {
    let store: Store
    let limits: Limits
    let unrelated: Unrelated

    init(store: Store, limits: Limits, unrelated: Unrelated) {
        self.store = store
        self.limits = limits
        self.unrelated = unrelated
    }
}

/// A way to read two settings, as text.
private struct Reading: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let read: @Sendable (AppContext) throws -> String

    static let all = [
        Reading(testDescription: "value") {
            "\(try $0.value("limits.least", as: Int.self))-\(try $0.value("limits.most", as: Int.self))"
        },
        Reading(testDescription: "properties") { context in
            "\(try context.properties.value("limits.least", as: Int.self))-\(try context.value("limits.most", as: Int.self))"
        },
        Reading(testDescription: "ConfigProperty") { context in
            let limits = try context.resolve(Limits.self)
            return "\(limits.least)-\(limits.most)"
        },
        Reading(testDescription: "wrappers") { context in
            struct Holder {
                @PropertyValue("limits.least") var least: Int
                @PropertyValue("limits.most") var most: Int
            }
            let holder = AppContext.withContext(context) { Holder() }
            return "\(holder.least)-\(holder.most)"
        },
        Reading(testDescription: "placeholder") { try $0.value("text") },
        Reading(testDescription: "qualifier") { context in
            try context.resolve(String.self, qualifier: .property("limits.name"))
        },
        Reading(testDescription: "condition") { context in
            "\(try context.resolve(Int?.self, qualifier: "one") ?? 3)-\(try context.resolve(Int?.self, qualifier: "one").map { $0 + 1 } ?? 4)"
        },
        Reading(testDescription: "an instance of the request") { context in
            let limits = try context.resolve(Work.self).limits
            return "\(limits.least)-\(limits.most)"
        },
    ]
}

@Suite("A child that keeps its settings uses one load of the properties for its whole lifetime")
struct KeptSettingsTests {
    private let log = Log()
    private let context = AppContext()
    private let files = MemoryFiles(Self.load(1))

    /// A load with settings that belong together: `1-2`, `3-4`.
    private static func load(_ least: Int) -> String {
        """
        { "limits": { "least": \(least), "most": \(least + 1), "name": "is\(least)" },
          "text": "${limits.least}-${limits.most}", "url": "db\(least)" }
        """
    }

    init() throws {
        let shop = Module("Shop") { [log] registry in
            registry.register(Database.self) { (resolver: Resolver) in Database(url: try resolver.value("url")) }
                .onDispose { log("dispose of \($0.url)") }
            registry.register(Store.init).onDispose { log("dispose of store of \($0.database.url)") }
            registry.register(Unrelated.init)
            registry.register(scope: .request, Work.init)
                .onDispose { log("dispose of work of \($0.store.database.url)") }
            registry.register(String.self, qualifier: "is1") { "1-2" }
            registry.register(String.self, qualifier: "is3") { "3-4" }
        }
        let one = Module("One", when: .property("limits.least", equals: 1)) { registry in
            registry.register(Int.self, qualifier: "one") { 1 }
        }
        try context.loadProperties(files.source).load(shop, one)
    }

    @Test func instancesOfLaterSettings_endWithTheReloadThatReplacesThem() throws {
        let child = try context.child(opening: .request, keepsSettings: true)
        let first = try child.resolve(Store.self)
        for (least, ended) in [(3, nil), (5, 3), (1, 5), (3, 1), (5, 3)] {
            files.content = Self.load(least)
            try context.reloadProperties()
            #expect(log.take() == (ended.map { ["dispose of store of db\($0)", "dispose of db\($0)"] } ?? []))
            #expect(try context.resolve(Store.self).database.url == "db\(least)")
            #expect(try child.resolve(Store.self) === first)
        }
        #expect(try context.resolve(Store.self) !== first)
    }

    private func reload(_ least: Int) throws {
        files.content = Self.load(least)
        try context.reloadProperties()
    }

    @Test("Everything that reads settings in it sees those from its creation", arguments: Reading.all)
    private func reading_seesTheFirstLoad(reading: Reading) throws {
        let kept = try context.child(opening: .request, keepsSettings: true)
        let used = try context.child(opening: .request, keepsSettings: true)
        let below = try kept.child(pushing: .text("text"))
        let other = try context.child(opening: .request)
        #expect(try reading.read(used) == "1-2")
        try reload(3)
        for child in [kept, used, below, used] { #expect(try reading.read(child) == "1-2") }
        for child in [other, try context.child(opening: .request, keepsSettings: true)] {
            #expect(try reading.read(child) == "3-4")
        }
        try reload(5)
        #expect(try reading.read(kept) == "1-2")
        try reload(1)
        #expect(try reading.read(kept) == "1-2")
    }

    @Test("The closure of `within` sees one load, whether it is synchronous or asynchronous", arguments: Reading.all)
    private func within_keeps(reading: Reading) async throws {
        try context.within(.request, keepsSettings: true) { child in
            #expect(try reading.read(child) == "1-2")
            try reload(3)
            #expect(try reading.read(child) == "1-2")
        }
        try reload(1)
        try await context.within(.request, keepsSettings: true) { child in
            try reload(3)
            await Task.yield()
            #expect(try reading.read(child) == "1-2")
        }
    }

    @Test("Under another key, it gets the instance that it keeps, and the parent makes nothing for it")
    func alias_givesWhatIsKept() throws {
        try context.load(
            Module("Alias") { [log] registry in
                registry.register(Unrelated.self, qualifier: "url") { (resolver: Resolver) in
                    log("make for \(try resolver.value("url", as: String.self))")
                    return Unrelated()
                }
                .alias((any Sendable).self) { $0 }
            })
        let unrelated = try context.resolve(Unrelated.self, qualifier: "url")
        let kept = try context.child(keepsSettings: true)
        try reload(3)
        #expect(try kept.resolve((any Sendable).self) as? Unrelated === unrelated)
        #expect(log.take() == ["make for db1"])
    }

    @Test("Conditions of a module that the child pushes use these settings, and its own settings override them")
    func pushedModules_seeThem() throws {
        let conditional = Module(
            "Conditional", properties: ["own": "${limits.least}"], when: .property("limits.least", equals: 1)
        ) { $0.register(Double.self) { 1 } }
        let child = try context.child(pushing: conditional, keepsSettings: true)
        try reload(3)
        #expect(try child.resolve(Double?.self) == 1)
        #expect(try child.value("own", as: Int.self) == 1)
        try child.push(Module("Late", when: .property("limits.least", equals: 1)) { $0.register(Float.self) { 1 } })
        #expect(try child.resolve(Float?.self) == 1)
        child.pop()
        #expect(try child.resolve(Double?.self) == 1)
    }

    @Test("A replaced instance of its parent is still returned until the child ends")
    func replacedInstances_areGiven() throws {
        let store = try context.resolve(Store.self)
        var child: AppContext? = try context.child(opening: .request, keepsSettings: true)
        let work = try child?.resolve(Work.self)
        #expect(work?.store === store)
        try reload(3)
        // The parent and new children have other instances.
        #expect(try context.resolve(Store.self).database.url == "db3")
        #expect(try context.child(opening: .request).resolve(Work.self).store.database.url == "db3")
        #expect(log.take() == ["dispose of work of db3"])
        #expect(try child?.resolve(Store.self) === store)
        #expect(try child?.resolve(Database.self) === store.database)
        #expect(try child?.resolve(Work.self) === work)
        #expect(log.take() == [])
        child = nil
        #expect(log.take() == ["dispose of work of db1", "dispose of store of db1", "dispose of db1"])
    }

    @Test("All children of the load return it, even if they had not requested it before")
    func replacedInstances_areGivenToAll() throws {
        let store = try context.resolve(Store.self)
        var children = try (0..<3).map { _ in try context.child(opening: .request, keepsSettings: true) }
        try reload(3)
        try reload(5)
        for child in children { #expect(try child.resolve(Store.self) === store) }
        #expect(try children[0].resolve(Work.self).store === store)
        children.removeLast(2)
        #expect(log.take() == [])
        #expect(try children[0].resolve(Work.self).store === store)
        children = []
        #expect(log.take() == ["dispose of work of db1", "dispose of store of db1", "dispose of db1"])
    }

    @Test("The instance of a child in between comes before a replaced one", arguments: [false, true])
    func childInBetween_givesItsOwn(isChildOfAChild: Bool) throws {
        let between = try context.child(pushing: Module("Between", properties: ["url": "db3"]))
        let database = try between.resolve(Database.self)
        try reload(3)
        let kept = try (isChildOfAChild ? between.child() : between).child(keepsSettings: true)
        #expect(try kept.resolve(Database.self) === database)
        #expect(try context.resolve(Database.self) !== database)
        try reload(5)
        #expect(try kept.resolve(Database.self) === database)
    }

    @Test("If it keeps a part, it gets nothing that its parent made from a newer one after the settings were restored")
    func keptPart_isUsedAfterTheSettingsAreRestored() throws {
        let database = try context.resolve(Database.self)
        let kept = try context.child(keepsSettings: true)
        try reload(3)
        try reload(1)
        #expect(try context.resolve(Store.self).database !== database)
        #expect(try kept.resolve(Store.self).database === database)
    }

    @Test("Instances that a push had set aside before a reload do not count", arguments: [false, true])
    func instancesUnderAPush(areMadeBefore: Bool) throws {
        if areMadeBefore { _ = try context.resolve(Store.self) }
        try context.push(Module("Pushed", properties: ["url": "pushed"]))
        let store = try context.resolve(Store.self)
        let child = try context.child(opening: .request, keepsSettings: true)
        #expect(try child.resolve(Store.self) === store)
        try reload(3)
        #expect(try context.resolve(Store.self) === store)
        #expect(try child.resolve(Store.self) === store)
    }

    @Test("A reset of the parent ends kept instances and those made from them")
    func reset_endsWhatIsKept() throws {
        let store = try context.resolve(Store.self)
        let child = try context.child(opening: .request, keepsSettings: true)
        let work = try child.resolve(Work.self)
        try reload(3)
        #expect(try child.resolve(Store.self) === store)
        try context.reset()
        let other = try child.resolve(Store.self)
        #expect(other !== store)
        #expect(other.database.url == "db1")
        #expect(try child.resolve(Database.self) === other.database)
        #expect(try child.resolve(Work.self) !== work)
        #expect(try child.resolve(Work.self).store === other)
        #expect(log.take().sorted() == ["dispose of db1", "dispose of store of db1", "dispose of work of db1"])
    }

    @Test("A reset of a scope ends the kept instances of the scope and those that were injected with them")
    func reset_endsWhatAnInjectionHasJoined() throws {
        final class Visit: Sendable {}
        final class Visits: Sendable {}
        let visits = Module("Visits") { [log] registry in
            registry.register(Visits.init)
                .injecting { (_, _: Visit) in }
                .onDispose { _ in log("dispose of visits") }
            registry.register(Visit.self, scope: Scope("session")) { (resolver: Resolver) in
                let _: String = try resolver.value("url")
                return Visit()
            }.onDispose { _ in log("dispose of visit") }
        }
        _ = try context.load(visits).resolve(Visits.self)
        let child = try context.child(opening: .request, keepsSettings: true)
        try reload(3)
        try context.reset(Scope("session"))
        #expect(log.take() == ["dispose of visit", "dispose of visits"])
        withExtendedLifetime(child) {}
    }

    @Test("An instance that is gone when the child requests it is made in the child, from its settings")
    func missingInstances_areMadeInTheChild() throws {
        var child: AppContext? = try context.child(opening: .request, keepsSettings: true)
        try reload(3)
        let own = try child?.resolve(Store.self)
        #expect(own?.database.url == "db1")
        #expect(try context.resolve(Store.self).database.url == "db3")
        #expect(try child?.resolve(Store.self) === own)
        child = nil
        #expect(log.take() == ["dispose of store of db1", "dispose of db1"])
    }

    @Test("Instances that do not depend on the settings belong to the parent")
    func unrelatedInstances_areShared() throws {
        let child = try context.child(opening: .request, keepsSettings: true)
        try reload(3)
        #expect(try child.resolve(Unrelated.self) === context.resolve(Unrelated.self))
        #expect(try child.resolve(Work.self).unrelated === context.resolve(Unrelated.self))
    }

    @Test("Instances of several loads last as long as the children of these")
    func severalLoads_lastAsLongAsTheirChildren() throws {
        let first = try context.resolve(Database.self)
        var early: AppContext? = try context.child(keepsSettings: true)
        try reload(3)
        let second = try context.resolve(Database.self)
        var late: AppContext? = try context.child(keepsSettings: true)
        try reload(5)
        #expect(try early?.resolve(Database.self) === first)
        #expect(try late?.resolve(Database.self) === second)
        #expect(try context.resolve(Database.self).url == "db5")
        #expect(log.take() == [])
        early = nil
        #expect(log.take() == ["dispose of db1"])
        #expect(try late?.resolve(Database.self) === second)
        late = nil
        #expect(log.take() == ["dispose of db3"])
    }

    @Test("A lean child that has made something keeps it over a reload")
    func leanChild_keepsItsInstances() throws {
        let store = try context.resolve(Store.self)
        _ = (try context.resolve(Unrelated.self), try context.resolve(Limits.self))
        // The second child of a kind is lean.
        for _ in 0..<3 { _ = try context.child(opening: .request).resolve(Work.self) }
        _ = log.take()
        let child = try context.child(opening: .request, keepsSettings: true)
        let work = try child.resolve(Work.self)
        try reload(3)
        #expect(try child.resolve(Work.self) === work)
        #expect(work.store === store)
        #expect(log.take() == [])
    }

    @Test("Pushes and loads of the parent are followed, with their settings")
    func pushes_areFollowed() throws {
        let child = try context.child(opening: .request, keepsSettings: true)
        try reload(3)
        try context.push(Module("Fakes", properties: ["limits.most": 9]) { $0.register(Unrelated.init) })
        #expect(try child.value("limits.most") == 9)
        #expect(try child.value("limits.least") == 1)
        context.pop()
        #expect(try child.value("limits.most") == 2)
        try context.load(.text("late"))
        #expect(try child.resolve(String.self) == "late")
    }

    @Test("A follower of a setting in it sees no reload")
    func followers_seeNoReload() async throws {
        let child = try context.child(keepsSettings: true)
        var values = child.values(of: "limits.least", as: Int.self).makeAsyncIterator()
        #expect(await values.next() == .success(1))
        try reload(3)
        try child.push(Module("Fakes", properties: ["limits.least": 7]) { _ in })
        #expect(await values.next() == .success(7))
        child.pop()
        #expect(await values.next() == .success(1))
    }

    @Test("A child created while a load may still be undone uses the load before it")
    func beginningDuringALoad_hasTheOneBefore() throws {
        let holder = Late<AppContext>()
        let context = context
        try context.load(
            Module("Always", when: .property("limits.least", equals: 3)) { registry in
                registry.register(Float.self, scope: .always) { () throws -> Float in
                    holder.value = try onThread { try context.child(opening: .request, keepsSettings: true) }
                    return 1
                }
            })
        try reload(3)
        let child = try #require(holder.value)
        #expect(try child.value("limits.least") == 1)
        #expect(try child.resolve(Work.self).store.database.url == "db1")
        #expect(try context.value("limits.least") == 3)
    }

    @Test("A failing reload changes nothing for it")
    func failingReload_changesNothing() throws {
        struct Refusal: Error {}
        try context.load(
            Module("Failing", when: .property("limits.least", equals: 3)) { registry in
                registry.register(Float.self, scope: .always) { () throws -> Float in throw Refusal() }
            })
        let store = try context.resolve(Store.self)
        let child = try context.child(opening: .request, keepsSettings: true)
        let work = try child.resolve(Work.self)
        #expect(message { try reload(3) } != nil)
        #expect(try child.resolve(Work.self) === work)
        #expect(try child.resolve(Store.self) === store)
        #expect(try context.resolve(Store.self) === store)
        #expect(log.take() == [])
    }

    @Test("A child of a child can also keep its settings")
    func grandchild_keeps() throws {
        let child = try context.child(opening: .request)
        let below = try child.child(keepsSettings: true)
        #expect(try below.value("limits.least") == 1)
        try reload(3)
        #expect(try below.value("limits.least") == 1)
        #expect(try child.value("limits.least") == 3)
        #expect(try below.resolve(Database.self).url == "db1")
        #expect(try child.resolve(Database.self).url == "db3")
    }

    @Test("The shutdown of the context ends and awaits instances kept for a child", arguments: [false, true])
    func shutdown_endsWhatIsKept(isAsynchronous: Bool) async throws {
        let log = Log()
        let files = MemoryFiles(#"{"url": "1"}"#)
        let module = Module("Shop") { registry in
            if isAsynchronous {
                registry.register(
                    Database.self,
                    async: { (resolver: Resolver) in
                        Database(url: try resolver.value("url"))
                    }
                )
                .onShutdown { database in
                    await Task.yield()
                    log("shut down \(database.url)")
                }
                .onDispose { log("disposed of \($0.url)") }
            } else {
                registry.register { (resolver: Resolver) in Database(url: try resolver.value("url")) }
                    .onShutdown { database in
                        await Task.yield()
                        log("shut down \(database.url)")
                    }
                    .onDispose { log("disposed of \($0.url)") }
            }
        }
        let context = try AppContext().loadProperties(files.source).load(module)
        try await context.start()
        let old = try context.resolve(Database.self)
        var child: AppContext? = try context.child(keepsSettings: true)
        files.content = #"{"url": "2"}"#
        if isAsynchronous { try await context.reloadAndStart() } else { try context.reloadProperties() }
        #expect(try child?.resolve(Database.self) === old)
        #expect(log.entries == [])
        try await context.shutdown()
        #expect(
            Set(log.entries)
                == (isAsynchronous
                    ? ["shut down 1", "disposed of 1", "shut down 2", "disposed of 2"]
                    : ["shut down 1", "disposed of 1"]))
        let count = log.entries.count
        child = nil
        try await context.shutdown()
        #expect(log.entries.count == count)
    }
}
