import Foundation
import Locator
import Testing

private final class Thing: Sendable {}

private struct Holder {
    @Dependency var thing: Thing
    @Dependency var number: Int?
    @Dependency(qualifier: "file") var text: String
    @Dependency(qualifierBy: "storage") var chosen: String
}

@Suite("A dependency resolves on first access, caches the value, and follows changes")
struct DependencyTests {
    private let context = AppContext()
    private let made = Counter()

    init() throws {
        let module = Module("M", properties: ["storage": "memory"]) { [made] registry in
            registry.register(Thing.self) {
                made.next()
                return Thing()
            }
            registry.register(String.self, qualifier: "file") { "file" }
            registry.register(String.self, qualifier: "memory") { "memory" }
        }
        try context.load(module)
    }

    private func holder() -> Holder { AppContext.withContext(context) { Holder() } }

    @Test func value_isMade_atTheFirstRead() throws {
        let holder = holder()
        #expect(made.value == 0)
        #expect(try holder.thing === context.resolve(Thing.self))
        #expect(holder.thing === holder.thing)
        #expect(made.value == 1)
    }

    @Test func qualifiers_choose() {
        #expect(holder().text == "file")
        #expect(holder().chosen == "memory")
        #expect(holder().number == nil)
    }

    @Test func qualifierBy_followsTheProperty() throws {
        let holder = holder()
        #expect(holder.chosen == "memory")
        try context.push(Module("P", properties: ["storage": "file"]))
        #expect(holder.chosen == "file")
        context.pop()
        #expect(holder.chosen == "memory")
    }

    @Test func value_follows_pushAndPop() throws {
        let holder = holder()
        let thing = holder.thing
        try context.push(Module("Fake") { $0.register(Thing.init) })
        let fake = holder.thing
        #expect(fake !== thing)
        #expect(holder.thing === fake)
        context.pop()
        #expect(holder.thing === thing)
    }

    @Test func holderMadeBeforeTheContextIsLoaded_readsAfterwards() throws {
        let late = AppContext()
        let holder = AppContext.withContext(late) { Holder() }
        #expect(holder.number == nil)
        try late.load(Module("M") { $0.register(Int.self) { 1 } })
        #expect(holder.number == 1)
    }

    @Test func holder_belongsForGood_toTheContextOfItsCreation() async throws {
        let other = try AppContext().load(Module("Other") { $0.register(Thing.init) })
        let holder = AppContext.withContext(context) { SendableHolder() }
        let thing = try context.resolve(Thing.self)
        #expect(AppContext.withContext(other) { holder.thing() } === thing)
        #expect(await Task.detached { holder.thing() }.value === thing)
        #expect(DispatchQueue.global().sync { holder.thing() } === thing)
        #expect(holder.thing.context === context)
    }

    private final class SendableHolder: Sendable {
        let thing = Dependency<Thing>()
    }

    @Test func objectMadeByAContext_belongsToIt() throws {
        final class Made: Sendable {
            let thing = Dependency<Thing>()
        }
        try context.load(Module("Made") { $0.register(Made.init) })
        let made = try context.resolve(Made.self)
        #expect(made.thing.context === context)
        #expect(try made.thing() === context.resolve(Thing.self))
    }

    @Test func holderOutsideOfAnyContext_belongsToTheSharedOne() {
        let holder = Holder()
        #expect(holder.$thing.context === AppContext.shared)
        #expect(AppContext.current === AppContext.shared)
    }

    @Test func prototype_isKept_whileNothingItReadHasChanged() throws {
        struct Page {
            @Dependency(qualifier: "page") var thing: Thing
        }
        let module = Module("Page") { registry in
            registry.register(Thing.self, qualifier: "page", scope: .prototype) { (_: Int?) in Thing() }
        }
        try context.load(module)
        let page = AppContext.withContext(context) { Page() }
        let thing = page.thing
        #expect(page.thing === thing)
        try context.push(.text("unrelated"))
        #expect(page.thing === thing)
        context.pop()
        #expect(page.thing === thing)
        try context.push(Module("Number") { $0.register(Int.self) { 1 } })
        #expect(page.thing !== thing)
    }

