import Locator
import Testing

@Suite("A collection is every registration of a type, always in the same order")
struct CollectionTests {
    private final class Holder {
        @DependencyArray var all: [String]
        @DependencyArray(qualifier: "x") var qualified: [String]
        @DependencyArray(from: .first) var first: [String]
        @DependencyArray(from: .modules(named: "B", "C")) var named: [String]
        @DependencyArray(from: .where { $0.priority > .normal }) var high: [String]
        @DependencyArray(qualifier: "x", from: .first) var firstQualified: [String]
        @DependencyArray(qualifierBy: "kind") var byProperty: [String]
    }

    private let context = AppContext()

    /// Modules in lookup order: C (high) with c1, c2 "x"; A with a1, a2 "x"; B with b1 "x"; D with nothing of the type.
    init() throws {
        try context.load(
            Module("A") { registry in
                registry.register(String.self) { "a1" }
                registry.register(String.self, qualifier: "x") { "a2" }
            },
            Module("B", properties: ["kind": "x"]) { registry in
                registry.register(String.self, qualifier: "x") { "b1" }
            })
        try context.load(
            Module("C") { registry in
                registry.register(String.self) { "c1" }
                registry.register(String.self, qualifier: "y") { "c2" }
            },
            Module("D") { registry in registry.register(Int.self) { 1 } }, priority: .high)
    }

    @Test func all_isInLookupOrder_thenRegistrationOrder() throws {
        #expect(try context.resolveAll(String.self) == ["c1", "c2", "a1", "a2", "b1"])
    }

    @Test func qualifier_chooses() throws {
        #expect(try context.resolveAll(String.self, qualifier: "x") == ["a2", "b1"])
        #expect(try context.resolveAll(String.self, qualifier: .property("kind")) == ["a2", "b1"])
        #expect(try context.resolveAll(String.self, qualifier: "none") == [])
    }

    @Test func selections_choose() throws {
        #expect(try context.resolveAll(String.self, from: .all) == ["c1", "c2", "a1", "a2", "b1"])
        #expect(try context.resolveAll(String.self, from: .first) == ["c1", "c2"])
        #expect(try context.resolveAll(String.self, qualifier: "x", from: .first) == ["a2"])
        #expect(try context.resolveAll(String.self, from: .modules(named: "A")) == ["a1", "a2"])
        #expect(try context.resolveAll(String.self, from: .modules(named: "B", "A", "none")) == ["a1", "a2", "b1"])
        #expect(try context.resolveAll(String.self, from: .where { $0.name != "A" }) == ["c1", "c2", "b1"])
        #expect(try context.resolveAll(String.self, from: .where { $0.priority == .high }) == ["c1", "c2"])
        #expect(try context.resolveAll(Double.self, from: .first) == [])
    }

    @Test func wrappers_giveTheSame() {
        let holder = AppContext.withContext(context) { Holder() }
        #expect(holder.all == ["c1", "c2", "a1", "a2", "b1"])
        #expect(holder.qualified == ["a2", "b1"])
        #expect(holder.first == ["c1", "c2"])
        #expect(holder.named == ["c1", "c2", "b1"])
        #expect(holder.high == ["c1", "c2"])
        #expect(holder.firstQualified == ["a2"])
        #expect(holder.byProperty == ["a2", "b1"])
    }

    @Test func parameters_giveTheSame() throws {
        struct Lists: Sendable {
            let all: [String]
            let qualified: [String]
        }
        try context.load(Module("Lists") { $0.register(Lists.self, parameterQualifiers: [nil, "x"], Lists.init) })
        let lists = try context.resolve(Lists.self)
        #expect(lists.all == ["c1", "c2", "a1", "a2", "b1"])
        #expect(lists.qualified == ["a2", "b1"])
    }

    @Test func collection_follows_whatIsPushedAndPopped() throws {
        let holder = AppContext.withContext(context) { Holder() }
        #expect(holder.all.count == 5)
        try context.push(Module("P") { $0.register(String.self, qualifier: "x") { "p" } })
        #expect(holder.all == ["p", "c1", "c2", "a1", "a2", "b1"])
        #expect(holder.first == ["p"])
        #expect(holder.named == ["c1", "c2", "b1"])
        #expect(holder.byProperty == ["p", "a2", "b1"])
        context.pop()
        #expect(holder.all == ["c1", "c2", "a1", "a2", "b1"])
        #expect(holder.first == ["c1", "c2"])
    }

    @Test func elements_areTheSharedInstances() throws {
        final class Thing: Sendable {}
        try context.load(Module("Things") { $0.register(Thing.init) })
        #expect(try context.resolveAll(Thing.self)[0] === context.resolve(Thing.self))
    }

    @Test func elementOfAReplacedKey_staysInTheCollection() throws {
        try context.push(Module("P") { $0.register(String.self) { "p" } })
        #expect(try context.resolveAll(String.self) == ["p", "c1", "c2", "a1", "a2", "b1"])
    }

    @Test func emptyCollection_isNotAnError() throws {
        #expect(try AppContext().resolveAll(String.self) == [])
    }

    @Test func failingElement_isAnError() throws {
        struct Failure: Error {}
        try context.load(Module("F") { $0.register(String.self) { () throws -> String in throw Failure() } })
        #expect(locatorError({ try context.resolveAll(String.self) }) != nil)
    }

    @Test func replaceAll_hidesTheModulesBehind() throws {
        let replacing = Module("R") { registry in
            registry.replaceAll(String.self)
            registry.register(String.self) { "r1" }
            registry.register(String.self, qualifier: "x") { "r2" }
        }
        try context.push(replacing)
        #expect(try context.resolveAll(String.self) == ["r1", "r2"])
        #expect(try context.resolveAll(String.self, qualifier: "x") == ["r2"])
        #expect(try context.resolveAll(String.self, qualifier: "y") == [])
        #expect(try context.resolveAll(String.self, from: .modules(named: "A")) == [])
        context.pop()
        #expect(try context.resolveAll(String.self).count == 5)
    }

    @Test func replaceAll_takesTheTypeOfTheArray_too() throws {
        try context.push(
            Module("R") { registry in
                registry.replaceAll([String].self)
                registry.register(String.self) { "r1" }
            })
        #expect(try context.resolveAll(String.self) == ["r1"])
    }

    @Test func replaceAll_leavesTheModulesInFront_andSingleRequests() throws {
        let replacing = Module("R") { registry in
            registry.replaceAll(String.self)
        }
        try context.push(replacing, priority: .normal)
        #expect(try context.resolveAll(String.self) == ["c1", "c2"])
        #expect(try context.resolve(String.self, qualifier: "x") == "a2")
        #expect(try context.resolveAll(Int.self) == [1])
        #expect(try context.resolveMap(String.self) == ["y": "c2"])
    }
}
