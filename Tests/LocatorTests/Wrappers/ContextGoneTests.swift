import Locator
import Testing

private final class Thing: Sendable {
    private let alive: Log?
    init(_ alive: Log? = nil) {
        self.alive = alive
        alive?("+")
    }
    deinit { alive?("-") }
}

extension Log {
    fileprivate var alive: Int { entries.reduce(0) { $0 + ($1 == "+" ? 1 : -1) } }
}

@Suite("A wrapper that was read keeps its value when its context is gone")
struct ContextGoneTests {
    /// Where the answer comes from.
    enum Origin: CaseIterable, Sendable {
        case loaded
        case pushed
        case loadedUnderAPush
        case fork
        case forkThatPushes
        case childThatPushes
        case childThatOpens
        case childOfAPush
        case grandchild
    }

    private static func things(_ scope: ScopeKind, _ alive: Log? = nil) -> Module {
        Module("Things", properties: ["size": 3], including: [.naming(ScopeKind.sessionScope)]) { registry in
            scope.register(Thing.self, in: registry) { Thing(alive) }
        }
    }

    private static func context(_ origin: Origin, _ scope: ScopeKind) throws -> AppContext {
        let things = things(scope)
        switch origin {
        case .loaded: return try AppContext().load(things)
        case .pushed: return try AppContext().push(things).context
        case .loadedUnderAPush: return try AppContext().load(things).push(.text("unrelated")).context
        case .fork: return try AppContext().load(things).fork()
        case .forkThatPushes: return try AppContext().fork(pushing: things)
        case .childThatPushes: return try AppContext().child(pushing: things)
        case .childThatOpens: return try AppContext().load(things).child(opening: ScopeKind.sessionScope)
        case .childOfAPush: return try AppContext().push(things).context.child()
        case .grandchild:
            return try AppContext().load(things).child(opening: ScopeKind.sessionScope).child(pushing: .text("own"))
        }
    }

    @Test(arguments: WrapperKind.allCases, Origin.allCases)
    func value_isKept(_ kind: WrapperKind, _ origin: Origin) throws {
        for scope in ScopeKind.allCases {
            var context: AppContext? = try Self.context(origin, scope)
            weak let seen = context
            // A first read, a second read, and a read after another wrapper has made the answer ready.
            let readers = try (0..<3).map { _ in try kind.reader(of: Thing.self, in: #require(context)) }
            let things = try readers.map { try $0() }
            for (read, thing) in zip(readers.dropFirst(), things.dropFirst()) { #expect(try read() === thing) }
            context = nil
            #expect(seen == nil)
            for (read, thing) in zip(readers, things) { #expect(try read() === thing, "\(scope)") }
        }
    }

    @Test(arguments: Origin.allCases)
    func property_isKept(_ origin: Origin) throws {
        var context: AppContext? = try Self.context(origin, .singleton)
        let size = try AppContext.withContext(#require(context)) { PropertyValue<Int>("size") }
        #expect(size() == 3)
        context = nil
        #expect(size() == 3)
    }

    @Test(arguments: WrapperKind.allCases, Origin.allCases)
    func valueThatAClosureHasRead_isKept(_ kind: WrapperKind, _ origin: Origin) throws {
        for scope in ScopeKind.allCases {
            var context: AppContext? = try Self.context(origin, scope)
            let read = try kind.reader(of: Thing.self, in: #require(context))
            try context?.push(Module("Text") { $0.register(String.self) { "\(ObjectIdentifier(try read()))" } })
            let text = try context?.resolve(String.self)
            context = nil
            #expect(try "\(ObjectIdentifier(read()))" == text, "\(scope)")
        }
    }

    @Test(arguments: WrapperKind.allCases)
    func whatWasReadLast_isKept_afterItsModuleWasPopped(_ kind: WrapperKind) throws {
        var context: AppContext? = try AppContext().load(Self.things(.singleton))
        let read = try kind.reader(of: Thing.self, in: #require(context))
        let thing = try read()
        try context?.push(Self.things(.singleton))
        let fake = try read()
        #expect(fake !== thing)
        context?.pop()
        context = nil
        #expect(try read() === fake)
    }

    @Test(arguments: WrapperKind.allCases)
    func unsettledWrapper_saysThatItsContextIsGone(_ kind: WrapperKind) throws {
        var context: AppContext? = try AppContext().push(Self.things(.singleton)).context
        let read = try kind.reader(of: Thing.self, in: #require(context))
        let wrapper = try AppContext.withContext(#require(context)) { Dependency<Thing>() }
        _ = wrapper()
        wrapper.reset()
        context = nil
        for error in [locatorError({ try read() }), locatorError({ try wrapper.resolved() })] {
            guard case .contextGone? = error?.kind else {
                Issue.record("the context is not gone")
                return
            }
        }
    }

    @Test(arguments: WrapperKind.allCases)
    func poppedValue_isReleased_atTheNextRead(_ kind: WrapperKind) throws {
        for scope in ScopeKind.allCases {
            let alive = Log()
            let context = try AppContext().load(Self.things(.singleton))
            let read = try kind.reader(of: Thing.self, in: context)
            try context.push(Self.things(scope, alive))
            _ = try read()
            #expect(alive.alive > 0)
            context.pop()
            _ = try read()
            #expect(alive.alive == 0, "\(scope)")
        }
    }

    @Test(arguments: WrapperKind.allCases.filter { $0 != .array })
    func poppedValue_isReleased_whenTheNextReadFails(_ kind: WrapperKind) throws {
        struct Refusal: Error {}
        for scope in ScopeKind.allCases {
            let alive = Log()
            let broken = Module("Broken") { $0.register(Thing.self) { () throws -> Thing in throw Refusal() } }
            let context = try AppContext().load(broken)
            let read = try kind.reader(of: Thing.self, in: context)
            try context.push(Self.things(scope, alive))
            _ = try read()
            context.pop()
            #expect(throws: LocatorError.self) { try read() }
            #expect(alive.alive == 0, "\(scope)")
        }
    }

    @Test(arguments: [true, false])
    func sessionValue_isReleased_atTheNextReadOrReset(_ isReset: Bool) throws {
        let alive = Log()
        let context = try AppContext().load(Self.things(.session, alive))
        let wrapper = AppContext.withContext(context) { Dependency<Thing>() }
        _ = wrapper()
        try context.reset(ScopeKind.sessionScope)
        if isReset { wrapper.reset() } else { _ = wrapper() }
        #expect(alive.alive == (isReset ? 0 : 1))
    }

    @Test func errorOfAnotherContext_isNotTakenForTheEndOfItsOwn() throws {
        let other = AppContext.withContext(AppContext()) { Dependency<Int>() }
        let context = try AppContext().load(Module("M") { $0.register(String.self) { "before" } })
        let wrapper = AppContext.withContext(context) { Dependency<String>() }
        #expect(wrapper() == "before")
        try context.push(Module("P") { $0.register(String.self) { "\(try other.resolved())" } })
        guard case .contextGone? = locatorError({ try wrapper.resolved() })?.kind else {
            Issue.record("the other context is not gone")
            return
        }
    }
}