    @Test func reset_letsGo_andTheNextReadAsks() throws {
        struct Page {
            @Dependency(qualifier: "page") var thing: Thing
            @Dependency var shared: Thing
        }
        try context.load(Module("Page") { $0.register(qualifier: "page", scope: .prototype, Thing.init) })
        let page = AppContext.withContext(context) { Page() }
        let (thing, shared) = (page.thing, page.shared)
        page.$thing.reset()
        page.$shared.reset()
        #expect(page.thing !== thing)
        #expect(page.shared === shared)
    }

    @Test func resolved_givesTheErrorInsteadOfStopping() throws {
        struct Page {
            @Dependency var missing: Double
        }
        let page = AppContext.withContext(context) { Page() }
        #expect(locatorError({ try page.$missing.resolved() }) != nil)
        try context.load(Module("D") { $0.register(Double.self) { 1 } })
        #expect(try page.$missing.resolved() == 1)
    }

    @Test func givenValue_asksNoContext() throws {
        let mine = Thing()
        let holder = AppContext.withContext(context) { Holder(thing: .value(mine), number: .value(7)) }
        #expect(holder.thing === mine)
        #expect(holder.number == 7)
        #expect(holder.text == "file")
        try context.push(Module("Fake") { $0.register(Thing.init) })
        #expect(holder.thing === mine)
        holder.$thing.reset()
        #expect(holder.thing === mine)
        #expect(made.value == 0)
    }

    @Test func givenValue_inAnInitializer() {
        final class Screen {
            @Dependency var thing: Thing
            @DependencyArray var texts: [String]
            @PropertyValue("size") var size: Int

            init(thing: Thing) {
                _thing = .value(thing)
                _texts = .value(["a", "b"])
                _size = .value(3)
            }
        }
        let mine = Thing()
        let screen = AppContext.withContext(context) { Screen(thing: mine) }
        #expect(screen.thing === mine)
        #expect(screen.texts == ["a", "b"])
        #expect(screen.size == 3)
    }

    @Test func looking_doesNotMake() {
        let holder = holder()
        var text = ""
        dump(holder, to: &text)
        text += "\(holder) \(String(reflecting: holder))"
        #expect(made.value == 0)
        #expect(!text.isEmpty)
    }

    @Test func cycleThroughWrappers_isNotACycle() throws {
        final class Hen: Sendable { let egg = Dependency<Egg>() }
        final class Egg: Sendable { let hen = Dependency<Hen>() }
        let module = Module("Cycle") { registry in
            registry.register(Hen.init)
            registry.register(Egg.init)
        }
        try context.load(module)
        let hen = try context.resolve(Hen.self)
        #expect(hen.egg().hen() === hen)
    }

    @Test func cycleThroughWrappers_readWhileMaking_isAnError() throws {
        final class Hen: Sendable {
            let egg = Dependency<Egg>()
            init() throws { _ = try egg.resolved() }
        }
        final class Egg: Sendable {
            let hen = Dependency<Hen>()
            init() throws { _ = try hen.resolved() }
        }
        let module = Module("Cycle") { registry in
            registry.register(Hen.init)
            registry.register(Egg.init)
        }
        try context.load(module)
        guard case .circularDependency(let path) = locatorError({ try context.resolve(Hen.self) })?.kind else {
            Issue.record("no cycle")
            return
        }
        #expect(path.map(\.key) == [Key(Hen.self), Key(Egg.self), Key(Hen.self)])
    }

    @Test func concurrentFirstReads_makeOnce() {
        let holder = AppContext.withContext(context) { SendableHolder() }
        let things = Log()
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            things("\(ObjectIdentifier(holder.thing()))")
        }
        #expect(Set(things.entries).count == 1)
        #expect(made.value == 1)
    }

    @Test func concurrentFirstReads_ofManyHolders_makeOnce() {
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            let holder = AppContext.withContext(context) { SendableHolder() }
            _ = holder.thing()
        }
        #expect(made.value == 1)
    }
}
