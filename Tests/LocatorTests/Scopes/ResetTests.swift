import Foundation
import Locator
import TestSupport
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

    /// Several changes happen while an earlier request uses what the reset has ended.
    @Test func requestBegunAfterAReset_getsANewInstance_evenIfAChangeOvertakesIt() throws {
        struct Report {
            let thing: Thing
        }
        let (context, isLong) = (context, Late(false))
        let (begun, mayEnd, hasEnded) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        try context.load(
            module,
            Module("Reports") { registry in
                registry.register(qualifier: "long", scope: .prototype) { (thing: Thing) in
                    if isLong.value == true {
                        begun.signal()
                        mayEnd.wait()
                    }
                    return Report(thing: thing)
                }
                registry.register(qualifier: "overtaken", scope: .prototype) { (resolver: Resolver) in
                    _ = try onThread { try context.push(Module("Other") { $0.register { 1 } }) }
                    return Report(thing: try resolver.resolve())
                }
            })
        let old = try context.resolve(Thing.self)
        for _ in 0..<2 { _ = try context.resolve(Report.self, qualifier: "long") }
        isLong.value = true
        Thread {
            _ = try? context.resolve(Report.self, qualifier: "long")
            hasEnded.signal()
        }.start()
        begun.wait()
        try context.reset(.session)
        #expect(try context.resolve(Report.self, qualifier: "overtaken").thing !== old)
        mayEnd.signal()
        hasEnded.wait()
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

    @Test("An instance of the parent stays if the child has opened the scope itself", arguments: [false, true])
    func instanceOfTheParent_ifTheChildHasOpenedTheScope(isOpenedInParent: Bool) throws {
        try context.load(module)
        let parent = isOpenedInParent ? try context.child(opening: .session) : context
        let thing = try parent.resolve(Thing.self)
        let child = try parent.child(opening: .session)
        for resetting in [child, try child.child()] {
            let own = try child.resolve(Thing.self)
            #expect(own !== thing)
            try resetting.reset(.session)
            #expect(try child.resolve(Thing.self) !== own)
            #expect(try parent.resolve(Thing.self) === thing)
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

/// A reset ends what was made before it, and an instance that is being made was begun before it.
@Suite("Instances that a reset overtakes are made again", .watchdog)
struct OvertakingResetTests {
    private final class Thing: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private struct Reset: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (AppContext) throws -> Void
    }

    private static let ofAll = Reset(testDescription: "reset") { try $0.reset() }
    private static let ofScope = Reset(testDescription: "reset of the scope") { try $0.reset(.session) }
    private static let ofScopeAndOther = Reset(testDescription: "reset of the scope, and then of another") { context in
        try context.reset(.session)
        try context.reset(.singleton)
    }
    private static let ofOtherScope = Reset(testDescription: "reset of another scope") { try $0.reset(.singleton) }

    private let context = AppContext()
    private let log = Log()

    init() throws {
        try context.load(Module("Other") { $0.register { Counter() } })
    }

    /// Runs a reset when the thing is made first.
    ///
    /// With `isInjected`, the thing waits for the end of its request.
    private func load(_ reset: Reset, _ scope: Scope, isInjected: Bool = false) throws {
        let (context, log, count) = (context, log, Counter())
        try context.load(
            Module("Things") { registry in
                let thing = registry.register(Thing.self, scope: scope) {
                    let number = count.next()
                    if number == 1 { try onThread { try reset.run(context) } }
                    return Thing(number)
                }
                if isInjected { thing.injecting { _ in } }
                thing.onDispose { log("dispose of \($0.number)") }
            })
    }

    @Test(arguments: [(ofAll, Scope.session), (ofAll, .singleton), (ofScope, .session), (ofScopeAndOther, .session)])
    private func instance(_ reset: Reset, scope: Scope) throws {
        try load(reset, scope)
        #expect(try context.resolve(Thing.self).number == 1)
        #expect(log.take() == ["dispose of 1"])
        let thing = try context.resolve(Thing.self)
        #expect(thing.number == 2)
        #expect(try context.resolve(Thing.self) === thing)
    }

    @Test func weaklyHeldInstance() throws {
        let (context, count) = (context, Counter())
        try context.load(
            Module("Things") { registry in
                registry.register(Thing.self, scope: .weak) {
                    let number = count.next()
                    if number == 1 { try onThread { try context.reset() } }
                    return Thing(number)
                }
            })
        let first = try context.resolve(Thing.self)
        let second = try context.resolve(Thing.self)
        #expect(second !== first)
        #expect(try context.resolve(Thing.self) === second)
    }

    @Test(arguments: [ofAll, ofScope])
    private func decoratedInstance(_ reset: Reset) throws {
        try load(reset, .session)
        try context.push(
            Module("Decorators") { registry in registry.decorate(Thing.self) { Thing($0.number + 10) } })
        #expect(try context.resolve(Thing.self).number == 11)
        #expect(log.take() == ["dispose of 1"])
        let thing = try context.resolve(Thing.self)
        #expect(thing.number == 12)
        #expect(try context.resolve(Thing.self) === thing)
    }

    @Test(arguments: [ofAll, ofScope])
    private func instanceForRequestsBegunBefore(_ reset: Reset) throws {
        try load(reset, .session)
        let (context, isMade, isGiven, begun) = (
            context, DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        try context.load(
            Module("Requests") { registry in
                registry.register(Int.self, qualifier: "first", scope: .prototype) { (resolver: Resolver) in
                    begun.wait()
                    let number = try resolver.resolve(Thing.self).number
                    isMade.signal()
                    isGiven.wait()
                    return number
                }
                registry.register(Int.self, qualifier: "second", scope: .prototype) { (resolver: Resolver) in
                    begun.signal()
                    isMade.wait()
                    return try resolver.resolve(Thing.self).number
                }
            })
        let second = Late<Int>()
        Thread {
            second.value = try? context.resolve(Int.self, qualifier: "second")
            isGiven.signal()
        }.start()
        #expect(try context.resolve(Int.self, qualifier: "first") == 1)
        #expect(second.value == 1)
        #expect(log.take() == ["dispose of 1"])
        #expect(try context.resolve(Thing.self).number == 2)
    }

    /// How the second instance gets the one that the reset ends.
    enum Joint: CaseIterable {
        case injection, cycle, initializer
    }

    @Test(arguments: [ofAll, ofScope], Joint.allCases)
    private func instancesJoinedByInjections(_ reset: Reset, joint: Joint) throws {
        final class Owner: Sendable {
            let middle = Late<Middle>()
        }
        final class Middle: Sendable {
            let thing: Late<Thing>
            let owner = Late<Owner>()
            init(_ thing: Thing? = nil) { self.thing = Late(thing) }
        }
        try load(reset, .session, isInjected: true)
        try context.load(
            Module("Owners") { [log] registry in
                registry.register(Owner.init).injecting { (owner, middle: Middle) in owner.middle.value = middle }
                    .onDispose { _ in log("dispose of the owner") }
                registry.register(Middle.self) { (resolver: Resolver) in
                    Middle(joint == .initializer ? try resolver.resolve(Thing.self) : nil)
                }
                .injecting { (middle, resolver: Resolver) in
                    if joint != .initializer { middle.thing.value = try resolver.resolve(Thing.self) }
                    if joint == .cycle { middle.owner.value = try resolver.resolve(Owner.self) }
                }
                .onDispose { _ in log("dispose of the middle") }
            })
        func ended(_ number: Int) -> [String] {
            let things = ["dispose of \(number)", "dispose of the middle"]
            return (joint == .initializer ? things.reversed() : things) + ["dispose of the owner"]
        }
        #expect(try context.resolve(Owner.self).middle.value?.thing.value?.number == 1)
        #expect(log.take() == ended(1))
        let owner = try context.resolve(Owner.self)
        #expect(owner.middle.value?.thing.value === (try context.resolve(Thing.self)))
        #expect(try context.resolve(Owner.self) === owner)
        try context.reset(.session)
        #expect(log.take() == ended(2))
    }

    @Test(arguments: [ofAll, ofScope], [true, false])
    private func instanceOfTheParent(_ reset: Reset, isLean: Bool) throws {
        try load(reset, .session)
        let child = try isLean ? context.child() : context.child(pushing: Module("More") { $0.register { 1 } })
        let first = try child.resolve(Thing.self)
        try expectOneThing(after: first, in: child)
    }

    @Test(arguments: [ofAll, ofScope], [true, false])
    private func cycleOfTheParent(_ reset: Reset, isLean: Bool) throws {
        final class Owner: Sendable {
            let thing: Thing
            init(_ thing: Thing) { self.thing = thing }
        }
        let (context, count) = (context, Counter())
        try context.load(
            Module("Cycle") { registry in
                registry.register(Owner.init)
                registry.register(Thing.self, scope: .session) {
                    let number = count.next()
                    if number == 1 { try onThread { try reset.run(context) } }
                    return Thing(number)
                }
                .injecting { (_, _: Owner) in }
            })
        let child = try isLean ? context.child() : context.child(pushing: Module("More") { $0.register { 1 } })
        _ = try child.resolve(Thing.self)
        let owner = try child.resolve(Owner.self)
        #expect(try context.resolve(Owner.self) === owner)
        #expect(try child.resolve(Thing.self) === owner.thing)
    }

    @Test func instanceOfTheParent_ifTheChildIsReset() throws {
        let child = Late<AppContext>()
        try load(Reset(testDescription: "reset of the child") { _ in try child.value?.reset(.session) }, .session)
        child.value = try context.child()
        if let child = child.value { try expectOneThing(after: child.resolve(Thing.self), in: child) }
        child.value = nil
    }

    /// The parent and the child may both have made one for the first request, and have kept neither.
    private func expectOneThing(after first: Thing, in child: AppContext) throws {
        let ended = log.take()
        let thing = try child.resolve(Thing.self)
        #expect(thing !== first)
        #expect(ended == (1..<thing.number).map { "dispose of \($0)" })
        #expect(try context.resolve(Thing.self) === thing)
        #expect(try child.resolve(Thing.self) === thing)
        try context.reset()
        #expect(log.take() == ["dispose of \(thing.number)"])
    }

    @Test func instanceOfAnotherScope_stays() throws {
        try load(Self.ofOtherScope, .session)
        let thing = try context.resolve(Thing.self)
        #expect(try context.resolve(Thing.self) === thing)
        #expect(log.take() == [])
    }

    @Test func instanceOfAChild_stays_ifItsParentIsReset() throws {
        let context = context
        let child = try context.child(
            pushing: Module("Things") { registry in
                registry.register {
                    try onThread { try context.reset() }
                    return Thing(1)
                }
            })
        let thing = try child.resolve(Thing.self)
        #expect(try child.resolve(Thing.self) === thing)
    }

    /// Loads an asynchronous thing that runs a reset the first time that `url` is the given one.
    private func loadAsynchronous(_ reset: Reset, _ files: MemoryFiles, at url: String) throws {
        let (context, log, count) = (context, log, Counter())
        try context.loadProperties(files.source).load(
            Module("Things") { registry in
                registry.register(
                    Thing.self, scope: .session,
                    async: { (resolver: Resolver) async throws in
                        guard try resolver.value("url") == url else { return Thing(0) }
                        let number = count.next()
                        log("make \(number)")
                        if number == 1 { try await Task.detached { try reset.run(context) }.value }
                        return Thing(number)
                    }
                )
                .onDispose { log("dispose of \($0.number)") }
            })
    }

    @Test(arguments: [ofAll, ofScope, ofScopeAndOther])
    private func asynchronousInstance(_ reset: Reset) async throws {
        try loadAsynchronous(reset, MemoryFiles(#"{ "url": "db1" }"#), at: "db1")
        try await context.start()
        #expect(log.take() == ["make 1", "dispose of 1", "make 2"])
        #expect(try context.resolve(Thing.self).number == 2)
    }

    @Test(arguments: [ofAll, ofScope])
    private func asynchronousInstance_ofAStartingReload(_ reset: Reset) async throws {
        let files = MemoryFiles(#"{ "url": "db1" }"#)
        try loadAsynchronous(reset, files, at: "db2")
        try await context.start()
        files.content = #"{ "url": "db2" }"#
        try await context.reloadAndStart()
        #expect(log.take() == ["make 1", "dispose of 0", "dispose of 1", "make 2"])
        #expect(try context.resolve(Thing.self).number == 2)
    }

    @Test func asynchronousInstanceOfAnotherScope_stays() async throws {
        try loadAsynchronous(Self.ofOtherScope, MemoryFiles(#"{ "url": "db1" }"#), at: "db1")
        try await context.start()
        #expect(log.take() == ["make 1"])
        #expect(try context.resolve(Thing.self).number == 1)
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
