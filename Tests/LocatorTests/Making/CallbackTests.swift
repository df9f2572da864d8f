import Locator
import TestSupport
import Testing

/// Code that the context calls back may use any context of the family, at any moment.
@Suite("Hooks, observers, and deinitializers may use the contexts of a family", .watchdog)
struct CallbackTests {
    private static let here = "LocatorTests/CallbackTests.swift"

    private final class Base: Sendable {}

    private final class Glance: Sendable {
        init(_ base: Base) {}
    }

    private final class View: Sendable {
        init(_ glance: Glance) {}
    }

    @Test func partOfAWeakInstanceThatHasEnded_isDisposedOf_ifARequestUsedIt() throws {
        let session = Scope("session")
        let log = Log()
        let parent = try AppContext().load(
            Module("Parent") { registry in
                registry.register(Base.init).onDispose { _ in log("base") }
                registry.register(scope: .weak, Glance.init)
                registry.register(scope: session, View.init)
            })
        let child = try parent.child()
        try child.push(
            Module("Child") { registry in
                registry.register(Int.self) { [unowned parent] (_: View) in
                    try parent.reset(session)
                    return 1
                }
            })
        #expect(try child.resolve(Int.self) == 1)
        #expect(log.take() == [])
        try parent.reset()
        #expect(log.take() == ["base"])
    }

    private final class Lamp: Sendable {}
    private final class Cable: Sendable {}

    private final class Room: Sendable {
        init(_ lamp: Lamp, _ cable: Cable) {}
    }

    private final class Shade: Sendable {
        init(_ lamp: Lamp) {}
    }

    private static let lighting = Module("Lighting") { registry in
        registry.register(Lamp.init).injecting { _ in }
        registry.register(Cable.init)
        registry.register(Room.init)
        registry.register(Shade.init)
    }

    @Test func observerThatNeedsWhatWaitsForInjectionsOnItsThread_getsAnError() throws {
        let context = try AppContext().load(Self.lighting)
        let log = Log()
        let observation = context.observe { [unowned context] event in
            guard case .made(let making) = event, making.key == Key(Cable.self) else { return }
            do { _ = try context.resolve(Shade.self) } catch { log("\(error)") }
        }
        _ = try context.resolve(Room.self)
        observation.end()
        #expect(
            log.take() == [
                """
                \(Self.here):55: Lamp depends on itself
                  Lamp (\(Self.here):55)
                  needs Shade (\(Self.here):58)
                  needs Lamp (\(Self.here):55)
                  Lamp waits for its injections, which run after this request
                  fix: resolve it once the outer request has returned
                """
            ])
        let shade = try context.resolve(Shade.self)
        #expect(try context.resolve(Shade.self) === shade)
    }

    private final class Ending: Sendable {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        deinit { end() }
    }

    @Test func deinitializerOfAnInstanceThatARequestReplaces_mayUseTheContext() throws {
        let context = AppContext()
        let log = Log()
        try context.load(
            Module("M") { [unowned context] registry in
                registry.register(Ending.self) {
                    Ending { [weak context] in log("\((try? context?.resolve(Int.self)) ?? 0)") }
                }
                registry.register(Int.self) { 1 }
                // Both requests see the state before the reset. Only the first uses the first instance.
                registry.register(String.self, qualifier: "first", scope: .prototype) { (resolver: Resolver) in
                    try onThread { try context.reset(.singleton) }
                    _ = try resolver.resolve(Ending.self)
                    return "first"
                }
                registry.register(String.self, qualifier: "second", scope: .prototype) { (resolver: Resolver) in
                    _ = try onThread { try context.resolve(String.self, qualifier: "first") }
                    log("the first request has ended")
                    _ = try resolver.resolve(Ending.self)
                    return "second"
                }
            })
        #expect(try context.resolve(String.self, qualifier: "second") == "second")
        #expect(log.take() == ["the first request has ended", "1", "1"])
    }

    private final class Dial: Sendable {}
    private final class Hand: Sendable {}

    @Test(arguments: [1, 2, 3, 6])
    func hooksThatRequestWhatOlderStatesAreMaking_getAnInstance(changes: Int) throws {
        let context = AppContext()
        let other = AppContext()
        let page = Scope("page")
        let log = Log()
        let made = Counter()
        try other.load(
            Module("Other") { [unowned context] registry in
                registry.register(scope: page, Hand.init).onDispose { _ in
                    do {
                        try context.push(Module("Push") { _ in })
                        _ = try context.resolve(Dial.self)
                    } catch {
                        log("\(error)")
                    }
                }
            })
        try context.load(
            Module("M") { registry in
                registry.register(Dial.self) {
                    if made.next() <= changes {
                        _ = try other.within(page) { child in try child.resolve(Hand.self) }
                    }
                    return Dial()
                }
            })
        _ = try context.resolve(Dial.self)
        #expect(log.take() == [])
        #expect(made.value == changes + 1)
    }
}
