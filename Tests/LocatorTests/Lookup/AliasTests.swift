import Locator
import Testing

@Suite("An alias is an additional key of an instance, and forwards to its key")
struct AliasTests {
    private class Animal: @unchecked Sendable {}
    private final class Dog: Animal, @unchecked Sendable {}
    private protocol Barking: Sendable {}
    private final class Terrier: Barking, Sendable {
        let number: Int
        init(number: Int = 0) { self.number = number }
    }

    private let dogs = Module("Dogs") { registry in
        registry.register(Terrier.self) { Terrier() }.alias((any Barking).self) { $0 }
    }

    @Test func alias_sharesTheInstance() throws {
        let context = try AppContext().load(dogs)
        let terrier = try context.resolve(Terrier.self)
        #expect(try context.resolve((any Barking).self) as? Terrier === terrier)
        #expect(
            try context.resolveAll((any Barking).self).map { ObjectIdentifier($0 as AnyObject) } == [
                ObjectIdentifier(terrier)
            ])
    }

    @Test func alias_sharesTheInstance_whicheverIsAskedFirst() throws {
        let context = try AppContext().load(dogs)
        let barking = try context.resolve((any Barking).self)
        #expect(try context.resolve(Terrier.self) === barking as? Terrier)
    }

    @Test func alias_forwardsToAPushedFake_ofItsKey() throws {
        let context = try AppContext().load(dogs)
        let real = try context.resolve((any Barking).self) as? Terrier
        try context.push(Module("Fakes") { $0.register(Terrier.self) { Terrier(number: 9) } })
        #expect((try context.resolve((any Barking).self) as? Terrier)?.number == 9)
        context.pop()
        #expect(try context.resolve((any Barking).self) as? Terrier === real)
    }

    @Test func fakeOfTheAliasKeyItself_replacesTheAliasOnly() throws {
        let context = try AppContext().load(dogs)
        try context.push(Module("Fakes") { $0.register((any Barking).self) { Terrier(number: 9) } })
        #expect((try context.resolve((any Barking).self) as? Terrier)?.number == 9)
        #expect(try context.resolve(Terrier.self).number == 0)
    }

    @Test func alias_upcastsClasses() throws {
        let module = Module("Dogs") { $0.register(Dog.init).alias(Animal.self) { $0 } }
        let context = try AppContext().load(module)
        #expect(try context.resolve(Animal.self) === context.resolve(Dog.self))
    }

    @Test func alias_hasTheQualifierOfItsRegistration_unlessAnotherIsGiven() throws {
        let module = Module("Dogs") { registry in
            registry.register(Terrier.self, qualifier: "rex") { Terrier(number: 1) }
                .alias((any Barking).self) { $0 }
                .alias((any Barking).self, qualifier: "watchdog") { $0 }
        }
        let context = try AppContext().load(module)
        let rex = try context.resolve(Terrier.self, qualifier: "rex")
        #expect(try context.resolve((any Barking).self, qualifier: "rex") as? Terrier === rex)
        #expect(try context.resolve((any Barking).self, qualifier: "watchdog") as? Terrier === rex)
        #expect(try context.resolveMap((any Barking).self).keys.sorted() == ["rex", "watchdog"])
    }

    @Test func alias_ofTheSameType_givesAnotherQualifier() throws {
        let module = Module("Dogs") { registry in
            registry.register(Terrier.self) { Terrier() }.alias(Terrier.self, qualifier: "default") { $0 }
        }
        let context = try AppContext().load(module)
        #expect(try context.resolve(Terrier.self, qualifier: "default") === context.resolve(Terrier.self))
    }

    /// Numbers of the terrier behind the alias "default", in all ways to ask for it.
    private static func defaults(of context: AppContext) throws -> [Int] {
        struct Kennel: Sendable { let terrier: Terrier }
        return [
            try context.resolve(Terrier.self, qualifier: "default").number,
            try context.resolve(Terrier?.self, qualifier: "default")?.number ?? -1,
            try context.resolve(Int.self), try context.resolve(Int.self, qualifier: "collected"),
        ] + (try context.resolveAll(Terrier.self, qualifier: "default").map(\.number))
    }

    @Test(arguments: [false, true])
    func alias_ofTheSameType_forwardsToAPushedFake(_ isPushedInChild: Bool) throws {
        let module = Module("Dogs") { registry in
            registry.register(Terrier.self) { Terrier() }
                .alias(Terrier.self, qualifier: "main") { $0 }
                .alias(Terrier.self, qualifier: "default") { $0 }
            registry.register(Int.self, parameterQualifiers: ["default"]) { (terrier: Terrier) in terrier.number }
            registry.register(Int.self, qualifier: "collected", parameterQualifiers: ["default"]) { (all: [Terrier]) in
                all.map(\.number).reduce(0, +)
            }
        }
        let server = try AppContext().load(module)
        let context = isPushedInChild ? try server.child() : server
        let terrier = AppContext.withContext(context) { Dependency<Terrier>(qualifier: "default") }
        for _ in 0..<2 {
            #expect(try Self.defaults(of: context) == [0, 0, 0, 0, 0])
            #expect(try terrier.resolved().number == 0)
            try context.push(Module("Fakes") { $0.register(Terrier.self) { Terrier(number: 9) } })
            #expect(try Self.defaults(of: context) == [9, 9, 9, 9, 9])
            #expect(try terrier.resolved().number == 9)
            #expect(try Self.defaults(of: server) == (isPushedInChild ? [0, 0, 0, 0, 0] : [9, 9, 9, 9, 9]))
            context.pop()
        }
        #expect(try Self.defaults(of: context) == [0, 0, 0, 0, 0])
        #expect(try terrier.resolved().number == 0)
    }

    @Test func elementsOfACollection_areNotDoubled_byAPushedFake() throws {
        let context = try AppContext().load(dogs)
        try context.push(Module("Fakes") { $0.register(Terrier.self) { Terrier(number: 9) } })
        #expect(try context.resolveAll((any Barking).self).map { ($0 as? Terrier)?.number } == [9])
    }

    @Test func collection_isAmbiguous_whenAnAliasForwardsToSeveral() throws {
        let context = try AppContext().load(dogs)
        let fakes = Module("Fakes") { registry in
            registry.register(Terrier.self) { Terrier(number: 8) }
            registry.register(Terrier.self) { Terrier(number: 9) }
        }
        try context.push(fakes)
        guard case .ambiguous(let key, _) = locatorError({ try context.resolveAll((any Barking).self) })?.kind else {
            Issue.record("not ambiguous")
            return
        }
        #expect(key == Key(Terrier.self))
    }

    @Test func alias_countsForAmbiguity() throws {
        let module = Module("Dogs") { registry in
            registry.register(Terrier.self) { Terrier() }.alias((any Barking).self) { $0 }
            registry.register((any Barking).self) { Terrier(number: 2) }
        }
        let context = try AppContext().load(module)
        guard case .ambiguous = locatorError({ try context.resolve((any Barking).self) })?.kind else {
            Issue.record("not ambiguous")
            return
        }
    }

    @Test func primary_countsForTheAliasToo() throws {
        let module = Module("Dogs") { registry in
            registry.register(Terrier.self) { Terrier(number: 1) }.alias((any Barking).self) { $0 }.primary()
            registry.register((any Barking).self) { Terrier(number: 2) }
        }
        #expect((try AppContext().load(module).resolve((any Barking).self) as? Terrier)?.number == 1)
    }

    @Test func aliasOfAPrototype_makesEachTimeANewOne() throws {
        let made = Counter()
        let module = Module("Dogs") { registry in
            registry.register(Terrier.self, scope: .prototype) { Terrier(number: made.next()) }
                .alias((any Barking).self) { $0 }
        }
        let context = try AppContext().load(module)
        #expect((try context.resolve((any Barking).self) as? Terrier)?.number == 1)
        #expect((try context.resolve((any Barking).self) as? Terrier)?.number == 2)
    }

    @Test func aliasOfAWeakInstance_sharesIt() throws {
        let module = Module("Dogs") { registry in
            registry.register(Terrier.self, scope: .weak) { Terrier() }.alias((any Barking).self) { $0 }
        }
        let context = try AppContext().load(module)
        let terrier = try context.resolve(Terrier.self)
        #expect(try context.resolve((any Barking).self) as? Terrier === terrier)
    }

    @Test func aliasAsADependency_isSetAsideWithItsKey() throws {
        struct Kennel: Sendable { let dog: any Barking }
        let context = try AppContext().load(dogs, Module("Kennel") { $0.register(Kennel.init) })
        let before = try context.resolve(Kennel.self).dog as? Terrier
        try context.push(Module("Fakes") { $0.register(Terrier.self) { Terrier(number: 9) } })
        #expect((try context.resolve(Kennel.self).dog as? Terrier)?.number == 9)
        context.pop()
        #expect(try context.resolve(Kennel.self).dog as? Terrier === before)
    }

    private final class Poodle: Barking {}
    private final class Kennel: Sendable {
        let hasDog: Bool
        init(hasDog: Bool) { self.hasDog = hasDog }
    }
    private final class Visitor { @Dependency var kennel: Kennel }

    @Test("A wrapper whose value was made while several aliases matched, after their module has ended")
    func severalAliases_whoseModuleIsGone() throws {
        func pair(_ name: String) -> Module {
            Module(name) { registry in
                registry.register(Terrier.self) { Terrier() }.alias((any Barking).self) { $0 }
                registry.register(Poodle.self) { Poodle() }.alias((any Barking).self) { $0 }
            }
        }
        let kennels = Module("Kennels") { registry in
            registry.register(Kennel.self, scope: .prototype) { (resolver: Resolver) in
                Kennel(hasDog: (try? resolver.resolve((any Barking).self)) != nil)
            }
        }
        let first = pair("First")
        let context = try AppContext().load(first, pair("Second"), kennels)
        let visitor = AppContext.withContext(context) { Visitor() }
        let before = visitor.kennel
        #expect(visitor.kennel === before)
        try context.unload(first)
        // Now the aliases of the second module match.
        let after = visitor.kennel
        #expect(after !== before)
        #expect([before.hasDog, after.hasDog] == [false, false])
    }
}
