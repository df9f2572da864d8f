import Locator
import Testing

extension Scope {
    fileprivate static let session = Scope("session")
    fileprivate static let request = Scope("request")
}

@Suite("A scope says how long an instance lives")
struct ScopeTests {
    private final class Thing: Sendable {}

    private struct Pair: Sendable {
        let left: Thing
        let right: Thing
    }

    private let context = AppContext()

    @Test func singleton_isMadeOnce_onTheFirstRequest() throws {
        let made = Counter()
        let module = Module("M") { registry in
            registry.register(Thing.self) {
                made.next()
                return Thing()
            }
        }
        try context.load(module)
        #expect(made.value == 0)
        let thing = try context.resolve(Thing.self)
        #expect(try context.resolve(Thing.self) === thing)
        #expect(made.value == 1)
    }

    @Test func prototype_isMadeEachTime_andNeedNotBeSendable() throws {
        final class NotSendable { var count = 0 }
        let module = Module("M") { $0.register(scope: .prototype, NotSendable.init) }
        try context.load(module)
        #expect(try context.resolve(NotSendable.self) !== context.resolve(NotSendable.self))
    }

    @Test func prototypes_ofOneMaking_areDifferent() throws {
        let module = Module("M") { registry in
            registry.register(scope: .prototype, Thing.init)
            registry.register(Pair.init)
        }
        let pair = try context.load(module).resolve(Pair.self)
        #expect(pair.left !== pair.right)
        #expect(try context.resolve(Pair.self).left === pair.left)
    }

    @Test func customScope_isShared_untilItIsReset() throws {
        let module = Module("M") { registry in
            registry.register(scope: .session, Thing.init)
            registry.register(Thing.self, qualifier: "request", scope: .request, Thing.init)
            registry.register(Thing.self, qualifier: "singleton", Thing.init)
        }
        try context.load(module)
        let thing = try context.resolve(Thing.self)
        let request = try context.resolve(Thing.self, qualifier: "request")
        let singleton = try context.resolve(Thing.self, qualifier: "singleton")
        #expect(try context.resolve(Thing.self) === thing)
        try context.reset(.session)
        #expect(try context.resolve(Thing.self) !== thing)
        #expect(try context.resolve(Thing.self, qualifier: "request") === request)
        #expect(try context.resolve(Thing.self, qualifier: "singleton") === singleton)
    }

    @Test func scopesOfOneName_areOne() throws {
        try context.load(Module("M") { $0.register(scope: .session, Thing.init) })
        let thing = try context.resolve(Thing.self)
        try context.reset(Scope("session"))
        #expect(try context.resolve(Thing.self) !== thing)
    }

    @Test func resetOfAScope_dropsWhatWasMadeFromIt() throws {
        struct Holder: Sendable { let thing: Thing }
        final class Outer: Sendable {
            let holder: Holder
            init(holder: Holder) { self.holder = holder }
        }
        let module = Module("M") { registry in
            registry.register(scope: .session, Thing.init)
            registry.register(Holder.init)
            registry.register(Outer.init)
        }
        let outer = try context.load(module).resolve(Outer.self)
        try context.reset(.session)
        let next = try context.resolve(Outer.self)
        #expect(next !== outer)
        #expect(next.holder.thing === (try context.resolve(Thing.self)))
    }

    @Test func reset_dropsEverySharedInstance() throws {
        let module = Module("M") { registry in
            registry.register(Thing.init)
            registry.register(Thing.self, qualifier: "session", scope: .session, Thing.init)
            registry.register(Thing.self, qualifier: "always", scope: .always, Thing.init)
            registry.register(Thing.self, qualifier: "weak", scope: .weak, Thing.init)
        }
        try context.load(module)
        let qualifiers: [Qualifier?] = [nil, "session", "always", "weak"]
        let before = try qualifiers.map { try context.resolve(Thing.self, qualifier: $0) }
        try context.reset()
        let after = try qualifiers.map { try context.resolve(Thing.self, qualifier: $0) }
        for (before, after) in zip(before, after) { #expect(before !== after) }
    }

    @Test func readyInstance_isGivenAsItIs_alsoAfterAReset() throws {
        let thing = Thing()
        try context.load(Module("M") { $0.register(instance: thing) })
        #expect(try context.resolve(Thing.self) === thing)
        try context.reset()
        #expect(try context.resolve(Thing.self) === thing)
    }

    @Test func readyInstance_ofAProtocol_andWithAQualifier() throws {
        let module = Module("M") { registry in
            registry.register((any CustomStringConvertible & Sendable).self, qualifier: "a", instance: 42)
        }
        try context.load(module)
        #expect(
            try context.resolve((any CustomStringConvertible & Sendable).self, qualifier: "a").description == "42")
    }

    @Test func existing_isNil_untilItIsMade() throws {
        let module = Module("M") { registry in
            registry.register(Thing.init).alias((any Sendable).self) { $0 }
            registry.register(Thing.self, qualifier: "session", scope: .session, Thing.init)
            registry.register(Thing.self, qualifier: "prototype", scope: .prototype, Thing.init)
        }
        try context.load(module)
        #expect(context.existing(Thing.self) == nil)
        #expect(context.existing((any Sendable).self) == nil)
        let thing = try context.resolve(Thing.self)
        #expect(context.existing(Thing.self) === thing)
        #expect(context.existing((any Sendable).self) as? Thing === thing)

        #expect(context.existing(Thing.self, qualifier: "session") == nil)
        _ = try context.resolve(Thing.self, qualifier: "session")
        #expect(context.existing(Thing.self, qualifier: "session") != nil)

        _ = try context.resolve(Thing.self, qualifier: "prototype")
        #expect(context.existing(Thing.self, qualifier: "prototype") == nil)
        #expect(context.existing(Thing.self, qualifier: .property("missing")) == nil)
        #expect(context.existing(Int.self) == nil)

        try context.reset()
        #expect(context.existing(Thing.self) == nil)
    }

    @Test func existing_followsAPush() throws {
        try context.load(Module("M") { $0.register(Thing.init) })
        let thing = try context.resolve(Thing.self)
        try context.push(Module("Fake") { $0.register(Thing.init) })
        #expect(context.existing(Thing.self) == nil)
        context.pop()
        #expect(context.existing(Thing.self) === thing)
    }

    @Test func failedMaking_leavesNothingBehind() throws {
        struct Failure: Error {}
        let attempts = Counter()
        let module = Module("M") { registry in
            registry.register(Thing.self) {
                if attempts.next() == 1 { throw Failure() }
                return Thing()
            }
            registry.register(Pair.init)
        }
        try context.load(module)
        #expect(locatorError({ try context.resolve(Pair.self) }) != nil)
        #expect(context.existing(Pair.self) == nil)
        let pair = try context.resolve(Pair.self)
        #expect(pair.left === pair.right)
        #expect(attempts.value == 2)
    }

    @Test(
        "A scope's description is the way it is written",
        arguments: [(Scope.singleton, ".singleton"), (.always, ".always"), (.session, ".session")])
    func description(scope: Scope, expected: String) {
        #expect(scope.description == expected)
    }
}
