import Locator
import Testing

extension Scope {
    fileprivate static let session = Scope("session")
}

private protocol Named: AnyObject, Sendable {}

@Suite("A reset of a scope drops every instance of the scope, and no other")
struct ResetTests {
    private final class Thing: Named {
        let name: String
        init(_ name: String = "") { self.name = name }
    }

    private let context = AppContext()

    private let module = Module("M") { registry in
        registry.register(Thing.self, scope: .session) { Thing("own") }
        registry.register(Thing.self, qualifier: "single") { Thing("single") }
    }

    /// What is between the creation of an instance and the reset that ends it.
    enum Step: CaseIterable {
        case nothing, resetBefore, setAside, setAsideAndBroughtBack, loadedAnew, decorated
    }

    @Test(arguments: Step.allCases) func isDropped(after step: Step) throws {
        let disposed = Log()
        let fake = Module("Fake") { $0.register(Thing.self, scope: .session) { Thing("fake") } }
        let module = Module("M") { registry in
            registry.register(Thing.self, scope: .session) { Thing("own") }
                .alias((any Named).self) { $0 }
                .onDispose { disposed($0.name) }
        }
        try context.load(module)
        switch step {
        case .resetBefore:
            _ = try context.resolve(Thing.self)
            try context.reset(.session)
        case .nothing, .setAside, .setAsideAndBroughtBack: break
        case .loadedAnew:
            _ = try context.resolve(Thing.self)
            try context.unload(module).load(module)
        case .decorated:
            try context.push(
                Module("Decorators") { registry in
                    registry.decorate(Thing.self) { base in Thing("decorated \(base.name)") }
                })
        }
        let thing = try context.resolve(Thing.self)
        let alias = try context.resolve((any Named).self)
        #expect(alias === thing)
        if step == .setAside || step == .setAsideAndBroughtBack {
            try context.push(fake)
            #expect(try context.resolve(Thing.self).name == "fake")
        }
        if step == .setAsideAndBroughtBack {
            context.pop()
            #expect(try context.resolve(Thing.self) === thing)
        }
        let before = disposed.entries.count
        try context.reset(.session)
        #expect(disposed.entries.count == before + 1)
        if step == .setAside { context.pop() }
        #expect(try context.resolve(Thing.self) !== thing)
        #expect(try context.resolve((any Named).self) === context.resolve(Thing.self))
        try context.reset(.session)
        #expect(disposed.entries.count == before + 2)
    }

    @Test(arguments: [Scope.singleton, .always, .session]) func ofAnyScope(_ scope: Scope) throws {
        let module = Module("M") { registry in
            registry.register(Thing.self, qualifier: "singleton") { Thing() }
            registry.register(Thing.self, qualifier: "always", scope: .always) { Thing() }
            registry.register(Thing.self, qualifier: "session", scope: .session) { Thing() }
        }
        try context.load(module)
        let names: [Qualifier] = ["singleton", "always", "session"]
        let before = try names.map { try context.resolve(Thing.self, qualifier: $0) }
        try context.reset(scope)
        for (name, thing) in zip(names, before) {
            let isKept = try context.resolve(Thing.self, qualifier: name) === thing
            #expect(isKept == (name != .named(scope.name)))
        }
    }

    @Test func ofAll_dropsThoseOfEveryScope() throws {
        try context.load(module)
        let (own, single) = (try context.resolve(Thing.self), try context.resolve(Thing.self, qualifier: "single"))
        try context.reset()
        let (next, nextSingle) = (try context.resolve(Thing.self), try context.resolve(Thing.self, qualifier: "single"))
        #expect(next !== own && nextSingle !== single)
        try context.reset(.session)
        #expect(try context.resolve(Thing.self) !== next)
        #expect(try context.resolve(Thing.self, qualifier: "single") === nextSingle)
    }
}

@Suite("Each of many registrations of a type is found by its name")
struct ManyNamesTests {
    private final class Thing: Named {
        let name: String
        init(_ name: String) { self.name = name }
    }

    private let names = (0..<300).map { "name \($0)" } + ["é", "ﬁ", "", "🙂"]

    @Test func alsoThroughAliases_andBesideThoseWithoutOne() throws {
        let names = names
        let module = Module("M") { registry in
            registry.register(Thing.self) { Thing("none") }
            for name in names {
                registry.register(Thing.self, qualifier: .named(name)) { Thing(name) }
                    .alias((any Named).self) { $0 }
            }
        }
        let context = try AppContext().load(module)
        #expect(try context.resolve(Thing.self).name == "none")
        for name in names {
            let thing = try context.resolve(Thing.self, qualifier: .named(name))
            #expect(thing.name == name)
            #expect(try context.resolve((any Named).self, qualifier: .named(name)) as? Thing === thing)
        }
        // Another way to write the same text.
        #expect(try context.resolve(Thing.self, qualifier: "e\u{301}").name == "é")
        #expect(try context.resolve(Thing?.self, qualifier: "name 300") == nil)
        #expect(try context.resolveMap(Thing.self).keys.sorted() == names.sorted())
        #expect(try context.resolveAll(Thing.self).map(\.name) == ["none"] + names)
    }
}
