import Locator
import Testing

/// A change that can be undone sets instances aside.
///
/// Other changes dispose of them at once, latest first.
@Suite struct UndoTests {
    /// An instance that logs its disposal and what it was made from.
    private final class Link: Sendable {
        let name: String
        let inner: Link?

        init(_ name: String, _ inner: Link? = nil) {
            self.name = name
            self.inner = inner
        }
    }

    private struct Inner: Sendable { let link: Link }
    private struct Middle: Sendable { let link: Link }
    private struct Outer: Sendable { let link: Link }
    private struct Aside: Sendable { let link: Link }

    private static let visit = Scope("visit")

    /// Outer is made from Middle, and Middle from Inner and the setting `color`.
    ///
    /// Aside is independent.
    private func chain(_ disposals: Tally<String>, innerScope: Scope = .singleton) -> Module {
        Module("Chain") { registry in
            registry.register(scope: innerScope) { Inner(link: Link("inner")) }
                .onDispose { disposals.append($0.link.name) }
            registry.register { (inner: Inner, resolver: Resolver) in
                let color: String = try resolver.value("color", default: "plain")
                return Middle(link: Link("middle \(color)", inner.link))
            }
            .onDispose { disposals.append($0.link.name) }
            registry.register { (middle: Middle) in Outer(link: Link("outer", middle.link)) }
                .onDispose { disposals.append($0.link.name) }
            registry.register { Aside(link: Link("aside")) }.onDispose { disposals.append($0.link.name) }
        }
    }

    private func isSame(_ left: Outer, _ right: Outer) -> Bool { left.link === right.link }

    @Test func reset_disposesOfEverything_latestFirst() throws {
        let disposals = Tally<String>()
        let context = try AppContext().load(chain(disposals))
        _ = try context.resolve(Outer.self)
        _ = try context.resolve(Aside.self)
        try context.reset()
        #expect(disposals.take() == ["aside", "outer", "middle plain", "inner"])
        try context.reset()
        #expect(disposals.take() == [])
    }

    @Test func resetOfAScope_disposesOfWhatWasBuiltFromIt_alsoSetAside() throws {
        let disposals = Tally<String>()
        let context = try AppContext().load(chain(disposals, innerScope: Self.visit))
        let outer = try context.resolve(Outer.self)
        let aside = try context.resolve(Aside.self)
        try context.push(settings(["color": "red"]))
        let red = try context.resolve(Outer.self)
        #expect(red.link.inner?.inner === outer.link.inner?.inner)

        try context.reset(Self.visit)
        #expect(disposals.take() == ["outer", "middle red", "outer", "middle plain", "inner"])
        #expect(context.existing(Outer.self) == nil)
        #expect(try context.resolve(Aside.self).link === aside.link)
        context.pop()
        #expect(!isSame(try context.resolve(Outer.self), outer))
        #expect(disposals.take() == [])
    }

    @Test func unload_disposesOfWhatWasMadeFromIt_alsoSetAside() throws {
        let disposals = Tally<String>()
        let chain = chain(disposals)
        let context = try AppContext().load(chain)
        let outer = try context.resolve(Outer.self)
        let fake = Module("Fake") { $0.register { Middle(link: Link("fake")) } }
        try context.push(fake)
        let faked = try context.resolve(Outer.self)
        #expect(faked.link.inner?.name == "fake")
        try context.unload(chain)
        #expect(disposals.take() == ["outer", "outer", "middle plain", "inner"])
        #expect(context.existing(Outer.self) == nil)
        context.pop()
        try context.load(chain)
        #expect(!isSame(try context.resolve(Outer.self), outer))
    }

    @Test func unloadOfAModuleBehind_leavesWhatItDidNotAnswer() throws {
        let disposals = Tally<String>()
        let defaults = Module("Defaults", properties: ["color": "grey"]) { registry in
            registry.register { Aside(link: Link("default aside")) }
        }
        let context = try AppContext().load(chain(disposals)).load(defaults, priority: .low)
        let outer = try context.resolve(Outer.self)
        let aside = try context.resolve(Aside.self)
        #expect(outer.link.inner?.name == "middle grey")
        try context.unload(defaults)
        #expect(disposals.take() == ["outer", "middle grey"])
        #expect(try context.resolve(Aside.self).link === aside.link)
        #expect(try context.resolve(Outer.self).link.inner?.inner === outer.link.inner?.inner)
    }

