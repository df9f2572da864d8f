import Locator
import Testing

@Suite("Scope .weak: one instance for as long as other code holds it")
struct WeakScopeTests {
    private class Thing: @unchecked Sendable {}

    private protocol Role: Sendable {}
    private final class Actor: Role {}
    private struct Value: Role {}

    private let made = Counter()
    private let context = AppContext()

    private func module() -> Module {
        Module("Weak") { [made] registry in
            registry.register(Thing.self, scope: .weak) {
                made.next()
                return Thing()
            }
        }
    }

    @Test func instance_isShared_whileItIsHeld() throws {
        try context.load(module())
        var thing: Thing? = try context.resolve(Thing.self)
        #expect(try context.resolve(Thing.self) === thing)
        #expect(made.value == 1)
        thing = nil
        _ = try context.resolve(Thing.self)
        #expect(made.value == 2)
    }

    @Test func instance_isNotHeldByTheContext() throws {
        try context.load(module())
        weak var seen: Thing?
        do {
            let thing = try context.resolve(Thing.self)
            seen = thing
            #expect(context.existing(Thing.self) === thing)
        }
        #expect(seen == nil)
        #expect(context.existing(Thing.self) == nil)
    }

    @Test func instance_livesWithItsHolder() throws {
        final class Holder: Sendable {
            let thing: Thing
            init(thing: Thing) { self.thing = thing }
        }
        try context.load(module(), Module("H") { $0.register(Holder.init) })
        let holder = try context.resolve(Holder.self)
        #expect(try context.resolve(Thing.self) === holder.thing)
        #expect(made.value == 1)
    }

    @Test func protocol_isHeldWeakly_whenTheInstanceIsAnObject() throws {
        try context.load(Module("M") { $0.register((any Role).self, scope: .weak) { Actor() } })
        let role = try context.resolve((any Role).self)
        #expect(try context.resolve((any Role).self) as? Actor === role as? Actor)
    }

    @Test func valueType_isAnErrorAtLoad_thatSaysWhy() throws {
        let module = Module("M") { registry in
            registry.register(Value.self, scope: .weak, fileID: "Shop/Shop.swift", line: 7) { Value() }
        }
        #expect(
            message { try context.load(module) } == """
                Shop/Shop.swift:7: Value cannot have scope .weak: it is a value type, and only class instances can be held weakly
                  fix: choose another scope, or register a class
                """)
    }

    @Test func aliasWithAValueType_isAnErrorAtLoad_withThePlaceOfTheAlias() throws {
        let module = Module("M") { registry in
            registry.register(scope: .weak, Actor.init)
                .alias(Value.self, fileID: "Shop/Shop.swift", line: 8) { _ in Value() }
        }
        #expect(
            message { try context.load(module) } == """
                Shop/Shop.swift:8: Value cannot have scope .weak: it is a value type, and only class instances can be held weakly
                  fix: choose another scope, or register a class
                """)
    }

    @Test func valueBehindAProtocol_isAnErrorWhenItIsMade() throws {
        let module = Module("M") { registry in
            registry.register((any Role).self, scope: .weak, fileID: "Shop/Shop.swift", line: 7) { Value() }
        }
        try context.load(module)
        #expect(
            message { try context.resolve((any Role).self, fileID: "Shop/Main.swift", line: 3) } == """
                Shop/Shop.swift:7: any Role cannot have scope .weak: its instance is a value, and only class instances can be held weakly
                  requested: any Role at Shop/Main.swift:3
                  fix: choose another scope, or return a class instance
                """)
    }

    @Test func decoratorThatReturnsAValue_isAnError_withThePlaceOfTheDecorator() throws {
        let module = Module("M") { registry in
            registry.register((any Role).self, scope: .weak, fileID: "Shop/Shop.swift", line: 7) { Actor() }
            registry.decorate((any Role).self, fileID: "Shop/Shop.swift", line: 8) { _ in Value() }
        }
        try context.load(module)
        #expect(
            message { try context.resolve((any Role).self, fileID: "Shop/Main.swift", line: 3) } == """
                Shop/Shop.swift:8: any Role cannot have scope .weak: its instance is a value, and only class instances can be held weakly
                  requested: any Role at Shop/Main.swift:3
                  fix: choose another scope, or return a class instance
                """)
    }

    @Test func setAsideInstance_isHeldWeakly() throws {
        try context.load(module())
        var thing: Thing? = try context.resolve(Thing.self)
        weak let seen = thing
        try context.push(Module("Fake") { $0.register(Thing.self, scope: .weak) { Thing() } })
        #expect(try context.resolve(Thing.self) !== thing)
        context.pop()
        #expect(try context.resolve(Thing.self) === thing)
        try context.push(Module("Fake") { $0.register(Thing.self, scope: .weak) { Thing() } })
        thing = nil
        #expect(seen == nil)
        context.pop()
        _ = try context.resolve(Thing.self)
        #expect(made.value == 2)
    }

    @Test func elementThatOnlyAnArrayHolds_isTheSame_afterAnotherElementIsGone() throws {
        try context.load(Module("Actors") { $0.register((any Role).self, scope: .weak) { Actor() } })
        let roles = AppContext.withContext(context) { DependencyArray<any Role>() }
        weak let first = roles().first as? Actor
        try context.push(Module("More") { $0.register((any Role).self) { Value() } })
        #expect(roles().count == 2)
        context.pop()
        #expect(roles().count == 1)
        #expect(first != nil)
        try context.reset()
        _ = roles()
        #expect(first == nil)
    }
}