    @Test func reload_disposesOfWhatReadAChangedValue_alsoSetAside() throws {
        let disposals = Tally<String>()
        let files = MemoryFiles(#"{"color": "blue", "size": 1}"#)
        let context = try AppContext().load(chain(disposals)).loadProperties(files.source)
        let blue = try context.resolve(Outer.self)
        let aside = try context.resolve(Aside.self)

        files.content = #"{"color": "blue", "size": 2}"#
        try context.reloadProperties()
        #expect(isSame(try context.resolve(Outer.self), blue))
        #expect(disposals.take() == [])

        try context.push(settings(["color": "red"]))
        let red = try context.resolve(Outer.self)
        files.content = #"{"color": "green", "size": 2}"#
        try context.reloadProperties()
        // What was made from "blue" can never be valid again. What was made from "red" over it still is.
        #expect(disposals.take() == ["outer", "middle blue"])
        #expect(isSame(try context.resolve(Outer.self), red))
        context.pop()
        #expect(disposals.take() == ["outer", "middle red"])
        #expect(try context.resolve(Outer.self).link.inner?.name == "middle green")
        #expect(try context.resolve(Aside.self).link === aside.link)
    }

    @Test func loadProperties_disposesOfWhatReadAChangedValue() throws {
        let disposals = Tally<String>()
        let context = try AppContext().load(chain(disposals))
        let plain = try context.resolve(Outer.self)
        try context.loadProperties(MemoryFiles(#"{"size": 1}"#).source)
        #expect(isSame(try context.resolve(Outer.self), plain))
        try context.loadProperties(MemoryFiles(#"{"color": "blue"}"#).source)
        #expect(disposals.take() == ["outer", "middle plain"])
        #expect(try context.resolve(Outer.self).link.inner?.name == "middle blue")
    }

    @Test func failingReload_changesNothing() throws {
        let disposals = Tally<String>()
        let files = MemoryFiles(#"{"color": "blue"}"#)
        let context = try AppContext().load(chain(disposals)).loadProperties(files.source)
        let blue = try context.resolve(Outer.self)
        files.content = #"{"color": "#
        // Not `#expect(throws:)`, whose expansion crashes under the thread sanitizer.
        #expect((try? context.reloadProperties()) == nil)
        #expect(isSame(try context.resolve(Outer.self), blue))
        #expect(disposals.take() == [])
    }

    @Test func unloadAll_disposesOfEverything_latestFirst() throws {
        let disposals = Tally<String>()
        let context = try AppContext().load(chain(disposals))
        _ = try context.resolve(Outer.self)
        try context.push(settings(["color": "red"]))
        _ = try context.resolve(Outer.self)
        try context.unloadAll()
        #expect(disposals.take() == ["outer", "middle red", "outer", "middle plain", "inner"])
        #expect(try context.resolve(Outer?.self)?.link == nil)
    }

    @Test func endOfTheContext_disposesOfEverything_latestFirst() throws {
        let disposals = Tally<String>()
        var context: AppContext? = try AppContext().load(chain(disposals))
        _ = try context?.resolve(Outer.self)
        context = nil
        #expect(disposals.take() == ["outer", "middle plain", "inner"])
    }

    @Test func pop_keepsWhatTurnsOutTheSame_whenAnotherPushGivesTheSameAnswer() throws {
        let disposals = Tally<String>()
        let context = try AppContext().load(chain(disposals))
        let red = settings(["color": "red"])
        try context.push(red)
        let outer = try context.resolve(Outer.self)
        try context.push(settings(["color": "red"]))
        try context.pop(red)
        #expect(isSame(try context.resolve(Outer.self), outer))
        // A push and pop in between brings it back, although none of its first modules are left.
        try context.push(settings(["color": "blue"]))
        try context.push(settings(["color": "green"]))
        context.pop()
        context.pop()
        #expect(isSame(try context.resolve(Outer.self), outer))
        #expect(disposals.take() == [])
        context.pop()
        #expect(disposals.take() == ["outer", "middle red"])
    }

    @Test func pop_bringsBackAWeakInstance_thatOtherCodeHolds() throws {
        final class Viewer: Sendable {
            let color: String

            init(_ color: String) { self.color = color }
        }
        let module = Module("Weak") { registry in
            registry.register(scope: .weak) { (resolver: Resolver) in
                Viewer(try resolver.value("color", default: "plain"))
            }
        }
        let context = try AppContext().load(module)
        var held: Viewer? = try context.resolve(Viewer.self)
        weak let observed = held
        try context.push(settings(["color": "red"]))
        #expect(try context.resolve(Viewer.self).color == "red")
        context.pop()
        #expect(try context.resolve(Viewer.self) === held)
        try context.push(settings(["color": "red"]))
        held = nil
        #expect(observed == nil, "A weak instance is set aside weakly")
        context.pop()
        #expect(try context.resolve(Viewer.self).color == "plain")
    }

    @Test func wrapper_letsGo_ofWhatWasReset() throws {
        final class Visitor: Sendable {}
        let module = Module("Visits") { $0.register(scope: Self.visit, Visitor.init) }
        let context = try AppContext().load(module)
        let wrapper = AppContext.withContext(context) { Dependency<Visitor>() }
        weak let visitor = wrapper()
        try context.push(settings(["a": 1]))
        #expect(wrapper() === visitor)
        context.pop()
        #expect(wrapper() === visitor)
        #expect(visitor != nil)
        try context.reset(Self.visit)
        _ = wrapper()
        #expect(visitor == nil, "The wrapper still holds what was reset")
    }
}
